"""What decides the trained weights, given teacher and corpus."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pipelines.training.batches import BatchPlan
from pipelines.training.groups import GroupPlan
from pipelines.training.initialise import StudentShape
from pipelines.training.losses import LossWeights, PairWeights


@dataclass(frozen=True, slots=True)
class Schedule:
    """Learning rates, as a function of the share of the token budget that is used."""

    tokens: int = 6_000_000
    embedding_rate: float = 2e-3
    other_rate: float = 5e-4
    warm_up: float = 0.03
    floor: float = 0.02

    def factor(self, tokens: int) -> float:
        """Return the factor of both rates: linear warm-up, then a half cosine to the floor."""
        share = min(1.0, tokens / self.tokens)
        cosine = 0.5 * (1.0 + math.cos(math.pi * share))
        return min(1.0, (share + 1e-3) / self.warm_up) * max(self.floor, cosine)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides the weights, given teacher and corpus."""

    plan: BatchPlan = field(default_factory=BatchPlan)
    schedule: Schedule = field(default_factory=Schedule)
    shape: StudentShape = field(default_factory=StudentShape)
    weights: LossWeights = field(default_factory=LossWeights)


@dataclass(frozen=True, slots=True)
class Refining:
    """Everything that decides what refinement makes of a student, given teacher and texts.

    ``keep`` is the share of itself that the moving average keeps at a step, ``lexical`` the share of
    the single words' vectors in the target.
    """

    plan: GroupPlan = field(default_factory=GroupPlan)
    schedule: Schedule = field(
        default_factory=lambda: Schedule(embedding_rate=1e-3, other_rate=3e-4)
    )
    weights: PairWeights = field(default_factory=PairWeights)
    keep: float = 0.995
    lexical: float = 0.0
    bfloat16: bool = True
