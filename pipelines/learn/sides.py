"""Which side of a question a text is on, where labels say theirs (``stance`` for or against)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.likeness import Likeness
from pipelines.learn.polarity import Weights, polarity, proposal_sign
from pipelines.learn.types import Floats

NAMES = (
    "best for less best against",
    "mean for less mean against",
    "towards the labels for",
    "speaks for any proposal",
    "speaks for the subject, turned by the question or the labels",
    "speaks for the subject, weighed as the labels do",
)


class Sides:
    """The sides of a label set: ``+1`` for, ``-1`` against, ``0`` neither, [labels]."""

    def __init__(
        self, prompts: Sequence[str], stances: Sequence[str], likeness: Likeness, weights: Weights
    ) -> None:
        self.side = np.array(
            [{"for": 1.0, "against": -1.0}.get(stance, 0.0) for stance in stances], dtype=np.float32
        )
        self._weights = weights
        self._pro, self._contra = self.side > 0, self.side < 0
        self.both = bool(self._pro.any() and self._contra.any())
        if self.both:
            spoken = polarity(prompts, weights)[:, 1]
            self._turn = float(spoken[self._pro].mean() - spoken[self._contra].mean())
            vectors = likeness.vectors
            self._towards = vectors[self._pro].mean(axis=0) - vectors[self._contra].mean(axis=0)

    def features(
        self, texts: Sequence[str], questions: Sequence[str], vectors: Floats, odds: Floats
    ) -> NDArray[np.float32]:
        """Return [texts, len(NAMES)]; ``odds`` are the matcher's log-odds, [texts, labels]."""
        pro, contra = odds[:, self._pro], odds[:, self._contra]
        spoken = polarity(texts, self._weights)
        asked = np.array([proposal_sign(question) for question in questions], dtype=np.float32)
        turn = np.where(asked != 0, asked, np.float32(np.sign(self._turn)))
        return np.stack(
            [
                pro.max(axis=1) - contra.max(axis=1),
                pro.mean(axis=1) - contra.mean(axis=1),
                vectors @ self._towards,
                spoken[:, 0],
                spoken[:, 1] * turn,
                spoken[:, 1] * np.float32(self._turn),
            ],
            axis=1,
        ).astype(np.float32)
