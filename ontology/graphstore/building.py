"""Build the graph whole: into a new folder, optimised, then switched in."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ontology import terms
from ontology.errors import OntologyError
from ontology.graph import GraphSnapshot
from ontology.graphstore.folder import (
    LAYOUT,
    CurrentGraph,
    Manifest,
    finish,
    next_folder,
    sweep,
)
from ontology.graphstore.loading import load
from ontology.graphstore.lock import Writer, writing
from ontology.quads import GraphNames, nquads

if TYPE_CHECKING:
    import pyoxigraph as ox


def build(
    graph_dir: Path, snapshot: GraphSnapshot, *, states: Mapping[int, str] | None = None
) -> CurrentGraph:
    """Build a store from ``snapshot``, switch the pointer to it and return it.

    ``states`` says of each document what it was read in; with them later changes can be brought
    in one by one. Older stores are removed unless a reader holds them; the next build removes
    those. Raises GraphLocked when another process is building, OntologyError when the disk does
    not play along; the graph before then stays in place.
    """
    with writing(graph_dir) as writer:
        return build_as(writer, snapshot, states=states or {})


def build_as(writer: Writer, snapshot: GraphSnapshot, *, states: Mapping[int, str]) -> CurrentGraph:
    """Build as :func:`build` does, for one who holds the write lock already."""
    with new_store(writer.graph_dir) as folder:
        manifest = _fill(folder / "db", snapshot, len(states))
        finish(writer.graph_dir, folder, manifest, states)
    sweep(writer.graph_dir)
    return CurrentGraph(folder, folder / "db", manifest)


@contextmanager
def new_store(graph_dir: Path) -> Iterator[Path]:
    """Make the folder of the next store; whatever goes wrong in the block, it is removed again."""
    folder = next_folder(graph_dir)
    try:
        folder.mkdir()
        yield folder
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise OntologyError(
            f"the graph could not be written to {folder}: {error}; expected a writable folder "
            "with room. The previous graph is still in place. Try: df -h and graph rebuild"
        ) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def basis(snapshot: GraphSnapshot) -> str:
    """Return a mark of what every document's statements depend on.

    The versions of the ontologies in order, as the default graph shows each concept as the first
    version that has it; and which collections keep their text private.
    """
    parts = [terms.ontology_version(each.id, each.sha256) for each in snapshot.ontologies]
    parts += [f"private {each.id}" for each in snapshot.collections if each.text_private]
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()[:32]


def _fill(db: Path, snapshot: GraphSnapshot, documents: int) -> Manifest:
    import pyoxigraph as ox

    began = time.monotonic()
    names = GraphNames()
    store = ox.Store(str(db))
    load(store, nquads(snapshot, names))
    store.optimize()
    store.flush()
    quads = len(store) - _in_default(store)
    del store
    return Manifest(
        layout=LAYOUT,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
        quads=quads,
        seconds=round(time.monotonic() - began, 3),
        graphs=tuple(sorted(names.seen)),
        private=tuple(sorted(names.private & names.seen)),
        superseded=tuple(sorted(names.superseded & names.seen)),
        basis=basis(snapshot),
        documents=documents,
    )


def _in_default(store: ox.Store) -> int:
    import pyoxigraph as ox

    counted = store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert isinstance(counted, ox.QuerySolutions)
    return int(next(counted)["n"].value)
