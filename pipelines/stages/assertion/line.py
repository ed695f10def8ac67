"""A sentence as the rules see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pipelines.stages.assertion.phrases import Token

MARKS: Final = frozenset(".,;:)](-–—?!/|•*")
"""Marks that end or begin a clause, or a part of one."""
DASHES: Final = frozenset("-–—")


@dataclass(slots=True)
class Line:
    """The words of a sentence with everything the rules look at.

    ``within`` gives for every word the words (first, end) of the shown tag that it is part of.
    """

    text: str
    words: list[str]
    tokens: list[Token]
    within: Mapping[int, tuple[int, int]]
