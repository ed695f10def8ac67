"""Candidates that judge together: the mean of their calibrated log-odds.

Each part's scores go through curves of its own before they are added up, so that parts of different
scales weigh alike (linear opinion pool in log-odds; Satopää et al. 2014).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipelines.learn.calibrate import Curves, fit_curves
from pipelines.learn.features import TextTable
from pipelines.learn.scorer import Candidate, Prepared, Scorer
from pipelines.learn.types import Floats

_FAR = 8.0
"""Log-odds beyond which a part is not surer still."""


@dataclass(frozen=True, slots=True)
class BlendScorer:
    """Scorers with the curves that make log-odds of their scores."""

    parts: tuple[tuple[Scorer, Curves], ...]

    def score(self, table: TextTable) -> Floats:
        """Return mean log-odds, [rows, labels]."""
        odds = [_odds(part.score(table), curves) for part, curves in self.parts]
        return np.asarray(np.mean(odds, axis=0), dtype=np.float32)

    def pack(self) -> tuple[dict[str, Any], dict[str, list[str]], dict[str, Any]]:
        """Return the parts' values, vocabularies and arrays, numbered."""
        from pipelines.learn.packing import pack

        heads: list[dict[str, Any]] = []
        names: dict[str, list[str]] = {}
        arrays: dict[str, Any] = {}
        for number, (part, curves) in enumerate(self.parts):
            head, of_part, values = pack(part)
            heads.append(head)
            names |= {f"{number}.{name}": value for name, value in of_part.items()}
            values |= {"part_slopes": curves.slopes, "part_offsets": curves.offsets}
            arrays |= {f"{number}.{name}": value for name, value in values.items()}
        return {"kind": "blend", "parts": heads}, names, arrays

    @classmethod
    def unpack(
        cls, values: Mapping[str, Any], names: Mapping[str, list[str]], arrays: Mapping[str, Any]
    ) -> BlendScorer:
        """Return the scorer that was packed. Raises KeyError where a part misses."""
        from pipelines.learn.packing import unpack

        parts = []
        for number, head in enumerate(values["parts"]):
            of_part = _of(arrays, number)
            curves = Curves(of_part["part_slopes"], of_part["part_offsets"])
            parts.append((unpack(head, _of(names, number), of_part), curves))
        return cls(tuple(parts))


@dataclass(frozen=True, slots=True)
class WithBlend:
    """Learn a ``BlendScorer`` of other candidates."""

    parts: tuple[Candidate, ...]

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]; nan where a part has nan."""
        learnt, unseen = [], []
        for candidate in self.parts:
            scorer, scores = prepared.learn(candidate)
            known = ~np.isnan(scores).any(axis=1)
            curves = fit_curves(scores[known], prepared.codes[known])
            learnt.append((scorer, curves))
            unseen.append(_odds(scores, curves))
        return BlendScorer(tuple(learnt)), np.mean(unseen, axis=0)


def _odds(scores: Floats, curves: Curves) -> Floats:
    odds = np.clip(scores * curves.slopes + curves.offsets, -_FAR, _FAR)
    return np.asarray(odds, dtype=np.float32)


def _of(values: Mapping[str, Any], number: int) -> dict[str, Any]:
    start = f"{number}."
    return {name[len(start) :]: value for name, value in values.items() if name.startswith(start)}
