"""The layer of the embedded ALBERT that a fine-tuned candidate trains, and the frozen part below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pipelines.learn.types import Floats
from pipelines.models import embedded_spec
from pipelines.stages.albert import Albert, load_albert
from pipelines.stages.layers import Layer
from pipelines.stages.tokens import load_tokens

ROWS = 16
"""Texts a step; when scoring, every block has just this many, so that shapes are fixed."""
_STEP = 16  # lengths are rounded up to it


@dataclass(frozen=True, slots=True)
class Tuning:
    """How the last layer is trained: passes over the examples, peak rate, tokens read of a text."""

    epochs: int = 4
    rate: float = 3e-4
    tokens: int = 192
    dropout: float = 0.1
    decay: float = 0.01
    seed: int = 5


class Upper(nn.Module):
    """The depths that share the last layer, mean pooling and the head."""

    def __init__(self, layer: Layer, depths: int, heads: int, labels: int, dropout: float) -> None:
        super().__init__()
        width = layer.attention_norm.weight.shape[0]
        self.depths, self.heads, self.dropout = depths, heads, dropout
        self.weights = nn.ParameterDict(
            {name: nn.Parameter(value.clone().float()) for name, value in _named(layer).items()}
        )
        self.eps = layer.attention_norm.eps
        self.head = nn.Linear(width, labels)
        nn.init.zeros_(self.head.bias)
        nn.init.normal_(self.head.weight, std=0.02)

    def forward(self, x: Tensor, there: Tensor) -> Tensor:
        """Return logits [rows, labels] of states [rows, tokens, width]; ``there`` [rows, tokens]."""
        w = self.weights
        rows, tokens, width = x.shape
        mask = there[:, None, None, :]
        for _ in range(self.depths):
            qkv = F.linear(x, w["qkv"], w["qkv_bias"])
            query, key, value = qkv.view(rows, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
            mixed = mixed.transpose(1, 2).reshape(rows, tokens, width)
            mixed = F.linear(mixed, w["output"], w["output_bias"])
            x = F.layer_norm(x + self._drop(mixed), (width,), w["norm"], w["norm_bias"], self.eps)
            inner = F.gelu(F.linear(x, w["up"], w["up_bias"]))
            inner = F.linear(inner, w["down"], w["down_bias"])
            x = F.layer_norm(
                x + self._drop(inner), (width,), w["last_norm"], w["last_norm_bias"], self.eps
            )
        share = there.float() / there.sum(1, keepdim=True).clamp(min=1)
        found: Tensor = self.head(self._drop((x * share[:, :, None]).sum(1)))
        return found

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


class Lower:
    """The frozen part of the embedded model, and the layer above it."""

    def __init__(self) -> None:
        spec = embedded_spec()
        self._albert: Albert = load_albert(spec)
        self._tokens = load_tokens(
            spec, max_tokens=self._albert.max_tokens, vocabulary=self._albert.vocabulary
        )
        depths = self._albert.depths
        self.layer = depths[-1]
        self.shared = next(
            (n for n, layer in enumerate(reversed(depths)) if layer is not self.layer), len(depths)
        )
        self._albert.depths = depths[: len(depths) - self.shared]

    def upper(self, labels: int, tuning: Tuning) -> Upper:
        """Return what lies above, untrained."""
        return Upper(self.layer, self.shared, self._albert.heads, labels, tuning.dropout)

    def states(self, texts: Sequence[str], most: int) -> list[Tensor]:
        """Return the states below the last layer, [tokens, width] a text, in half precision."""
        return [state for _, state in sorted(self.stream(texts, most), key=lambda item: item[0])]

    def stream(self, texts: Sequence[str], most: int) -> Iterator[tuple[int, Tensor]]:
        """Yield row and states, shortest texts first; a text without a token has one state."""
        read = [windows[0][:most] if windows else [0] for windows in self._tokens.read(texts)]
        order = sorted(range(len(read)), key=lambda row: len(read[row]))
        for start in range(0, len(order), 64):
            rows = order[start : start + 64]
            hidden = self._albert.hidden([read[row] for row in rows])
            parts = torch.split(hidden, [len(read[row]) for row in rows])
            yield from ((row, part.half()) for row, part in zip(rows, parts, strict=True))


@cache
def lower_part() -> Lower:
    """Return the frozen part of the embedded model, loaded once."""
    return Lower()


def _named(layer: Layer) -> dict[str, Tensor]:
    parts = {"qkv": layer.qkv, "output": layer.output, "up": layer.up, "down": layer.down}
    norms = {"norm": layer.attention_norm, "last_norm": layer.feed_forward_norm}
    named = {name: part.weight for name, part in (parts | norms).items()}
    return named | {f"{name}_bias": part.bias for name, part in (parts | norms).items()}


def padded(states: Sequence[Tensor], rows: int, step: int) -> tuple[Tensor, Tensor]:
    """Return [rows, tokens, width] and which tokens are there; lengths rounded up to ``step``."""
    longest = -(-max(len(state) for state in states) // step) * step
    x = torch.zeros(rows, longest, states[0].shape[1])
    there = torch.zeros(rows, longest, dtype=torch.bool)
    for row, state in enumerate(states):
        x[row, : len(state)] = state.float()
        there[row, : len(state)] = True
    there[len(states) :, 0] = True
    return x, there


@torch.inference_mode()
def score_states(upper: Upper, states: Sequence[Tensor]) -> Floats:
    """Return logits, [rows, labels]; what a text meets depends on its own length alone."""
    scores = np.zeros((len(states), upper.head.out_features), dtype=np.float32)
    buckets: dict[int, list[int]] = {}
    for row, state in enumerate(states):
        buckets.setdefault(-(-len(state) // _STEP), []).append(row)
    for _, rows in sorted(buckets.items()):
        for start in range(0, len(rows), ROWS):
            block = rows[start : start + ROWS]
            x, there = padded([states[row] for row in block], ROWS, _STEP)
            scores[block] = upper(x, there)[: len(block)].numpy()
    return scores


def logits(lower: Lower, upper: Upper, texts: Sequence[str], most: int) -> Floats:
    """Return logits of texts of which ``most`` tokens are read, [texts, labels]."""
    upper.eval()
    scores = np.zeros((len(texts), upper.head.out_features), dtype=np.float32)
    for start in range(0, len(texts), 1024):
        block = texts[start : start + 1024]
        scores[start : start + 1024] = score_states(upper, lower.states(block, most))
    return scores
