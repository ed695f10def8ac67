"""Turn corpus lines into batches of token ids, as a function of seed and position alone.

The corpus is read in chunks. Each chunk has its own random generator, seeded by (seed, epoch,
chunk), so training can go on from any position without replaying what came before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """How lines become batches.

    ``tokens`` bounds a batch, padding included; ``longest`` bounds a text. One line in
    ``1 / joined`` starts a passage of two to ``most_joined`` neighbouring lines.
    """

    seed: int = 20
    tokens: int = 2048
    longest: int = 128
    chunk_lines: int = 20_000
    joined: float = 0.2
    most_joined: int = 6


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """The next batch to be trained on."""

    epoch: int = 0
    chunk: int = 0
    batch: int = 0


def join_neighbours(lines: Sequence[str], plan: BatchPlan, rng: random.Random) -> list[str]:
    """Return the lines, some of them joined with the lines that follow."""
    texts: list[str] = []
    start = 0
    while start < len(lines):
        size = rng.randint(2, plan.most_joined) if rng.random() < plan.joined else 1
        texts.append(" ".join(lines[start : start + size]))
        start += size
    return texts


def by_length(encoded: list[list[int]], limit: int) -> Iterator[list[list[int]]]:
    """Yield batches of texts of like length, each at most ``limit`` tokens once padded."""
    batch: list[list[int]] = []
    for ids in sorted(encoded, key=len):
        if batch and (len(batch) + 1) * len(ids) > limit:
            yield batch
            batch = []
        batch.append(ids)
    if batch:
        yield batch


def pad(batch: list[list[int]], padding: int = 0) -> tuple[Tensor, Tensor]:
    """Return token ids and attention mask, both int64 of shape (texts, longest text)."""
    width = max(map(len, batch))
    ids = torch.full((len(batch), width), padding, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, text in enumerate(batch):
        ids[row, : len(text)] = torch.tensor(text)
        mask[row, : len(text)] = 1
    return ids, mask


def buckets(
    batch: list[list[int]], *, waste: float = 0.08, least: int = 256
) -> Iterator[list[list[int]]]:
    """Yield a batch in parts of like length, shortest first, so that little is padded.

    A part is closed when one more text would make more than ``waste`` of it padding, unless it is
    smaller than ``least`` tokens.
    """
    part: list[list[int]] = []
    real = 0
    for ids in sorted(batch, key=len):
        padded = (len(part) + 1) * len(ids)
        if real >= least and padded - real - len(ids) > waste * padded:
            yield part
            part, real = [], 0
        part.append(ids)
        real += len(ids)
    if part:
        yield part


def stream(
    lines: Sequence[str], tokenizer: Tokenizer, plan: BatchPlan, start: Position
) -> Iterator[tuple[Position, list[list[int]]]]:
    """Yield batches for ever from ``start`` on, each with the position that follows it."""
    tokenizer.enable_truncation(plan.longest)
    tokenizer.no_padding()
    epoch, first_chunk, first_batch = start.epoch, start.chunk, start.batch
    while True:
        order = list(range(len(lines)))
        random.Random(f"{plan.seed}/{epoch}").shuffle(order)
        chunks = range(0, len(order), plan.chunk_lines)
        for chunk in range(first_chunk, len(chunks)):
            rng = random.Random(f"{plan.seed}/{epoch}/{chunk}")
            here = order[chunks[chunk] : chunks[chunk] + plan.chunk_lines]
            texts = join_neighbours([lines[index] for index in here], plan, rng)
            encoded = [text.ids for text in tokenizer.encode_batch(texts)]
            batches = list(by_length(encoded, plan.tokens))
            rng.shuffle(batches)
            for number in range(first_batch, len(batches)):
                yield Position(epoch, chunk, number + 1), batches[number]
            first_batch = 0
        first_chunk = 0
        epoch += 1


def token_counts(
    lines: Sequence[str], tokenizer: Tokenizer, vocabulary: int, *, at_once: int = 20_000
) -> Tensor:
    """Return how often each token id occurs in the lines, int64 of shape (vocabulary,)."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    counts = torch.zeros(vocabulary, dtype=torch.long)
    for start in range(0, len(lines), at_once):
        encoded = tokenizer.encode_batch(lines[start : start + at_once])
        ids = torch.tensor([token for text in encoded for token in text.ids])
        counts += torch.bincount(ids, minlength=vocabulary)
    return counts
