"""``florilegium evaluate``: how a label set does against codes that people gave."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json, print_table


@click.command()
@click.argument("name", metavar="SET")
@click.option(
    "--gold",
    required=True,
    type=click.Path(path_type=Path),
    help="CSV as for train: text, and labels as 0/1 columns or in one column.",
)
@click.option("--label-columns", metavar="A,B,…", help="The 0/1 columns.  [default: all the rest]")
@click.option("--group", default="", metavar="COLUMN", help="Rows that belong together.")
@click.option("--by", default="", metavar="COLUMN", help="Scores for each value of a column too.")
@json_option
@global_options
def evaluate(
    name: str, gold: Path, label_columns: str | None, group: str, by: str, as_json: bool
) -> int:
    """Compare a trained or bundled label set with coded texts that it was not trained on.

    The interval is a 95 % bootstrap over groups of rows. Texts that the set was trained on make the
    scores too good; they are counted in a warning.
    """
    from app.cli.label_report import show_scores, split_columns
    from app.label_sets import load_scored_set
    from app.workspace import build_encoder
    from pipelines.learn.evaluate import evaluate as measure
    from pipelines.learn.examples import read_examples

    chosen = settings()
    examples = read_examples(gold, label_columns=split_columns(label_columns), by=by, group=group)
    scored = load_scored_set(chosen, name, build_encoder(chosen))
    answer = {"set": name, **measure(scored, examples, by=bool(by))}
    for warning in answer["warnings"]:
        note(f"Warning: {warning}")
    if as_json:
        print_json(answer)
        return 0
    click.echo(f"{name} against {len(examples.rows):,} coded texts")
    show_scores(answer)
    columns = ("label", "examples", "assigned", "precision", "recall", "f1")
    print_table(columns, [[one[c] for c in columns] for one in answer["per_label"]])
    if by:
        rows = [
            [one["value"], one["rows"], *(one["scores"][k] for k in ("samples_f1", "micro_f1"))]
            for one in answer["groups"]
        ]
        print_table((by, "rows", "samples_f1", "micro_f1"), rows)
    return 0
