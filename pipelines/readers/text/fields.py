"""Lay nested records out as the columns and cells of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.json_text import Number, dumped

_SEPARATORS = ("; ", " | ", " ¦ ", "\n")

Path = tuple[str, ...]


class Fields:
    """The columns of records: learn them from every record first, then lay records out.

    A nested object is its parts, named by the last name where only one column has it and by the
    whole path with dots otherwise. A list of texts is joined by the first of ``_SEPARATORS`` that
    none of its texts holds; any other list stays JSON text.
    """

    def __init__(self) -> None:
        """Know no column yet."""
        self._places: dict[Path, int] = {}
        self._seen: set[tuple[str, ...]] = set()
        self._separators: dict[Path, list[str]] = {}

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self._places)

    def learn(self, record: Mapping[str, Any]) -> None:
        """Take the columns of ``record``."""
        names = tuple(record)
        if names in self._seen and not any(isinstance(v, (dict, list)) for v in record.values()):
            return
        self._seen.add(names)
        for path, value in _leaves(record, ()):
            self._places.setdefault(path, len(self._places))
            if isinstance(value, list) and value and all(type(part) is str for part in value):
                free = self._separators.setdefault(path, list(_SEPARATORS))
                for separator in tuple(free):
                    mark = separator.strip(" ")
                    if any(mark in part for part in value):
                        free.remove(separator)

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        last = Counter(path[-1] for path in self._places)
        return tuple(path[-1] if last[path[-1]] == 1 else ".".join(path) for path in self._places)

    def top_names(self) -> set[str]:
        """Return the names at the top of the records."""
        return {path[0] for path in self._places}

    def joined(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each column of lists that are joined, and what stands between."""
        names = self.names()
        for path, separators in self._separators.items():
            if separators:
                yield names[self._places[path]], separators[0]

    def cells(self, record: Mapping[str, Any]) -> list[str]:
        """Return ``record`` as a row; null is a blank cell, truth is "true" and "false"."""
        row = [""] * len(self._places)
        for path, value in _leaves(record, ()):
            if isinstance(value, str):
                text = str(value)
            elif value is None or value == [] or value == {}:
                continue
            elif isinstance(value, bool):
                text = "true" if value else "false"
            elif (separators := self._separators.get(path)) and all(
                type(part) is str for part in value
            ):
                text = separators[0].join(value)
            else:
                text = _json(value)
            row[self._places[path]] = text
        return row


def _json(value: Any) -> str:
    try:
        return dumped(value)
    except RecursionError:
        raise UnreadableFile("a value is nested too deeply") from None


def _leaves(record: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, Any]]:
    for name, value in record.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value


def is_scalar(value: Any) -> bool:
    """Return whether ``value`` fits one cell as it is."""
    return value is None or isinstance(value, (str, bool, Number))
