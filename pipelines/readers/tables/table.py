"""Turn the rows of any table into documents: one for each row and free-text column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from pipelines.garbled import flags_of
from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.header import Header, Row, find_header, given_header
from pipelines.readers.tables.header_signs import folded
from pipelines.readers.tables.keys import Keys, key_column
from pipelines.readers.tables.late_columns import LateColumns
from pipelines.readers.tables.layouts import (
    Layout,
    StatusRule,
    named,
    recognise,
    respondent_column,
    status_rules,
)
from pipelines.readers.tables.table_columns import classed, is_wanted, no_text, notes_on
from pipelines.readers.tables.table_rows import AnswerRows, rows_named
from pipelines.readers.tables.turned import NOTE, turned
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Column, Document, Role, TableReport

if TYPE_CHECKING:
    from pipelines.readers.tables.mapping import TableMapping

__all__ = ["Row", "Table", "open_table"]

_CELL = 50  # characters that a cell counts for at least, when the sample is bounded
_UNKEPT = {Role.FREE_TEXT, Role.QUESTION, Role.PERSONAL, Role.EMPTY}


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose columns are known: its sample in memory, the rest still to come.

    ``report`` lacks the number of rows, which is known when the documents were taken. ``sides``
    says what a row and a column of it are in the file.
    """

    report: TableReport
    header: Header
    sample: list[Row]
    rest: Iterator[Row]
    key: int | None
    respondent: int | None
    statuses: tuple[tuple[int, StatusRule], ...]
    most: int
    notes: tuple[str, ...] = ()
    sides: tuple[str, str] = ("row", "column")

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns and their roles."""
        return self.report.columns

    def documents(self, file: SourceFile, tally: Tally) -> Iterator[Document]:
        """Yield the documents; ``tally`` gets the report at once, its rows and warnings at the end.

        Keys are those of ``keys.Keys``. A blank cell of a free-text column is a document with an
        empty text. The metadata are the other columns to the character, without personal ones. The
        question is the column's, or the cell of a question column (with several text columns:
        "<cell> — <column>"). A row is held only while its documents are taken.
        """
        tally.tables.append(self.report)
        return self._documents(file, tally, len(tally.tables) - 1)

    def _documents(self, file: SourceFile, tally: Tally, place: int) -> Iterator[Document]:
        report, columns = self.report, self.report.columns
        width = len(columns)
        asking = next((i for i, c in enumerate(columns) if c.role == Role.QUESTION), None)
        kept = [(i, c.name) for i, c in enumerate(columns) if c.role not in _UNKEPT]
        at = f"sheet “{report.sheet}”, " if report.sheet is not None else ""
        texts = [
            (i, f"c{i + 1}", c.question or c.name, f", {self.sides[1]} “{c.name}”")
            for i, c in enumerate(columns)
            if c.role == Role.FREE_TEXT
        ]
        fixed = whole_file_metadata(file)
        if report.sheet is not None:
            fixed["sheet"] = report.sheet
        late = LateColumns(columns, len(self.sample))
        keys = Keys(file, report.sheet, self.key, self.respondent)
        rows = AnswerRows(
            chain(_draining(self.sample), self.rest),
            width,
            [text[0] for text in texts],
            self.header.cells,
            self.most,
        )
        count = 0
        for number, cells in rows:
            count += 1
            tally.rows += 1
            metadata = dict(fixed)
            for i, name in kept:
                metadata[name] = cells[i]
            if late.watched:
                late.add(cells, metadata)
            for extra in range(width, len(cells)):
                metadata[f"column {extra + 1}"] = cells[extra]
            stem, respondent = keys.of(number, cells)
            aside = self._aside(cells) if self.statuses else ""
            asked = folded(cells[asking]) if asking is not None else ""
            for i, column, question, where in texts:
                text = cells[i]
                if asked:
                    question = asked if len(texts) == 1 else f"{asked} — {question}"
                yield Document(
                    key=stem + column,
                    text=text,
                    question=question,
                    metadata=metadata,
                    locator=f"{at}{self.sides[0]} {number}{where}",
                    respondent=respondent,
                    aside=aside,
                    flags=flags_of(text, cell=True),
                )
        tally.tables[place] = replace(report, rows=count, columns=late.revised())
        self._warn(tally, rows, keys, late)

    def _aside(self, cells: Sequence[str]) -> str:
        for i, rule in self.statuses:
            if cells[i]:
                kind = rule.judge(cells[i])
                if kind:
                    return f"{kind}: {self.columns[i].name} is “{folded(cells[i])}”"
        return ""

    def _warn(self, tally: Tally, rows: AnswerRows, keys: Keys, late: LateColumns) -> None:
        found = [*self.notes, *late.warnings(), *rows.oddities.warnings()]
        if keys.repeated:
            found.append(
                f"an identifier that was there before in {rows_named(keys.repeated)}; "
                "their keys name the row too"
            )
        sheet = self.report.sheet
        tally.warnings.extend(
            f"sheet “{sheet}”: {warning}" if sheet is not None else warning for warning in found
        )


def open_table(
    rows: Iterable[Row],
    file: SourceFile,
    options: ReadOptions,
    sheet: str | None = None,
    delimiter: str = "",
    layout_hint: str = "",
    *,
    names: Sequence[str] = (),
) -> Table:
    """Find the header, the layout and the roles of the columns on a sample.

    What a mapping says of the table wins over everything found. ``layout_hint`` names the layout
    where the format knows it; with ``names`` the columns are known and every row is data.

    Raises:
        SkippedFile: no rows, no answers by its layout, too many columns, or no free-text column;
            it carries the table's report.
    """
    stream = iter(rows)
    sample = _sample(stream, options)
    asked = options.mapping.table(file.relative, sheet) if options.mapping is not None else None
    other_way = None
    if not names and (asked is None or (asked.header_rows is None and asked.first_row is None)):
        more = next(stream, None)
        other_way = turned(sample) if more is None else None
        stream = stream if more is None else chain([more], stream)
    sample = other_way or sample
    header = given_header(names, sample) if names else _header(sample, options, asked)
    report = TableReport(
        layout="generic",
        sheet=sheet,
        header_rows=header.header_rows,
        skipped_rows=header.skipped_rows,
        delimiter=delimiter,
    )
    if not header.names:
        raise _left_out(report, "the table is empty")
    if not header.first_row:
        raise _left_out(report, "no rows below the header")
    most = options.limits.columns
    if len(header.names) > most:
        raise _left_out(
            report, f"{len(header.names):,} columns, more than the limit of {most:,} for a table"
        )
    layout = _layout(header, sample, file, sheet, layout_hint, asked)
    report = replace(report, layout=layout.name)
    if layout.leave_out and not is_wanted(header, options, asked):
        raise _left_out(
            report,
            f'{layout.leave_out}; set layout = "generic" for it in a mapping file to read it',
        )
    body = [row for row in sample if row[0] >= header.first_row]
    columns, level = classed(header, body, layout, options, asked)
    report = replace(report, columns=columns)
    if not any(column.role == Role.FREE_TEXT for column in columns):
        raise _left_out(report, no_text(columns, options.questions))
    apart = asked is None or asked.aside == "apart"
    return Table(
        report=report,
        header=header,
        sample=body,
        rest=stream,
        key=key_column(columns, level),
        respondent=respondent_column(layout, columns),
        statuses=tuple(status_rules(layout, columns)) if apart else (),
        most=most,
        notes=(
            *((NOTE,) if other_way else ()),
            *notes_on(header, columns, asked, given=bool(names)),
        ),
        sides=("column", "row") if other_way else ("row", "column"),
    )


def _header(sample: Sequence[Row], options: ReadOptions, asked: TableMapping | None) -> Header:
    """Return the header a person decided, else the one found; naming a column is evidence too."""
    first_row = asked.first_row if asked is not None else None
    if asked is not None and asked.header_rows is not None:
        return find_header(sample, asked.header_rows, first_row)
    header = find_header(sample, first_row=first_row)
    wanted = {folded(name).casefold() for name in options.questions}
    if wanted and wanted.isdisjoint(map(_named, (*header.names, *header.questions))):
        for number, cells in sample:
            if not wanted.isdisjoint(map(_named, cells)):
                return find_header(sample, (number,), first_row)
    return header


def _named(cell: str) -> str:
    return folded(cell).casefold()


def _sample(stream: Iterator[Row], options: ReadOptions) -> list[Row]:
    sample: list[Row] = []
    size = 0
    for number, cells in stream:
        sample.append((number, cells))
        size += sum(map(len, cells)) + _CELL * len(cells)
        if len(sample) >= options.sample_rows or size >= options.sample_characters:
            break
    return sample


def _layout(
    header: Header,
    sample: Sequence[Row],
    file: SourceFile,
    sheet: str | None,
    hint: str,
    asked: TableMapping | None,
) -> Layout:
    chosen = named(asked.layout) if asked is not None and asked.layout else None
    return chosen or (named(hint) if hint else None) or recognise(header, sample, file, sheet)


def _left_out(report: TableReport, reason: str) -> SkippedFile:
    return SkippedFile(reason, (replace(report, reason=reason),))


def _draining(rows: list[Row]) -> Iterator[Row]:
    rows.reverse()
    while rows:
        yield rows.pop()
