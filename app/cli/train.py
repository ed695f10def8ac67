"""``florilegium train``: a label set from coded examples, with honest scores."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click

from app.cli.options import global_options, is_quiet, json_option, settings
from app.cli.output import note, print_json, print_table


@click.command()
@click.argument("name", metavar="SET")
@click.option(
    "--labels",
    "examples_file",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV: text, optional id, question, group; labels as 0/1 columns or in one column.",
)
@click.option("--label-columns", metavar="A,B,…", help="The 0/1 columns.  [default: all the rest]")
@click.option("--group", default="", metavar="COLUMN", help="Rows that belong together.")
@click.option(
    "--descriptions",
    type=click.Path(path_type=Path),
    help="CSV with label and description, for labels with few or no examples.",
)
@click.option(
    "--fine-tune",
    is_flag=True,
    help="Try a fine-tuned ALBERT too: minutes to hours, kept only where it wins.",
)
@json_option
@global_options
def train(
    name: str,
    examples_file: Path,
    label_columns: str | None,
    group: str,
    descriptions: Path | None,
    fine_tune: bool,
    as_json: bool,
) -> int:
    """Learn a label set from examples, and say how well it does on texts it has not seen.

    Candidates are compared by cross-validation on your own labels; the best one is kept in the
    workspace under SET, in place of what was there. A file of label and description alone makes a
    set without examples. With --fine-tune the last layer of the model learns as well; the time
    left is told after each fold.
    """
    from app.cli.label_report import show_scores, split_columns
    from app.label_sets import trained_folder
    from app.workspace import build_encoder
    from pipelines.learn.candidates import CANDIDATES, with_fine_tuned
    from pipelines.learn.descriptions import is_codebook, only_descriptions, with_descriptions
    from pipelines.learn.examples import read_examples
    from pipelines.learn.train import train as learn
    from pipelines.learn.trained import save_trained

    chosen = settings()
    folder = trained_folder(chosen, name)
    if is_codebook(examples_file):
        examples = only_descriptions(examples_file)
    else:
        columns = split_columns(label_columns)
        examples = read_examples(examples_file, label_columns=columns, group=group)
    if descriptions is not None:
        examples = with_descriptions(examples, descriptions)
    for warning in examples.warnings:
        note(f"Warning: {warning}")
    _writable(folder.parent)
    encoder = build_encoder(chosen)
    trained = learn(
        name,
        examples,
        encoder,
        encoder_sha256=encoder.spec.sha256,
        seeds=(0,) if fine_tune else None,
        candidates=with_fine_tuned() if fine_tune else CANDIDATES,
        said=(lambda _: None) if is_quiet() else note,
    )
    sha256 = save_trained(trained, folder)
    answer = {**trained.report, "sha256": sha256, "path": str(folder)}
    if as_json:
        print_json(answer)
        return 0
    click.echo(
        f"{name}: {len(examples.labels)} labels from {len(examples.rows):,} texts; "
        f"what runs: {answer['chosen']}"
    )
    show_scores(answer)
    shown = ("label", "examples", "precision", "recall", "f1")
    print_table(shown, [[one.get(c, "") for c in shown] for one in answer["per_label"]])
    click.echo(f"Kept in {folder}. Use it: florilegium classify --set {name} --batch FILE")
    return 0


def _writable(folder: Path) -> None:
    """Raise OSError for a folder that cannot be written to, before minutes are spent on learning."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
