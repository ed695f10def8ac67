"""The nouns of themes: answers in, statements, themes and assignments out. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]

OTHER = "other"
"""Key of the place for what is in no theme."""
NO_REASON = "no-reason"
"""Key of the place for answers that give no reason."""


class Method(StrEnum):
    """Who put a statement where it is."""

    FOUND = "found"
    MAPPED = "mapped"
    PERSON = "person"


class Side(StrEnum):
    """Stance towards what the question proposes."""

    FOR = "for"
    AGAINST = "against"
    MIXED = "mixed"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Answer:
    """A document's text, and the question it answers ("" for none)."""

    document: int
    text: str
    question: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Statement:
    """A stretch of an answer that makes one point: ``answer.text[start:end] == text``.

    ``silent``: it gives no reason ("Yes.", "See above"); an answer has then no other statement.
    """

    document: int
    start: int
    end: int
    text: str
    question: str = ""
    silent: bool = False


@dataclass(frozen=True, slots=True)
class CodebookEntry:
    """A theme of a codebook as a person wrote it. ``examples`` are statements that belong to it."""

    key: str
    label: str
    description: str = ""
    examples: tuple[str, ...] = ()
    parent: str = ""

    @property
    def prompt(self) -> str:
        """The text that stands for the theme."""
        return f"{self.label}: {self.description}" if self.description else self.label


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a document, verbatim."""

    document: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class StanceCount:
    """How many answers of a theme are for, against, both or neither, and a quote for each side."""

    counts: dict[Side, int]
    quotes: dict[Side, Quote]


@dataclass(frozen=True, slots=True)
class FoundTheme:
    """A theme in the documents' own words.

    ``label`` takes no side; ``description`` is one sentence; ``medoid`` the statement nearest to all
    others. ``statements`` and ``answers`` are counts. ``concept`` is the IRI of the nearest concept
    of a vocabulary, "" for none.
    """

    key: str
    label: str
    description: str
    phrases: tuple[str, ...]
    medoid: Quote
    statements: int
    answers: int
    concept: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A statement in a theme (or ``OTHER``, ``NO_REASON``) with the confidence, 0 to 1.

    ``nearest`` is the theme that comes next, or for ``OTHER`` the theme that came closest.
    """

    document: int
    start: int
    end: int
    text: str
    theme: str
    score: float
    method: Method
    stance: str = ""
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Statements in a theme, in ``OTHER`` and without a reason; ``share`` leaves the last out."""

    themed: int
    other: int
    silent: int

    @property
    def share(self) -> float:
        """The part of the statements with a reason that is in a theme; 1 where there is none."""
        reasons = self.themed + self.other
        return self.themed / reasons if reasons else 1.0
