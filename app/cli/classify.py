"""``florilegium classify``: the labels of one text against a set, with the words that earned them."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json, print_table
from app.errors import UsageError


@click.command()
@click.argument("path", metavar="PATH|-", required=False)
@click.option("--set", "label_set", metavar="SET", help="A bundled label set.")
@click.option(
    "--labels",
    "labels_file",
    type=click.Path(path_type=Path),
    help="CSV with label, description and optional stance.",
)
@click.option("--batch", "source", metavar="FILE", help="NDJSON file, - for stdin.")
@json_option
@global_options
def classify(
    path: str | None,
    label_set: str | None,
    labels_file: Path | None,
    source: str | None,
    as_json: bool,
) -> int:
    """Label a text from the labels' names and descriptions alone; nothing is stored."""
    from app.cli.batch import Record, piped, require_one, run_batch
    from app.cli.text_input import read_text
    from app.workspace import build_encoder
    from pipelines.labels import load_label_set
    from pipelines.pipeline import Pipeline
    from pipelines.recipes import load_recipe
    from pipelines.types import DocumentResult

    require_one(path, source, name="PATH")
    if (label_set is None) == (labels_file is None):
        raise UsageError("Give --set SET or --labels FILE, one of the two.")
    labels = load_label_set(labels_file if labels_file is not None else str(label_set))
    recipe = replace(load_recipe("general"), stages=("classify",))
    pipeline = Pipeline(recipe, build_encoder(settings()), label_set=labels)

    def answer(result: DocumentResult) -> Record:
        ranked = sorted(result.labels, key=lambda label: -label.score)
        return {
            "labels": [asdict(label) for label in ranked],
            "assigned": [label.label for label in ranked if label.assigned],
        }

    work = piped(pipeline, answer)
    if source is not None:
        return run_batch(source, work)
    shown = work([{"text": read_text(path or "-")}])[0]
    if as_json:
        print_json(shown)
    else:
        columns = ("label", "score", "assigned", "start", "end", "text")
        print_table(columns, [[x[c] for c in columns] for x in shown.get("labels", [])])
    return 3 if "error" in shown else 0
