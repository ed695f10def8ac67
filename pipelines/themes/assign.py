"""Found themes as assignments, and what has been covered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pipelines.themes.discover import Found
from pipelines.themes.types import (
    NO_REASON,
    OTHER,
    Assignment,
    Coverage,
    FoundTheme,
    Method,
    Statement,
)


def found_assignments(
    statements: Sequence[Statement], found: Found, themes: Sequence[FoundTheme]
) -> list[Assignment]:
    """Return one assignment a statement, in their order, in ``themes`` as described of ``found``."""
    keys = {-2: NO_REASON, -1: OTHER} | {n: theme.key for n, theme in enumerate(themes)}
    return [
        Assignment(
            one.document,
            one.start,
            one.end,
            one.text,
            keys[int(found.theme[row])],
            round(float(found.score[row]), 4),
            Method.FOUND,
            nearest=keys.get(second, "") if (second := int(found.second[row])) >= 0 else "",
        )
        for row, one in enumerate(statements)
    ]


def coverage(assignments: Iterable[Assignment]) -> Coverage:
    """Return how many statements are in a theme, in "other" and without a reason."""
    places: dict[tuple[int, int, int], str] = {}
    for one in assignments:
        places[one.document, one.start, one.end] = one.theme
    kinds = list(places.values())
    other, silent = kinds.count(OTHER), kinds.count(NO_REASON)
    return Coverage(len(kinds) - other - silent, other, silent)
