"""The losses of distillation: sentence vectors, token states and in-batch similarities."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import normalize


@dataclass(frozen=True, slots=True)
class LossWeights:
    """The weights of the loss's three parts.

    ``tokens`` holds until the share ``fade_from`` of the schedule, then falls linearly to
    ``tokens_at_end``: what is used later is the sentence vector.
    """

    sentence: float = 4.0
    tokens: float = 1.0
    similarity: float = 20.0
    fade_from: float = 0.5
    tokens_at_end: float = 0.1

    def tokens_at(self, share: float) -> float:
        """Return the weight of the token term when ``share`` (0 to 1) of the budget is used."""
        if share <= self.fade_from:
            return self.tokens
        faded = min(1.0, (share - self.fade_from) / (1.0 - self.fade_from))
        return self.tokens + faded * (self.tokens_at_end - self.tokens)


def mean_pool(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean over real tokens: (texts, length, H) and (texts, length) to (texts, H)."""
    weight = mask.unsqueeze(-1).to(states.dtype)
    return (states * weight).sum(1) / weight.sum(1).clamp(min=1.0)


def loss_parts(student: Tensor, teacher: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the unweighted parts, scalars, for last hidden states (texts, length, H).

    They are one minus the cosine of the pooled vectors, the mean squared error over real tokens relative
    to the teacher's mean square, and the mean squared difference of the similarity matrices.
    """
    ours = normalize(mean_pool(student, mask), dim=-1)
    theirs = normalize(mean_pool(teacher, mask), dim=-1)
    sentence = (1.0 - (ours * theirs).sum(-1)).mean()
    real = mask.bool()
    tokens = (student - teacher)[real].pow(2).mean() / teacher[real].pow(2).mean()
    similarity = (theirs @ theirs.T - ours @ ours.T).pow(2).mean()
    return sentence, tokens, similarity


def total(parts: tuple[Tensor, Tensor, Tensor], weights: LossWeights, share: float) -> Tensor:
    """Return the weighted sum of the parts when ``share`` of the token budget is used."""
    factors = torch.tensor([weights.sentence, weights.tokens_at(share), weights.similarity])
    return (torch.stack(parts) * factors).sum()


@dataclass(frozen=True, slots=True)
class PairWeights:
    """The weights of the loss of refinement, which looks at sentence vectors alone.

    ``sentence`` weighs one minus the cosine to the teacher, ``pairs`` the squared error of the
    in-batch similarities. A pair counts ``floor`` plus the teacher's similarity, if that is
    positive: most pairs of a batch have nothing to do with each other and would drown the rest.
    """

    sentence: float = 4.0
    pairs: float = 40.0
    floor: float = 0.05


def pair_parts(ours: Tensor, theirs: Tensor, weights: PairWeights) -> tuple[Tensor, Tensor]:
    """Return the unweighted parts of the refinement loss, scalars.

    ``ours`` and ``theirs`` hold the student's and the teacher's unit vectors, (texts, H).
    """
    wanted = theirs @ theirs.T
    weight = (weights.floor + wanted.clamp(min=0.0)).fill_diagonal_(0.0)
    error = (wanted - ours @ ours.T).pow(2)
    sentence = (1.0 - (ours * theirs).sum(-1)).mean()
    return sentence, (weight * error).sum() / weight.sum().clamp(min=1e-9)
