"""Whether adapting helped: neighbours found on documents kept apart, and what moved elsewhere."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from pipelines.adapt.passages import Passages
from pipelines.adapt.types import Judgement
from pipelines.stages.vectors import SentenceEncoder

AMONG = 100
"""Passages of other documents among which a neighbour is looked for."""

LEAST_NEARNESS, LEAST_ORDER = 0.9, 0.9
"""What general sentences must keep: mean cosine with their former vectors, order of similarities."""

_RESAMPLES = 2_000
_ALIKE = 200  # general sentences whose similarities are compared: 19,900 pairs

Floats = NDArray[np.float64]


def judge(
    before: SentenceEncoder,
    after: SentenceEncoder,
    held: Sequence[Passages],
    general: Sequence[str],
    *,
    seed: int,
) -> Judgement:
    """Return how the two encoders do on ``held`` documents and on ``general`` sentences."""
    pairs = _neighbours(held, random.Random(f"{seed}/pairs"))
    others = _others(pairs, random.Random(f"{seed}/others"))
    ranks = [reciprocal_ranks(encoder, pairs, others) for encoder in (before, after)]
    gains = ranks[1] - ranks[0]
    drawn = np.random.default_rng(seed).integers(0, len(gains), (_RESAMPLES, len(gains)))
    low, high = np.quantile(gains[drawn].mean(axis=1), (0.025, 0.975))
    was, now = (encoder.encode(list(general)) for encoder in (before, after))
    nearness = float((was * now).sum(axis=1).mean())
    upper = np.triu_indices(min(len(general), _ALIKE), 1)
    first, second = ((v[:_ALIKE] @ v[:_ALIKE].T)[upper] for v in (was, now))
    order = float(spearmanr(first, second).statistic)
    return Judgement(
        pairs=len(pairs),
        among=len(others[0]),
        before=round(float(ranks[0].mean()), 4),
        after=round(float(ranks[1].mean()), 4),
        gain=round(float(gains.mean()), 4),
        interval=(round(float(low), 4), round(float(high), 4)),
        nearness=round(nearness, 4),
        order=round(order, 4),
        helped=bool(low > 0 and nearness >= LEAST_NEARNESS and order >= LEAST_ORDER),
    )


def reciprocal_ranks(
    encoder: SentenceEncoder, pairs: Sequence[tuple[str, str]], others: Sequence[Sequence[int]]
) -> Floats:
    """Return 1 / rank of each pair's second passage for its first, among those of ``others``.

    A passage as near as the right one stands before it: a model that finds all alike finds nothing.
    """
    left = encoder.encode([first for first, _ in pairs])
    right = encoder.encode([second for _, second in pairs])
    values = np.zeros(len(pairs))
    for row, numbers in enumerate(others):
        scores = right[[row, *numbers]] @ left[row]
        values[row] = 1.0 / (1 + int((scores[1:] >= scores[0]).sum()))
    return values


def _neighbours(held: Sequence[Passages], rng: random.Random) -> list[tuple[str, str]]:
    """Return one pair of neighbours of each document, so that pairs are as good as independent."""
    found = []
    for document in held:
        if len(document) > 1:
            place = rng.randrange(len(document) - 1)
            found.append((document[place], document[place + 1]))
    return found


def _others(pairs: Sequence[tuple[str, str]], rng: random.Random) -> list[list[int]]:
    """Return for each pair the numbers of others whose second passage reads differently."""
    found = []
    for row, (first, second) in enumerate(pairs):
        order = rng.sample(range(len(pairs)), len(pairs))
        different = (n for n in order if n != row and pairs[n][1] not in (first, second))
        found.append([n for n, _ in zip(different, range(AMONG), strict=False)])
    least = min(map(len, found))
    return [numbers[:least] for numbers in found]
