"""What a person decided about one table, and how it is read from a mapping file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping as Entries
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pipelines.readers.tables.values import folded
from pipelines.types import Column, Role

DECIDED = "set in the mapping file"
"""The reason of a column that a mapping file decided."""

_TABLE_KEYS = (
    "file",
    "sheet",
    "header_rows",
    "header",
    "first_row",
    "layout",
    "apart",
    "text",
    "columns",
)
_COLUMN_KEYS = ("role", "question", "options", "separator", "format")
_ROLES = tuple(role.value for role in Role)


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What a person decided about a column; what is ``None`` or empty is taken as found."""

    role: Role | None = None
    question: str = ""
    options: tuple[str, ...] = ()
    separator: str = ""
    format: str = ""


@dataclass(frozen=True, slots=True)
class TableMapping:
    """What a person decided about a table; what is ``None`` or empty is taken as found.

    ``file`` is a relative path, a file's name, or a pattern of either; ``header_rows`` and
    ``first_row`` count as a spreadsheet does. ``aside`` says whether preview, test and incomplete
    submissions are kept apart or read as answers ("include"). ``text`` chooses the version of an
    aligned file. ``columns`` are keyed by the header as it is written in the mapping file.
    """

    file: str = "*"
    sheet: str | None = None
    header_rows: tuple[int, ...] | None = None
    first_row: int | None = None
    layout: str | None = None
    aside: Literal["apart", "include"] = "apart"
    text: str = ""
    columns: Entries[str, ColumnMapping] = field(default_factory=dict)

    def decided(self, names: Sequence[str], wordings: Sequence[str] = ()) -> dict[int, Column]:
        """Return the decided columns by position, for ``classify``.

        A line decides about the column of that name, else of that wording, in any case and
        spacing; a line with a ``*`` decides about every column it fits that has no line of its own.
        "empty" decides nothing: such a column is looked at again each time.
        """
        return {
            position: Column(
                names[position], line.role or "", DECIDED if line.role else "", line.question,
                line.options, line.separator, line.format,
            )
            for position, line in self._lines(names, wordings).items()
            if line.role is not Role.EMPTY
        }  # fmt: skip

    def unknown(self, names: Sequence[str], wordings: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the lines that are about no column of a table, as they are written."""
        texts = {folded(text) for text in (*names, *wordings)}
        return tuple(
            key for key in self.columns
            if folded(key) not in texts and not any(_fits(folded(key), text) for text in texts)
        )  # fmt: skip

    def _lines(self, names: Sequence[str], wordings: Sequence[str]) -> dict[int, ColumnMapping]:
        lines = {folded(key): line for key, line in self.columns.items()}
        found = {}
        for position, name in enumerate(names):
            texts = [folded(name)]
            if position < len(wordings) and wordings[position].strip():
                texts.append(folded(wordings[position]))
            line = next((lines[text] for text in texts if text in lines), None)
            if line is None:
                fits = (lines[key] for key in lines if any(_fits(key, text) for text in texts))
                line = next(fits, None)
            if line is not None:
                found[position] = line
        return found


def _fits(key: str, text: str) -> bool:
    """Tell whether a column line with a ``*`` in it fits; other marks are letters of a header."""
    if "*" not in key.strip("*") and not (key.endswith("*") and len(key) > 1):
        return False
    return bool(re.fullmatch(".*".join(map(re.escape, key.split("*"))), text, re.DOTALL))


def read_table(entry: Entries[str, Any], where: str, problems: list[str]) -> TableMapping:
    """Read one ``[[table]]``, adding a sentence to ``problems`` for each thing wrong with it."""
    file = entry.get("file")
    if isinstance(file, str) and file:
        where = f"{where} (file = {file!r})"
    else:
        problems.append(f'{where}: no file; expected file = "answers.csv" or a pattern as "*.csv"')
        file = "*"
    problems += [
        f"{where}: {key!r} is no key of a table; expected one of {', '.join(_TABLE_KEYS)}"
        for key in entry
        if key not in _TABLE_KEYS
    ]
    for key in ("sheet", "layout", "text"):
        if key in entry and not isinstance(entry[key], str):
            problems.append(f"{where}: {key} is {entry[key]!r}; expected a text in quotation marks")
    apart = entry.get("apart", "keep")
    if apart not in ("keep", "include"):
        problems.append(f'{where}: apart is {apart!r}; expected "keep" or "include"')
    header = entry.get("header_rows", entry.get("header"))
    rows = [header] if isinstance(header, int) else header
    if rows is not None and not (isinstance(rows, list) and all(map(_is_row, rows))):
        problems.append(
            f"{where}: header_rows is {header!r}; expected row numbers as [1] or [1, 2]"
        )
        rows = None
    first = entry.get("first_row")
    if first is not None and not _is_row(first):
        problems.append(f"{where}: first_row is {first!r}; expected a row number from 1")
        first = None
    columns = entry.get("columns", {})
    if not isinstance(columns, dict):
        problems.append(
            f"{where}: columns is {columns!r}; expected [table.columns] and a line each"
        )
        columns = {}
    return TableMapping(
        file,
        entry.get("sheet"),
        tuple(rows) if rows is not None else None,
        first,
        entry.get("layout"),
        "include" if apart == "include" else "apart",
        entry.get("text", ""),
        {
            key: _column(value, f"{where}, column {key!r}", problems)
            for key, value in columns.items()
        },
    )


def _is_row(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _column(value: object, where: str, problems: list[str]) -> ColumnMapping:
    entry = {"role": value} if isinstance(value, str) else value
    if not isinstance(entry, dict):
        problems.append(f'{where}: {value!r}; expected a role as "free_text" or {{ role = … }}')
        return ColumnMapping()
    problems += [
        f"{where}: {key!r} is no key of a column; expected one of {', '.join(_COLUMN_KEYS)}"
        for key in entry
        if key not in _COLUMN_KEYS
    ]
    for key in ("question", "separator", "format"):
        if not isinstance(entry.get(key, ""), str):
            problems.append(f"{where}: {key} is {entry[key]!r}; expected a text in quotation marks")
    options = entry.get("options", [])
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        problems.append(f"{where}: options is {options!r}; expected a list of texts")
        options = []
    role = _role(entry["role"], where, problems) if "role" in entry else None
    return ColumnMapping(
        role,
        entry.get("question", ""),
        tuple(options),
        entry.get("separator", ""),
        entry.get("format", ""),
    )


def _role(value: object, where: str, problems: list[str]) -> Role | None:
    name = folded(str(value)).replace(" ", "_").replace("-", "_")
    if name in _ROLES:
        return Role(name)
    close = difflib.get_close_matches(name, _ROLES, 1)
    meant = f' Did you mean "{close[0]}"?' if close else ""
    problems.append(f"{where}: {value!r} is no role; expected one of {', '.join(_ROLES)}.{meant}")
    return None
