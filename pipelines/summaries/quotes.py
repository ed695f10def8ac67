"""Quotes that stand for a group, and those least like it: short, and clear without what is around them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pipelines.learn.words import content_words
from pipelines.stages.vectors import Vectors
from pipelines.summaries.choose import choose
from pipelines.summaries.rules import quote_rules
from pipelines.summaries.worth import Floats, centrality

_REDUNDANCY = 0.5


def fault(text: str) -> float:
    """Return what a sentence costs as a quote: 0 for none, more for each fault by ``rules.toml``."""
    rules = quote_rules()
    words = len(text.split())
    cost = sum(
        rules.fault
        for patterns in (rules.leaning, rules.referring, rules.unfinished)
        if any(pattern.search(text) for pattern in patterns)
    )
    if not rules.least_words <= words <= rules.most_words:
        cost += rules.fault
    return cost + 0.1 * abs(math.log(max(1, words) / rules.ideal_words))


def central(
    texts: Sequence[str], vectors: Vectors, value: Floats, faults: Floats, count: int
) -> list[int]:
    """Return places of up to ``count`` quotes that stand for most, each unlike the others."""
    possible = _usable(texts, faults)
    if not len(possible):
        return []
    worth = (value[possible] - faults[possible]).round(6)
    taken = choose(worth, vectors[possible], redundancy=_REDUNDANCY, sentences=count)
    return [int(possible[place]) for place in taken]


def different(texts: Sequence[str], vectors: Vectors, faults: Floats, count: int) -> list[int]:
    """Return places of up to ``count`` quotes furthest from the middle of the group."""
    rules = quote_rules()
    usable = _usable(texts, faults)
    possible = np.array(
        [
            place
            for place in usable.tolist()
            if len(texts[place].split()) >= rules.different_words
            and len(content_words(texts[place])) >= rules.different_content
        ],
        dtype=np.intp,
    )
    if not len(possible):
        return []
    worth = (1.0 - centrality(vectors)[possible] - faults[possible]).round(6)
    taken = choose(worth, vectors[possible], redundancy=_REDUNDANCY, sentences=count)
    return [int(possible[place]) for place in taken]


def _usable(texts: Sequence[str], faults: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the places of sentences without a fault; of those with the fewest where none is."""
    rules = quote_rules()
    clean = np.flatnonzero(faults < rules.fault)
    return clean if len(clean) else np.flatnonzero(faults < 2 * rules.fault)
