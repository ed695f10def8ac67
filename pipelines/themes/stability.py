"""Whether the same themes would be found again: with other seeds and with part of the statements.

Runs are compared by the adjusted Rand index (Hubert and Arabie 1985) over shared statements; a theme
survives a run as far as one theme of it has the same statements (Jaccard, as Hennig 2007 does).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import adjusted_rand_score

from pipelines.stages.vectors import Vectors
from pipelines.themes.discover import SAMPLE, Found, find_themes
from pipelines.themes.types import Integers, Statement

FRAGILE = 0.5
"""Survival below which a theme is marked (Hennig 2007: below 0.5 it dissolves)."""


@dataclass(frozen=True, slots=True)
class Stability:
    """``rand`` is of each run; ``survival`` the mean of each theme, ``fragile`` those to mark."""

    rand: tuple[float, ...]
    survival: tuple[float, ...]
    fragile: tuple[int, ...]

    @property
    def mean_rand(self) -> float:
        """The mean over runs."""
        return float(np.mean(self.rand)) if self.rand else 1.0


def stability(
    statements: Sequence[Statement],
    vectors: Vectors,
    found: Found,
    *,
    runs: int = 5,
    share: float = 0.8,
    sample: int = SAMPLE,
) -> Stability:
    """Find the themes again ``runs`` times from a ``share`` of the statements, and compare.

    The number of themes is kept. Shares are drawn by seed over the statements in order of their
    words, so that the order they come in does not matter.
    """
    order = sorted(range(len(statements)), key=lambda row: (statements[row].text, statements[row]))
    rand: list[float] = []
    lives: list[list[float]] = [[] for _ in range(found.themes)]
    for run in range(1, runs + 1):
        drawn = np.random.default_rng(run).random(len(order)) < share
        rows = np.array([row for row, taken in zip(order, drawn, strict=True) if taken], dtype=int)
        if not found.themes or len(rows) < 2:
            continue
        again = find_themes(
            [statements[row] for row in rows],
            vectors[rows],
            themes=found.themes,
            seed=run,
            sample=sample,
        )
        before = found.theme[rows]
        said = before != -2
        rand.append(round(float(adjusted_rand_score(before[said], again.theme[said])), 4))
        for theme, value in enumerate(_survival(before, again.theme, found.themes)):
            lives[theme].append(value)
    survival = tuple(round(float(np.mean(of_theme or [1.0])), 4) for of_theme in lives)
    fragile = tuple(theme for theme, value in enumerate(survival) if value < FRAGILE)
    return Stability(tuple(rand), survival, fragile)


def _survival(before: Integers, after: Integers, themes: int) -> list[float]:
    """Return the largest Jaccard of each theme with a theme of the other run."""
    found = []
    for theme in range(themes):
        own = before == theme
        there = after[own & (after >= 0)]
        best = 0.0
        for other in np.unique(there):
            shared = int((there == other).sum())
            best = max(best, shared / int((own | (after == other)).sum()))
        found.append(best)
    return found
