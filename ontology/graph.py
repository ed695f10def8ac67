"""Plain records of results, and the RDF made from them.

The records mirror what the store hands out, so that this package needs neither ``db`` nor
``pipelines``. The mapping is described in ``ontology/quads.py``, whose ``nquads`` streams it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ontology.model import Ontology


@dataclass(frozen=True, slots=True)
class GraphCollection:
    """A collection. With ``text_private`` its quotes are answered only when asked for by name."""

    id: int
    name: str
    title: str = ""
    text_private: bool = False
    licence: str = ""
    created: datetime | None = None


@dataclass(frozen=True, slots=True)
class GraphDocument:
    """A document; ``key`` is the user's own identifier. The text itself is not in the graph."""

    id: int
    collection_id: int
    key: str
    sha256: str
    question: str | None = None
    locator: str = ""
    language: str = ""
    created: datetime | None = None


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
class GraphSnapshot:
    """Everything a graph is built from.

    ``documents`` and ``results`` are read once, one after the other, and may be streams; results
    may also stand between the documents, so that one pass over the store is enough. A result whose
    run is not listed is an error. Of several versions of one ontology, list the current one first:
    the default graph shows each concept as the first version that has it.
    """

    collections: Sequence[GraphCollection]
    runs: Sequence[GraphRun]
    documents: Iterable[GraphDocument | TaggedRecord]
    results: Iterable[TaggedRecord] = ()
    ontologies: Sequence[Ontology] = ()
