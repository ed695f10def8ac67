"""Texts whose sentences end with a full stop, and their segments, for tests of single stages."""

from __future__ import annotations

import re

import numpy as np

from pipelines.stages.vectors import Vectors
from pipelines.types import Segment


def segments_of(text: str) -> tuple[Segment, ...]:
    """Return a segment for every run up to a full stop."""
    found = re.finditer(r"[^\s.][^.]*\.?", text)
    return tuple(Segment(match.start(), match.end(), i) for i, match in enumerate(found))


def rows(*values: list[float]) -> Vectors:
    """Return L2-normalised rows."""
    vectors = np.array(values, dtype=np.float32)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
