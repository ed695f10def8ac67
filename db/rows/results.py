"""Runs and what they say about documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run over a collection. ``state``: running, finished, interrupted or failed."""

    id: int
    collection_id: int
    recipe: str
    fingerprint: str
    details: Mapping[str, Any]
    started_at: datetime
    finished_at: datetime | None
    state: str
    counts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """A sentence: its order from 0 and its place."""

    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A sentence of the summary, verbatim; ``rank`` 1 is the best."""

    rank: int
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class LabelRow:
    """A label of a set, its score, whether it is assigned, and the words that earned it."""

    set: str
    label: str
    score: float
    assigned: bool
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class TagRow:
    """A concept found in a text. ``id`` is 0 until stored; ``None`` means not assessed."""

    ontology: str
    iri: str
    curie: str
    label: str
    start: int
    end: int
    text: str
    score: float
    method: str
    displayed: bool = True
    negated: bool | None = None
    possible: bool | None = None
    historical: bool | None = None
    hypothetical: bool | None = None
    experiencer: str | None = None
    cue: str | None = None
    cue_start: int | None = None
    cue_end: int | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class ResultInput:
    """What the pipeline says about one document."""

    outcome: str
    reason: str = ""
    sentences: tuple[SentenceRow, ...] = ()
    summary: tuple[SummaryRow, ...] = ()
    labels: tuple[LabelRow, ...] = ()
    tags: tuple[TagRow, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedCounts:
    """What one batch added. ``duplicate`` are among the processed; ``unknown`` had gone."""

    saved: int = 0
    duplicate: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A stored result with its parts; ``sentences`` only where asked for."""

    id: int
    document_id: int
    run_id: int
    recipe: str
    input_hash: str
    fingerprint: str
    outcome: str
    reason: str
    duplicate: bool
    attempts: int
    current: bool
    created_at: datetime
    sentences: tuple[SentenceRow, ...] = ()
    summary: tuple[SummaryRow, ...] = ()
    labels: tuple[LabelRow, ...] = ()
    tags: tuple[TagRow, ...] = ()
