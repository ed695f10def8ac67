"""Scores of assigned labels against codes: samples, micro and macro F1, exact, per label, per group.

All F1 values count 0 where there is nothing to divide by, as is usual for this measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.learn.types import Codes, Integers


@dataclass(frozen=True, slots=True)
class Scores:
    """The four figures of a label set, each 0 to 1."""

    samples_f1: float
    micro_f1: float
    macro_f1: float
    exact: float


@dataclass(frozen=True, slots=True)
class LabelFigures:
    """How one label was assigned: rows that carry it, rows that were given it, and what fits."""

    label: str
    examples: int
    assigned: int
    precision: float
    recall: float
    f1: float


def score(gold: Codes, found: Codes, *, least: int = 1) -> Scores:
    """Return the scores of ``found`` against ``gold``, both [rows, labels].

    macro-F1 is the mean over labels with at least ``least`` rows.
    """
    counted = gold.sum(axis=0) >= max(least, 1)
    per_label = f1_by_label(gold, found)
    both = int((gold & found).sum())
    size = int(gold.sum()) + int(found.sum())
    return Scores(
        samples_f1=float(samples_f1(gold, found).mean()) if len(gold) else 0.0,
        micro_f1=2.0 * both / size if size else 0.0,
        macro_f1=float(per_label[counted].mean()) if counted.any() else 0.0,
        exact=float((gold == found).all(axis=1).mean()) if len(gold) else 0.0,
    )


def samples_f1(gold: Codes, found: Codes) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the F1 of every row, [rows]; a row without labels on both sides counts 0."""
    return _f1((gold & found).sum(axis=1), gold.sum(axis=1), found.sum(axis=1))


def f1_by_label(gold: Codes, found: Codes) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the F1 of every label, [labels]."""
    return _f1((gold & found).sum(axis=0), gold.sum(axis=0), found.sum(axis=0))


def label_figures(labels: Sequence[str], gold: Codes, found: Codes) -> list[LabelFigures]:
    """Return one entry a label, in order."""
    right, there, given = ((gold & found).sum(0), gold.sum(0), found.sum(0))
    return [
        LabelFigures(
            label=label,
            examples=int(there[column]),
            assigned=int(given[column]),
            precision=_share(right[column], given[column]),
            recall=_share(right[column], there[column]),
            f1=_share(2 * right[column], there[column] + given[column]),
        )
        for column, label in enumerate(labels)
    ]


def interval(
    gold: Codes, found: Codes, groups: Integers, *, draws: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % interval of samples-F1 by a bootstrap over whole groups (percentiles).

    Efron and Tibshirani 1993; ``groups`` are numbers from 0, [rows].
    """
    return mean_interval(samples_f1(gold, found), groups, draws=draws, seed=seed)


def mean_interval(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
    groups: Integers,
    *,
    draws: int = 1000,
    seed: int = 0,
) -> tuple[float, float]:
    """Return the 95 % interval of the mean of ``values``, [rows], whole groups drawn."""
    if not len(values):
        return 0.0, 0.0
    _, numbers = np.unique(groups, return_inverse=True)
    sums, sizes = np.bincount(numbers, weights=values), np.bincount(numbers)
    rng = np.random.default_rng(seed)
    means = np.empty(draws)
    for draw in range(draws):
        chosen = rng.integers(0, len(sums), len(sums))
        means[draw] = sums[chosen].sum() / sizes[chosen].sum()
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


def _f1(
    right: Integers, there: Integers, given: Integers
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    size = np.asarray(there + given, dtype=np.float64)
    shares = np.zeros(len(size), dtype=np.float64)
    np.divide(2.0 * right, size, out=shares, where=size > 0)
    return shares


def _share(part: int, whole: int) -> float:
    return float(part) / float(whole) if whole else 0.0
