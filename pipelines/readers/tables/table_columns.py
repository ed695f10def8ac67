"""Class the columns of a table: by a mapping, by its layout, by its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pipelines.readers.tables.columns import classify
from pipelines.readers.tables.header import Header, Row
from pipelines.readers.tables.header_signs import folded
from pipelines.readers.tables.layouts import Layout, named, names
from pipelines.readers.tables.table_rows import AnswerRows, rows_named
from pipelines.readers.types import ReadOptions
from pipelines.types import Column, Role

if TYPE_CHECKING:
    from pipelines.readers.tables.mapping import TableMapping

_CLOSED = {Role.CLOSED_SINGLE, Role.CLOSED_MULTI, Role.SCALE, Role.NUMBER}


def is_wanted(header: Header, options: ReadOptions, asked: TableMapping | None) -> bool:
    """Return whether the user named a column of a table that would be left out."""
    if asked is not None and (asked.columns or asked.layout):
        return True
    wanted = {folded(question).casefold() for question in options.questions}
    return any(_called(header, i) & wanted for i in range(len(header.names)))


def _called(header: Header, i: int) -> set[str]:
    return {text.casefold() for text in (header.names[i], header.questions[i]) if text}


def classed(
    header: Header,
    body: Sequence[Row],
    layout: Layout,
    options: ReadOptions,
    asked: TableMapping | None,
) -> tuple[tuple[Column, ...], list[list[str]]]:
    """Return the columns, and the rows of answers in ``body``, level."""
    width = len(header.names)
    answers = AnswerRows(body, width, (), header.cells, options.limits.columns)
    level = [cells[:width] for _, cells in answers]
    seen = level
    if layout.fillers:
        fillers = layout.fillers
        seen = [["" if cell in fillers else cell for cell in cells] for cells in level]
    decided = layout.decided(header)
    if options.questions:
        wanted = {folded(question).casefold() for question in options.questions}
        decided = {
            i: column
            for i, column in decided.items()
            if column.role != Role.FREE_TEXT and not _called(header, i) & wanted
        }
    if asked is not None:
        decided |= asked.decided(header.names, header.questions)
    columns = classify(
        header.names,
        seen,
        questions=options.questions,
        decided=decided,
        wordings=header.questions,
    )
    return tuple(_worded(header, columns)), level


def _worded(header: Header, columns: Sequence[Column]) -> Iterator[Column]:
    """Yield the columns with their wordings.

    A text column whose header stands more than once asks about the closed one before it: its
    wording becomes "<closed question> — <header>".
    """
    texts = [text.casefold() for text in header.texts]
    for i, column in enumerate(columns):
        question = column.question or header.questions[i]
        if not question and column.role == Role.FREE_TEXT and texts.count(texts[i]) > 1:
            before = next(
                (
                    k
                    for k in range(i - 1, -1, -1)
                    if columns[k].role in _CLOSED or texts[k] == texts[i]
                ),
                i,
            )
            if texts[before] != texts[i]:
                about = columns[before].question or columns[before].name
                question = f"{about} — {header.texts[i]}"
        yield column if question == column.question else replace(column, question=question)


def notes_on(
    header: Header, columns: Sequence[Column], asked: TableMapping | None, *, given: bool
) -> Iterator[str]:
    """Yield what a person should know about a table before its rows: a sentence each."""
    if header.shape == "none" and not given and not (asked and asked.header_rows is not None):
        yield (
            f"no header: row {header.first_row} looks like data, the columns are called “column 1” "
            f"and so on; if it is one, set header_rows = [{header.first_row}] in a mapping file"
        )
    missing = set(asked.header_rows or ()) - set(header.header_rows) if asked is not None else set()
    if missing:
        yield f"{rows_named(sorted(missing))}, a header by the mapping, is blank or not there"
    if asked is not None and asked.layout and named(asked.layout) is None:
        yield f"the mapping names no known layout “{asked.layout}”; known are {', '.join(names())}"
    unknown = asked.unknown(header.names, header.questions) if asked is not None else ()
    if unknown:
        listed = ", ".join(f"“{name}”" for name in unknown)
        yield f"the mapping names columns that are not there: {listed}"


def no_text(columns: Sequence[Column], questions: Sequence[str]) -> str:
    """Say why a table is left out: it has no text column, or none that was asked for."""
    if not questions:
        return (
            f"no free text: no column of {len(columns)} holds mostly different cells of several "
            "words; name the text columns with --question to read it"
        )
    asked = ", ".join(repr(question) for question in questions)
    shown = ", ".join(repr(column.name) for column in columns[:20])
    more = f" and {len(columns) - 20} more" if len(columns) > 20 else ""
    return f"no column is named {asked}; its columns are {shown}{more}"
