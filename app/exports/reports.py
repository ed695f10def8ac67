"""Reports as DOCX, XLSX and HTML: by the themes of a codebook, else by labels and concepts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.errors import UsageError
from app.exports.types import Asked, Written, whole

if TYPE_CHECKING:
    from app.report.blocks import Report
    from pipelines.recipes import SummariseParameters
    from pipelines.stages.vectors import SentenceEncoder

KINDS = ("docx", "xlsx", "html")


def write_report(asked: Asked, kind: str) -> Written:
    """Write the report as ``kind``, one of KINDS; rows are those of its tables."""
    report = make_report(asked)
    with whole(asked.path) as part:
        if kind == "html":
            from app.report.html import write_html

            rows = write_html(report, part)
        elif kind == "docx":
            from app.report.docx import write_docx

            rows = write_docx(report, part, made=asked.made)
        else:
            from app.report.xlsx import write_xlsx

            rows = write_xlsx(report, part, made=asked.made)
    return Written(rows, "rows of tables")


def make_report(asked: Asked) -> Report:
    """Put the report together, with quotes chosen for it where words may be shown.

    Raises UsageError for a column to tabulate by that no document has.
    """
    from app.report.compose import compose
    from app.report.labels import compose_labels, labelled
    from app.report.quotes import choose_quotes, theme_quotes

    store, collection, book, wanted = asked.store, asked.collection, asked.book, asked.wanted
    if wanted.by:
        _check_columns(asked, wanted.by)
    count = wanted.quotes if asked.words else 0
    if book is None:
        found = labelled(store, collection)
        if not count:
            return compose_labels(store, collection, found, wanted, {})
        encoder, parameters = _chooser(asked)
        names = {key: key[1] for key in found.places}
        chosen = choose_quotes(
            store,
            collection,
            found.places,
            names,
            count=count,
            encoder=encoder,
            parameters=parameters,
        )
        return compose_labels(store, collection, found, wanted, chosen)
    if not count:
        return compose(store, collection, book, wanted, {})
    encoder, parameters = _chooser(asked)
    themes = store.themes(book.id, wanted.version)
    quotes = theme_quotes(
        store,
        collection,
        book,
        themes,
        version=wanted.version,
        count=count,
        encoder=encoder,
        parameters=parameters,
    )
    return compose(store, collection, book, wanted, quotes)


def _check_columns(asked: Asked, names: Sequence[str]) -> None:
    facts = asked.store.document_facts(asked.collection.id)
    known = sorted({name for fact in facts for name in fact.metadata})
    for name in names:
        if name not in known:
            there = ", ".join(map(repr, known[:20])) or "none"
            raise UsageError(
                f"--by {name!r}: no such column in {asked.collection.name!r}; expected one of: {there}."
            )


def _chooser(asked: Asked) -> tuple[SentenceEncoder, SummariseParameters]:
    """Return what measures how central a statement is: the model and weights of the recipe."""
    from app.workspace import build_encoder
    from pipelines.errors import RecipeError
    from pipelines.learn.shared import SharedVectors
    from pipelines.recipes import load_recipe

    try:
        recipe = load_recipe(asked.collection.recipe)
    except RecipeError:  # a file of the user's own that has gone since
        recipe = load_recipe()
    return SharedVectors(build_encoder(asked.settings, recipe.model)), recipe.summarise
