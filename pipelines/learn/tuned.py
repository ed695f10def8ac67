"""A fine-tuned ALBERT as a candidate: the last shared layer learns on, with a linear head.

What lies below is frozen and computed once; the layer that the last depths share, 1.8 of 7.6 million
weights, is trained with the head (cross-entropy for one label a row, else a logistic loss a label). It
takes minutes where the others take seconds, so it is asked for (``train --fine-tune``). Only the
changed layer is saved, in half precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pipelines.learn.features import TextTable
from pipelines.learn.groups import assign_folds
from pipelines.learn.scorer import Prepared, Scorer
from pipelines.learn.types import Codes, Floats, Integers
from pipelines.models import embedded_spec
from pipelines.stages.albert import Albert, load_albert
from pipelines.stages.layers import Layer
from pipelines.stages.tokens import load_tokens

_ROWS = 16  # texts a step; when scoring, every block has just this many, so that shapes are fixed
_STEP = 16  # lengths are rounded up to it
_HELD = 4  # one part in four is held out once, to set curves and thresholds on


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
        logits: Tensor = self.head(self._drop((x * share[:, :, None]).sum(1)))
        return logits

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


@dataclass(frozen=True, slots=True)
class TunedScorer:
    """The changed layer and the head by name, and how many tokens of a text are read."""

    arrays: Mapping[str, Floats]
    tuning: Tuning

    def score(self, table: TextTable) -> Floats:
        """Return logits, [rows, labels]."""
        lower = _lower()
        upper = lower.upper(len(self.arrays["head.bias"]), self.tuning)
        upper.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in self.arrays.items()})
        return _logits(lower, upper, _joined(table), self.tuning.tokens)

    def pack(self) -> tuple[dict[str, Any], dict[str, list[str]], dict[str, Any]]:
        """Return JSON-ready values, no vocabulary, arrays in half precision."""
        arrays = {f"tuned.{name}": np.asarray(v, np.float16) for name, v in self.arrays.items()}
        return {"kind": "tuned", "tuning": asdict(self.tuning)}, {}, arrays

    @classmethod
    def unpack(
        cls, values: Mapping[str, Any], names: Mapping[str, list[str]], arrays: Mapping[str, Any]
    ) -> TunedScorer:
        """Return the scorer that was packed. Raises KeyError where a part misses."""
        found = {
            name.removeprefix("tuned."): np.asarray(array, dtype=np.float32)
            for name, array in arrays.items()
            if name.startswith("tuned.")
        }
        if "head.bias" not in found:
            raise KeyError("tuned.head.bias")
        return cls(found, Tuning(**values["tuning"]))


@dataclass(frozen=True, slots=True)
class WithTuned:
    """Learn a ``TunedScorer``; unseen scores are those of one held-out quarter, the rest is nan."""

    tuning: Tuning = Tuning()

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        lower = _lower()
        states = lower.states(_joined(prepared.table), self.tuning.tokens)
        fold = assign_folds(prepared.groups, prepared.codes, _HELD, self.tuning.seed)
        inside, outside = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
        unseen = np.full(prepared.codes.shape, np.nan, dtype=np.float32)
        if len(inside) and len(outside):
            part = self._trained(lower, states, inside, prepared.codes)
            unseen[outside] = _score_states(part, [states[row] for row in outside])
        whole = self._trained(lower, states, np.arange(len(states)), prepared.codes)
        arrays = {k: v.detach().numpy().copy() for k, v in whole.state_dict().items()}
        return TunedScorer(arrays, self.tuning), unseen

    def _trained(
        self, lower: Lower, states: Sequence[Tensor], rows: Integers, codes: Codes
    ) -> Upper:
        """Train on some of the rows; the same rows give the same weights."""
        tuning = self.tuning
        with torch.random.fork_rng():
            torch.manual_seed(tuning.seed)
            upper = lower.upper(codes.shape[1], tuning).train()
            single = bool((codes.sum(axis=1) == 1).all())
            head = list(upper.head.parameters())
            groups = [
                {"params": list(upper.weights.values()), "lr": tuning.rate},
                {"params": head, "lr": 10 * tuning.rate},
            ]
            optimiser = torch.optim.AdamW(groups, weight_decay=tuning.decay)
            steps = tuning.epochs * -(-len(rows) // _ROWS)
            schedule = torch.optim.lr_scheduler.LambdaLR(
                optimiser, lambda step: min((step + 1) / (0.1 * steps), 1 - step / steps)
            )
            for batch in _batches(rows, states, tuning):
                x, there = _padded([states[row] for row in batch], len(batch), 1)
                logits = upper(x, there)
                targets = torch.from_numpy(codes[batch].astype(np.float32))
                loss = (
                    F.cross_entropy(logits, targets.argmax(1), label_smoothing=0.05)
                    if single
                    else F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
                    .sum(1)
                    .mean()
                )
                optimiser.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
                optimiser.step()
                schedule.step()
        return upper.eval()


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
def _lower() -> Lower:
    return Lower()


def _named(layer: Layer) -> dict[str, Tensor]:
    parts = {"qkv": layer.qkv, "output": layer.output, "up": layer.up, "down": layer.down}
    norms = {"norm": layer.attention_norm, "last_norm": layer.feed_forward_norm}
    named = {name: part.weight for name, part in (parts | norms).items()}
    return named | {f"{name}_bias": part.bias for name, part in (parts | norms).items()}


def _joined(table: TextTable) -> list[str]:
    """Return the texts, after their question where they have one."""
    return [
        f"{asked} {text}" if asked else text
        for asked, text in zip(table.questions, table.texts, strict=True)
    ]


def _batches(
    rows: Integers, states: Sequence[Tensor], tuning: Tuning
) -> Iterator[np.ndarray[Any, np.dtype[np.int64]]]:
    """Yield the steps of all epochs: by lot, with like lengths together."""
    lot = np.random.default_rng(tuning.seed)
    for _ in range(tuning.epochs):
        lengths = np.array([len(states[row]) for row in rows])
        order = rows[np.argsort(lengths * lot.uniform(0.8, 1.25, len(rows)), kind="stable")]
        cuts = np.split(order, range(_ROWS, len(order), _ROWS))
        for place in lot.permutation(len(cuts)):
            yield cuts[place]


def _padded(states: Sequence[Tensor], rows: int, step: int) -> tuple[Tensor, Tensor]:
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
def _score_states(upper: Upper, states: Sequence[Tensor]) -> Floats:
    """Return logits, [rows, labels]; what a text meets depends on its own length alone."""
    scores = np.zeros((len(states), upper.head.out_features), dtype=np.float32)
    buckets: dict[int, list[int]] = {}
    for row, state in enumerate(states):
        buckets.setdefault(-(-len(state) // _STEP), []).append(row)
    for _, rows in sorted(buckets.items()):
        for start in range(0, len(rows), _ROWS):
            block = rows[start : start + _ROWS]
            x, there = _padded([states[row] for row in block], _ROWS, _STEP)
            scores[block] = upper(x, there)[: len(block)].numpy()
    return scores


def _logits(lower: Lower, upper: Upper, texts: Sequence[str], most: int) -> Floats:
    upper.eval()
    scores = np.zeros((len(texts), upper.head.out_features), dtype=np.float32)
    for start in range(0, len(texts), 1024):
        block = texts[start : start + 1024]
        scores[start : start + 1024] = _score_states(upper, lower.states(block, most))
    return scores
