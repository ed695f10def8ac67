"""The graph as a projection of SQL: read what is in the store, build, switch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from app.graph_mark import current_mark, unmark
from app.graph_records import (
    graph_campaigns,
    graph_codebooks,
    graph_collection,
    graph_documents,
    graph_run,
    graph_summaries,
)
from app.kept_ontologies import load_ontologies
from app.settings import Settings
from db.rows import GraphView, OntologyRow
from db.store import Store
from ontology.graph import GraphSnapshot
from ontology.graphstore import CurrentGraph, Writer, build_as, writing
from ontology.model import Ontology


def rebuild_graph(settings: Settings, store: Store, *, wait: float = 0.0) -> CurrentGraph:
    """Build the graph of everything in the database and switch readers to it.

    ``wait`` is how many seconds to stay for another process that writes to it.
    """
    with writing(settings.graph_dir, wait=wait) as writer:
        marked = current_mark(settings)
        built = build_graph(writer, store)
        unmark(settings, marked)
    return built


def build_graph(writer: Writer, store: Store) -> CurrentGraph:
    """Build the graph whole, for one who holds its write lock."""
    states = store.graph_states()  # first: what changes meanwhile is brought in again, not missed
    with graph_snapshot(store) as snapshot:
        return build_as(writer, snapshot, states=states)


@contextmanager
def graph_snapshot(store: Store, documents: Sequence[int] | None = None) -> Iterator[GraphSnapshot]:
    """Open what the graph is built from: of everything, or of some documents (partial).

    One consistent state of the database; documents stream past, so that memory stays flat. Either
    way the small tables (collections, runs, codebooks, campaigns, summaries of groups) are whole;
    a document that has gone, or was withdrawn, gives nothing.
    """
    with store.graph_view(documents) as view:
        yield snapshot_of(view, partial=documents is not None)


def snapshot_of(
    view: GraphView, *, partial: bool = False, vocabularies: bool = True
) -> GraphSnapshot:
    """Return the records of a view of the store, without vocabularies where they do not matter."""
    return GraphSnapshot(
        collections=[graph_collection(row) for row in view.collections],
        runs=[graph_run(row) for row in view.runs],
        documents=graph_documents(view),
        ontologies=_ontologies(view) if vocabularies else [],
        codebooks=graph_codebooks(view),
        campaigns=graph_campaigns(view),
        summaries=list(graph_summaries(view)),
        partial=partial,
    )


def _ontologies(view: GraphView) -> list[Ontology]:
    """Load each file that is current or was used, once; current versions name a concept first."""
    used = {entry.get("sha256") for run in view.runs for entry in run.details.get("ontologies", ())}
    found: dict[str, OntologyRow] = {}
    for row in sorted(view.ontologies, key=lambda row: (not row.current, -row.id)):
        if row.current or row.sha256 in used:
            found.setdefault(row.sha256, row)
    return load_ontologies(list(found.values()))
