"""The loss of adapting: contrast between passages, anchors to the model as it was."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from pipelines.adapt.types import AdaptRecipe

_NEVER = -1e4


def contrast(
    left: Tensor, right: Tensor, was: tuple[Tensor, Tensor], recipe: AdaptRecipe
) -> Tensor:
    """Return InfoNCE both ways, a scalar, for unit views [pairs, H] and their former vectors.

    A pair's negatives are the other pairs' views, but for those that the former model finds as near
    as the positive, or nearer than ``recipe.alike``.
    """
    near = left @ right.T / recipe.temperature
    before = was[0] @ was[1].T
    place = torch.arange(len(left))
    loss = near.new_zeros(())
    for scores, former in ((near, before), (near.T, before.T)):
        limit = former.diagonal().clamp(0.5, recipe.alike).unsqueeze(1)
        same = (former >= limit).fill_diagonal_(False)
        loss = loss + 0.5 * cross_entropy(scores.masked_fill(same, _NEVER), place)
    return loss


def loss_parts(
    views: tuple[Tensor, Tensor],
    was: tuple[Tensor, Tensor],
    general: Tensor,
    general_was: Tensor,
    recipe: AdaptRecipe,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return the unweighted parts, scalars: contrast, own anchor, general anchor, relations.

    The own anchor asks a view with words left out for the former vector of the whole passage.
    """
    own = torch.stack([1.0 - (now * then).sum(-1) for now, then in zip(views, was, strict=True)])
    kept = 1.0 - (general * general_was).sum(-1)
    relations = (general @ general.T - general_was @ general_was.T).pow(2).mean()
    return contrast(*views, was, recipe), own.mean(), kept.mean(), relations


def total(parts: tuple[Tensor, Tensor, Tensor, Tensor], recipe: AdaptRecipe) -> Tensor:
    """Return the weighted sum of the parts."""
    weights = (recipe.contrast, 2 * recipe.own, recipe.general / 2, recipe.relations)
    return torch.stack([w * part for w, part in zip(weights, parts, strict=True)]).sum()
