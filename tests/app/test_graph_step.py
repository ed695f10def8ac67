"""Small changes leave the graph that a fresh build gives, whatever happened in SQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyoxigraph as ox
import pytest
from sqlalchemy import update

from app.graph_mark import is_stale, mark_stale
from app.graph_step import bring_in_step
from app.projection import graph_snapshot, rebuild_graph
from db.models import Document
from ontology.errors import GraphLocked
from ontology.graphstore import CurrentGraph, build, changing, open_current, writing
from ontology.vocab import OA
from tests.app.graph_changes import Workspace, home

ANY = 1000.0
"""Share of the documents from which a build is made: never, here."""


def quads(graph: CurrentGraph) -> set[ox.Quad]:
    return set(ox.Store.read_only(str(graph.db)))


def assert_same_as_fresh(space: Workspace, found: CurrentGraph, folder: Path) -> None:
    with graph_snapshot(space.store) as snapshot:
        fresh = build(folder, snapshot)
    have, want = quads(found), quads(fresh)
    assert not have - want, sorted(map(str, have - want))[:20]
    assert not want - have, sorted(map(str, want - have))[:20]
    for name in ("quads", "graphs", "private", "superseded", "basis"):
        assert getattr(found.manifest, name) == getattr(fresh.manifest, name), name
    named = {str(each) for each in ox.Store.read_only(str(found.db)).named_graphs()}
    assert named == {f"<{each}>" for each in fresh.manifest.graphs}


def fill(space: Workspace, steps: int) -> None:
    space.read()
    space.run()
    for _ in range(steps):
        space.step()


@pytest.mark.parametrize(
    "seed", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (0, 1, 2, *range(4, 12)))]
)
def test_any_changes_leave_what_a_fresh_build_has(tmp_path: Path, seed: int) -> None:
    space = Workspace(home(tmp_path / "home"), seed)
    fill(space, 12)
    first = bring_in_step(space.settings, space.store)
    small = 0
    for step in range(6):
        names = [space.step() for _ in range(space.chance.randrange(1, 4))]
        found = bring_in_step(space.settings, space.store, share=ANY)
        small += found.manifest.changes > 0
        try:
            assert_same_as_fresh(space, found, tmp_path / f"fresh-{step}")
        except AssertionError as error:
            raise AssertionError(f"after {names}: {error}") from error
    assert small
    assert found.path != first.path


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    """Return a workspace of some documents with its graph."""
    space = Workspace(home(tmp_path / "home"), 3)
    for _ in range(12):
        space.read()
    fill(space, 6)
    bring_in_step(space.settings, space.store)
    return space


def one_decision(space: Workspace) -> int:
    """Add a decision; return its document."""
    while not (before := space.store.decisions()) or len(before) < 200:
        space.decide()
        after = space.store.decisions()
        if len(after) > len(before):
            return after[-1].document_id
    raise AssertionError("no decision was made")


def test_nothing_to_tell_leaves_the_store_where_it_is(space: Workspace) -> None:
    before = open_current(space.settings.graph_dir)
    assert bring_in_step(space.settings, space.store) == before


def test_few_documents_are_a_change_and_many_a_build(space: Workspace) -> None:
    before = open_current(space.settings.graph_dir).manifest
    assert before.documents >= 12
    one_decision(space)
    small = bring_in_step(space.settings, space.store).manifest
    assert (small.changes, small.changed, small.documents) == (1, 1, before.documents)
    with space.store.writing() as connection:
        connection.execute(update(Document).values(locator="elsewhere"))
    large = bring_in_step(space.settings, space.store).manifest
    assert (large.changes, large.changed) == (0, 0)


def test_changes_add_up_to_a_build(space: Workspace) -> None:
    counts = []
    for _ in range(12):
        one_decision(space)
        counts.append(bring_in_step(space.settings, space.store).manifest.changes)
    assert counts[0] == 1
    assert 0 in counts


def test_documents_that_the_caller_names_are_the_only_ones_looked_at(space: Workspace) -> None:
    first, second = one_decision(space), one_decision(space)
    while second == first:
        second = one_decision(space)
    found = bring_in_step(space.settings, space.store, documents=[first], share=ANY)
    assert found.manifest.changed == 1
    assert quads(found) != quads(bring_in_step(space.settings, space.store, share=ANY))


def test_a_mark_of_another_change_makes_it_look_at_all(space: Workspace, tmp_path: Path) -> None:
    first = one_decision(space)
    one_decision(space)
    mark_stale(space.settings)
    found = bring_in_step(space.settings, space.store, documents=[first], share=ANY)
    assert_same_as_fresh(space, found, tmp_path / "fresh")
    assert not is_stale(space.settings)


def test_another_version_of_a_vocabulary_is_a_build(space: Workspace, tmp_path: Path) -> None:
    space.vocabulary("v2")
    found = bring_in_step(space.settings, space.store)
    assert found.manifest.changes == 0
    assert_same_as_fresh(space, found, tmp_path / "fresh")


def test_private_text_stays_apart_when_a_collection_becomes_private(
    space: Workspace, tmp_path: Path
) -> None:
    space.store.ensure_collection("open", recipe="general", text_private=True)
    found = bring_in_step(space.settings, space.store, share=ANY)
    assert_same_as_fresh(space, found, tmp_path / "fresh")
    words = ox.NamedNode(f"{OA}exact")
    open_ones = ox.Store.read_only(str(found.db)).quads_for_pattern(
        None, words, None, ox.DefaultGraph()
    )
    assert not list(open_ones)


def test_a_store_that_was_put_in_order_is_the_same(
    space: Workspace, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(changing, "TIDY", 1)
    one_decision(space)
    found = bring_in_step(space.settings, space.store)
    assert found.manifest.changes == 1
    assert_same_as_fresh(space, found, tmp_path / "fresh")


def test_another_writer_is_waited_for_and_then_named(space: Workspace) -> None:
    with writing(space.settings.graph_dir), pytest.raises(GraphLocked, match="--wait"):
        bring_in_step(space.settings, space.store, wait=0.2)


def test_a_lost_state_file_is_a_build(space: Workspace, tmp_path: Path) -> None:
    (open_current(space.settings.graph_dir).path / "documents").unlink()
    one_decision(space)
    found = bring_in_step(space.settings, space.store)
    assert found.manifest.changes == 0
    assert_same_as_fresh(space, found, tmp_path / "fresh")


def test_two_at_once_take_turns(space: Workspace, tmp_path: Path) -> None:
    one_decision(space)
    with ThreadPoolExecutor(2) as threads:
        steps = [threads.submit(bring_in_step, space.settings, space.store, share=ANY)]
        one_decision(space)
        steps.append(threads.submit(bring_in_step, space.settings, space.store, share=ANY))
        for each in steps:
            each.result(60)
    found = open_current(space.settings.graph_dir)
    assert_same_as_fresh(space, found, tmp_path / "fresh")


def test_a_rebuild_may_wait_for_another_writer(space: Workspace, florilegium) -> None:
    here = ("--home", space.settings.home, "--json")
    with ThreadPoolExecutor(1) as threads:
        with writing(space.settings.graph_dir):
            refused = florilegium("graph", "rebuild", *here)
            assert refused.code == 75
            assert "graph rebuild --wait" in refused.err
            waits = threads.submit(rebuild_graph, space.settings, space.store, wait=60)
            assert not waits.done()
        assert waits.result(60).path.exists()
    assert florilegium("graph", "rebuild", "--wait", "5", *here).json["quads"] > 100
