"""Vectors that several label sets ask for, computed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pipelines.stages.vectors import Vectors

if TYPE_CHECKING:
    from pipelines.models import ModelSpec
    from pipelines.stages.encode import Encoder

_MOST = 32_768
"""Texts remembered: 50 MB with the embedded model."""


class SharedVectors:
    """An encoder that remembers the texts of late, so that a text is encoded once for all sets.

    A text has the same vector in any company, so this changes no result.
    """

    def __init__(self, encoder: Encoder, *, most: int = _MOST) -> None:
        self._encoder = encoder
        self._most = most
        self._known: dict[str, Vectors] = {}

    @property
    def spec(self) -> ModelSpec:
        """The model."""
        return self._encoder.spec

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if len(new) > self._most:
            return self._encoder.encode(texts)
        if len(self._known) + len(new) > self._most:
            self._known.clear()
            new = list(dict.fromkeys(texts))
            if len(new) > self._most:
                return self._encoder.encode(texts)
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._known[text] for text in texts])
