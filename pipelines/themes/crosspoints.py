"""Points raised under another question: statements that belong to a theme of question A, said under B."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.stages.vectors import Vectors
from pipelines.themes.likeness import unit
from pipelines.themes.types import NO_REASON, OTHER, Assignment, Floats

_TYPICAL = 0.5  # quantile of a theme's own members that a statement from elsewhere has to reach
_MARGIN = 0.05  # cosine by which it has to be nearer than to any theme of its own question
_FEWEST = 3  # members that a theme needs to say what is typical of it


@dataclass(frozen=True, slots=True)
class CrossPoint:
    """``assignment`` (of the question it was said under) is like a theme of another question."""

    assignment: Assignment
    question: str
    theme: str
    likeness: float


@dataclass(frozen=True, slots=True)
class QuestionThemes:
    """The assignments of one question, and the vectors of their statements in the same order."""

    question: str
    assignments: Sequence[Assignment]
    vectors: Vectors


def cross_points(parts: Sequence[QuestionThemes]) -> list[CrossPoint]:
    """Return what was said under one question and belongs to a theme of another, the surest first.

    A statement is named once, with the theme it is most like: as like as half of the theme's own
    statements, and more than any theme of its own question. Vectors are compared less the mean of
    all questions together.
    """
    if not parts:
        return []
    mean = np.concatenate([part.vectors for part in parts]).mean(axis=0, dtype=np.float64)
    views = [unit(np.round(part.vectors - mean.astype(np.float32), 5)) for part in parts]
    centres = [_centres(part, view) for part, view in zip(parts, views, strict=True)]
    found: list[CrossPoint] = []
    for here, part in enumerate(parts):
        own = [centre for _, centre, _ in centres[here]]
        nearest = (views[here] @ np.array(own).T).max(axis=1) if own else None
        best: dict[int, CrossPoint] = {}
        for there, other in enumerate(parts):
            if there == here:
                continue
            for key, centre, typical in centres[there]:
                cosines = np.round(views[here] @ centre, 4)
                for row in np.flatnonzero(cosines >= typical).tolist():
                    one, value = part.assignments[row], float(cosines[row])
                    if one.theme == NO_REASON:
                        continue
                    if nearest is not None and value < float(nearest[row]) + _MARGIN:
                        continue
                    if row not in best or value > best[row].likeness:
                        best[row] = CrossPoint(one, other.question, key, round(value, 4))
        found += best.values()
    return sorted(
        found, key=lambda one: (-one.likeness, one.assignment.document, one.assignment.start)
    )


def _centres(part: QuestionThemes, view: Floats) -> list[tuple[str, Floats, float]]:
    """Return key, unit centre and typical likeness of every theme with enough members."""
    rows: dict[str, list[int]] = {}
    for row, one in enumerate(part.assignments):
        if one.theme not in (OTHER, NO_REASON):
            rows.setdefault(one.theme, []).append(row)
    found = []
    for key, members in sorted(rows.items()):
        if len(members) >= _FEWEST:
            centre = unit(view[members].mean(axis=0, keepdims=True))[0]
            found.append((key, centre, float(np.quantile(view[members] @ centre, _TYPICAL))))
    return found
