"""Plain records of results, and the RDF made from them.

The records mirror what the store hands out, so that this package needs neither ``db`` nor
``pipelines``. The mapping is described in ``ontology/quads.py``, whose ``nquads`` streams it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from ontology.graph_people import (
    GraphCampaign,
    GraphCodebook,
    GraphCodebookVersion,
    GraphCoding,
    GraphDecision,
    GraphGroupHighlight,
    GraphGroupSummary,
    GraphMembership,
    GraphReplacement,
    GraphTheme,
)
from ontology.model import Ontology

__all__ = [
    "DocumentRecord",
    "GraphCampaign",
    "GraphCodebook",
    "GraphCodebookVersion",
    "GraphCoding",
    "GraphCollection",
    "GraphDecision",
    "GraphDocument",
    "GraphGroupHighlight",
    "GraphGroupSummary",
    "GraphLabel",
    "GraphMembership",
    "GraphModel",
    "GraphReplacement",
    "GraphRun",
    "GraphSentence",
    "GraphSnapshot",
    "GraphSummarySentence",
    "GraphTag",
    "GraphTheme",
    "TaggedRecord",
]


@dataclass(frozen=True, slots=True)
class GraphCollection:
    """A collection. With ``text_private`` its quotes are answered only when asked for by name.

    ``licence`` and ``rights`` are IRIs or words.
    """

    id: int
    name: str
    title: str = ""
    text_private: bool = False
    licence: str = ""
    created: datetime | None = None
    rights: str = ""


@dataclass(frozen=True, slots=True)
class GraphDocument:
    """A document; ``key`` is the user's own identifier. The text itself is not in the graph.

    ``created`` is the document's own date, an integer for a bare year; ``read`` is when it came
    into the workspace. ``respondent`` is an opaque name (:func:`ontology.terms.opaque`), ``aside``
    why the document is kept apart.
    """

    id: int
    collection_id: int
    key: str
    sha256: str
    question: str | None = None
    locator: str = ""
    language: str = ""
    created: datetime | date | int | None = None
    read: datetime | None = None
    respondent: str = ""
    aside: str = ""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphModel:
    """The model a run used."""

    id: str
    sha256: str
    revision: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class GraphRun:
    """One run over a collection; ``ontologies`` holds the sha256 of each ontology file used."""

    id: int
    collection_id: int
    recipe: str
    fingerprint: str = ""
    state: str = "finished"
    started: datetime | None = None
    ended: datetime | None = None
    software: str = ""
    model: GraphModel | None = None
    ontologies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSentence:
    """A sentence of the document: offsets and order from 0."""

    start: int
    end: int
    order: int


@dataclass(frozen=True, slots=True)
class GraphSummarySentence:
    """A sentence chosen for the summary; rank 1 is the best."""

    start: int
    end: int
    text: str
    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class GraphLabel:
    """A label of a label set assigned to the document, with the words that earned it.

    ``start == end`` means no evidence span: the annotation then targets the document.
    """

    set: str
    label: str
    score: float
    start: int = 0
    end: int = 0
    text: str = ""
    stance: str = ""
    method: str = "classifier"


@dataclass(frozen=True, slots=True)
class GraphTag:
    """A concept found in the text. An attribute that was not assessed is ``None``."""

    iri: str
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


@dataclass(frozen=True, slots=True)
class TaggedRecord:
    """What one run said about one document. ``id`` is the result's row id, stable on rebuild.

    ``current`` is false for a result that a later run replaced; its quads are kept apart.
    """

    id: int
    run_id: int
    document_id: int
    outcome: str
    reason: str = ""
    current: bool = True
    sentences: tuple[GraphSentence, ...] = ()
    summary: tuple[GraphSummarySentence, ...] = ()
    labels: tuple[GraphLabel, ...] = ()
    tags: tuple[GraphTag, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document with everything that hangs on it, and so goes when it goes."""

    document: GraphDocument
    results: tuple[TaggedRecord, ...] = ()
    decisions: tuple[GraphDecision, ...] = ()
    codings: tuple[GraphCoding, ...] = ()
    memberships: tuple[GraphMembership, ...] = ()
    highlights: tuple[GraphGroupHighlight, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSnapshot:
    """Everything a graph is built from, or, with ``partial``, what some of its documents give.

    ``documents`` and ``results`` are read once, one after the other, and may be streams; a document
    may come bare, its results among the documents or after them, or as one DocumentRecord. What
    names a run, codebook or campaign that is not listed is an error. Of several versions of one
    ontology, list the current one first: the default graph shows each concept as the first version
    that has it. Of a partial snapshot the ontologies' own descriptions are left out, as the graph
    has them already; the closure of the concepts in use is written all the same.
    """

    collections: Sequence[GraphCollection]
    runs: Sequence[GraphRun]
    documents: Iterable[GraphDocument | TaggedRecord | DocumentRecord]
    results: Iterable[TaggedRecord] = ()
    ontologies: Sequence[Ontology] = ()
    codebooks: Sequence[GraphCodebook] = ()
    campaigns: Sequence[GraphCampaign] = ()
    summaries: Sequence[GraphGroupSummary] = ()
    partial: bool = False
