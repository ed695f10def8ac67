"""Results as N-Quads: the mapping from plain records to Web Annotation, PROV-O and SKOS.

Each statement is written into a named graph (one a run, a collection, a codebook, a label set, an
ontology version, one for reviews; words and superseded results in graphs of their own) and, where
a query without ``GRAPH`` is to see it, into the default graph too. The default graph is a real
set, so that a triple which two runs share counts once, and its speed does not depend on the number
of runs.

What hangs on one document (its results, decisions about it, coded statements, memberships, its
sentences in summaries of groups) comes with its DocumentRecord alone. Of these
statements the subject or the object is the document itself, something with ``flo:inDocument``,
``oa:hasSource`` or ``prov:wasDerivedFrom`` that document, or a selector of such a span; so a
document's part of the graph can be found and taken out again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from ontology.campaign_quads import campaign_quads, membership_quads
from ontology.collection_quads import collection_quads, document_quads, run_quads
from ontology.errors import OntologyError
from ontology.graph import (
    DocumentRecord,
    GraphCampaign,
    GraphCodebook,
    GraphCollection,
    GraphDocument,
    GraphGroupSummary,
    GraphRun,
    GraphSnapshot,
    TaggedRecord,
)
from ontology.named_graphs import GraphNames
from ontology.result_quads import result_quads
from ontology.review_quads import Themes, review_quads, reviewed, themes_by_key
from ontology.summary_quads import highlight_quads, summary_quads
from ontology.theme_quads import codebook_quads, coding_quads
from ontology.vocabulary_quads import label_set_quads, ontology_quads

__all__ = ["GraphNames", "nquads"]

T = TypeVar("T")


def nquads(snapshot: GraphSnapshot, names: GraphNames | None = None) -> Iterator[str]:
    """Yield the whole graph as N-Quads, some lines at a time, each chunk ending with a newline.

    Raises OntologyError for what names a collection, run, codebook, campaign or summary that the
    snapshot does not list.
    """
    names = GraphNames() if names is None else names
    mapping = _Mapping.of(snapshot, names)
    yield from mapping.groups(snapshot)
    for item in chain(snapshot.documents, snapshot.results):
        match item:
            case DocumentRecord():
                yield from mapping.record(item)
            case GraphDocument():
                yield from document_quads(item, mapping.collection(item.collection_id), names)
            case TaggedRecord():
                yield from mapping.result(item)
    yield from label_set_quads(mapping.labels, names)
    yield from ontology_quads(snapshot.ontologies, mapping.used, names, partial=snapshot.partial)


@dataclass(slots=True)
class _Mapping:
    """The small tables by id, and what the documents turn out to use."""

    names: GraphNames
    collections: dict[int, GraphCollection]
    runs: dict[int, GraphRun]
    codebooks: dict[int, GraphCodebook]
    campaigns: dict[int, GraphCampaign]
    summaries: dict[int, GraphGroupSummary]
    themes: Themes
    used: set[str] = field(default_factory=set)
    labels: dict[tuple[str, str], None] = field(default_factory=dict)

    @classmethod
    def of(cls, snapshot: GraphSnapshot, names: GraphNames) -> _Mapping:
        return cls(
            names,
            {each.id: each for each in snapshot.collections},
            {each.id: each for each in snapshot.runs},
            {each.id: each for each in snapshot.codebooks},
            {each.id: each for each in snapshot.campaigns},
            {each.id: each for each in snapshot.summaries},
            themes_by_key(snapshot.codebooks),
        )

    def collection(self, id: int) -> GraphCollection:
        return _listed(self.collections, id, "collection")

    def groups(self, snapshot: GraphSnapshot) -> Iterator[str]:
        """Yield what does not hang on single documents."""
        names = self.names
        versions = {each.sha256: each for each in snapshot.ontologies}
        for collection in snapshot.collections:
            yield from collection_quads(collection, names)
        for run in snapshot.runs:
            yield from run_quads(run, versions, names)
        for codebook in snapshot.codebooks:
            private = self.collection(codebook.collection_id).text_private
            yield from codebook_quads(codebook, private=private, names=names)
        for campaign in snapshot.campaigns:
            private = self.collection(campaign.collection_id).text_private
            yield from campaign_quads(campaign, private=private, names=names)
        for summary in snapshot.summaries:
            yield from summary_quads(summary, self.collection(summary.collection_id), names)

    def result(self, record: TaggedRecord) -> Iterator[str]:
        """Yield one result."""
        run = _listed(self.runs, record.run_id, "run")
        owner = self.collections.get(run.collection_id)
        private = owner is not None and owner.text_private
        yield from result_quads(record, private=private, names=self.names)
        self.used.update([tag.iri for tag in record.tags])
        for label in record.labels:
            self.labels[label.set, label.label] = None

    def record(self, record: DocumentRecord) -> Iterator[str]:
        """Yield a document and everything that hangs on it."""
        document, names = record.document, self.names
        owner = self.collection(document.collection_id)
        private = owner.text_private
        yield from document_quads(document, owner, names)
        for result in record.results:
            yield from self.result(result)
        for coding in record.codings:
            _listed(self.codebooks, coding.codebook_id, "codebook")
        for membership in record.memberships:
            _listed(self.campaigns, membership.campaign_id, "campaign")
        for highlight in record.highlights:
            _listed(self.summaries, highlight.summary_id, "group summary")
        yield from review_quads(record, self.themes, private=private, names=names)
        yield from coding_quads(document.id, record.codings, private=private, names=names)
        yield from membership_quads(document.id, record.memberships, self.campaigns, names)
        yield from highlight_quads(document.id, record.highlights, owner, names)
        for kind, scheme, item in reviewed(record.decisions):
            if kind == "tag":
                self.used.add(item)
            elif kind == "label":
                self.labels[scheme, item] = None


def _listed(known: dict[int, T], id: int, what: str) -> T:
    found = known.get(id)
    if found is None:
        raise OntologyError(
            f"{what} {id} is named but not among the {len(known)} given; expected every {what} "
            "that a document names. Try: florilegium db check"
        )
    return found
