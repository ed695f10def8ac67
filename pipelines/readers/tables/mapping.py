"""The mapping file: what a person decided about the tables.

A mapping file is TOML: a ``[[table]]`` for each table, or for many of them by a pattern, with a
line for each column. ``dump`` writes one that says what was found, to be edited; every line that
is left as it was changes nothing.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any

from pipelines.readers.errors import MappingError
from pipelines.readers.tables.mapping_tables import ColumnMapping, TableMapping, read_table
from pipelines.readers.tables.mapping_text import dump
from pipelines.readers.tables.values import folded

__all__ = ["ColumnMapping", "Mapping", "MappingError", "TableMapping", "dump"]


class Mapping:
    """A mapping file: its ``text`` and its ``tables``, in its order."""

    def __init__(self, text: str, tables: Sequence[TableMapping], entries: Sequence[Any]) -> None:
        """Hold what ``from_text`` read."""
        self.text = text
        self.tables = tuple(tables)
        self._entries = tuple(entries)

    @classmethod
    def from_text(cls, text: str, where: str = "the mapping file") -> Mapping:
        """Read the text of a mapping file; ``where`` names it in errors.

        Raises:
            MappingError: with every problem of the file.
        """
        text = text.removeprefix("\ufeff")
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise MappingError(where, [f"it is not TOML: {error}"]) from error
        problems = [
            f"{key!r} is no key of a mapping file; expected [[table]]"
            for key in data
            if key != "table"
        ]
        entries = data.get("table", [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            problems.append("'table' holds no tables; expected [[table]] with two brackets")
            entries = []
        tables = [
            read_table(entry, f"table {number}", problems)
            for number, entry in enumerate(entries, 1)
        ]
        if problems:
            raise MappingError(where, problems)
        return cls(text, tables, entries)

    @classmethod
    def load(cls, path: Path) -> Mapping:
        """Read a mapping file.

        Raises:
            MappingError: it cannot be opened, is not UTF-8, or has problems; all are named.
        """
        where = f"the mapping file {str(path)!r}"
        try:
            text = path.read_bytes().decode("utf-8")
        except OSError as error:
            raise MappingError(where, [f"it cannot be opened: {error.strerror}"]) from error
        except UnicodeDecodeError as error:
            raise MappingError(where, ["it is not UTF-8 text; save it as UTF-8"]) from error
        return cls.from_text(text, where)

    def key(self, relative: str) -> list[Any]:
        """Return the entries that touch a file, as JSON values: what decides how it is read."""
        return [
            entry
            for table, entry in zip(self.tables, self._entries, strict=True)
            if _nearness(table.file, relative)
        ]

    def table(self, relative: str, sheet: str | None = None) -> TableMapping | None:
        """Return what was decided about a table.

        Of several entries the one that names the path is taken before one that names the file,
        that before a pattern (first of those with a folder in it), and one that names the sheet
        before one that does not.
        """
        best, found = (0, False), None
        for table in self.tables:
            if table.sheet is not None and not _fits_name(table.sheet, sheet or ""):
                continue
            rank = (_nearness(table.file, relative), table.sheet is not None)
            if rank[0] and rank > best:
                best, found = rank, table
        return found


def _nearness(pattern: str, relative: str) -> int:
    name = PurePosixPath(relative).name
    if pattern == relative:
        return 4
    if pattern == name:
        return 3
    if "/" in pattern:
        return 2 * fnmatchcase(relative, pattern)
    return int(fnmatchcase(name, pattern))


def _fits_name(pattern: str, name: str) -> bool:
    return folded(pattern) == folded(name) or fnmatchcase(folded(name), folded(pattern))
