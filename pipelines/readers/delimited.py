"""Read CSV and TSV as a stream: delimiter found from a sample, cells kept to the character."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from pipelines.readers.decode import Encoding, detect, open_text
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.tables import Row, open_table
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

_DELIMITERS = ",;\t|"
_SAMPLE = 256 * 1024
_ONE_COLUMN = "\x1f"  # a delimiter no text holds
_LARGEST_CELL = 2**31 - 1


def read_delimited(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of a CSV or TSV file; columns are classed before it returns.

    Raises:
        UnreadableFile: binary, or broken in its encoding.
        SkippedFile: empty, or without a free-text column.
    """
    if not file.path.stat().st_size:
        raise SkippedFile("the file is empty")
    encoding = detect(file.path)
    tally.encoding = encoding.name
    if encoding.warning:
        tally.warnings.append(encoding.warning)
    with open_text(file.path, encoding) as stream:
        delimiter = find_delimiter(stream.read(_SAMPLE))
    table = open_table(_rows(file.path, encoding, delimiter, tally), options)
    tally.columns = table.columns
    return table.documents(file, tally)


def find_delimiter(sample: str) -> str:
    """Return the delimiter that gives most rows of ``sample`` the same number of cells.

    A single column gives a character that occurs in no text, so that commas inside stay text.
    """
    best, best_score = _ONE_COLUMN, 0.5
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        reader = csv.reader(StringIO(sample, newline=""), delimiter=delimiter)
        widths = [len(row) for row in _quietly(reader) if row]
        if len(widths) > 2:
            widths.pop()  # the sample may end inside a row
        if not widths:
            continue
        body = widths[1:] or widths
        width, times = Counter(body).most_common(1)[0]
        score = times / len(body)
        if widths[0] == width:
            score += 1
        elif 2 * sample.count(delimiter + " ") > sample.count(delimiter):
            continue  # prose has commas too
        if width > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _rows(path: Path, encoding: Encoding, delimiter: str, tally: Tally) -> Iterator[Row]:
    """Yield the numbered rows of the file; warn when its last quotation mark stays open."""
    csv.field_size_limit(_LARGEST_CELL)
    with open_text(path, encoding) as stream:
        lines = _Lines(stream)
        number = 0
        try:
            for number, cells in enumerate(csv.reader(lines, delimiter=delimiter), start=1):
                yield number, cells
        except csv.Error as error:
            raise UnreadableFile(f"row {number + 1} cannot be read as CSV: {error}") from error
        if lines.marks % 2:
            tally.warnings.append(
                f"a quotation mark is not closed: rows may have run together, look at row {number}"
            )


class _Lines:
    """The lines of a file, counting quotation marks as they pass."""

    def __init__(self, stream: Iterator[str]) -> None:
        self._stream = stream
        self.marks = 0

    def __iter__(self) -> Iterator[str]:
        for line in self._stream:
            self.marks += line.count('"')
            yield line


def _quietly(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error:
        return
