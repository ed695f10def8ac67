"""Pages, counts and the export."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from db.rows.documents import CollectionRow, DocumentRow
from db.rows.ontologies import OntologyRow
from db.rows.results import ResultRow, RunRow


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A line of a listing: no full text, ``excerpt`` is its first characters.

    ``outcome`` is ``None`` while no result is current. ``labels`` are the assigned ones,
    ``tags`` the number of displayed tags, ``summary`` the best sentence; of a document that is
    kept apart, ``reason`` says why.
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
    respondent: str = ""
    flags: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What is known of a document besides its text and what it says.

    ``outcome`` is that of the current result, "pending" without one; ``aside`` says why the
    document is kept apart from the answers ("": it is not).
    """

    id: int
    key: str
    question: str | None
    respondent: str
    metadata: Mapping[str, Any]
    outcome: str
    reason: str
    aside: str
