"""Pass the rows of a table on, leaving out and noting those that are no answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.tables.header import Row
from pipelines.readers.tables.header_signs import folded, is_label, rules

_NAMED = 5  # rows that a warning names one by one


@dataclass(slots=True)
class Oddities:
    """Rows that are unlike the others, by number; named in the warnings."""

    surplus: list[int] = field(default_factory=list)
    short: list[int] = field(default_factory=list)
    headers: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    closings: list[int] = field(default_factory=list)
    unfilled: int = 0
    blank: int = 0

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each kind."""
        if self.surplus:
            names = rows_named(self.surplus)
            yield f"more cells than the header in {names}; kept as metadata under 'column N'"
        if self.short:
            yield f"fewer cells than the header in {rows_named(self.short)}; taken as blank"
        if self.headers:
            yield f"the header again in {rows_named(self.headers)}; left out"
        if self.others:
            yield (
                f"{rows_named(self.others)} may be another header: what follows may answer another "
                "question"
            )
        if self.closings:
            yield f"a total or closing line in {rows_named(self.closings)}; left out"
        if self.unfilled:
            rows = "row" if self.unfilled == 1 else "rows"
            yield f"{self.unfilled} {rows} with nothing but zeros or errors of formulas left out"
        if self.blank:
            yield f"{self.blank} blank row{'s' if self.blank > 1 else ''} left out"


class AnswerRows:
    """The rows of answers, each at least ``width`` cells wide (blank ones are added).

    Left out and noted are blank rows, repetitions of a header row, and, when they are blank in the
    columns at ``texts``, a total or closing line at the end (when it says that a program made the
    export and is alone in its row, in any column) and rows of which no more than half is
    filled, with what formulas give where nothing was filled in. A row with more than ``most`` cells raises
    ``UnreadableFile``.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        width: int,
        texts: Sequence[int],
        header: Sequence[Sequence[str]],
        most: int,
    ) -> None:
        """Read ``rows``, below the rows ``header``."""
        self._rows = rows
        self._width = width
        self._texts = tuple(texts)
        self._most = most
        self._headers = _openings(header)
        self._numbered = any(rules().numbered.match(cell) for row in header for cell in row)
        self.oddities = Oddities()

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows of answers."""
        width, texts, openings = self._width, self._texts, self._headers
        held: list[Row] = []
        for number, cells in self._rows:
            if not any(map(str.strip, cells)):
                self.oddities.blank += 1
                continue
            if len(cells) != width:
                cells = self._levelled(number, cells)
            if openings and self._is_header(cells):
                self.oddities.headers.append(number)
                continue
            if (openings and self._may_be_other(cells)) or self._begins_block(cells):
                self.oddities.others.append(number)
            if not any(cells[i].strip() for i in texts):
                if _is_unfilled(cells):
                    self.oddities.unfilled += 1
                    continue
                if _closes(cells):
                    held.append((number, cells))
                    continue
            elif width > 1 and _signs_off(cells):
                held.append((number, cells))
                continue
            if held:
                yield from held
                held.clear()
            yield number, cells
        self.oddities.closings += [number for number, _ in held]

    def _levelled(self, number: int, cells: list[str]) -> list[str]:
        if len(cells) < self._width:
            self.oddities.short.append(number)
            return cells + [""] * (self._width - len(cells))
        if len(cells) > self._most:
            raise UnreadableFile(
                f"row {number} has {len(cells):,} cells, more than the limit of {self._most:,} "
                "columns; the delimiter or a quotation mark may be wrong there"
            )
        if any(map(str.strip, cells[self._width :])):
            self.oddities.surplus.append(number)
        return cells

    def _may_be_other(self, cells: list[str]) -> bool:
        return any(cells[i].strip() == first for i, first, _ in self._headers) and all(
            is_label(folded(cell)) for cell in cells if cell.strip()
        )

    def _begins_block(self, cells: list[str]) -> bool:
        if not self._numbered:
            return False
        begins = any(cells[i][:1] in "qQ" and rules().numbered.match(cells[i]) for i in self._texts)
        return begins and sum(1 for cell in cells if cell.strip()) == 1

    def _is_header(self, cells: list[str]) -> bool:
        return any(
            cells[i].strip() == first and all(cells[k].strip() == text for k, text in others)
            for i, first, others in self._headers
        )


def _openings(header: Sequence[Sequence[str]]) -> list[tuple[int, str, list[tuple[int, str]]]]:
    found = []
    for row in header:
        filled = [(i, cell.strip()) for i, cell in enumerate(row) if cell.strip()]
        if len(filled) > 1:  # a single word may be an answer
            found.append((*filled[0], filled[1:]))
    return found


def _closes(cells: Sequence[str]) -> bool:
    first = next((cell for cell in cells if cell.strip()), "")
    return bool(rules().closings.search(folded(first)))


def _signs_off(cells: Sequence[str]) -> bool:
    """Tell whether a row holds one cell, in which a program says when it made the export."""
    filled = [cell for cell in cells if cell.strip()]
    return len(filled) == 1 and bool(rules().footers.search(folded(filled[0])))


def _is_unfilled(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell.strip()]
    return 2 * len(filled) <= len(cells) and all(
        rules().unfilled.search(cell.strip()) for cell in filled
    )


def rows_named(numbers: Sequence[int]) -> str:
    """Return "row 3" or "rows 3, 5 and 2 more"."""
    shown = ", ".join(map(str, numbers[:_NAMED]))
    more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
    return f"row{'s' if len(numbers) > 1 else ''} {shown}{more}"
