"""A fine-tuned ALBERT as a candidate: the last shared layer learns on, with a linear head.

What lies below is frozen and computed once; the layer that the last depths share, 1.8 of 7.6 million
weights, is trained with the head (cross-entropy for one label a row, else a logistic loss a label). It
takes minutes where the others take seconds, so it is asked for (``train --fine-tune``). Only the
changed layer is saved, in half precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pipelines.learn.features import TextTable
from pipelines.learn.groups import assign_folds
from pipelines.learn.scorer import Prepared, Scorer
from pipelines.learn.tunable import (
    ROWS,
    Lower,
    Tuning,
    Upper,
    logits,
    lower_part,
    padded,
    score_states,
)
from pipelines.learn.types import Codes, Floats, Integers

_HELD = 4  # one part in four is held out once, to set curves and thresholds on


@dataclass(frozen=True, slots=True)
class TunedScorer:
    """The changed layer and the head by name, and how many tokens of a text are read."""

    arrays: Mapping[str, Floats]
    tuning: Tuning

    def score(self, table: TextTable) -> Floats:
        """Return logits, [rows, labels]."""
        lower = lower_part()
        upper = lower.upper(len(self.arrays["head.bias"]), self.tuning)
        upper.load_state_dict({k: torch.from_numpy(np.array(v)) for k, v in self.arrays.items()})
        return logits(lower, upper, _joined(table), self.tuning.tokens)

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

    tuning: Tuning = field(default_factory=Tuning)

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        lower = lower_part()
        states = lower.states(_joined(prepared.table), self.tuning.tokens)
        fold = assign_folds(prepared.groups, prepared.codes, _HELD, self.tuning.seed)
        inside, outside = np.flatnonzero(fold != 0), np.flatnonzero(fold == 0)
        unseen = np.full(prepared.codes.shape, np.nan, dtype=np.float32)
        if len(inside) and len(outside):
            part = self._trained(lower, states, inside, prepared.codes)
            unseen[outside] = score_states(part, [states[row] for row in outside])
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
            steps = tuning.epochs * -(-len(rows) // ROWS)
            schedule = torch.optim.lr_scheduler.LambdaLR(
                optimiser, lambda step: min((step + 1) / (0.1 * steps), 1 - step / steps)
            )
            for batch in _batches(rows, states, tuning):
                x, there = padded([states[row] for row in batch], len(batch), 1)
                said = upper(x, there)
                targets = torch.from_numpy(codes[batch].astype(np.float32))
                loss = (
                    F.cross_entropy(said, targets.argmax(1), label_smoothing=0.05)
                    if single
                    else F.binary_cross_entropy_with_logits(said, targets, reduction="none")
                    .sum(1)
                    .mean()
                )
                optimiser.zero_grad(set_to_none=True)
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(upper.parameters(), 1.0)
                optimiser.step()
                schedule.step()
        return upper.eval()


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
        cuts = np.split(order, range(ROWS, len(order), ROWS))
        for place in lot.permutation(len(cuts)):
            yield cuts[place]
