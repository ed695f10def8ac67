"""Name the columns of a table by its header rows, found on a sample."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.readers.tables.columns import column_names
from pipelines.readers.tables.header_names import Tiers, wordings
from pipelines.readers.tables.header_search import Line, Search
from pipelines.readers.tables.header_signs import folded

Row = tuple[int, list[str]]
"""A row's number as a spreadsheet shows it (the first line is 1), and its cells."""

_UNSTORABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Header:
    """The names of the columns and where they come from.

    ``names`` are unique and the metadata keys. ``questions`` are the wordings that answers stand
    under where they are not the names, ``codes`` the short labels beside them ("" for none); all are
    as wide as the table. ``header_rows`` and ``skipped_rows`` are numbers as a spreadsheet shows them; ``first_row`` is that of the first
    row of data, 0 when the sample has none. ``shape`` says how the rows were understood: "none",
    "one row", "groups", "codes", "Qualtrics", "given". ``texts`` are the names before they were made
    unique, ``cells`` the header rows themselves.
    """

    header_rows: tuple[int, ...]
    skipped_rows: tuple[int, ...]
    names: tuple[str, ...]
    questions: tuple[str, ...]
    first_row: int
    codes: tuple[str, ...] = ()
    shape: str = "one row"
    texts: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


def given_header(names: Sequence[str], sample: Sequence[Row]) -> Header:
    """Return the header of a table whose columns are known; every row is data."""
    first = next((number for number, cells in sample if any(map(str.strip, cells))), 0)
    texts = tuple(_printable(folded(name)) for name in names)
    blank = ("",) * len(texts)
    return Header(
        header_rows=(),
        skipped_rows=(),
        names=column_names(texts, len(texts)),
        questions=blank,
        first_row=first,
        shape="given",
        texts=texts,
    )


def find_header(
    sample: Sequence[Row],
    header_rows: Sequence[int] | None = None,
    first_row: int | None = None,
) -> Header:
    """Choose the header of a table from its first rows.

    ``header_rows`` and ``first_row`` are what a person decided; no header rows is a decision too.
    A sample without a filled row gives a header without names.
    """
    rows = [Line(number, cells) for number, cells in sample if any(map(str.strip, cells))]
    if header_rows is not None:
        chosen = [i for i, row in enumerate(rows) if row.number in set(header_rows)]
        start = chosen[-1] + 1 if chosen else 0
        shape = "given" if chosen else "none"
    else:
        chosen, start, shape = Search(rows).header()
    if first_row is not None:
        start = next((i for i, row in enumerate(rows) if row.number >= first_row), len(rows))
    return _built(rows, chosen, start, shape)


def _built(rows: list[Line], chosen: list[int], start: int, shape: str) -> Header:
    body = [row.cells for row in rows[start:]]
    width = _width([rows[i].cells for i in chosen], body)
    tiers = Tiers([list(map(_printable, rows[i].texts)) for i in chosen], width)
    worded = wordings(tiers, shape)
    return Header(
        header_rows=tuple(rows[i].number for i in chosen),
        skipped_rows=tuple(row.number for i, row in enumerate(rows[:start]) if i not in chosen),
        names=column_names(worded.names, width),
        questions=worded.questions,
        first_row=rows[start].number if start < len(rows) else 0,
        codes=worded.codes,
        shape=worded.shape,
        texts=worded.names,
        cells=tuple(tuple(rows[i].cells) for i in chosen),
    )


def _width(header: list[list[str]], body: list[list[str]]) -> int:
    """Return the header's width, or that of most rows when they are wider."""
    own = max((_filled_width(cells) for cells in header), default=0)
    widths = sorted((_filled_width(cells) for cells in body), reverse=True)
    if not widths:
        return own
    return max(own, widths[len(widths) // 2] if own else widths[0])


def _filled_width(cells: Sequence[str]) -> int:
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def _printable(text: str) -> str:
    """Return a name without what no database stores, so that its column can be read."""
    return _UNSTORABLE.sub("\ufffd", text)
