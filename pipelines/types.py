"""The nouns of the pipeline: documents in, results out.

Every offset is a code-point offset into the stored text, half-open, and every value that carries
evidence obeys ``document.text[start:end] == text``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """How a document ended. ``duplicate`` is a count of processed ones, not an outcome."""

    PROCESSED = "processed"
    PARTIAL = "partial"
    EMPTY = "empty"
    OTHER_LANGUAGE = "other_language"
    SKIPPED = "skipped"
    FAILED = "failed"
    PARKED = "parked"


class FileOutcome(StrEnum):
    """How an input file ended."""

    READ = "read"
    SKIPPED = "skipped"
    FAILED = "failed"


def text_sha256(text: str) -> str:
    """Return the hex SHA-256 of ``text`` in UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Document:
    """One text as the person wrote it, with where it came from.

    ``key`` is unique within a collection and stable between reads of the same source (relative
    path, row and question). ``locator`` says the same to a person ("row 12, column Q3").
    """

    key: str
    text: str
    question: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    locator: str = ""

    @property
    def sha256(self) -> str:
        """Hex SHA-256 of the text."""
        return text_sha256(self.text)


@dataclass(frozen=True, slots=True)
class Column:
    """A table column, the role it was given and why."""

    name: str
    role: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What happened to one input file: the row of the import report."""

    path: str
    kind: str
    outcome: FileOutcome
    reason: str = ""
    encoding: str | None = None
    rows: int = 0
    documents: int = 0
    columns: tuple[Column, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence: its place in the text and its order (from 0)."""

    start: int
    end: int
    order: int


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of the text chosen for the summary, verbatim; ``rank`` 1 is the best."""

    start: int
    end: int
    text: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class LabelScore:
    """A label of a set, its score, whether it is assigned, and the words that earned it."""

    set: str
    label: str
    score: float
    assigned: bool
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A concept found in the text. An attribute that was not assessed is ``None``, never false."""

    iri: str
    curie: str
    label: str
    start: int
    end: int
    text: str
    score: float
    method: str
    ontology: str
    displayed: bool = True
    negated: bool | None = None
    possible: bool | None = None
    historical: bool | None = None
    hypothetical: bool | None = None
    experiencer: str | None = None
    cue: str | None = None


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """Everything the pipeline says about one document; values only."""

    outcome: Outcome
    reason: str = ""
    sentences: tuple[Segment, ...] = ()
    summary: tuple[SummarySentence, ...] = ()
    labels: tuple[LabelScore, ...] = ()
    tags: tuple[Tag, ...] = ()
