"""A finished store from a few N-Quads: for tests of what is asked, not of what is stored."""

from __future__ import annotations

from pathlib import Path

from ontology.graphstore import LAYOUT, Manifest
from ontology.graphstore.folder import finish, next_folder


def graph_folder(folder: Path, nquads: str = "", *, both: bool = False) -> Path:
    """Write a store of ``nquads`` into ``folder`` and point readers to it; return ``folder``.

    With ``both`` named graphs are the default graph as well.
    """
    import pyoxigraph as ox

    folder.mkdir(parents=True, exist_ok=True)
    place = next_folder(folder)
    place.mkdir()
    store = ox.Store(str(place / "db"))
    quads = list(ox.parse(nquads, format=ox.RdfFormat.N_QUADS))
    store.extend(quads)
    if both:
        store.extend(ox.Quad(each.subject, each.predicate, each.object) for each in quads)
    store.flush()
    graphs = sorted({str(each.graph_name.value) for each in quads if _named(each)})
    del store
    finish(folder, place, Manifest(LAYOUT, "", len(quads), 0.0, tuple(graphs), (), ()), {})
    return folder


def _named(quad: object) -> bool:
    import pyoxigraph as ox

    return isinstance(getattr(quad, "graph_name", None), ox.NamedNode)
