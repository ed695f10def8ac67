"""Probabilities out of scores, how far they can be believed, and which need a second look.

Each label gets its own logistic curve over the score (Platt 1999), drawn towards the curve of all
labels together: with few examples a label keeps the common curve, with many it has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.types import Codes, Floats

_PRIOR = 5.0  # strength of the common slope, in units of squared scores
_STEPS = 50
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Curves:
    """Slope and offset of every label's logistic curve, both [labels]."""

    slopes: Floats
    offsets: Floats

    def probabilities(self, scores: Floats) -> Floats:
        """Return calibrated probabilities of ``scores``, both [rows, labels]."""
        return np.asarray(_logistic(scores * self.slopes + self.offsets), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Bin:
    """One step of a reliability curve: mean probability said, share that was right, how many."""

    said: float
    right: float
    count: int


def fit_curves(scores: Floats, codes: Codes) -> Curves:
    """Fit the curves on scores of rows that the model had not seen, both [rows, labels]."""
    values, targets = scores.astype(np.float64), codes.astype(np.float64)
    common = _newton(values.reshape(-1, 1), targets.reshape(-1, 1), np.array([[2.0], [-0.5]]), 0.01)
    start = np.repeat(common, values.shape[1], axis=1)
    curves = _newton(values, targets, start, _PRIOR)
    # A falling curve would turn a label round; it can only be noise.
    curves[0] = np.maximum(curves[0], 0.1 * common[0, 0])
    return Curves(curves[0].astype(np.float32), curves[1].astype(np.float32))


def standing_curves(labels: int) -> Curves:
    """Return the curve of cosines to descriptions for every label, where there is nothing to fit.

    Midpoint 0.28 and scale 0.08 are those of zero-shot labels, set on public data.
    """
    return Curves(
        np.full(labels, 1.0 / 0.08, dtype=np.float32),
        np.full(labels, -0.28 / 0.08, dtype=np.float32),
    )


def reliability(probabilities: Floats, codes: Codes, *, steps: int = 10) -> list[Bin]:
    """Return the reliability curve over all labels, empty steps left out."""
    said, right = probabilities.ravel().astype(np.float64), codes.ravel()
    step = np.minimum((said * steps).astype(int), steps - 1)
    return [
        Bin(float(said[inside].mean()), float(right[inside].mean()), int(inside.sum()))
        for number in range(steps)
        if (inside := step == number).any()
    ]


def calibration_error(bins: list[Bin]) -> float:
    """Return the mean distance of said and right, weighted by count (expected calibration error)."""
    total = sum(step.count for step in bins)
    return sum(step.count * abs(step.said - step.right) for step in bins) / max(total, 1)


def unsure_band(
    probabilities: Floats, codes: Codes, *, wanted: Sequence[float] = (0.8, 0.9, 0.95, 0.98)
) -> tuple[float, float]:
    """Return the probabilities between which a person should look.

    Above the upper end ``wanted`` of what would be assigned is right; of the labels that rows carry
    at most ``1 - wanted`` lie below the lower end. Where one line between the two would do for both,
    the next higher share is asked for; a set that meets them all has no band.
    """
    for share in wanted:
        low, high = _band(probabilities, codes, share)
        if low < high:
            return low, high
    return high, high


def _band(probabilities: Floats, codes: Codes, wanted: float) -> tuple[float, float]:
    said, right = probabilities.ravel().astype(np.float64), codes.ravel()
    order = np.argsort(-said, kind="stable")
    said, right = said[order], right[order]
    precise = np.cumsum(right) / np.arange(1, len(right) + 1)
    enough = np.flatnonzero(precise >= wanted)
    high = float(said[enough[-1]]) if len(enough) else 1.0
    kept = np.cumsum(right) / max(1, int(right.sum()))
    reached = np.flatnonzero(kept >= wanted)
    low = float(said[reached[0]]) if len(reached) else 0.0
    return low, high


def _newton(
    scores: NDArray[np.float64],
    targets: NDArray[np.float64],
    prior: NDArray[np.float64],
    strength: float,
) -> NDArray[np.float64]:
    """Return slopes and offsets, [2, labels], by damped Newton steps from ``prior``."""
    curves = prior.copy()
    weak = 0.2 * strength
    for _ in range(_STEPS):
        said = _logistic(scores * curves[0] + curves[1])
        miss, bend = said - targets, np.maximum(said * (1.0 - said), 1e-9)
        slope = (miss * scores).sum(axis=0) + strength * (curves[0] - prior[0])
        offset = miss.sum(axis=0) + weak * (curves[1] - prior[1])
        a = (bend * scores * scores).sum(axis=0) + strength
        b, c = (bend * scores).sum(axis=0), bend.sum(axis=0) + weak
        determinant = np.maximum(a * c - b * b, 1e-9)
        step = np.stack([c * slope - b * offset, a * offset - b * slope]) / determinant
        step = np.clip(step, -2.0, 2.0)
        curves -= step
        if float(np.abs(step).max(initial=0.0)) < _TOLERANCE:
            break
    return curves


def _logistic(values: NDArray[np.float64] | Floats) -> NDArray[np.float64]:
    clipped = np.clip(np.asarray(values, dtype=np.float64), -60.0, 60.0)
    return np.asarray(1.0 / (1.0 + np.exp(np.negative(clipped))), dtype=np.float64)
