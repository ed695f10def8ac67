"""Read the tables of an HTML page that goes under the name of a workbook, as web forms export them."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.readers.containers import sandbox
from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.table import Row, open_table
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document


def read_web_table(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of the largest table of a page.

    Raises:
        SkippedFile: no table, or none with a free-text column.
        UnreadableFile: too large for the parser.
    """
    rows: Iterator[Row] = sandbox.run(
        "pipelines.readers.pages.web_table:rows", str(file.path), limits=options.limits
    )
    table = open_table(rows, file, options)
    return table.documents(file, tally)


def rows(path: str) -> Iterator[Row]:
    """Yield the numbered rows of the largest table of the page at ``path``.

    Raises:
        SkippedFile: there is no table in it.
    """
    from pathlib import Path

    from selectolax.lexbor import LexborHTMLParser

    from pipelines.readers.pages.markup import node_text
    from pipelines.readers.pages.markup_encoding import declared_encoding
    from pipelines.readers.text.decode import decoded

    source = "".join(decoded(Path(path), declared_encoding(Path(path))))
    tables = LexborHTMLParser(source).css("table")
    if not tables:
        raise SkippedFile("an HTML page without a table; name it .html to read it as a document")
    largest = max((table.css("tr") for table in tables), key=len)
    for number, line in enumerate(largest, start=1):
        yield number, [node_text(cell) for cell in line.css("td, th")]
