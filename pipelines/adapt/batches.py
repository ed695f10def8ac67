"""Pairs of views for contrast and general sentences to hold on to: a function of seed and place."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.adapt.passages import Corpus
from pipelines.adapt.types import AdaptRecipe

_A_DOCUMENT = 3
"""Pairs a long document gives in one pass over the documents, so that none outweighs the others."""

Ids = list[int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs of passages, their views in token ids, and general sentences (by number)."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    left_views: list[Ids]
    right_views: list[Ids]
    general: tuple[int, ...]


def batches(
    corpus: Corpus,
    recipe: AdaptRecipe,
    encode: Callable[[Sequence[str]], list[Ids]],
    general: int,
    *,
    epoch: int = 0,
    first: int = 0,
) -> Iterator[tuple[int, int, Batch]]:
    """Yield (epoch, place of the next batch, batch) for ever, from batch ``first`` of ``epoch`` on.

    ``encode`` gives token ids with the model's special tokens at both ends; ``general`` is how many
    general sentences there are.
    """
    while True:
        pairs = _pairs(corpus, recipe, random.Random(f"{recipe.seed}/{epoch}"))
        size = min(recipe.pairs, len(pairs))
        for number in range(first, len(pairs) // size):
            here = pairs[number * size : (number + 1) * size]
            rng = random.Random(f"{recipe.seed}/{epoch}/{number}")
            left, right = tuple(a for a, _ in here), tuple(b for _, b in here)
            yield (
                epoch,
                number + 1,
                Batch(
                    left,
                    right,
                    [_view(ids, recipe, rng) for ids in encode(left)],
                    [_view(ids, recipe, rng) for ids in encode(right)],
                    tuple(rng.sample(range(general), min(general, max(1, size // 2)))),
                ),
            )
        epoch, first = epoch + 1, 0


def _pairs(corpus: Corpus, recipe: AdaptRecipe, rng: random.Random) -> list[tuple[str, str]]:
    """Return the pairs of one pass: neighbours where a document has them, else twice the same."""
    found: list[tuple[str, str]] = []
    for document in corpus.train:
        for place in rng.sample(range(len(document)), min(len(document), _A_DOCUMENT)):
            other = place
            if len(document) > 1 and rng.random() < recipe.neighbours:
                other = place + 1 if place + 1 < len(document) else place - 1
            found.append((document[place], document[other]))
    rng.shuffle(found)
    return found


def _view(ids: Ids, recipe: AdaptRecipe, rng: random.Random) -> Ids:
    """Return the ids with some left out, never all; the special tokens at both ends stay."""
    inner = ids[1:-1][: recipe.longest - 2]
    kept = [token for token in inner if rng.random() >= recipe.deleted] or inner[:1]
    return [ids[0], *kept, ids[-1]]
