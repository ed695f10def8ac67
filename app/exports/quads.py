"""The RDF of one collection, streamed: each statement once, and no private words unless asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.projection import snapshot_of
from ontology import terms
from ontology.named_graphs import END, GraphNames
from ontology.quads import nquads
from ontology.vocab import DATA

if TYPE_CHECKING:
    from db.rows import CollectionRow, GraphView
    from db.store import Store
    from ontology.graph import GraphSnapshot

_TOGETHER = f" <{terms.PRIVATE_TEXT}>{END}"
"""The end of a line in the graph that holds all private words together."""
_LABEL_SET = f"<{DATA}labels-"
_BATCH = 5_000
"""Lines of vocabularies that are handed on together."""


@contextmanager
def collection_snapshot(store: Store, collection: CollectionRow) -> Iterator[GraphSnapshot]:
    """Open what the graph of one collection is made from, with the vocabularies its runs used."""
    with store.graph_view(store.document_ids(collection.id)) as view:
        yield snapshot_of(_only(view, collection.id))


def _only(view: GraphView, id: int) -> GraphView:
    """Return the view without what belongs to other collections."""
    runs = tuple(run for run in view.runs if run.collection_id == id)
    used = {entry.get("sha256") for run in runs for entry in run.details.get("ontologies", ())}
    books = {book.id for book in view.codebooks if book.collection_id == id}
    return replace(
        view,
        collections=tuple(row for row in view.collections if row.id == id),
        runs=runs,
        ontologies=tuple(row for row in view.ontologies if row.sha256 in used),
        codebooks=tuple(row for row in view.codebooks if row.id in books),
        versions=tuple(row for row in view.versions if row.codebook_id in books),
        themes=tuple(row for row in view.themes if row.codebook_id in books),
        campaigns=tuple(row for row in view.campaigns if row.collection_id == id),
        summaries=tuple(row for row in view.summaries if row.collection_id == id),
    )


@dataclass(slots=True)
class _Pages:
    """Tells where the mapping is: 0 before the documents, then a number a document, then ended."""

    documents: Iterable[Any]
    number: int = 0
    ended: bool = False

    def __iter__(self) -> Iterator[Any]:
        for each in self.documents:
            self.number += 1
            yield each
        self.number += 1
        self.ended = True


def batches(snapshot: GraphSnapshot, *, words: bool) -> Iterator[list[str]]:
    """Yield N-Quads lines, a batch a document (the small tables first, vocabularies last).

    No line comes twice. Words of a private collection are left out without ``words``; with them
    they stand in the default graph like those of any other. Memory is that of one document, the
    small tables and the vocabularies.
    """
    names = GraphNames()
    pages = _Pages(snapshot.documents)
    single = len(snapshot.ontologies) < 2  # a vocabulary's lines differ, and may be millions
    lasting, passing = set[str](), set[str]()
    page, batch = 0, list[str]()
    for chunk in nquads(replace(snapshot, documents=pages), names):
        if pages.number != page or (len(batch) > _BATCH and pages.ended):
            yield batch
            page, batch = pages.number, []
            passing.clear()
        known = lasting if page == 0 or pages.ended else passing
        for line in _lines(chunk, names, words):
            if line in lasting or line in passing:
                continue
            if not (pages.ended and single) or _LABEL_SET in line:
                known.add(line)
            batch.append(line)
    yield batch


def _lines(chunk: str, names: GraphNames, words: bool) -> Iterator[str]:
    """Yield the lines that may be shown; private words move from their graph to the default one."""
    hidden = tuple(f" <{graph}>{END}" for graph in names.private)
    for line in chunk.split("\n")[:-1]:
        line += "\n"
        if hidden and line.endswith(hidden):
            if not words:
                continue
            if line.endswith(_TOGETHER):
                line = line.removesuffix(_TOGETHER) + END
        yield line
