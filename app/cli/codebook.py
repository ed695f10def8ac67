"""What the commands about codebooks share: options, opening one, and what is said after a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.options import is_quiet, settings
from app.cli.output import note
from app.errors import UsageError

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store

codebook_option = click.option(
    "--codebook", metavar="NAME", help="Which codebook.  [default: the collection's only one]"
)
author_option = click.option(
    "--by", "author", metavar="NAME", help="Who does it.  [default: your user name]"
)


def opened(collection: str, codebook: str | None) -> tuple[Store, CodebookRow]:
    """Return the store, and the codebook that a command is about."""
    from app.workspace import open_store

    store = open_store(settings())
    return store, store.codebook(store.collection(collection).id, codebook)


def shown(
    collection: str, store: Store, book: CodebookRow, version: int | None
) -> dict[str, object]:
    """Return a codebook as JSON."""
    from app.codebooks.overview import as_dict, theme_lines

    return {
        "collection": collection,
        "codebook": book.name,
        "question": book.question,
        "version": book.version if version is None else version,
        "themes": [as_dict(line) for line in theme_lines(store, book, version)],
    }


def named(author: str | None) -> str:
    """Return who does it; raise UsageError when nobody is named."""
    name = (author or "").strip() or settings().person
    if not name:
        raise UsageError(
            "Nobody is named as the author of the change; expected a name. Give one with --by NAME, "
            "or for good with the setting reviewer (see: florilegium config show)."
        )
    return name


def done(collection: str, store: Store, book: CodebookRow, more: str = "") -> None:
    """Bring the graph in step; say which version stands, and how to look at it or take it back."""
    from app.reviews import graph_follows

    _, warnings = graph_follows(settings(), store, lambda: None)
    book = store.codebook(book.collection_id, book.name)
    said = f"; {more}" if more else ""
    several = len(store.codebooks(book.collection_id)) > 1
    named_book = f" --codebook {book.name!r}" if several else ""
    if not is_quiet():
        note(
            f"Codebook {book.name!r} is at version {book.version} now{said}. Look at it: florilegium "
            f"themes list {collection}{named_book}. Take the change back: florilegium themes undo "
            f"{collection}{named_book}"
        )
    for warning in warnings:
        note(warning)
