"""The graphs of the sample collections conform to the shapes, with what people and groups add."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from app.graph_check import check_graph
from app.projection import graph_snapshot, rebuild_graph
from app.settings import load_settings
from app.workspace import open_store
from db.store import Store
from ontology.graph import DocumentRecord, GraphSnapshot
from ontology.quads import GraphNames, nquads
from tests.app.graph_people import add_people
from tests.ontology.test_people_graph import runs_of_words
from tests.ontology.test_shapes import dump, load, violations

SOME = 12
"""Documents of each collection in the fast test."""


@pytest.fixture(scope="module")
def home(demo_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo workspace, copied, with decisions, codebooks, campaigns and summaries of groups."""
    home = tmp_path_factory.mktemp("shapes") / "home"
    home.mkdir()
    shutil.copy(demo_home / "florilegium.sqlite", home)
    store = open_store(load_settings(home=home))
    add_people(store)
    return home


@pytest.fixture(scope="module")
def store(home: Path) -> Store:
    """The store of that workspace."""
    return open_store(load_settings(home=home))


def in_memory(snapshot: GraphSnapshot) -> ox.Store:
    """Return the default graph of a snapshot."""
    return load("".join(nquads(snapshot)).encode())


def test_samples_conform_to_the_shapes(store: Store) -> None:
    with graph_snapshot(store) as snapshot:
        documents = [each for each in snapshot.documents if isinstance(each, DocumentRecord)]
        campaigns = {each.campaign_id for row in documents for each in row.memberships}
        shown = [row for row in documents if row.memberships or row.highlights]
        for collection in snapshot.collections:
            own = [row for row in documents if row.document.collection_id == collection.id]
            shown += [row for row in own[:SOME] if row not in shown]
        graph = in_memory(_of(snapshot, shown))
    assert campaigns
    assert len({row.document.collection_id for row in shown}) == 3
    assert violations(dump(graph)) == set()


def _of(snapshot: GraphSnapshot, documents: list[DocumentRecord]) -> GraphSnapshot:
    return replace(snapshot, documents=documents)


@pytest.mark.slow
def test_whole_samples_conform_to_the_shapes(store: Store) -> None:
    with graph_snapshot(store) as snapshot:
        graph = in_memory(snapshot)
    assert violations(dump(graph)) == set()


def test_the_graph_of_the_samples_says_the_same_as_the_database(home: Path, store: Store) -> None:
    settings = load_settings(home=home)
    rebuild_graph(settings, store)
    checked = check_graph(settings, store)
    assert (checked.state, checked.differences) == ("same", ())
    assert {each.collection for each in checked.counts} == {
        "consultation",
        "clinical",
        "historical",
    }


def test_no_words_of_a_sample_note_are_outside_the_private_graphs(store: Store) -> None:
    names = GraphNames()
    with graph_snapshot(store) as snapshot:
        private = {each.id for each in snapshot.collections if each.text_private}
        notes = [
            each
            for each in snapshot.documents
            if isinstance(each, DocumentRecord) and each.document.collection_id in private
        ]
        lines = "".join(nquads(_of(snapshot, notes), names)).splitlines()
        vocabularies = _vocabulary_words(snapshot)
    hidden = tuple(f"<{graph}> ." for graph in names.private)
    told = "\n".join(line.replace("\\n", " ") for line in lines if not line.endswith(hidden))
    assert private
    assert notes
    told_runs = runs_of_words(told) - vocabularies
    with store.export() as export:
        texts = [
            each.document.text
            for each in export.documents
            if each.document.collection_id in private
        ]
    assert len(texts) == len(notes)
    for text in texts:
        assert runs_of_words(text) & told_runs == set()


def _vocabulary_words(snapshot: GraphSnapshot) -> set[str]:
    """Return the runs of words of the vocabularies' own labels and definitions."""
    bare = replace(snapshot, documents=(), codebooks=(), campaigns=(), summaries=())
    return runs_of_words("".join(nquads(bare)).replace("\\n", " "))
