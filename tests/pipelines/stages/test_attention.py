"""Packed attention is softmax attention, in whatever company a sequence is."""

from __future__ import annotations

import pytest
import torch

from pipelines.stages.attention import PackedAttention

HEADS, SIZE = 3, 8


def rows(tokens: int, seed: int = 1, wide: float = 1.0) -> torch.Tensor:
    """Return queries, keys and values of some tokens."""
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(tokens, 3 * HEADS * SIZE, generator=generator) * wide).bfloat16()


def attend(qkv: torch.Tensor, runs: list[tuple[int, int]]) -> torch.Tensor:
    """Return what the packed form makes of it."""
    context = torch.zeros(len(qkv), HEADS * SIZE, dtype=torch.bfloat16)
    PackedAttention(runs, HEADS, SIZE)(qkv, context)
    return context


def expected(qkv: torch.Tensor) -> torch.Tensor:
    """Return the attention of one sequence, in float64, by the textbook."""
    query, key, value = qkv.double().view(len(qkv), 3, HEADS, SIZE).permute(1, 2, 0, 3)
    weights = torch.softmax(query @ key.transpose(1, 2), dim=-1)
    return (weights @ value).transpose(0, 1).reshape(len(qkv), HEADS * SIZE)


@pytest.mark.parametrize("length", [1, 7, 8, 9, 64, 65, 130, 300])
def test_is_softmax_attention(length: int) -> None:
    qkv = rows(length, seed=length, wide=0.5)
    torch.testing.assert_close(
        attend(qkv, [(length, 1)]).double(), expected(qkv), atol=0.02, rtol=0.02
    )


def test_a_sequence_has_the_same_bits_in_any_company() -> None:
    runs = [(70, 2), (33, 1), (30, 3), (9, 40), (8, 1), (1, 2)]
    qkv = rows(sum(length * count for length, count in runs))
    together = attend(qkv, runs)
    start = 0
    for length, count in runs:
        for _ in range(count):
            end = start + length
            assert torch.equal(attend(qkv[start:end], [(length, 1)]), together[start:end])
            start = end


def test_scores_far_outside_stay_finite() -> None:
    assert bool(attend(rows(20, wide=60.0), [(20, 1)]).isfinite().all())
