"""Read TXT and Markdown: the whole file is one document, to the character.

A text file may be something else by what is in it: Excel saves "Unicode text" as tab-separated
lines, other programs save tables with commas or bars, and corrected scans hold their versions side by side. Those go to their readers.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.tables.header_signs import is_label
from pipelines.readers.text.aligned import is_aligned, read_aligned
from pipelines.readers.text.decode import Encoding, beginning, decoded, detect
from pipelines.readers.text.delimited import note_encoding, read_table
from pipelines.readers.text.dialect import find_dialect
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Document

_BEGINNING = 1 << 18
_ROWS = 3  # that a table in a text file has at least
_DELIMITERS = ",;|"
_LONGEST_NAME = 120


def read_plain(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of a text file; an empty file is one document with an empty text.

    Raises:
        UnreadableFile: binary, or larger than the limit of one text.
        SkippedFile: a table in it has no free-text column.
    """
    encoding = detect(file.path)
    note_encoding(encoding, tally)
    start = beginning(file.path, encoding, _BEGINNING)
    if is_aligned(start):
        return read_aligned(file, options, tally, encoding, start)
    if tally.kind != "markdown" and is_table(start):
        tally.kind = "csv"
        return read_table(file, options, tally, encoding, tabs="\t" in start.partition("\n")[0])
    limit = options.limits.field_mb
    if file.path.stat().st_size > limit << 20:
        raise UnreadableFile(
            f"one text of {file.path.stat().st_size >> 20} MB, more than the limit of {limit} MB"
        )
    return _document(file, encoding)


def is_table(start: str) -> bool:
    """Return whether a text file is a table: every line has the same cells.

    Where no tabs part them, every row must have as many cells and the first be names of columns.
    """
    first = start.partition("\n")[0]
    if "\t" not in first.strip():
        return _has_names(first) and _is_even(start)
    dialect = find_dialect(start, whole=len(start) < _BEGINNING, tabs=True)
    lines = [line for line in start.splitlines()[:200] if line.strip()]
    tabs = dialect.width - 1
    same = sum(line.count("\t") == tabs for line in lines)
    return dialect.delimiter == "\t" and len(lines) >= _ROWS and same >= 0.8 * len(lines)


def _has_names(first: str) -> bool:
    """Tell whether a first line is the names of columns, one of them known to be one."""
    delimiter = max(_DELIMITERS, key=first.count)
    names = [name.strip().strip('"') for name in first.split(delimiter)]
    least = 2 if delimiter == "|" else 3
    return (
        len(names) >= least
        and all(0 < len(name) <= _LONGEST_NAME for name in names)
        and len(set(names)) == len(names)
        and 2 * sum(map(is_label, names)) >= len(names)
    )


def _is_even(start: str) -> bool:
    whole = len(start) < _BEGINNING
    dialect = find_dialect(start, whole=whole)
    if dialect.delimiter not in _DELIMITERS:
        return False
    lines = StringIO(start, newline="").readlines()
    try:
        widths = [len(row) for row in dialect.reader(lines if whole else lines[:-1]) if row]
    except csv.Error:
        return False
    return len(widths) >= _ROWS and set(widths) == {dialect.width}


def _document(file: SourceFile, encoding: Encoding) -> Iterator[Document]:
    text = "".join(decoded(file.path, encoding))
    yield Document(
        key=file.name, text=text, metadata=whole_file_metadata(file), locator="the whole file"
    )
