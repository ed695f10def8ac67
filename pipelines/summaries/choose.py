"""Sentences taken one by one, each paying for its likeness to those already taken.

Maximal marginal relevance (Carbonell and Goldstein 1998, https://doi.org/10.1145/290941.291025),
with a bound on sentences and words, and turns for the sides of a divided group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pipelines.stages.vectors import Vectors
from pipelines.summaries.types import SIDES
from pipelines.summaries.worth import Floats

SAME = 0.97
"""Cosine above which two sentences say the same: the second is never taken."""


def choose(
    worth: Floats,
    vectors: Vectors,
    *,
    redundancy: float,
    sentences: int,
    words: Sequence[int] = (),
    most_words: int | None = None,
    sides: Sequence[str] = (),
    shares: Mapping[str, float] | None = None,
) -> list[int]:
    """Return places of up to ``sentences`` sentences, the best first; ties go to the earlier one.

    ``words`` counts the words of each; one that would pass ``most_words`` is passed over, unless
    nothing has been taken yet. ``shares`` (side → 0 to 1) gives every side its turns: the next
    sentence is of the side that has had the least of its share, as long as it has any.
    """
    similar = np.full(len(worth), -1.0)
    left = np.ones(len(worth), dtype=bool)
    of_side = {side: np.array([s == side for s in sides]) for side in shares or {}}
    chosen: list[int] = []
    used = 0
    while len(chosen) < sentences:
        if most_words is not None and chosen and len(words):
            left &= used + np.asarray(words) <= most_words
        if not left.any():
            break
        value = worth - redundancy * np.maximum(similar, 0.0)
        open_ = left
        for side in _turns(shares or {}, [sides[place] for place in chosen] if of_side else []):
            if (left & of_side[side]).any():
                open_ = left & of_side[side]
                break
        best = int(np.argmax(np.where(open_, value, -np.inf)))
        chosen.append(best)
        used += words[best] if len(words) else 0
        similar = np.maximum(similar, vectors @ vectors[best])
        left &= similar < SAME
        left[best] = False
    return chosen


def _turns(shares: Mapping[str, float], taken: Sequence[str]) -> list[str]:
    """Return the sides, the one furthest below its share of the next sentence first."""
    had = Counter(taken)
    n = len(taken) + 1
    return sorted(shares, key=lambda side: (-(shares[side] * n - had[side]), side))


def sides_of(stances: Mapping[str, int], *, least: float) -> dict[str, float]:
    """Return the sides of a divided group and their shares; empty where it does not divide.

    It divides where two sides each have ``least`` or more of the statements that take one. A small
    side has at least an equal third of a share, so that a short summary hears it too.
    """
    counts = {side: stances.get(side, 0) for side in SIDES}
    all_ = sum(counts.values())
    heard = {side: n / all_ for side, n in counts.items() if all_ and n / all_ >= least}
    if len(heard) < 2:
        return {}
    raised = {side: max(share, 1 / (len(heard) + 1)) for side, share in heard.items()}
    return {side: share / sum(raised.values()) for side, share in raised.items()}
