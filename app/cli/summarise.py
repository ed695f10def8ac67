"""``florilegium summarise``: the best sentences, verbatim, of one text or of a group of documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json
from app.errors import UsageError

if TYPE_CHECKING:
    from app.cli.batch import Record
    from app.summaries import Asked
    from pipelines.summaries import Length

_LONG = 200_000
"""Characters from which a text is summarised by parts."""


@click.command()
@click.argument("path", metavar="PATH|-", required=False)
@click.option("--sentences", type=click.IntRange(1, 50), help="How many.  [default: the recipe's]")
@click.option("--words", type=click.IntRange(1), help="At most so many words.")
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    help="At most this share of the words, 0 to 1.",
)
@click.option("--query", default="", metavar="TEXT", help="Only what is said about this.")
@click.option("--collection", metavar="C", help="Summarise stored documents, and keep the summary.")
@click.option("--question", metavar="Q", help="Of a collection: the answers to this question.")
@click.option("--theme", metavar="KEY", help="Of a collection: what is coded with this theme.")
@click.option("--codebook", metavar="NAME", help="The theme's.  [default: the only one]")
@click.option("--respondent", metavar="ID", help="Of a collection: one person's, in time order.")
@click.option(
    "--quotes",
    type=click.IntRange(0, 50),
    default=0,
    help="Of a collection: add so many central and so many most different quotes.",
)
@click.option("--recipe", default="general", show_default=True, help="Recipe to take weights from.")
@click.option("--batch", "source", metavar="FILE", help="NDJSON file, - for stdin.")
@json_option
@global_options
def summarise(
    path: str | None,
    sentences: int | None,
    words: int | None,
    share: float | None,
    query: str,
    collection: str | None,
    question: str | None,
    theme: str | None,
    codebook: str | None,
    respondent: str | None,
    quotes: int,
    recipe: str,
    source: str | None,
    as_json: bool,
) -> int:
    """Summarise a text, or the documents of a collection, by their own sentences.

    Every sentence is verbatim and has its place. A text's summary is only printed; a collection's
    is kept. Where a group divides, each side is heard. Nobody who refused publication is quoted,
    and no sentence with personal data.

    Example: florilegium summarise --collection consultation --query "what do they say about parking?"
    """
    from app.cli.batch import require_one
    from app.summaries import Asked
    from pipelines.summaries import Length

    asked = Asked(question, theme, codebook, respondent, query.strip(), quotes)
    length = Length(sentences, words, share)
    if collection is not None:
        if path is not None or source is not None:
            raise UsageError("Give a text or --collection, not both.")
        return _group(collection, asked, length, as_json=as_json)
    for name, value in asdict(asked).items():
        if value and name != "query":
            raise UsageError(f"--{name} is about stored documents; name them with --collection C.")
    require_one(path, source, name="PATH")
    if source is not None:
        return _batch(source, recipe, asked, length)
    return _text(path or "-", recipe, asked.query, length, as_json=as_json)


def _group(collection: str, asked: Asked, length: Length, *, as_json: bool) -> int:
    from app.summaries import as_dict, summarise_collection
    from app.workspace import build_encoder, open_store
    from pipelines.recipes import load_recipe

    here = settings()
    store = open_store(here)
    row = store.collection(collection)
    recipe = load_recipe(row.recipe)
    if length.words is None and length.share is None and length.sentences is None:
        length = replace(length, sentences=5)
    made = summarise_collection(
        here, store, row, asked, length, build_encoder(here, recipe.model), recipe.summarise
    )
    if as_json:
        print_json(as_dict(made, collection))
    else:
        _print_group(as_dict(made, collection))
    for warning in made.warnings:
        note(warning)
    return 0


def _print_group(shown: dict[str, object]) -> None:
    details, sentences = shown["details"], shown["sentences"]
    assert isinstance(details, dict)
    assert isinstance(sentences, list)
    titles = {"summary": "", "central": "Quotes that stand for it", "different": "Most different"}
    last = "summary"
    for one in sentences:
        if one["role"] != last:
            click.echo(f"\n{titles[one['role']]}:")
            last = one["role"]
        side = f" ({one['stance']})" if one["stance"] else ""
        click.echo(f"[{one['document']} {one['start']}:{one['end']}]{side} {one['text']}")
    if details["reason"]:
        note(f"No sentence: {details['reason']}.")
    said = f"From {details['statements']:,} statements of {details['documents']:,} documents."
    for reason, count in details["left_out"].items():
        said += f" Left out, {reason}: {count:,}."
    note(said)


def _text(path: str, name: str, query: str, length: Length, *, as_json: bool) -> int:
    from app.cli.text_input import read_text

    text = read_text(path)
    bounded = length.words is not None or length.share is not None
    if not (query or bounded) and len(text) < _LONG:
        return _piped(text, name, length.sentences, as_json=as_json)
    from app.summaries import lines, summarise_text
    from app.workspace import build_encoder
    from pipelines.recipes import load_recipe

    recipe = load_recipe(name)
    if length.sentences is None and not bounded:
        length = replace(length, sentences=recipe.summarise.sentences)
    encoder = build_encoder(settings(), recipe.model)
    found = summarise_text(text, encoder, recipe.summarise, length, query)
    if as_json:
        fields = ("start", "end", "text", "rank", "score")
        shown = [{field: getattr(one, field) for field in fields} for one in found.sentences]
        print_json(
            {"sentences": shown, "reason": found.reason} if found.reason else {"sentences": shown}
        )
    else:
        for line in lines(found.sentences):
            click.echo(line)
        if found.reason:
            note(f"No sentence: {found.reason}.")
    return 0


def _piped(text: str, name: str, sentences: int | None, *, as_json: bool) -> int:
    shown = _work(name, sentences)([{"text": text}])[0]
    if as_json:
        print_json(shown)
    else:
        for sentence in sorted(shown.get("sentences", []), key=lambda s: s["start"]):
            click.echo(f"[{sentence['start']}:{sentence['end']}] {sentence['text']}")
    return 3 if "error" in shown else 0


def _batch(source: str, name: str, asked: Asked, length: Length) -> int:
    from app.cli.batch import run_batch

    if asked.query or length.words is not None or length.share is not None:
        raise UsageError(
            "--query, --words and --share are for one text or a collection; with --batch give "
            "--sentences."
        )
    return run_batch(source, _work(name, length.sentences))


def _work(name: str, sentences: int | None) -> Callable[[Sequence[Record]], list[Record]]:
    """Return the work of a batch: records to their best sentences."""
    from app.cli.batch import piped
    from app.workspace import build_pipeline
    from pipelines.recipes import load_recipe
    from pipelines.types import DocumentResult

    recipe = load_recipe(name)
    most = sentences or recipe.summarise.sentences
    recipe = replace(
        recipe, stages=("summarise",), summarise=replace(recipe.summarise, sentences=most)
    )

    def answer(result: DocumentResult) -> Record:
        return {"sentences": [asdict(sentence) for sentence in result.summary]}

    return piped(build_pipeline(settings(), recipe, []), answer)
