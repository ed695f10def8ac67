"""After an erasure no file of the graph holds the words, and no older store is left."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from sqlalchemy import delete

from app import graph_step
from app.graph_mark import is_stale, mark_stale
from app.graph_step import bring_in_step
from db.models import Document
from db.rows import ResultInput, TagRow
from ontology.graphstore import hold, open_current
from ontology.terms import document
from tests.app.graph_changes import Workspace, home
from tests.db.samples import doc, source

MARKER = "kQ7zLw2XbV9tRm4YcN8sPj5HdG3fA6uE1oJ0iTqW"
"""Letters in no order: the engine's compression cannot but keep them as they are."""


def holding(folder: Path) -> list[str]:
    """Return the files that hold the marker's letters."""
    files = (each for each in folder.rglob("*") if each.is_file())
    return sorted(each.name for each in files if MARKER[4:36].encode() in each.read_bytes())


def said(store: Path) -> bool:
    """Tell whether any statement holds the marker."""
    return any(MARKER in str(quad) for quad in ox.Store.read_only(str(store)))


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    """Return a workspace with five documents, the first of them with the marker, and its graph."""
    space = Workspace(home(tmp_path / "home"), 1)
    where = space.collections[1]
    texts = [f"It says {MARKER} here."] + ["Nothing much."] * 4
    space.store.put_file(where, source(), [doc(f"k{n}", text) for n, text in enumerate(texts)])
    run = space.store.start_run(where, recipe="general", fingerprint="f", details={})
    rows = [row for some in space.store.pending(where, fingerprint="f").batches for row in some]
    batch = [(row, ResultInput("processed", tags=(_whole(row.text),))) for row in rows]
    space.store.save_results(run, recipe="general", fingerprint="f", batch=batch)
    bring_in_step(space.settings, space.store)
    return space


def _whole(text: str) -> TagRow:
    return TagRow("v", "https://example.org/c/n3", "", "", 0, len(text), text, 0.5, "label")


def forget(space: Workspace) -> int:
    """Delete the marked document from SQL; return its number."""
    with space.store.writing() as connection:
        gone = delete(Document).where(Document.text.contains(MARKER)).returning(Document.id)
        return int(connection.execute(gone).scalar_one())


def test_nothing_of_a_forgotten_document_is_left(space: Workspace) -> None:
    folder = space.settings.graph_dir
    before = open_current(folder)
    assert holding(folder)
    assert said(before.db)
    mark_stale(space.settings)
    id = forget(space)
    now = bring_in_step(space.settings, space.store, erased=True)
    assert not is_stale(space.settings)
    assert [each.name for each in folder.glob("store-*")] == [now.path.name]
    assert now.path != before.path
    assert not holding(folder)
    assert not said(now.db)
    told = ox.NamedNode(document(id))
    assert not list(ox.Store.read_only(str(now.db)).quads_for_pattern(told, None, None, None))


def test_a_change_alone_would_keep_the_words_in_the_files(space: Workspace) -> None:
    forget(space)
    now = bring_in_step(space.settings, space.store, share=1000)
    assert now.manifest.changes == 1
    assert not said(now.db)
    assert holding(now.path)
    erased = bring_in_step(space.settings, space.store, erased=True)
    assert erased.manifest.changes == 0
    assert not holding(space.settings.graph_dir)


def test_a_reader_that_does_not_let_go_loses_its_store(space: Workspace, monkeypatch) -> None:
    monkeypatch.setattr(graph_step, "PATIENCE", 0.2)
    forget(space)
    with hold(space.settings.graph_dir) as held:
        bring_in_step(space.settings, space.store, erased=True)
        assert not held.path.exists()
    assert not holding(space.settings.graph_dir)
