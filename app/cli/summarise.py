"""``florilegium summarise``: the best sentences of one text, verbatim."""

from __future__ import annotations

from dataclasses import asdict, replace

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import print_json


@click.command()
@click.argument("path", metavar="PATH|-", required=False)
@click.option("--sentences", type=click.IntRange(1, 50), help="How many.  [default: the recipe's]")
@click.option("--recipe", default="general", show_default=True, help="Recipe to take weights from.")
@click.option("--batch", "source", metavar="FILE", help="NDJSON file, - for stdin.")
@json_option
@global_options
def summarise(
    path: str | None, sentences: int | None, recipe: str, source: str | None, as_json: bool
) -> int:
    """Summarise a text by its own sentences; nothing is stored."""
    from app.cli.batch import Record, piped, require_one, run_batch
    from app.cli.text_input import read_text
    from app.workspace import build_pipeline
    from pipelines.recipes import load_recipe
    from pipelines.types import DocumentResult

    require_one(path, source, name="PATH")
    chosen = load_recipe(recipe)
    chosen = replace(
        chosen,
        stages=("summarise",),
        summarise=replace(chosen.summarise, sentences=sentences or chosen.summarise.sentences),
    )
    pipeline = build_pipeline(settings(), chosen, [])

    def answer(result: DocumentResult) -> Record:
        return {"sentences": [asdict(sentence) for sentence in result.summary]}

    work = piped(pipeline, answer)
    if source is not None:
        return run_batch(source, work)
    shown = work([{"text": read_text(path or "-")}])[0]
    if as_json:
        print_json(shown)
    else:
        for sentence in sorted(shown.get("sentences", []), key=lambda s: s["start"]):
            click.echo(f"[{sentence['start']}:{sentence['end']}] {sentence['text']}")
    return 3 if "error" in shown else 0
