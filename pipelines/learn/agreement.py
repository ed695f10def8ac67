"""Scores of answers to one question, drawn towards those of the answers nearest in meaning.

A text that is hard to judge alone often says what plainer ones say. ``F = (1 - s) Z + s W F``, with
``Z`` the scores, ``W`` the nearest neighbours by cosine and ``s`` ``SHARE`` (local and global
consistency; Zhou et al. 2004). Nothing is centred, so that it does not matter how many are on which
side. What was said outright can be held fast. A score then depends on the other answers, which is
why it is asked for and never the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array

from pipelines.learn.types import Floats

SHARE = 0.6
NEIGHBOURS = 4
_OF_ALL = 5
"""At most one in so many of the answers are neighbours: in a handful all would be alike."""
_ROUNDS = 10
_ROWS = 256  # compared with all others at a time: bounds the memory


def agreed(
    scores: Floats,
    vectors: Floats,
    texts: Sequence[str],
    questions: Sequence[str],
    fixed: NDArray[np.bool_] | None = None,
) -> Floats:
    """Return the scores after agreement within each question, [texts, columns].

    ``vectors`` are of unit length, [texts, dimensions]. Rows that are ``fixed`` [texts] keep their
    scores and are heard. A repeated text counts once and gets the same scores each time. Time grows
    with the square of the distinct answers to a question: 30,000 take ten seconds of one core.
    """
    pairs = list(zip(questions, texts, strict=True))
    first = {pair: row for row, pair in reversed(list(enumerate(pairs)))}
    found = np.array(scores, dtype=np.float32)
    for rows in _of_question(sorted(first.values()), questions):
        near = neighbours(vectors[rows])
        if near is None:
            continue
        own = found[rows]
        share = np.full((len(rows), 1), SHARE, dtype=np.float32)
        if fixed is not None:
            share[fixed[rows]] = 0.0
        drawn = own
        for _ in range(_ROUNDS):
            drawn = (1.0 - share) * own + share * (near @ drawn)
        found[rows] = drawn
    return found[[first[pair] for pair in pairs]]


def neighbours(vectors: Floats) -> csr_matrix | None:
    """Return how much each text hears each other one, rows summing to 1, [texts, texts].

    Who is a neighbour to one has that one as a neighbour too. None where there are too few texts.
    """
    count = len(vectors)
    size = min(NEIGHBOURS, (count - 1) // _OF_ALL)
    if size < 1:
        return None
    columns = np.empty((count, size), dtype=np.int64)
    weights = np.empty((count, size), dtype=np.float32)
    for start in range(0, count, _ROWS):
        alike = vectors[start : start + _ROWS] @ vectors.T
        alike[np.arange(len(alike)), np.arange(start, start + len(alike))] = -np.inf
        nearest = np.argpartition(-alike, size - 1, axis=1)[:, :size]
        columns[start : start + _ROWS] = nearest
        weights[start : start + _ROWS] = np.take_along_axis(alike, nearest, axis=1)
    np.clip(weights, 1e-6, None, out=weights)
    ends = np.arange(0, count * size + 1, size)
    near = csr_matrix((weights.ravel(), columns.ravel(), ends), shape=(count, count))
    near = near.maximum(near.T)
    return csr_matrix(diags_array(1.0 / np.asarray(near.sum(axis=1)).ravel()) @ near)


def _of_question(rows: Sequence[int], questions: Sequence[str]) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of every question."""
    by_question: dict[str, list[int]] = {}
    for row in rows:
        by_question.setdefault(questions[row], []).append(row)
    yield from (np.array(some, dtype=np.int64) for some in by_question.values())
