"""A report as a workbook: the words on the first sheet, then a sheet a table, quotes, dictionary.

Every text is written as text, so that nothing a respondent typed is ever a formula.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.report.blocks import Column, Heading, Paragraph, Report, Table, Value, dictionary

if TYPE_CHECKING:
    from datetime import datetime

    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
LONGEST_CELL = 32_767
"""Characters that a cell of a workbook holds."""
_WIDEST = 80


def write_xlsx(report: Report, path: Path, *, made: datetime) -> int:
    """Write ``report`` to ``path`` and return the number of data rows written.

    ``made`` is the workbook's date, so that the same report gives the same bytes. A text longer
    than a cell holds goes on in rows below it, none is cut.
    """
    import xlsxwriter

    book = xlsxwriter.Workbook(
        str(path),
        {
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
            "constant_memory": False,
        },
    )
    book.set_properties({"title": report.title, "created": made.replace(tzinfo=None)})
    taken: set[str] = set()
    _words(book, report, taken)
    rows = 0
    for table in [*report.tables(), *_quotes(report), dictionary(report)]:
        rows += _sheet(book, table, _name(table.name, taken))
    book.close()
    return rows


def _words(book: Workbook, report: Report, taken: set[str]) -> None:
    sheet = book.add_worksheet(_name("Read me", taken))
    sheet.set_column(0, 0, 110)
    title = book.add_format({"bold": True, "font_size": 16})
    heading = book.add_format({"bold": True, "font_size": 12})
    plain = book.add_format({"text_wrap": True, "valign": "top"})
    lines: list[tuple[str, object]] = [(report.title, title), (report.subtitle, plain), ("", plain)]
    for block in report.blocks:
        if isinstance(block, Heading):
            lines.append((block.text, heading))
        elif isinstance(block, Paragraph):
            lines.append((block.text, plain))
        elif isinstance(block, Table):
            lines.append((f"Table: {block.title} (sheet {block.name!r})", plain))
    for row, (text, shape) in enumerate(lines):
        sheet.write_string(row, 0, clean(text), shape)


def _quotes(report: Report) -> Iterable[Table]:
    quotes = list(report.quotes())
    if quotes:
        yield Table(
            "Quotes",
            "Quotes",
            (
                Column("about", "What the quote stands for"),
                Column("quote", "Words of the response, unchanged"),
                Column("response", "Identifier of the response"),
                Column("start", "First character of the quote in the response, from 0"),
                Column("end", "Character after the last one"),
            ),
            tuple((q.about, q.text, q.source, q.start, q.end) for q in quotes),
        )


def _sheet(book: Workbook, table: Table, name: str) -> int:
    sheet = book.add_worksheet(name)
    head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
    cell = book.add_format({"text_wrap": True, "valign": "top"})
    number = book.add_format({"valign": "top"})
    title = book.add_format({"bold": True, "font_size": 12})
    sheet.write_string(0, 0, clean(table.title), title)
    for place, column in enumerate(table.columns):
        sheet.write_string(2, place, clean(column.name), head)
        sheet.set_column(place, place, _width(column.name, table.rows, place))
    row = 3
    for values in table.rows:
        row += _row(sheet, row, values, cell, number)
    if table.rows:
        sheet.autofilter(2, 0, row - 1, len(table.columns) - 1)
    sheet.freeze_panes(3, 0)
    for note in table.notes:
        row += 1
        sheet.write_string(row, 0, clean(note))
    return len(table.rows)


def _row(sheet: Worksheet, row: int, values: Sequence[Value], cell: object, number: object) -> int:
    """Write the values and return how many rows they took."""
    taken = 1
    for place, value in enumerate(values):
        if isinstance(value, str):
            text = clean(value)
            parts = [text[at : at + LONGEST_CELL] for at in range(0, len(text), LONGEST_CELL)] or [
                ""
            ]
            for down, part in enumerate(parts):
                sheet.write_string(row + down, place, part, cell)
            taken = max(taken, len(parts))
        elif value is not None:
            sheet.write_number(row, place, value, number)
    return taken


def _width(name: str, rows: Sequence[Sequence[Value]], place: int) -> int:
    longest = max((len(str(row[place])) for row in rows[:200] if row[place] is not None), default=0)
    return max(8, min(_WIDEST, max(longest, len(name)) + 2))


def _name(wanted: str, taken: set[str]) -> str:
    """Return a name that a sheet may have and no other sheet has."""
    base = _FORBIDDEN.sub(" ", clean(wanted)).strip("' ")[:31].strip() or "Sheet"
    name, number = base, 2
    while name.casefold() in taken:
        tail = f" {number}"
        name, number = base[: 31 - len(tail)] + tail, number + 1
    taken.add(name.casefold())
    return name


def clean(text: str) -> str:
    """Return ``text`` with the characters that XML cannot hold written out."""
    return _UNWRITABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
