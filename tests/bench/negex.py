"""The NegEx test set: sentences with a condition in capitals, and what people said of it.

Scoring rules: repeats of (condition, sentence) are left out, a condition that is possible counts as
not negated, "Not particular" does not count for history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class Condition(NamedTuple):
    """A condition at its last occurrence in capitals, and the labels of it."""

    sentence: str
    start: int
    end: int
    negation: str
    temporality: str
    experiencer: str


class Agreement(NamedTuple):
    """Precision, recall, F, and the counts behind them."""

    precision: float
    recall: float
    f: float
    right: int
    false: int
    missed: int


def conditions(data: Path) -> list[Condition]:
    """Return the rows of the half at hand."""
    path = data / "clinical/negex/rsAnnotations-1-120-random.txt"
    found: dict[tuple[str, str], Condition] = {}
    for line in path.read_text("utf-8", errors="replace").splitlines()[1:]:
        _, condition, sentence, negation, temporality, experiencer = (
            cell.strip() for cell in line.split("\t")[:6]
        )
        start, end = _place(sentence, condition)
        found.setdefault(
            (condition.lower(), sentence),
            Condition(sentence, start, end, negation, temporality, experiencer),
        )
    return list(found.values())


def _place(sentence: str, condition: str) -> tuple[int, int]:
    """Return where the condition stands; the whole sentence for the few that are longer than it."""
    words = re.escape(condition.upper())
    whole = list(re.finditer(rf"(?<!\w){words}(?!\w)", sentence)) or list(
        re.finditer(words, sentence)
    )
    if whole:
        return whole[-1].span()
    start = sentence.lower().find(condition.lower())
    return (start, start + len(condition)) if start >= 0 else (0, len(sentence))


def agreement(pairs: Iterable[tuple[bool, bool]]) -> Agreement:
    """Return how (gold, found) pairs agree on what is true."""
    right = false = missed = 0
    for gold, found in pairs:
        right += gold and found
        false += found and not gold
        missed += gold and not found
    return Agreement(
        right / max(right + false, 1),
        right / max(right + missed, 1),
        2 * right / max(2 * right + false + missed, 1),
        right,
        false,
        missed,
    )
