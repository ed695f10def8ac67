"""The ways to score a text for every label, behind one interface.

A scorer is fitted together with its unseen scores: those that every row gets from a model that saw
neither it nor its group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from pipelines.learn.features import Dense, Lexical, Table, TextTable, Weights
from pipelines.learn.groups import assign_folds
from pipelines.learn.kernel import Kernel, fit_kernel
from pipelines.learn.linear import Linear, fit_svm
from pipelines.learn.prototypes import Prototypes, fit_prototypes
from pipelines.learn.types import Codes, Floats, Integers

_INNER_FOLDS = 4
_SEED = 7


class Scorer(Protocol):
    """Gives a signed score to every text and label."""

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""


@dataclass(frozen=True, slots=True)
class KernelScorer:
    """Words and vectors together in one kernel."""

    lexical: Lexical
    dense: Dense
    weights: Weights
    kernel: Kernel

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""
        sparse = self.lexical.weighted(self.lexical.transform(table), self.weights)
        return self.kernel.score(Table(sparse, self.dense.transform(table, self.weights)))


@dataclass(frozen=True, slots=True)
class SvmScorer:
    """N-grams and the question only."""

    lexical: Lexical
    svm: Linear

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""
        return self.svm.score(self.lexical.transform(table))


@dataclass(frozen=True, slots=True)
class PrototypeScorer:
    """Nearness to each label's point."""

    prototypes: Prototypes

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""
        return self.prototypes.score(table.vectors)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Texts with their codes [rows, labels] and groups [rows], and what all candidates share.

    ``described`` are the vectors of the labels' descriptions, [labels, dimensions].
    """

    table: TextTable
    codes: Codes
    groups: Integers
    described: Floats
    lexical: Lexical
    dense: Dense
    sparse: csr_matrix
    learnt: dict[Candidate, tuple[Scorer, Floats]] = field(default_factory=dict)

    def learn(self, candidate: Candidate) -> tuple[Scorer, Floats]:
        """Return what ``candidate`` makes of these rows, fitted once however often it is asked."""
        if candidate not in self.learnt:
            self.learnt[candidate] = candidate.fit(self)
        return self.learnt[candidate]

    @classmethod
    def of(cls, table: TextTable, codes: Codes, groups: Integers, described: Floats) -> Prepared:
        """Learn vocabulary and centres."""
        lexical = Lexical.fit(table)
        return cls(
            table, codes, groups, described, lexical, Dense.fit(table), lexical.transform(table)
        )


class Candidate(Protocol):
    """A way to learn."""

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""


@dataclass(frozen=True, slots=True)
class WithKernel:
    """Learn a ``KernelScorer``; unseen scores have a closed form."""

    weights: Weights
    degree: int
    ridge: float

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        lexical, dense, weights = prepared.lexical, prepared.dense, self.weights
        features = Table(
            lexical.weighted(prepared.sparse, weights), dense.transform(prepared.table, weights)
        )
        kernel, unseen = fit_kernel(
            features, prepared.codes, prepared.groups, ridge=self.ridge, degree=self.degree
        )
        return KernelScorer(lexical, dense, weights, kernel), unseen


@dataclass(frozen=True, slots=True)
class WithSvm:
    """Learn an ``SvmScorer``; unseen scores come from inner folds."""

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        return self.plain(prepared), _in_folds(self.plain, prepared)

    def plain(self, prepared: Prepared) -> Scorer:
        """Return the scorer alone."""
        return SvmScorer(prepared.lexical, fit_svm(prepared.sparse, prepared.codes))


@dataclass(frozen=True, slots=True)
class WithPrototypes:
    """Learn a ``PrototypeScorer``; unseen scores come from inner folds."""

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        table, codes, described = prepared.table, prepared.codes, prepared.described
        fold = _folds(prepared)
        unseen = np.zeros(codes.shape, dtype=np.float32)
        for number in range(int(fold.max()) + 1):
            inside, outside = fold != number, fold == number
            points = fit_prototypes(table.vectors[inside], codes[inside], described)
            unseen[outside] = points.score(table.vectors[outside])
        return PrototypeScorer(fit_prototypes(table.vectors, codes, described)), unseen


def _in_folds(alone: Callable[[Prepared], Scorer], prepared: Prepared) -> Floats:
    """Return every row's scores by models of the other folds, [rows, labels]."""
    fold = _folds(prepared)
    scores = np.zeros(prepared.codes.shape, dtype=np.float32)
    for number in range(int(fold.max()) + 1):
        inside, outside = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        if len(inside) and len(outside):
            part = Prepared.of(
                prepared.table.take(inside),
                prepared.codes[inside],
                prepared.groups[inside],
                prepared.described,
            )
            scores[outside] = alone(part).score(prepared.table.take(outside))
    return scores


def _folds(prepared: Prepared) -> Integers:
    folds = max(2, min(_INNER_FOLDS, int(prepared.groups.max()) + 1))
    return assign_folds(prepared.groups, prepared.codes, folds, _SEED)
