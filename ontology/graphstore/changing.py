"""Small changes: a copy of the current store by hard links, changed, then switched in.

The engine's files never change once written; a copy shares them and writes its own beside. The
served folder is opened read-only for it, and nothing in it is touched
(https://github.com/facebook/rocksdb/wiki/Checkpoints). The engine keeps the words of statements
that were removed, so an erasure is never a change but a build.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ontology.graph import GraphSnapshot
from ontology.graphstore.building import basis, new_store
from ontology.graphstore.folder import (
    STATES,
    CurrentGraph,
    finish,
    open_current,
    read_states,
    state_lines,
    sweep,
    write,
)
from ontology.graphstore.lock import Writer, writing
from ontology.graphstore.parts import document_part, no_longer_used, small_part
from ontology.quads import GraphNames, nquads

if TYPE_CHECKING:
    import pyoxigraph as ox

TIDY = 12
"""Changes after which a copy is put in order (``optimize``), as each leaves files of its own."""


class OtherBasis(Exception):
    """The change rests on other ontologies or rules than the store; it has to be built anew."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of some documents.

    Everything that hangs on ``documents`` goes; ``snapshot`` (partial) says what they are now, and
    what the small tables are. ``states`` are those of the documents that still stand.
    """

    documents: Collection[int]
    snapshot: GraphSnapshot
    states: Mapping[int, str]


def apply(graph_dir: Path, change: Change) -> CurrentGraph:
    """Bring ``change`` into the current store, as a copy that readers are then switched to.

    A change that changes nothing leaves the store as it is. Raises OtherBasis, GraphMissing,
    GraphLocked and, when the disk does not play along, OntologyError; the graph before then stays.
    """
    with writing(graph_dir) as writer:
        return apply_as(writer, change)


def apply_as(writer: Writer, change: Change) -> CurrentGraph:
    """Bring in a change as :func:`apply` does, for one who holds the write lock already."""
    import pyoxigraph as ox

    began = time.monotonic()
    before = open_current(writer.graph_dir)
    if before.manifest.basis != basis(change.snapshot):
        raise OtherBasis
    names = GraphNames()
    new = _as_stored("".join(nquads(change.snapshot, names)))
    source = ox.Store.read_only(str(before.db))
    old = set(small_part(source))
    for id in change.documents:
        old.update(document_part(source, id))
    states = read_states(before)
    for id in change.documents:
        states.pop(id, None)
    states = dict(sorted((states | dict(change.states)).items()))
    fresh = {quad for quad in new - old if quad not in source}  # a closure may stand already
    stale = old - new
    if not fresh and not stale:
        return _told(before, states)
    with new_store(writer.graph_dir) as folder:
        source.backup(str(folder / "db"))
        del source
        stale |= _rewrite(folder / "db", stale, fresh, new)
        tidy = (before.manifest.changes + 1) % TIDY == 0
        graphs = _settle(folder / "db", set(before.manifest.graphs) | names.seen, stale, tidy=tidy)
        manifest = replace(
            before.manifest,
            built=datetime.now(UTC).isoformat(timespec="seconds"),
            quads=before.manifest.quads + _named(fresh) - _named(stale),
            seconds=round(time.monotonic() - began, 3),
            graphs=tuple(sorted(graphs)),
            private=_among(graphs, before.manifest.private, names.private),
            superseded=_among(graphs, before.manifest.superseded, names.superseded),
            changes=before.manifest.changes + 1,
            changed=before.manifest.changed + len(change.documents),
        )
        finish(writer.graph_dir, folder, manifest, states)
    sweep(writer.graph_dir)
    return CurrentGraph(folder, folder / "db", manifest)


def _rewrite(db: Path, stale: Set[ox.Quad], fresh: Set[ox.Quad], new: Set[ox.Quad]) -> set[ox.Quad]:
    """Take ``stale`` out and put ``fresh`` in; return what else went, as nothing uses it any more.

    ``new`` is what the changed documents and the small tables say now.
    """
    import pyoxigraph as ox

    store = ox.Store(str(db))
    for quad in stale:
        store.remove(quad)
    store.extend(fresh)
    unused = {quad for quad in no_longer_used(store, stale, new) if quad not in new}
    for quad in unused:
        store.remove(quad)
    store.flush()
    return unused


def _settle(db: Path, graphs: set[str], stale: Iterable[ox.Quad], *, tidy: bool) -> set[str]:
    """Take away graphs that hold nothing any more, write everything out; return those that do."""
    import pyoxigraph as ox

    store = ox.Store(str(db))
    kept = set(graphs)
    for graph in {quad.graph_name for quad in stale}:
        if not isinstance(graph, ox.NamedNode):
            continue
        if next(store.quads_for_pattern(None, None, None, graph), None) is None:
            store.remove_graph(graph)
            kept.discard(graph.value)
    if tidy:
        store.optimize()
    store.flush()
    return kept


def _as_stored(lines: str) -> set[ox.Quad]:
    """Return the quads as the engine gives them back: it keeps numbers by value (1.0 as 1)."""
    import pyoxigraph as ox

    store = ox.Store()
    store.load(lines, format=ox.RdfFormat.N_QUADS, lenient=True)
    return set(store)


def _told(before: CurrentGraph, states: Mapping[int, str]) -> CurrentGraph:
    """Note what the documents' states are now, as nothing else has changed."""
    if states != read_states(before):
        write(before.path / STATES, state_lines(states))
    return before


def _named(quads: Iterable[ox.Quad]) -> int:
    import pyoxigraph as ox

    return sum(not isinstance(quad.graph_name, ox.DefaultGraph) for quad in quads)


def _among(graphs: set[str], *of: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(graphs.intersection(set().union(*of))))
