"""Attention over packed tokens in bfloat16: equal lengths together, no mask, any company.

Sequences are laid out in slots a little longer than they are, whose sizes products like. A slot's
spare keys are zero: they score 0 and so weigh 1, but their values are zero too, and so is their 1 in
the column of ones beside the values that adds the weights up. So no mask is needed, and the weights
need no maximum taken off: bfloat16 has the exponents of float32, and scores beyond ``_MOST`` (weights
beyond e^60) are held there. Products run over a fixed set of shapes, which are compiled once each.

The weights are those of Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.1.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

_MOST = 60.0
_CACHED = 256 * 1024
"""Scores worked on at a time: they stay in a core's own cache."""
_TOGETHER = 256
"""Most heads of sequences that a product takes; fewer are powers of two."""
_ALIGNED = 16


class PackedAttention:
    """The attention of one batch of sequences, for all its layers.

    ``runs`` are (length, count) of neighbours of equal length, as they lie on the token axis.
    """

    def __init__(self, runs: Sequence[tuple[int, int]], heads: int, size: int) -> None:
        self._heads, self._size = heads, size
        self._slots = _slots(runs, heads, size)

    def __call__(self, qkv: Tensor, context: Tensor) -> None:
        """Write [tokens, heads * size] into ``context``; ``qkv`` is [tokens, 3 * heads * size].

        Both are bfloat16.

        Queries must have been divided by the square root of ``size``.
        """
        heads, size = self._heads, self._size
        for slot in self._slots:
            for length, count, row, start in slot.runs:
                split = qkv[start : start + length * count].view(count, length, 3, heads, size)
                split = split.permute(2, 0, 3, 1, 4)
                slot.query_key[:, row : row + count, :, :length].copy_(split[:2])
                slot.value[row : row + count, :, :length, :size].copy_(split[2])
            slot.mix()
            for length, count, row, start in slot.runs:
                mixed = slot.mixed[row : row + count, :, :length]
                target = context[start : start + length * count].view(count, length, heads, size)
                torch.div(
                    mixed[..., :size], mixed[..., size : size + 1], out=target.transpose(1, 2)
                )


class _Slot:
    """Sequences in slots of one size; ``runs`` are (length, count, first row, first token)."""

    def __init__(self, slot: int, heads: int, size: int) -> None:
        self.slot, self._heads, self._size = slot, heads, size
        self.rows = 0
        self.runs: list[tuple[int, int, int, int]] = []

    def allocate(self) -> None:
        """Make the buffers, zero where no token will lie."""
        shape = (self.rows, self._heads, self.slot)
        width = -(-(self._size + 1) // _ALIGNED) * _ALIGNED
        zeros = {"dtype": torch.bfloat16}
        self.query_key = torch.zeros(2, *shape, self._size, **zeros)  # type: ignore[call-overload]
        self.value = torch.zeros(*shape, width, **zeros)  # type: ignore[call-overload]
        self.mixed = torch.empty_like(self.value)
        for length, count, row, _ in self.runs:
            self.value[row : row + count, :, :length, self._size] = 1
        together = max(1, min(_TOGETHER, _CACHED // self.slot**2))
        self._steps = _steps(self.rows * self._heads, together)
        self._scores = torch.empty(self._steps[0], self.slot, self.slot, dtype=torch.bfloat16)

    def mix(self) -> None:
        """Fill ``mixed`` with weighted sums of values, their weights' sums beside them."""
        query, key, value, mixed = (
            part.flatten(0, 1) for part in (*self.query_key, self.value, self.mixed)
        )
        start = 0
        for step in self._steps:
            end = start + step
            scores = self._scores[:step]
            torch.bmm(query[start:end], key[start:end].transpose(1, 2), out=scores)
            scores.clamp_(-_MOST, _MOST).exp_()
            torch.bmm(scores, value[start:end], out=mixed[start:end])
            start = end


def _slots(runs: Sequence[tuple[int, int]], heads: int, size: int) -> list[_Slot]:
    slots: list[_Slot] = []
    start = 0
    for length, count in runs:
        slot = _slot_size(length)
        if not slots or slots[-1].slot != slot:
            slots.append(_Slot(slot, heads, size))
        slots[-1].runs.append((length, count, slots[-1].rows, start))
        slots[-1].rows += count
        start += length * count
    for made in slots:
        made.allocate()
    return slots


def _slot_size(length: int) -> int:
    """Round up by at most a quarter or so, to few different sizes."""
    step = 8 if length <= 64 else 16 if length <= 128 else 32
    return -(-length // step) * step


def _steps(rows: int, most: int) -> list[int]:
    """Cut rows into powers of two, the largest first: 13, at most 4 -> [4, 4, 4, 1]."""
    steps: list[int] = []
    step = 1 << (most.bit_length() - 1)
    while rows:
        while step > rows:
            step //= 2
        steps.append(step)
        rows -= step
    return steps
