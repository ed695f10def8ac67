"""Read a record whose quotation marks are out of place, losing no character of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pipelines.readers.text.dialect import Dialect

FURTHEST = 200
"""Lines that a cell with such marks may go on for."""


def mended(lines: Sequence[str], dialect: Dialect) -> tuple[list[str], int]:
    """Return the cells of the first record of ``lines`` and how many lines it takes.

    A mark closes a cell only before a delimiter or a line end; any other is text. A cell that
    opens with a mark and never closes is its own text up to the end of its line, mark included:
    the lines below are rows again.
    """
    text = lines[0]
    for taken, following in enumerate([*lines[1:FURTHEST], ""], start=1):
        cells, closed = split(text, dialect)
        if closed and not _goes_on(following, dialect):
            if taken == 1:
                return cells, 1
            if len(cells) == dialect.width and not mostly_rows(lines[1:taken], dialect):
                return cells, taken
            if len(cells) > dialect.width:
                break
        if not following or _starts_cells(following, dialect):
            break
        text += following
    return split(lines[0], dialect, literal=True)[0], 1


def split(record: str, dialect: Dialect, *, literal: bool = False) -> tuple[list[str], bool]:
    """Return the cells of ``record``, and whether its last quotation mark is closed.

    ``literal`` takes a mark that is not closed as text.
    """
    text = record.removesuffix("\n").removesuffix("\r")
    quote, delimiter = dialect.quote, dialect.delimiter
    cells: list[str] = []
    place = 0
    while True:
        if dialect.spaces:
            while text.startswith(" ", place):
                place += 1
        if quote and text.startswith(quote, place):
            for pattern in _closings(quote, delimiter):
                if match := pattern.match(text, place + 1):
                    cells.append(match[1].replace(quote * 2, quote))
                    place = match.end()
                    break
            else:
                if not literal:
                    return cells, False
                match = None
            if match:
                if place >= len(text):
                    return cells, True
                place += len(delimiter)
                continue
        end = text.find(delimiter, place)
        cells.append(text[place:] if end < 0 else text[place:end])
        if end < 0:
            return cells, True
        place = end + len(delimiter)


def is_row(line: str, dialect: Dialect) -> bool:
    """Return whether ``line`` alone is a row as wide as the table."""
    if line.count(dialect.delimiter) < dialect.width - 1 or not line.strip():
        return False
    cells, closed = split(line, dialect)
    return closed and len(cells) == dialect.width


def mostly_rows(lines: Sequence[str], dialect: Dialect) -> bool:
    """Return whether most of ``lines`` are rows of their own (never so in one column)."""
    if dialect.width < 2 or not lines:
        return False
    return 3 * sum(is_row(line, dialect) for line in lines) > 2 * len(lines)


def _starts_cells(line: str, dialect: Dialect) -> bool:
    """Return whether a cell opens with a quotation mark in ``line``: it is a new row."""
    quote, delimiter = dialect.quote, dialect.delimiter
    opened = line.startswith(quote) and line[1:2] not in {delimiter, "\r", "\n", ""}
    return opened or re.search(re.escape(delimiter + quote) + r"[^\r\n]", line) is not None


def _goes_on(line: str, dialect: Dialect) -> bool:
    """Return whether ``line`` closes a cell that it does not open: a mark before it was text."""
    return line.count(dialect.quote) % 2 == 1 and not _starts_cells(line, dialect)


@cache
def _closings(quote: str, delimiter: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what follows an opening mark up to the closing one: as written, then more loosely.

    The second takes two marks at the end of a cell as one of the text and the closing one.
    """
    q, end = re.escape(quote), f"(?={re.escape(delimiter)}|\\Z)"
    text = f"[^{q}]++"
    alone = f"{q}(?!{q}|{re.escape(delimiter)}|\\Z)"
    return (
        re.compile(f"((?:{text}|{q}{q}|{alone})*+){q}{end}"),
        re.compile(f"((?:{text}|{q}{q}(?!{end})|{alone}|{q}(?={q}{end}))*+){q}{end}"),
    )
