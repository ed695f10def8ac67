"""How many answers one has to read to have met the themes: the expected curve, in closed form.

The rarefaction of Hurlbert 1971 (https://doi.org/10.2307/1934145): over all orders of reading, not
over a few shuffled ones, so that the same themes give the same curve.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from pipelines.themes.types import NO_REASON, OTHER, Assignment

POINTS = 40
"""Points of the curve at most."""


@dataclass(frozen=True, slots=True)
class Saturation:
    """``curve`` holds (answers read, themes met); ``enough`` is when 95 in 100 themes are met."""

    curve: tuple[tuple[int, float], ...]
    themes: int
    answers: int
    enough: int


def saturation(assignments: Iterable[Assignment], answers: int) -> Saturation:
    """Return the curve of ``answers`` answers, those without an assignment included."""
    by_theme: dict[str, set[int]] = {}
    for one in assignments:
        if one.theme not in (OTHER, NO_REASON):
            by_theme.setdefault(one.theme, set()).add(one.document)
    sizes = np.array(sorted(len(of_theme) for of_theme in by_theme.values()), dtype=np.int64)
    if len(sizes) and answers < sizes.max():
        raise ValueError(f"{answers} answers, expected {sizes.max()} or more: a theme has as many")
    steps = sorted({int(step) for step in np.linspace(0, answers, POINTS + 1)})
    curve = tuple((read, round(_met(sizes, answers, read), 3)) for read in steps)
    wanted, low, high = 0.95 * len(sizes), 0, answers
    while low < high:
        middle = (low + high) // 2
        if _met(sizes, answers, middle) >= wanted - 1e-9:
            high = middle
        else:
            low = middle + 1
    return Saturation(curve, len(sizes), answers, low)


def _met(sizes: np.ndarray[tuple[int], np.dtype[np.int64]], answers: int, read: int) -> float:
    """Return the expected number of themes met: the sum of 1 - C(N - n, m) / C(N, m)."""
    rest = answers - sizes
    possible = rest >= read
    left = rest[possible]
    log = (
        gammaln(left + 1)
        - gammaln(left - read + 1)
        - gammaln(answers + 1)
        + gammaln(answers - read + 1)
    )
    return float(len(sizes) - np.exp(log).sum())
