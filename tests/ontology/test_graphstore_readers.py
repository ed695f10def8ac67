"""Readers keep the store they read; everything else goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.errors import GraphMissing
from ontology.graphstore import Change, apply, build, hold, open_current, sweep
from ontology.graphstore import folder as folders
from ontology.quads import nquads
from tests.ontology.snapshots import snapshot


def stores(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.glob("store-*"))


def test_a_store_that_is_held_stays_until_it_is_let_go(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    with hold(tmp_path) as graph:
        build(tmp_path, snapshot())
        build(tmp_path, snapshot())
        assert stores(tmp_path) == ["store-1", "store-3"]
        assert len(ox.Store.read_only(str(graph.db))) > 100
    build(tmp_path, snapshot())
    assert stores(tmp_path) == ["store-4"]


def test_several_readers_hold_one_store(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    with hold(tmp_path) as first:
        with hold(tmp_path) as second:
            assert first == second
        build(tmp_path, snapshot())
        assert first.path.exists()


def test_holding_follows_the_pointer(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    second = build(tmp_path, snapshot())
    with hold(tmp_path) as graph:
        assert graph == second


def test_a_store_that_goes_between_look_and_lock_is_not_held(tmp_path: Path, monkeypatch) -> None:
    build(tmp_path, snapshot())
    real, looks = folders.open_current, []

    def late(graph_dir: Path) -> object:
        found = real(graph_dir)
        looks.append(found.path.name)
        if len(looks) == 1:
            build(tmp_path, snapshot())
        return found

    monkeypatch.setattr(folders, "open_current", late)
    with hold(tmp_path) as graph:
        assert graph.path.name == "store-2"
    assert looks == ["store-1", "store-2"]


def test_a_pointer_that_moves_during_the_look_is_followed(tmp_path: Path, monkeypatch) -> None:
    build(tmp_path, snapshot())
    real, looks = folders.pointed, []

    def late(graph_dir: Path) -> str | None:
        found = real(graph_dir)
        looks.append(found)
        if len(looks) == 1:
            monkeypatch.setattr(folders, "pointed", real)
            build(tmp_path, snapshot())
            monkeypatch.setattr(folders, "pointed", late)
        return found

    monkeypatch.setattr(folders, "pointed", late)
    assert open_current(tmp_path).path.name == "store-2"
    assert looks == ["store-1", "store-2", "store-2"]


def test_nothing_to_hold_is_a_missing_graph(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing), hold(tmp_path):
        pass
    (build(tmp_path, snapshot()).path / "manifest.json").unlink()
    with pytest.raises(GraphMissing), hold(tmp_path):
        pass


def test_with_patience_at_its_end_a_held_store_goes_too(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    with hold(tmp_path):
        build(tmp_path, snapshot())
        assert sweep(tmp_path) == [tmp_path / "store-1"]
        assert sweep(tmp_path, patience=0.2) == []
        assert stores(tmp_path) == ["store-2"]


def test_an_open_store_still_answers_when_its_files_have_gone(tmp_path: Path) -> None:
    old = build(tmp_path, snapshot())
    reader = ox.Store.read_only(str(old.db))
    build(tmp_path, snapshot())
    assert not old.path.exists()
    assert len(reader) > 100


def test_a_change_leaves_the_files_of_the_store_before_as_they_were(tmp_path: Path) -> None:
    before = build(tmp_path, snapshot())
    with hold(tmp_path):
        files = {f.name: (f.stat().st_mtime_ns, f.read_bytes()) for f in before.db.iterdir()}
        for _ in range(2):
            smaller = snapshot().results
            assert isinstance(smaller, list)
            kept = smaller[:-1] if open_current(tmp_path) == before else smaller
            partial = replace(snapshot(), results=kept, partial=True)
            apply(tmp_path, Change([1, 2, 3], partial, {1: "a", 2: "b", 3: "c"}))
        assert {
            f.name: (f.stat().st_mtime_ns, f.read_bytes()) for f in before.db.iterdir()
        } == files
    now = open_current(tmp_path)
    assert now.manifest.changes == 2
    assert set(ox.Store.read_only(str(now.db))) == set(ox.Store.read_only(str(before.db)))
    lines = "".join(nquads(snapshot())).encode()
    fresh = ox.Store()
    fresh.load(lines, format=ox.RdfFormat.N_QUADS)
    assert set(ox.Store.read_only(str(now.db))) == set(fresh)
