"""Kernel ridge regression over words and vectors together: what is alike gets the same labels.

The kernel is ((likeness + 1) / 2)², so that pairs of features count too: a word *in answer to this
question*, a meaning *said with these words*. All labels have one closed-form solution, and so have
the scores that each row would get from a model that saw neither it nor its group (leave-one-group-out;
Cawley and Talbot 2003), which is what curves and thresholds are set on.

Beyond ``EXACT`` rows the kernel is taken against ``LANDMARKS`` of them (Nyström's method; Williams
and Seeger 2001).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.linalg.lapack import dpotri, spotri
from scipy.sparse import csr_matrix

from pipelines.learn.features import Table
from pipelines.learn.types import Codes, Floats, Integers

EXACT = 7000
LANDMARKS = 4000
RIDGE = 0.25
_JITTER = 1e-4
_SEED = 20
_ROWS = 2048  # texts scored at a time: bounds the memory


@dataclass(frozen=True, slots=True)
class Kernel:
    """Landmark rows, coefficients [landmarks, labels], offsets [labels], degree of the kernel."""

    landmarks: Table
    coefficients: Floats
    offsets: Floats
    degree: int = 2
    _standing: csr_matrix = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Stand the landmarks' sparse half on its side, which every product needs."""
        object.__setattr__(self, "_standing", csr_matrix(self.landmarks.sparse.T))

    def score(self, features: Table) -> Floats:
        """Return one signed score a row and label, [rows, labels]."""
        scores = np.zeros((len(features), len(self.offsets)), dtype=np.float32)
        for start in range(0, len(features), _ROWS):
            block = features.take(slice(start, start + _ROWS))
            table = _likened(block.products_with(self._standing, self.landmarks.dense), self.degree)
            scores[start : start + _ROWS] = table @ self.coefficients
        return scores + self.offsets


def fit_kernel(
    features: Table,
    codes: Codes,
    groups: Integers,
    *,
    ridge: float = RIDGE,
    degree: int = 2,
    exact: int = EXACT,
    landmarks: int = LANDMARKS,
) -> tuple[Kernel, Floats]:
    """Fit ±1 targets of ``codes``, [rows, labels]; return the model and the unseen scores.

    The offset is the mean target. Unseen scores are [rows, labels].
    """
    targets = np.where(codes, 1.0, -1.0).astype(np.float32)
    level = targets.mean(axis=0)
    if len(features) <= exact:
        fitted, unseen = _exact(features, targets - level, groups, ridge, degree)
        return Kernel(features, fitted, level, degree), unseen + level
    chosen = np.sort(np.random.default_rng(_SEED).choice(len(features), landmarks, replace=False))
    points = features.take(chosen)
    fitted, unseen = _nystroem(features, points, targets - level, groups, ridge, degree)
    return Kernel(points, fitted, level, degree), unseen + level


def _exact(
    features: Table, targets: Floats, groups: Integers, ridge: float, degree: int
) -> tuple[Floats, Floats]:
    """Return coefficients and unseen scores, both [rows, labels]."""
    table = _kernel(features, features, degree)
    table[np.diag_indices_from(table)] += ridge
    factor, _ = cho_factor(table, lower=True, overwrite_a=True, check_finite=False)
    inverse, _ = spotri(factor, lower=1, overwrite_c=1)
    lower = np.tril(inverse)
    inverse = lower + np.tril(lower, -1).T
    coefficients = np.asarray(inverse @ targets, dtype=np.float32)
    unseen = np.zeros_like(targets)
    for rows in _of_group(groups):
        block = inverse[np.ix_(rows, rows)]
        unseen[rows] = targets[rows] - np.linalg.solve(block, coefficients[rows])
    return coefficients, unseen


def _nystroem(
    features: Table, points: Table, targets: Floats, groups: Integers, ridge: float, degree: int
) -> tuple[Floats, Floats]:
    """Return coefficients [landmarks, labels] and unseen scores [rows, labels]."""
    among = _kernel(points, points, degree).astype(np.float64)
    among[np.diag_indices_from(among)] += _JITTER
    factor, _ = cho_factor(among, lower=True, overwrite_a=True, check_finite=False)
    basis = np.empty((len(features), len(points)), dtype=np.float32)
    for start in range(0, len(features), _ROWS):
        block = features.take(slice(start, start + _ROWS))
        table = _kernel(block, points, degree).astype(np.float64)
        basis[start : start + _ROWS] = solve_triangular(factor, table.T, lower=True).T
    gram = (basis.T @ basis).astype(np.float64)
    gram[np.diag_indices_from(gram)] += ridge
    normal = cho_factor(gram, lower=True, check_finite=False)
    weights = cho_solve(normal, (basis.T @ targets).astype(np.float64))
    inverse, _ = dpotri(normal[0], lower=1)
    inverse = np.tril(inverse) + np.tril(inverse, -1).T
    fitted = basis @ weights.astype(np.float32)
    unseen = np.zeros_like(targets)
    for rows in _of_group(groups):
        own = basis[rows].astype(np.float64)
        seen = own @ inverse @ own.T
        miss = np.linalg.solve(np.eye(len(rows)) - seen, targets[rows] - fitted[rows])
        unseen[rows] = targets[rows] - miss
    coefficients = solve_triangular(factor, weights, lower=True, trans="T")
    return np.asarray(coefficients, dtype=np.float32), unseen


def _kernel(a: Table, b: Table, degree: int) -> Floats:
    """Return the kernel of every pair of rows, [len(a), len(b)]."""
    return _likened(a.products(b), degree)


def _likened(table: Floats, degree: int) -> Floats:
    """Return the kernel of inner products, in place."""
    if degree == 1:
        return table
    table += np.float32(1.0)
    table *= np.float32(0.5)
    if degree == 2:
        table *= table
        return table
    return np.asarray(table**degree, dtype=np.float32)


def _of_group(groups: Integers) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of every group."""
    order = np.argsort(groups, kind="stable")
    cuts = np.flatnonzero(np.diff(groups[order])) + 1
    yield from np.split(order, cuts)
