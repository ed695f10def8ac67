"""``florilegium export``: a collection as a report, a table, a coding project or an RDF dump."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import note, print_json

if TYPE_CHECKING:
    from db.rows import CodebookRow, CollectionRow
    from db.store import Store

KINDS = ("xlsx", "csv", "docx", "html", "ttl", "nq", "jsonld", "parquet", "refi-qda")
_QUOTES, _THRESHOLD = 2, 10


@click.command()
@click.argument("collection")
@click.option("--format", "kind", required=True, type=click.Choice(KINDS))
@click.option("--out", required=True, metavar="F", help="File to write; a folder for parquet.")
@click.option(
    "--codebook",
    metavar="NAME",
    help="Themes of this codebook.  [default: the collection's only one; '' for none]",
)
@click.option("--version", type=click.IntRange(1), help="That version of it.  [default: present]")
@click.option("--with-text", is_flag=True, help="The words of a private collection too.")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="Tabulate by this column (reports).  [default: every closed or demographic one]",
)
@click.option(
    "--threshold",
    default=_THRESHOLD,
    show_default=True,
    type=click.IntRange(0),
    help="Hide smaller counts of respondents (reports); 0 hides none.",
)
@click.option("--rounding", default=0, type=click.IntRange(0), help="Round those counts to it.")
@click.option(
    "--quotes",
    default=_QUOTES,
    show_default=True,
    type=click.IntRange(0, 50),
    help="Quotes for each side of a theme (reports).",
)
@json_option
@global_options
def export(
    collection: str,
    kind: str,
    out: str,
    codebook: str | None,
    version: int | None,
    with_text: bool,
    by: tuple[str, ...],
    threshold: int,
    rounding: int,
    quotes: int,
    as_json: bool,
) -> None:
    """Write COLLECTION as a file.

    docx, xlsx and html are a report: themes, else labels and concepts, with counts, quotes and
    method. csv and parquet are tables, refi-qda is a project for coding programs, ttl, nq and jsonld
    are RDF (gzipped when F ends in .gz), with a DCAT description beside.

    Example: florilegium export consultation --format docx --out report.docx
    """
    from pathlib import Path

    from app.exports.types import Asked
    from app.exports.write import write_export
    from app.report.compose import Wanted
    from app.workspace import open_store

    here = settings()
    store = open_store(here)
    row = store.collection(collection)
    words = with_text or not row.text_private
    wanted = Wanted(version, by or None, threshold, rounding, quotes, words)
    path = Path(out)
    asked = Asked(here, store, row, path, _book(store, row, codebook, version), wanted)
    written = write_export(asked, kind)
    if as_json:
        print_json(
            {
                "collection": collection,
                "format": kind,
                "path": str(path),
                "rows": written.rows,
                "unit": written.unit,
                "beside": [str(each) for each in written.beside],
                "words": words,
            }
        )
    else:
        beside = "".join(f", and {each}" for each in written.beside)
        click.echo(f"Wrote {path}{beside}: {written.rows:,} {written.unit}.")
    if not words:
        note(f"Without the words of the documents, as {collection!r} is private (see --with-text).")


def _book(
    store: Store, collection: CollectionRow, name: str | None, version: int | None
) -> CodebookRow | None:
    """Return the codebook that is named, or the only one; None where there is none."""
    from app.errors import UsageError

    known = store.codebooks(collection.id)
    if name == "" or (name is None and not known):
        if version is not None:
            raise UsageError("--version is that of a codebook; there is none here to have one.")
        return None
    book = store.codebook(collection.id, name)
    if version is not None and version > book.version:
        raise UsageError(
            f"--version {version}: codebook {book.name!r} is at version {book.version}; expected 1 "
            f"to that. See its history: florilegium themes history {collection.name}"
        )
    return book
