"""Bring the graph in step with SQL: a small change where few documents differ, else a build."""

from __future__ import annotations

import logging
from collections.abc import Collection

from app.graph_mark import current_mark, unmark
from app.projection import build_graph, graph_snapshot
from app.settings import Settings
from db.store import Store
from ontology.errors import GraphMissing
from ontology.graphstore import (
    Change,
    CurrentGraph,
    OtherBasis,
    Writer,
    apply_as,
    open_current,
    read_states,
    sweep,
    writing,
)

log = logging.getLogger(__name__)

SHARE = 0.2
"""Share of the documents, with those changed since the last build, from which a build is cheaper."""
MOST = 1_000
"""Documents of one small change: it is held in memory, about 1 MB for five documents."""
WAIT = 20.0
"""Seconds to stay for another process that writes to the graph: for small changes, not builds."""
PATIENCE = 30.0
"""Seconds that readers of an older store have to let go of it when words have to go."""


def bring_in_step(
    settings: Settings,
    store: Store,
    documents: Collection[int] | None = None,
    *,
    erased: bool = False,
    wait: float | None = None,
    share: float = SHARE,
) -> CurrentGraph:
    """Bring the graph in step with the database, and switch readers to it.

    Which documents differ is found out; ``documents`` are those the caller knows to be the only
    ones, which saves looking at the others. It is not relied on while the graph is marked as
    behind. With ``erased`` the graph is built anew and the older stores go at once, as the engine
    keeps the words of removed statements. Raises GraphLocked when another process still writes
    after ``wait`` seconds (WAIT), OntologyError when the disk does not play along: the graph before then
    stays in place, and marked as behind if it was.
    """
    with writing(settings.graph_dir, wait=WAIT if wait is None else wait) as writer:
        marked = current_mark(settings)
        found = None
        if not erased:
            found = _changed(writer, store, None if marked else documents, share)
        if found is None:
            found = build_graph(writer, store)
        if erased:
            sweep(settings.graph_dir, patience=PATIENCE)
        unmark(settings, marked)
        return found


def _changed(
    writer: Writer, store: Store, documents: Collection[int] | None, share: float
) -> CurrentGraph | None:
    """Return the graph with a small change brought in; ``None`` where it has to be built."""
    try:
        graph = open_current(writer.graph_dir)
    except GraphMissing:
        return None
    before = read_states(graph)
    now = store.graph_states(None if documents is None else sorted(documents))
    looked_at = set(documents) if documents is not None else before.keys() | now.keys()
    differ = [id for id in looked_at if before.get(id) != now.get(id)]
    manifest = graph.manifest
    if not manifest.documents or len(differ) > MOST:
        return None
    if manifest.changed + len(differ) > share * manifest.documents:
        return None
    try:
        with graph_snapshot(store, sorted(differ)) as snapshot:
            states = {id: now[id] for id in differ if id in now}
            return apply_as(writer, Change(differ, snapshot, states))
    except OtherBasis:
        log.info("the graph rests on other ontologies or rules; it is built anew")
        return None
