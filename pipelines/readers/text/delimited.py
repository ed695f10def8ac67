"""Read CSV and TSV as a stream: cells kept to the character, and nothing lost in silence."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.table import Row, open_table
from pipelines.readers.text.decode import Encoding, beginning, detect
from pipelines.readers.text.dialect import Dialect, find_dialect
from pipelines.readers.text.lines import LongLine, line_batches
from pipelines.readers.text.quotes import FURTHEST, is_row, mended, mostly_rows
from pipelines.readers.types import Limits, ReadOptions, SourceFile, Tally
from pipelines.types import Document

_SAMPLE = 256 * 1024
_NAMED = 5  # rows that a warning names one by one
_MANY_LINES = 20  # that a cell may have before they are looked at
_TAB_SUFFIXES = {".tsv", ".tab"}


def read_delimited(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of a CSV or TSV file; columns are classed before it returns.

    Raises:
        UnreadableFile: binary.
        SkippedFile: empty, or without a free-text column.
    """
    if not file.path.stat().st_size:
        raise SkippedFile("the file is empty")
    encoding = detect(file.path)
    note_encoding(encoding, tally)
    tabs = file.path.suffix.lower() in _TAB_SUFFIXES
    return read_table(file, options, tally, encoding, tabs=tabs)


def read_table(
    file: SourceFile, options: ReadOptions, tally: Tally, encoding: Encoding, *, tabs: bool
) -> Iterator[Document]:
    """Return the documents of a delimited file in a known encoding; ``tabs`` are to be expected."""
    sample = beginning(file.path, encoding, _SAMPLE)
    dialect = find_dialect(
        sample,
        whole=len(sample) < _SAMPLE,
        tabs=tabs,
    )
    if dialect.backslash:
        tally.warnings.append('a quotation mark inside a cell is written \\" and read as one')
    rows = Rows(file.path, encoding, dialect, options.limits, tally)
    table = open_table(rows, file, options, delimiter=dialect.shown)
    return table.documents(file, tally)


def note_encoding(encoding: Encoding, tally: Tally) -> None:
    """Put the encoding and any doubt about it into the report."""
    tally.encoding = encoding.name
    if encoding.warning:
        tally.warnings.append(encoding.warning)


class Rows:
    """The rows of a delimited file with their numbers, as a spreadsheet shows them.

    A record with line breaks inside its cells is one row. The records that could not be read by
    the rules are told in the warnings once the last row was taken.
    """

    def __init__(
        self, path: Path, encoding: Encoding, dialect: Dialect, limits: Limits, tally: Tally
    ) -> None:
        """Open nothing yet; ``tally`` gets the warnings."""
        self._path = path
        self._encoding = encoding
        self._dialect = dialect
        self._longest = limits.field_mb << 20
        self._limits = limits
        self._tally = tally
        self._number = 0
        self._rest: list[str] = []
        self._mended: list[int] = []
        self._long: list[int] = []
        self._spread: list[int] = []

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows."""
        csv.field_size_limit(self._longest)
        first = self._dialect.announced
        wanted = size = 0
        for batch in line_batches(self._path, self._encoding, self._longest):
            lines = self._dialect.unescaped(batch)
            if first:
                lines = lines[1:]
                first = 0
            if isinstance(batch[0], LongLine):
                yield from self._taken(self._rest, last=True)
                self._rest, size, wanted = [], 0, 0
                self._number += 1
                self._long.append(self._number)
                continue
            if self._rest:
                size += sum(map(len, lines))
                self._rest += lines
                if size < wanted:  # an open cell is read again only when it has doubled
                    continue
                lines = self._rest
            yield from self._taken(lines, last=False)
            wanted = 2 * (size := sum(map(len, self._rest)))
        yield from self._taken(self._rest, last=True)
        self._tally.warnings.extend(self._warnings())

    def _taken(self, lines: list[str], *, last: bool) -> Iterator[Row]:
        """Yield the rows of ``lines``; unless ``last``, an open one at the end is kept for later."""
        dialect = self._dialect
        reader = dialect.reader(lines)
        base = done = 0  # the line the reader began with, and the first one not yet read
        while True:
            broken = ""
            try:
                for cells in reader:
                    end = base + reader.line_num
                    if end - done > 1 and self._swallowed(cells, lines[done:end]):
                        broken = "swallowed"
                        break
                    self._number += 1
                    yield self._number, cells
                    done = end
            except csv.Error as error:
                broken = str(error)
            if not broken:
                self._rest = []
                return
            if "end of data" in broken and not last and not self._is_torn(lines[done:]):
                self._rest = lines[done:]
                return
            row, taken = mended(lines[done : done + FURTHEST + 1], dialect)
            self._number += 1
            if max(map(len, row)) > self._longest:
                self._long.append(self._number)
            else:
                self._mended.append(self._number)
                yield self._number, row
            done += taken
            if done != base + reader.line_num:
                base, reader = done, dialect.reader(lines[done:])

    def _is_torn(self, lines: list[str]) -> bool:
        """Return whether an open record is one mark that was never closed, from what follows it."""
        if sum(map(len, lines)) > self._longest:
            return True
        return len(lines) > _MANY_LINES and mostly_rows(lines[1:500], self._dialect)

    def _swallowed(self, cells: list[str], lines: list[str]) -> bool:
        """Return whether a record of several lines holds rows that belong to others."""
        dialect = self._dialect
        if len(cells) == dialect.width:
            if len(lines) > _MANY_LINES and mostly_rows(lines[1:500], dialect):
                self._spread.append(self._number + 1)
            return False
        if dialect.width < 2 or (dialect.width == 2 and len(cells) < 2):
            return False
        return any(is_row(line, dialect) for line in lines[1:200])

    def _warnings(self) -> Iterator[str]:
        limit = f"the limit of {self._limits.field_mb} MB"
        if self._mended:
            yield (
                f"quotation marks out of place in {rows_named(self._mended)}: "
                "kept as text, look at these rows"
            )
        if self._spread:
            yield (
                f"{rows_named(self._spread)} hold{'s' if len(self._spread) == 1 else ''} many lines "
                "that look like rows: a quotation mark may not be closed"
            )
        if self._long:
            yield f"{rows_named(self._long)} left out: a cell is larger than {limit}"


def rows_named(numbers: list[int]) -> str:
    """Return "row 3", or the first few of many."""
    shown = ", ".join(map(str, numbers[:_NAMED]))
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{more}"
