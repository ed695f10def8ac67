"""An encoder that remembers: statements are encoded once, whoever asks for them again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.stages.vectors import SentenceEncoder, Vectors


class KnownVectors:
    """Returns the vectors of ``texts`` as they were computed, and asks ``encoder`` for all others."""

    def __init__(self, encoder: SentenceEncoder, texts: Sequence[str], vectors: Vectors) -> None:
        self._encoder = encoder
        self._vectors = vectors
        self._rows = {text: row for row, text in enumerate(texts)}

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._encoder.dimensions

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]."""
        rows = [self._rows.get(text, -1) for text in texts]
        new = [text for text, row in zip(texts, rows, strict=True) if row < 0]
        found = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        known = np.array([row >= 0 for row in rows], dtype=np.bool_)
        found[known] = self._vectors[[row for row in rows if row >= 0]]
        if new:
            found[~known] = self._encoder.encode(new)
        return found
