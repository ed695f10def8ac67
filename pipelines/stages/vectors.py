"""What the stages ask of an encoder; light, so that a stage can be tested without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class SentenceEncoder(Protocol):
    """Turns texts into L2-normalised rows, the same row for a text in any company."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]."""
