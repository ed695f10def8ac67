"""What decides an adapted model, given its documents, and what is said about it."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AdaptRecipe:
    """Everything that decides the weights, given the documents and the general sentences.

    ``tokens`` is the budget, padding left out; ``pairs`` are those of a batch; ``longest`` bounds a
    passage in tokens; ``deleted`` is the share of tokens a view leaves out; ``neighbours`` the share
    of pairs that are two passages, not two views of one. ``alike`` is the former model's cosine
    above which two passages are no negatives. ``contrast``, ``own``, ``general`` and ``relations``
    weigh the parts of the loss.
    """

    tokens: int = 200_000
    seed: int = 20
    pairs: int = 32
    longest: int = 96
    deleted: float = 0.15
    neighbours: float = 0.5
    temperature: float = 0.05
    alike: float = 0.75
    contrast: float = 1.0
    own: float = 1.0
    general: float = 4.0
    relations: float = 10.0
    embedding_rate: float = 2e-4
    other_rate: float = 1e-4
    warm_up: float = 0.05
    floor: float = 0.05

    def factor(self, tokens: int) -> float:
        """Return the factor of both learning rates: linear warm-up, then a half cosine."""
        share = min(1.0, tokens / self.tokens)
        cosine = 0.5 * (1.0 + math.cos(math.pi * share))
        return min(1.0, (share + 0.01) / (self.warm_up + 0.01)) * max(self.floor, cosine)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The former model and the adapted one on documents that neither was trained on.

    ``before`` and ``after`` are mean reciprocal ranks, 0 to 1: a passage looks for its neighbour of
    the same document among ``among`` passages of other documents. ``interval`` is that of the gain,
    95 %, over documents. ``nearness`` is the mean cosine of the general sentences' vectors with
    their former ones, ``order`` Spearman's correlation of the similarities among them, before and
    after. ``helped`` needs a gain beyond chance and general sentences that stay.
    """

    pairs: int
    among: int
    before: float
    after: float
    gain: float
    interval: tuple[float, float]
    nearness: float
    order: float
    helped: bool
