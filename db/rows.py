"""The plain values that go into the store and come out of it; no ORM object leaves ``db``.

``…Input`` goes in, ``…Row`` comes out, ``SentenceRow``, ``SummaryRow``, ``LabelRow`` and
``TagRow`` do both. Offsets are code points, half-open: ``document.text[start:end] == text``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


# --- collections, sources, documents -----------------------------------------------------------
@dataclass(frozen=True, slots=True)
class CollectionRow:
    """A named collection. ``documents`` (not withdrawn) and ``last_run`` only from listings."""

    id: int
    name: str
    recipe: str
    text_private: bool
    title: str
    created_at: datetime
    documents: int = 0
    last_run: RunRow | None = None


@dataclass(frozen=True, slots=True)
class SourceInput:
    """An input file as the reader reports it. ``outcome``: read, skipped or failed.

    ``options`` is any stable text that says how it was read (question columns, reader version);
    compare it with the stored one before taking a file as known. ``columns`` are plain mappings
    such as ``{"name", "role", "reason"}``.
    """

    path: str
    outcome: str
    relative: str = ""
    kind: str = ""
    reason: str = ""
    size: int = 0
    mtime_ns: int = 0
    sha256: str = ""
    encoding: str | None = None
    rows: int = 0
    documents: int = 0
    columns: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()
    options: str = ""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A stored input file."""

    id: int
    collection_id: int
    path: str
    relative: str
    kind: str
    outcome: str
    reason: str
    size: int
    mtime_ns: int
    sha256: str
    encoding: str | None
    rows: int
    documents: int
    columns: tuple[Mapping[str, Any], ...]
    warnings: tuple[str, ...]
    options: str
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class DocumentInput:
    """A document to store; ``input_hash`` covers what the recipe's stages will see."""

    key: str
    text: str
    sha256: str
    input_hash: str
    question: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    locator: str = ""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A stored document with its text."""

    id: int
    collection_id: int
    source_id: int
    key: str
    text: str
    sha256: str
    input_hash: str
    question: str | None
    metadata: Mapping[str, Any]
    locator: str
    position: int
    withdrawn: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Rejected:
    """A document of a file that could not be stored, and why."""

    key: str
    locator: str
    reason: str


@dataclass(frozen=True, slots=True)
class PutCounts:
    """What reading one file changed. ``returned`` were withdrawn before and are back."""

    source_id: int
    added: int = 0
    updated: int = 0
    untouched: int = 0
    returned: int = 0
    withdrawn: int = 0
    rejected: tuple[Rejected, ...] = ()

    @property
    def documents(self) -> int:
        """How many documents the file now has in the collection."""
        return self.added + self.updated + self.untouched + self.returned


@dataclass(frozen=True, slots=True)
class Pending:
    """Documents to process: how many, and batches of them, longest text first."""

    total: int
    batches: Iterator[tuple[DocumentRow, ...]]


@dataclass(frozen=True, slots=True)
class ParkedRow:
    """A document that failed as often as is allowed."""

    document_id: int
    key: str
    path: str
    locator: str
    reason: str
    attempts: int


# --- runs and results --------------------------------------------------------------------------
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


# --- ontologies --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class ConceptInput:
    """A concept as the store needs it for names and counts."""

    iri: str
    curie: str
    label: str
    definition: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class OntologyInput:
    """An ontology to register. ``closure`` yields (iri, ancestor, depth); depth 0 is itself.

    ``labels`` and ``deprecated`` are counts for listings. Self rows of the closure may be left
    out: the store adds them.
    """

    name: str
    sha256: str
    path: str
    format: str
    original_path: str = ""
    title: str = ""
    version: str = ""
    labels: int = 0
    deprecated: int = 0
    concepts: Iterable[ConceptInput] = ()
    closure: Iterable[tuple[str, str, int]] = ()


@dataclass(frozen=True, slots=True)
class OntologyRow:
    """A registered version of an ontology; ``concepts``, ``labels``, ``deprecated`` are counts."""

    id: int
    name: str
    sha256: str
    path: str
    original_path: str
    format: str
    title: str
    version: str
    concepts: int
    labels: int
    deprecated: int
    current: bool
    added_at: datetime


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept of the current version of an ontology."""

    ontology: str
    iri: str
    curie: str
    label: str
    definition: str
    deprecated: bool


# --- pages and reports -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A line of a listing: no full text, ``excerpt`` is its first characters.

    ``outcome`` is ``None`` while no result is current. ``labels`` are the assigned ones,
    ``tags`` the number of displayed tags, ``summary`` the best sentence.
    """

    id: int
    key: str
    path: str
    locator: str
    question: str | None
    excerpt: str
    length: int
    outcome: str | None
    reason: str
    duplicate: bool
    labels: tuple[str, ...]
    tags: int
    summary: str


@dataclass(frozen=True, slots=True)
class DocumentsPage:
    """One page of a listing and the number of documents that match in all."""

    rows: tuple[DocumentSummary, ...]
    total: int


@dataclass(frozen=True, slots=True)
class DocumentDetail:
    """One document with its collection, its file and its current result, if any."""

    collection: CollectionRow
    path: str
    document: DocumentRow
    result: ResultRow | None


@dataclass(frozen=True, slots=True)
class ConceptCount:
    """Documents with a displayed tag of the concept itself, and of it or anything narrower."""

    ontology: str
    iri: str
    curie: str
    label: str
    documents: int
    documents_with_narrower: int


@dataclass(frozen=True, slots=True)
class LabelCount:
    """Documents to which a label is assigned."""

    set: str
    label: str
    documents: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over the current results of a collection's documents (withdrawn ones left out).

    ``processed`` … ``failed`` are disjoint; with ``pending`` (no result for the present text)
    they sum to ``documents``. ``duplicate`` is a subset of ``processed``. ``labels`` are assigned
    ones, ``tags`` all, ``displayed_tags`` those the display rule keeps.
    """

    documents: int = 0
    processed: int = 0
    partial: int = 0
    empty: int = 0
    other_language: int = 0
    skipped: int = 0
    failed: int = 0
    pending: int = 0
    duplicate: int = 0
    withdrawn: int = 0
    sentences: int = 0
    summary_sentences: int = 0
    labels: int = 0
    tags: int = 0
    displayed_tags: int = 0


@dataclass(frozen=True, slots=True)
class ExportedDocument:
    """A document with every result it ever had (current and superseded), oldest first."""

    document: DocumentRow
    path: str
    results: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class Export:
    """A consistent view for the graph: the small tables whole, the documents streamed."""

    collections: tuple[CollectionRow, ...]
    runs: tuple[RunRow, ...]
    ontologies: tuple[OntologyRow, ...]
    documents: Iterator[ExportedDocument]


# --- queue -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class JobRow:
    """A job. ``state``: queued, running, done, failed or cancelled."""

    id: int
    kind: str
    collection_id: int | None
    payload: Mapping[str, Any]
    state: str
    progress: int
    total: int
    message: str
    result: Mapping[str, Any]
    lease_owner: str | None
    lease_until: datetime | None
    attempts: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
