"""What a report is made of, whatever it is written as: headings, paragraphs, quotes, tables, bars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

HIDDEN = "[c]"
"""Stands for a number that is confidential, as the UK's Government Statistical Service marks it."""

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is a chapter."""

    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of our own words, never a document's."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a document: ``text`` stands at ``start`` to ``end`` of the document ``source``."""

    text: str
    source: str
    document_id: int
    start: int
    end: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its name and, for the data dictionary, what it holds."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table. ``name`` is short (a sheet's name); ``wide`` tables are left to the workbook."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart of a table: a bar a row of ``label``, stacked by the ``values`` columns."""

    table: Table
    title: str
    label: str
    values: tuple[str, ...]


Block = Heading | Paragraph | Quote | Table | Bars


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its title, what stands under the title, and its blocks in order."""

    title: str
    subtitle: str
    blocks: tuple[Block, ...] = field(default_factory=tuple)

    def tables(self) -> Iterator[Table]:
        """Yield the tables in order."""
        for block in self.blocks:
            if isinstance(block, Table):
                yield block

    def quotes(self) -> Iterator[Quote]:
        """Yield the quotes in order."""
        for block in self.blocks:
            if isinstance(block, Quote):
                yield block


def dictionary(report: Report) -> Table:
    """Return the data dictionary: a row for each column of each table."""
    return Table(
        "Data dictionary",
        "Data dictionary",
        (
            Column("table", "Name of the table or sheet"),
            Column("column", "Name of the column"),
            Column("meaning", "What the column holds"),
        ),
        tuple(
            (table.name, column.name, column.meaning)
            for table in report.tables()
            for column in table.columns
        ),
    )
