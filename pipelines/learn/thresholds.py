"""From probabilities to labels: where each label's line is drawn.

Two rules, of which the better one on unseen rows is used. *Thresholds*: a label's own best
threshold (by its F1) is drawn towards the common one (by samples-F1): a rare label has few rows to
say where its line is, a frequent one has many. *Sets*: the labels whose expected F1 is highest,
given the probabilities (the plug-in rule of Dembczyński et al. 2011 for independent labels); rare
labels are added by their thresholds, since a set of likely labels never holds them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.metrics import samples_f1
from pipelines.learn.types import Codes, Floats

_GRID = np.round(np.arange(0.16, 0.62, 0.02), 2)
_WEIGHT = 20.0  # rows at which a label's own threshold counts as much as the common one
_LOWEST, _HIGHEST = 0.08, 0.75
_NEARLY_ALL = 0.995
_RARE = 0.03  # share of the rows below which a label is rare
_LARGEST = 12  # labels of a set


@dataclass(frozen=True, slots=True)
class Rule:
    """How labels are assigned: by thresholds, or by ``sets``, or the best label only (``single``).

    With ``least_one`` a row that gets no label otherwise gets its best one. ``rare`` are the labels
    that a set is given by their threshold.
    """

    thresholds: tuple[float, ...]
    single: bool = False
    least_one: bool = False
    sets: bool = False
    rare: tuple[int, ...] = ()

    def assign(self, probabilities: Floats) -> Codes:
        """Return the assigned labels, [rows, labels]."""
        best = probabilities.argmax(axis=1)
        rows = np.arange(len(probabilities))
        if self.single:
            found = np.zeros(probabilities.shape, dtype=np.bool_)
            found[rows, best] = True
            return found
        found = probabilities >= np.asarray(self.thresholds, dtype=np.float32)
        if self.sets:
            likely = likeliest_sets(probabilities, least_one=self.least_one)
            rare = list(self.rare)
            likely[:, rare] |= found[:, rare]
            found = likely
        if self.least_one:
            none = ~found.any(axis=1)
            found[rows[none], best[none]] = True
        return found


def fit_rule(probabilities: Floats, codes: Codes, *, single: bool) -> Rule:
    """Set the rule on unseen rows' probabilities, both [rows, labels]."""
    labels = codes.shape[1]
    if single:
        return Rule((0.5,) * labels, single=True)
    least_one = bool(codes.any(axis=1).mean() >= _NEARLY_ALL)
    common = common_threshold(probabilities, codes, least_one=least_one)
    counts = codes.sum(axis=0)
    thresholds = []
    for label in range(labels):
        own = best_threshold(probabilities[:, label], codes[:, label]) if counts[label] else common
        share = counts[label] / (counts[label] + _WEIGHT)
        drawn = float(share * own + (1.0 - share) * common)
        thresholds.append(round(min(max(drawn, _LOWEST), _HIGHEST), 4))
    rule = Rule(tuple(thresholds), least_one=least_one)
    rare = tuple(int(label) for label in np.flatnonzero(counts < _RARE * len(codes)))
    other = replace(rule, sets=True, rare=rare)
    values = [samples_f1(codes, one.assign(probabilities)).mean() for one in (other, rule)]
    return other if values[0] >= values[1] else rule


def likeliest_sets(probabilities: Floats, *, least_one: bool) -> Codes:
    """Return the sets with the highest expected F1, [rows, labels].

    The expected F1 of the k likeliest labels is the sum of 2p / (k + 1 + expected other labels).
    Without ``least_one`` the empty set counts with its own probability.
    """
    rows, labels = probabilities.shape
    order = np.argsort(-probabilities, axis=1, kind="stable")
    ranked = np.take_along_axis(probabilities, order, axis=1).astype(np.float64)
    total = ranked.sum(axis=1, keepdims=True)
    best = np.full(rows, -1.0) if least_one else np.prod(1.0 - ranked, axis=1)
    size = np.zeros(rows, dtype=np.int64)
    for k in range(1, min(labels, _LARGEST) + 1):
        top = ranked[:, :k]
        expected = (2.0 * top / (k + 1.0 + total - top)).sum(axis=1)
        better = expected > best
        best[better], size[better] = expected[better], k
    inside = np.arange(labels)[None, :] < size[:, None]
    found = np.zeros((rows, labels), dtype=np.bool_)
    np.put_along_axis(found, order, inside, axis=1)
    return found


def common_threshold(probabilities: Floats, codes: Codes, *, least_one: bool) -> float:
    """Return the one threshold for all labels with the best samples-F1; the middle of ties."""
    values = [
        float(
            samples_f1(
                codes, Rule((float(t),) * codes.shape[1], least_one=least_one).assign(probabilities)
            ).mean()
        )
        for t in _GRID
    ]
    best = np.flatnonzero(np.asarray(values) >= max(values) - 1e-9)
    return float(_GRID[best[len(best) // 2]])


def best_threshold(probabilities: NDArray[np.float32], gold: NDArray[np.bool_]) -> float:
    """Return the threshold with the best F1 of one label, both [rows], in the middle of its gap."""
    order = np.argsort(-probabilities, kind="stable")
    ranked = probabilities[order]
    f1 = 2.0 * np.cumsum(gold[order]) / (np.arange(1, len(ranked) + 1) + int(gold.sum()))
    best = int(f1.argmax())
    below = ranked[best + 1] if best + 1 < len(ranked) else 0.0
    return float((ranked[best] + below) / 2.0)
