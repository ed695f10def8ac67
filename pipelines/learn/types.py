"""The nouns of learning: examples in, judgements out. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Features or scores, [rows, columns]."""

Codes = NDArray[np.bool_]
"""Labels as a table, [rows, labels]."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """One coded text. ``group`` names rows that belong together ("" for a row of its own)."""

    id: str
    text: str
    labels: tuple[str, ...]
    question: str = ""
    group: str = ""
    by: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Examples:
    """Coded texts of one label set, labels in their order, and what was odd about the file.

    ``single`` says that every row carries one label and just one. ``descriptions`` holds what a
    label means, "" where that is not known.
    """

    labels: tuple[str, ...]
    rows: tuple[Example, ...]
    single: bool
    warnings: tuple[str, ...] = ()
    descriptions: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """The texts in order."""
        return [row.text for row in self.rows]

    @property
    def questions(self) -> list[str]:
        """The questions in order, "" where a row has none."""
        return [row.question for row in self.rows]

    def codes(self, labels: Sequence[str] | None = None) -> Codes:
        """Return the labels as a table, [rows, labels]; labels that are not asked for are left out."""
        names = self.labels if labels is None else tuple(labels)
        place = {name: column for column, name in enumerate(names)}
        table = np.zeros((len(self.rows), len(names)), dtype=np.bool_)
        for row, example in enumerate(self.rows):
            for label in example.labels:
                if label in place:
                    table[row, place[label]] = True
        return table
