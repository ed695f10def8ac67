"""Turn the rows of any table into documents: one for each row and free-text column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from pipelines.readers.columns import FREE_TEXT, classify, column_names
from pipelines.readers.errors import SkippedFile
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Column, Document

Row = tuple[int, list[str]]
"""A row's number as a spreadsheet shows it (the first line is 1), and its cells."""

_NAMED = 5  # rows that a warning names one by one
_CELL = 50  # characters that a cell counts for at least, when the sample is bounded


@dataclass(slots=True)
class _Oddities:
    """Rows that are unlike the others; named in the warnings."""

    surplus: list[int] = field(default_factory=list)
    short: list[int] = field(default_factory=list)
    blank: int = 0

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each kind."""
        if self.surplus:
            names = _rows_named(self.surplus)
            yield f"more cells than the header in {names}; kept as metadata under 'column N'"
        if self.short:
            yield f"fewer cells than the header in {_rows_named(self.short)}; taken as blank"
        if self.blank:
            yield f"{self.blank} blank row{'s' if self.blank > 1 else ''} left out"


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose columns are known: its sample in memory, the rest still to come."""

    names: tuple[str, ...]
    columns: tuple[Column, ...]
    sample: list[Row]
    rest: Iterator[Row]
    oddities: _Oddities
    sheet: str | None = None

    def documents(self, file: SourceFile, tally: Tally) -> Iterator[Document]:
        """Yield the documents, counting rows into ``tally``; warnings come at the end.

        A key is ``<name>#r<row>c<column>``, with ``<sheet>!`` before the row in workbooks. A blank
        cell of a free-text column is a document with an empty text. A row is held only while its
        documents are taken.
        """
        texts = [i for i, column in enumerate(self.columns) if column.role == FREE_TEXT]
        others = [i for i, column in enumerate(self.columns) if column.role != FREE_TEXT]
        fixed = whole_file_metadata(file)
        place = ""
        if self.sheet is not None:
            fixed["sheet"] = self.sheet
            place = f"sheet “{self.sheet}”, "
        prefix = f"{file.name}#" + (f"{self.sheet}!" if self.sheet is not None else "")
        width = len(self.names)
        for number, cells in chain(_draining(self.sample), self.rest):
            if not any(map(str.strip, cells)):
                self.oddities.blank += 1
                continue
            tally.rows += 1
            metadata = dict(fixed)
            if len(cells) != width:
                self._note(number, cells)
                for extra in range(width, len(cells)):
                    metadata[f"column {extra + 1}"] = cells[extra]
                cells = cells[:width] + [""] * (width - len(cells))
            for i in others:
                metadata[self.names[i]] = cells[i]
            for i in texts:
                yield Document(
                    key=f"{prefix}r{number}c{i + 1}",
                    text=cells[i],
                    question=self.names[i],
                    metadata=metadata,
                    locator=f"{place}row {number}, column “{self.names[i]}”",
                )
        tally.warnings.extend(
            f"sheet “{self.sheet}”: {warning}" if self.sheet is not None else warning
            for warning in self.oddities.warnings()
        )

    def _note(self, number: int, cells: list[str]) -> None:
        if len(cells) < len(self.names):
            self.oddities.short.append(number)
        elif any(map(str.strip, cells[len(self.names) :])):
            self.oddities.surplus.append(number)


def open_table(rows: Iterable[Row], options: ReadOptions, sheet: str | None = None) -> Table:
    """Find the header (the first row with a filled cell) and class the columns on a sample.

    Raises:
        SkippedFile: no rows, or no free-text column.
    """
    stream = iter(rows)
    oddities = _Oddities()
    header = _header(stream)
    sample: list[Row] = []
    size = 0
    for number, cells in stream:
        sample.append((number, cells))
        size += sum(map(len, cells)) + _CELL * len(cells)
        if len(sample) >= options.sample_rows or size >= options.sample_characters:
            break
    filled = [cells for _, cells in sample if any(map(str.strip, cells))]
    if not filled:
        raise SkippedFile("no rows below the header")
    names = column_names(header, _width(header, filled))
    level = [_level(cells, len(names)) for cells in filled]
    columns = classify(names, level, options.questions)
    return Table(names, columns, sample, stream, oddities, sheet)


def _header(rows: Iterator[Row]) -> list[str]:
    for _, cells in rows:
        if any(map(str.strip, cells)):
            while not cells[-1].strip():
                cells.pop()
            return cells
    raise SkippedFile("the table is empty")


def _width(header: list[str], rows: list[list[str]]) -> int:
    """Return the header's width, or that of most rows when they are wider."""
    widths = sorted((_filled_width(cells) for cells in rows), reverse=True)
    return max(len(header), widths[len(widths) // 2])


def _filled_width(cells: list[str]) -> int:
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def _level(cells: list[str], width: int) -> list[str]:
    return cells[:width] + [""] * (width - len(cells))


def _draining(rows: list[Row]) -> Iterator[Row]:
    rows.reverse()
    while rows:
        yield rows.pop()


def _rows_named(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:_NAMED]))
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{more}"
