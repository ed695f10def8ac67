"""What a person should look at first: the most uncertain assignments, and those that most hang on.

Uncertainty sampling (Lewis and Gale 1994) weighed by density (Settles and Craven 2008): a decision
about a statement that many others are like teaches more than one about a lone one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.stages.vectors import Vectors
from pipelines.themes.types import NO_REASON, Assignment, Floats, Method

_NEAR = 0.6  # cosine from which a statement is taken to follow a decision about another
_READ = 3_000  # most uncertain assignments that are weighed
_BLOCK = 1_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """An assignment to look at: its row, how unsure (0 to 1), and how many like it are unsure too."""

    row: int
    uncertainty: float
    influence: int


def review_queue(
    assignments: Sequence[Assignment], vectors: Vectors, *, most: int = 50
) -> list[Waiting]:
    """Return up to ``most`` assignments, best first; of like words only one.

    ``vectors`` are the assignments' rows, [assignments, dimensions]. What a person decided, and
    what gives no reason, is left out.
    """
    open_rows = [
        row
        for row, one in enumerate(assignments)
        if one.method is not Method.PERSON and one.theme != NO_REASON
    ]
    unsure = {row: round(1.0 - abs(2.0 * assignments[row].score - 1.0), 4) for row in open_rows}
    first: dict[tuple[str, str], int] = {}
    for row in sorted(open_rows, key=lambda row: _order(assignments[row])):
        first.setdefault((assignments[row].text.casefold(), assignments[row].theme), row)
    rows = sorted(first.values(), key=lambda row: (-unsure[row], _order(assignments[row])))[:_READ]
    weights = np.array([unsure[row] for row in open_rows], dtype=np.float32)
    everything = vectors[open_rows]
    influence = np.zeros(len(rows), dtype=np.int64)
    for start in range(0, len(rows), _BLOCK):
        some = rows[start : start + _BLOCK]
        near = np.round(vectors[some] @ everything.T, 4) >= _NEAR
        influence[start : start + len(some)] = _counted(near, weights)
    waiting = [
        Waiting(row, unsure[row], max(0, int(count) - 1))
        for row, count in zip(rows, influence, strict=True)
    ]
    waiting.sort(
        key=lambda one: (
            -round(one.uncertainty * float(np.log(2.0 + one.influence)), 4),
            _order(assignments[one.row]),
        )
    )
    return waiting[:most]


def _counted(near: np.ndarray[tuple[int, int], np.dtype[np.bool_]], weights: Floats) -> Floats:
    """Return how many near rows are unsure themselves (half a chance and less to be right)."""
    return np.asarray(near @ (weights >= 0.5).astype(np.float32), dtype=np.float32)


def _order(one: Assignment) -> tuple[str, str, int, int]:
    return one.text.casefold(), one.theme, one.document, one.start
