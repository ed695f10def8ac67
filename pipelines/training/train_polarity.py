"""Fit ``pipelines.learn.polarity`` to arguments with a stance: ridge regression in closed form.

Leaving one subject out has a closed form too (block-wise leave-one-out; Cawley and Talbot 2003), so
that what is fitted over polarity sees values of texts that polarity has not learnt from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor
from scipy.linalg.lapack import spotri

from pipelines.learn.polarity import (
    COLUMNS,
    Polarity,
    columns,
    gram_table,
    scaled_meaning,
    scaled_tone,
    tone,
    turns,
)
from pipelines.learn.proposals import subject_stems
from pipelines.learn.types import Floats, Integers

RIDGE = 0.5
LEAST = 4  # texts that a column stands in


@dataclass(frozen=True, slots=True)
class Fitted:
    """The model, and every text's two values by a model that saw nothing of its subject, [texts, 2]."""

    polarity: Polarity
    unseen: Floats


def fit_polarity(
    texts: Sequence[str],
    questions: Sequence[str],
    free: Floats,
    stances: Floats,
    owners: Integers,
    ridge: float = RIDGE,
) -> Fitted:
    """Fit to ``stances`` (+1 for, -1 against the question), [texts].

    ``free`` are the vectors without their question, [texts, dimensions]; ``owners`` number the
    subjects that are left out together, [texts].
    """
    subjects = [subject_stems(question) for question in questions]
    idf = _rarity(texts, subjects)
    tone_scale = tone(texts).std(axis=0) + np.float32(1e-6)
    mean = free.mean(axis=0)
    length = max(float(np.sqrt(((free - mean) ** 2).sum(axis=1).mean())), 1e-6)
    grams = gram_table(texts, subjects, idf)
    dense = np.hstack([scaled_tone(texts, tone_scale), scaled_meaning(free, mean, length)])
    alike = np.asarray((grams @ grams.T).toarray(), dtype=np.float32) + dense @ dense.T
    turned = turns(questions)
    weights, unseen = _solve(alike, turned, stances, owners, ridge)
    both = np.stack([weights, weights * turned], axis=1)
    flat = dense.T @ both
    polarity = Polarity(
        idf=idf,
        grams=np.asarray(grams.T @ both, dtype=np.float32),
        tone=flat[: len(tone_scale)],
        tone_scale=tone_scale,
        meaning=flat[len(tone_scale) :],
        mean=mean,
        length=length,
    )
    return Fitted(polarity, unseen)


def _solve(
    alike: Floats, turned: Floats, stances: Floats, owners: Integers, ridge: float
) -> tuple[Floats, Floats]:
    """Return a weight a text [texts] and the unseen values [texts, 2]."""
    table = alike * (1.0 + np.outer(turned, turned))
    table[np.diag_indices_from(table)] += ridge
    factor, _ = cho_factor(table, lower=True, overwrite_a=True, check_finite=False)
    inverse, _ = spotri(factor, lower=1, overwrite_c=1)
    lower = np.tril(inverse)
    inverse = lower + np.tril(lower, -1).T
    weights = np.asarray(inverse @ stances, dtype=np.float32)
    unseen = np.zeros((len(stances), 2), dtype=np.float32)
    for owner in np.unique(owners):
        rows = np.flatnonzero(owners == owner)
        block = inverse[:, rows]
        others = weights - block @ np.linalg.solve(block[rows], weights[rows])
        others[rows] = 0.0  # exactly what they would be without these texts
        unseen[rows] = alike[rows] @ np.stack([others, others * turned], axis=1)
    return weights, unseen


def _rarity(texts: Sequence[str], subjects: Sequence[frozenset[str]]) -> Floats:
    """Return the idf of every column, [COLUMNS]; 0 where too few texts have it."""
    counts = np.zeros(COLUMNS, dtype=np.int64)
    for text, subject in zip(texts, subjects, strict=True):
        for found in columns(text, subject):
            counts[found] += 1
    idf = np.log(len(texts) / np.maximum(counts, 1)) + 1.0
    return np.where(counts >= LEAST, idf, 0.0).astype(np.float32)
