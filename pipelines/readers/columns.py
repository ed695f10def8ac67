"""Name the columns of a table and say which hold free text."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pipelines.readers.errors import SkippedFile
from pipelines.types import Column

FREE_TEXT = "free_text"
OTHER = "other"
RESERVED = ("file", "folder", "sheet")
"""Metadata names the readers give themselves; a column of that name becomes "file (2)"."""

_WORD = re.compile(
    r"(?<!\S)[\"'“‘(\[*_-]*([^\W\d_]+(?:['’/.&-][^\W\d_]+)*)[\"'”’)\]*_.,;:!?…-]*(?!\S)"
)


@dataclass(frozen=True, slots=True)
class ColumnRules:
    """The thresholds of ``columns.toml``; their meaning is in that file."""

    distinct_share: float
    words: float
    long_words: float
    long_distinct: int
    not_words: frozenset[str]


def column_names(header: Sequence[str], width: int) -> tuple[str, ...]:
    """Return a distinct name for each of ``width`` columns.

    White space in a header is folded to single spaces, a missing one becomes "column N", and a
    name that was taken gets " (2)", " (3)" and so on.
    """
    names: list[str] = []
    taken = set(RESERVED)
    for position in range(width):
        text = " ".join(header[position].split()) if position < len(header) else ""
        base = text or f"column {position + 1}"
        name, count = base, 1
        while name in taken:
            count += 1
            name = f"{base} ({count})"
        taken.add(name)
        names.append(name)
    return tuple(names)


def classify(
    names: Sequence[str], rows: Sequence[Sequence[str]], questions: Sequence[str]
) -> tuple[Column, ...]:
    """Give each column its role, from ``rows`` (each as wide as ``names``).

    Raises:
        SkippedFile: no column holds free text, or ``questions`` names none of the columns.
    """
    if questions:
        return _asked_for(names, questions)
    columns = tuple(
        _column(name, [row[position] for row in rows]) for position, name in enumerate(names)
    )
    if not any(column.role == FREE_TEXT for column in columns):
        raise SkippedFile(
            f"no free text: no column of {len(columns)} has mostly distinct cells of "
            f"{_rules().words:g} words or more; name the text columns with --question to read it",
            columns,
        )
    return columns


def count_words(cell: str) -> int:
    """Return how many words ``cell`` has, leaving out numbers, dates, addresses and codes."""
    if " " not in cell and "\n" not in cell:
        return int(bool(_WORD.search(cell)))
    not_words = _rules().not_words
    return sum(word.lower() not in not_words for word in _WORD.findall(cell))


def _column(name: str, cells: Sequence[str]) -> Column:
    counts = Counter(cells)
    filled = 0
    words = 0
    distinct = 0
    for cell, times in counts.items():
        if cell.strip():
            filled += times
            distinct += 1
            words += times * count_words(cell)
    if not filled:
        return Column(name, OTHER, "no filled cell")
    rules = _rules()
    average, share = words / filled, distinct / filled
    found = (average >= rules.words and share >= rules.distinct_share) or (
        average >= rules.long_words and distinct >= rules.long_distinct
    )
    reason = f"{share:.0%} of {filled} filled cells distinct, {average:.1f} words on average"
    return Column(name, FREE_TEXT if found else OTHER, reason)


def _asked_for(names: Sequence[str], questions: Sequence[str]) -> tuple[Column, ...]:
    wanted = {_folded(question) for question in questions}
    columns = tuple(
        Column(name, FREE_TEXT, "named by --question")
        if _folded(name) in wanted
        else Column(name, OTHER, "not named by --question")
        for name in names
    )
    if not any(column.role == FREE_TEXT for column in columns):
        asked = ", ".join(repr(question) for question in questions)
        shown = ", ".join(repr(name) for name in names[:20])
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        raise SkippedFile(f"no column is named {asked}; its columns are {shown}{more}", columns)
    return columns


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


@cache
def _rules() -> ColumnRules:
    data = tomllib.loads(files("pipelines.readers").joinpath("columns.toml").read_text("utf-8"))
    return ColumnRules(**{**data, "not_words": frozenset(data["not_words"])})
