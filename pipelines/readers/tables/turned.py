"""Turn a table that has a column for each respondent, so that each is a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from pipelines.readers.tables.header import Row
from pipelines.readers.tables.header_signs import folded, is_label, rules
from pipelines.readers.tables.values import known_person

NOTE = "a column for each respondent: turned, so that each is a row and each question a column"

_EARLY = 10  # rows in which the respondents' names are looked for
_MOST = 2_000  # rows of such a table at most: they are its questions
_LABELS = 0.5  # the least share of questions and names of fields in the first column
_KNOWN = 0.8  # the least share of common first names among people


def turned(rows: Sequence[Row]) -> list[Row] | None:
    """Return the columns of a whole table as rows, ``None`` when it has a row for each respondent.

    The first is the header, its first name "Respondent". A row's number is that of its column.
    Titles above stay out.
    """
    if len(rows) > _MOST:
        return None
    start = next((i for i, row in enumerate(rows[:_EARLY]) if _names_people(row[1])), None)
    if start is None:
        return None
    body = [cells for _, cells in rows[start:] if any(map(str.strip, cells))]
    asked = [folded(cells[0]) if cells else "" for cells in body[1:]]
    labels = sum(map(is_label, asked))
    if len(asked) < 2 or len(set(asked)) < len(asked) or labels < _LABELS * len(asked):
        return None
    if not _numbered(body[0][1:]) and sum(text.endswith("?") for text in asked) < 2:
        return None
    columns = list(zip_longest(*body, fillvalue=""))
    columns[0] = ("Respondent", *columns[0][1:])
    return [(number, list(column)) for number, column in enumerate(columns, start=1)]


def _names_people(cells: Sequence[str]) -> bool:
    """Tell whether a row names a respondent in each cell but the first."""
    named = [folded(cell) for cell in cells[1:]]
    while named and not named[-1]:
        named.pop()
    if len(named) < 2 or "" in named or len(set(named)) < len(named):
        return False
    return _numbered(named) or sum(map(known_person, named)) >= _KNOWN * len(named)


def _numbered(names: Sequence[str]) -> bool:
    return all(rules().respondents.fullmatch(folded(name)) for name in names if name.strip())
