"""A label as a point: the mean vector of its examples, pulled towards that of its description.

It needs no training, so it works from no example at all (descriptions) and from one to twenty; with
more, linear models are better. Scores are cosines with what all labels share taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.learn.types import Codes, Floats
from pipelines.stages.vectors import SentenceEncoder

_DESCRIPTION = 3.0
"""Examples that a description is worth."""


@dataclass(frozen=True, slots=True)
class Prototypes:
    """One L2-normalised point a label, [labels, dimensions]; zeros where nothing is known of it."""

    points: Floats

    def score(self, vectors: Floats) -> Floats:
        """Return cosines, [rows, labels], of L2-normalised ``vectors``."""
        return np.asarray(vectors @ self.points.T, dtype=np.float32)


def describe(
    labels: Sequence[str], descriptions: Sequence[str], encoder: SentenceEncoder
) -> Floats:
    """Return the vectors of "label: description", [labels, dimensions]; zeros without one."""
    prompts = [
        f"{label}: {text}" if text else "" for label, text in zip(labels, descriptions, strict=True)
    ]
    return encoder.encode(prompts)


def fit_prototypes(vectors: Floats, codes: Codes, described: Floats) -> Prototypes:
    """Return the points of labels from example ``vectors`` [rows, dimensions] and descriptions.

    ``described`` is [labels, dimensions], zero rows for labels without a description.
    """
    table = codes.astype(np.float32)
    # A text of several labels speaks for each of them less clearly.
    table /= np.maximum(table.sum(axis=1, keepdims=True), 1.0)
    known = (described**2).sum(axis=1) > 0
    sums = table.T @ vectors + _DESCRIPTION * described
    weights = table.sum(axis=0) + _DESCRIPTION * known
    points = sums / np.maximum(weights, 1e-6)[:, None]
    there = weights > 0
    if there.sum() > 1:
        share = np.float32(1.0 - 1.0 / there.sum())
        points[there] -= share * points[there].mean(axis=0)
    norms = np.linalg.norm(points, axis=1, keepdims=True)
    scaled = np.divide(points, norms, out=np.zeros_like(points), where=norms > 1e-9)
    return Prototypes(scaled.astype(np.float32))
