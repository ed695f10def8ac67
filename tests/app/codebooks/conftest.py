"""A small coded collection."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.engine import create_engine_for
from db.migrate import upgrade
from db.rows import AssignmentRow, CodebookRow
from db.store import Store
from tests.db.samples import collection, put

TEXTS = {
    "a": "More trees please. The bus is late.",
    "b": "Buses are fine. Trees too.",
    "c": "No trees at all!",
}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    engine = create_engine_for(f"sqlite:///{tmp_path / 'flo.db'}")
    upgrade(engine)
    return Store(engine)


@pytest.fixture
def book(store: Store) -> CodebookRow:
    """Return a codebook with three themes, trees and buses coded."""
    home = collection(store)
    put(store, home.id, TEXTS)
    ids = {row.key: row.id for row in store.documents_page(home.id).rows}
    made = store.create_codebook(home.id, "main")
    with store.change_codebook(made.id, "find", author="machine") as change:
        trees = change.add_theme("Trees", origin="found", details={"examples": ["More trees"]})
        buses = change.add_theme("Buses", origin="found")
        change.add_theme("Other", kind="other", origin="found")
        change.assign(
            [
                _coding(trees, ids["a"], "a", 0, 18, "for"),
                _coding(buses, ids["a"], "a", 19, 35, "against"),
                _coding(buses, ids["b"], "b", 0, 15, "for"),
                _coding(trees, ids["b"], "b", 16, 26, "for"),
                _coding(trees, ids["c"], "c", 0, 16, "against"),
            ]
        )
    return store.codebook(home.id)


def _coding(
    theme: int, document: int, key: str, start: int, end: int, stance: str
) -> AssignmentRow:
    return AssignmentRow(
        theme, document, start, end, TEXTS[key][start:end], 0.5, stance, "found", 0
    )
