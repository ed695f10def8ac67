"""Small invented sets of coded answers, and an encoder of word counts for tests without ALBERT."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from pipelines.learn.types import Example, Examples
from pipelines.stages.vectors import Vectors

THEMES = {
    "Buses": ("The bus was late", "Our bus never comes", "More buses in the evening please"),
    "Parking": ("Parking permits cost too much", "No parking near home", "Cars parked on the kerb"),
    "Trees": ("Plant more trees", "The trees give shade", "They felled our old tree"),
}
_ENDINGS = ("today", "every week", "again", "since spring", "in our street", "by the school")


class WordCounts:
    """Hashed word counts, L2-normalised: near in words is near in "meaning"."""

    dimensions = 64

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), 64]."""
        table = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                table[row, zlib.crc32(word[:4].encode()) % self.dimensions] += 1.0
        norms = np.linalg.norm(table, axis=1, keepdims=True)
        return np.asarray(table / np.maximum(norms, 1.0), dtype=np.float32)


def themes(*, both: bool = True) -> Examples:
    """Return 54 answers under one theme each and, with ``both``, 18 under two."""
    rows = [
        Example(id=f"{label}{n}{m}", text=f"{start} {end}.", labels=(label,))
        for label, starts in THEMES.items()
        for n, start in enumerate(starts)
        for m, end in enumerate(_ENDINGS)
    ]
    if both:
        pairs = (("Buses", "Parking"), ("Parking", "Trees"), ("Buses", "Trees"))
        rows += [
            Example(
                id=f"two{n}{m}",
                text=f"{THEMES[a][n]}. {THEMES[b][n]} {end}.",
                labels=(a, b),
            )
            for n, (a, b) in enumerate(pairs)
            for m, end in enumerate(_ENDINGS)
        ]
    return Examples(tuple(THEMES), tuple(rows), single=not both)
