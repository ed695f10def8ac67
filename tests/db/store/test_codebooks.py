"""Codebooks keep every version, and any of them can be read again."""

from __future__ import annotations

import random

import pytest

from db.errors import Locked, NotFound
from db.rows import AssignmentRow, ThemeRow
from db.store import Store
from db.store.codebook_changes import CodebookChange, undo_target
from tests.db.samples import collection, put

TEXTS = {
    "a": "More trees please. The bus is late.",
    "b": "Buses are fine.",
    "c": "No trees at all!",
}


def _coded(store: Store) -> tuple[int, dict[str, int]]:
    """Return a codebook with two themes, and the ids of three documents by key."""
    home = collection(store)
    put(store, home.id, TEXTS)
    ids = {row.key: row.id for row in store.documents_page(home.id).rows}
    book = store.create_codebook(home.id, "main")
    with store.change_codebook(book.id, "find", author="machine") as change:
        trees = change.add_theme("trees", origin="found", details={"phrases": ["more trees"]})
        buses = change.add_theme("buses", origin="found")
        change.assign(
            [
                coding(trees, ids["a"], 0, 18, "for"),
                coding(buses, ids["a"], 19, 35, "against"),
                coding(buses, ids["b"], 0, 15, "for"),
                coding(trees, ids["c"], 0, 16, "against"),
            ]
        )
    return book.id, ids


def coding(theme: int, document: int, start: int, end: int, stance: str = "") -> AssignmentRow:
    """Return a coding of a part of one of TEXTS by place."""
    return AssignmentRow(theme, document, start, end, "", 0.5, stance, "found", 0)


def _labels(themes: list[ThemeRow]) -> list[tuple[str, str]]:
    return [(theme.key, theme.label) for theme in themes]


def test_a_codebook_is_made_once_and_starts_empty(store: Store) -> None:
    home = collection(store)
    first = store.create_codebook(home.id, "main", question="Why?")
    assert first.version == 0
    assert store.create_codebook(home.id, "main", question="Another?") == first
    assert store.themes(first.id) == []
    assert store.codebook(home.id) == first


def test_an_unknown_codebook_is_named_with_those_there_are(store: Store) -> None:
    home = collection(store)
    with pytest.raises(NotFound, match="themes find parks"):
        store.codebook(home.id)
    store.create_codebook(home.id, "q1")
    store.create_codebook(home.id, "q2")
    with pytest.raises(NotFound, match=r"2 codebooks .*'q1', 'q2'.*--codebook"):
        store.codebook(home.id)
    with pytest.raises(NotFound, match="no codebook 'q3'"):
        store.codebook(home.id, "q3")


def test_every_version_can_be_read_again(store: Store) -> None:
    book, ids = _coded(store)
    trees, buses = (theme.id for theme in store.themes(book))
    with store.change_codebook(
        book, "rename", author="ana", detail={"to": "street trees"}
    ) as change:
        change.alter_theme(trees, label="street trees")
    with store.change_codebook(book, "merge", author="ana") as change:
        moved = store_ids(store, book, buses)
        change.end_assignments(moved)
        change.end_theme(buses)
        change.assign([coding(trees, ids["b"], 0, 15, "for")])
    assert _labels(store.themes(book)) == [("t1", "street trees")]
    assert _labels(store.themes(book, 2)) == [("t1", "street trees"), ("t2", "buses")]
    assert _labels(store.themes(book, 1)) == [("t1", "trees"), ("t2", "buses")]
    assert store.themes(book, 1)[0].details == {"phrases": ["more trees"]}
    assert len(store.assignments(book, version=1)) == 4
    assert [row.document_id for row in store.assignments(book)] == [ids["a"], ids["b"], ids["c"]]
    assert [v.action for v in store.codebook_versions(book)] == ["find", "rename", "merge"]
    assert store.codebook_versions(book)[1].detail == {"to": "street trees"}


def store_ids(store: Store, book: int, theme: int) -> list[int]:
    """Return the ids of what is coded with a theme."""
    return [row.id for row in store.assignments(book, theme_id=theme)]


def test_counts_are_of_documents_by_side(store: Store) -> None:
    book, ids = _coded(store)
    trees, buses = (theme.id for theme in store.themes(book))
    counts = store.theme_counts(book)
    assert (counts[trees].documents, counts[trees].statements) == (2, 2)
    assert (counts[trees].supporting, counts[trees].opposing, counts[trees].mixed) == (1, 1, 0)
    with store.change_codebook(book, "code", author="ana") as change:
        change.assign([coding(buses, ids["b"], 0, 5, "against"), coding(trees, ids["b"], 0, 5)])
    counts = store.theme_counts(book)
    assert (counts[buses].documents, counts[buses].statements) == (2, 3)
    assert (counts[buses].supporting, counts[buses].opposing, counts[buses].mixed) == (0, 1, 1)
    assert (counts[trees].neither, counts[trees].unassessed) == (0, 1)
    assert store.theme_counts(book, 1)[buses].mixed == 0


def test_a_failed_change_leaves_nothing(store: Store) -> None:
    book, _ = _coded(store)

    def spoil(change: CodebookChange) -> None:
        change.add_theme("half")
        raise ValueError("stop")

    with (
        pytest.raises(ValueError, match="stop"),
        store.change_codebook(book, "add", author="ana") as change,
    ):
        spoil(change)
    assert len(store.themes(book)) == 2
    assert [v.number for v in store.codebook_versions(book)] == [1]


def test_two_people_do_not_overwrite_each_other(store: Store) -> None:
    book, _ = _coded(store)
    with store.change_codebook(book, "add", author="ana", expected=1) as change:
        change.add_theme("noise")
    with (
        pytest.raises(Locked, match="at version 2, not 1"),
        store.change_codebook(book, "add", author="ben", expected=1) as change,
    ):
        change.add_theme("dust")
    assert [theme.label for theme in store.themes(book)] == ["trees", "buses", "noise"]


def test_sign_off_names_who_and_which_version(store: Store) -> None:
    book, _ = _coded(store)
    assert store.sign_off(book, "ana").signed_off_by == "ana"
    with store.change_codebook(book, "add", author="ben") as change:
        change.add_theme("noise")
    assert [v.signed_off_by for v in store.codebook_versions(book)] == ["ana", ""]


def test_undo_goes_back_change_by_change() -> None:
    assert undo_target([(1, "find")]) == 0
    assert undo_target([(1, "find"), (2, "merge")]) == 1
    assert undo_target([(1, "find"), (2, "merge"), (3, "undo")]) == 0
    assert undo_target([(1, "find"), (2, "merge"), (3, "undo"), (4, "split"), (5, "undo")]) == 0
    assert undo_target([(1, "find"), (2, "a"), (3, "b"), (4, "undo"), (5, "c")]) == 2
    assert undo_target([(1, "find"), (2, "undo")]) is None
    assert undo_target([]) is None


@pytest.mark.parametrize("seed", range(5))
def test_restoring_gives_back_exactly_what_was(store: Store, seed: int) -> None:
    """Random changes: afterwards each version reads as it did, and can be made present again."""
    book, ids = _coded(store)
    chance = random.Random(seed)
    seen = {0: _state(store, book, 0), 1: _state(store, book, None)}
    for number in range(2, 12):
        with store.change_codebook(book, "change", author="ana") as change:
            themes = [theme.id for theme in store.themes(book)]
            for _ in range(chance.randint(1, 3)):
                _change_something(chance, change, themes, store.assignments(book), ids)
            if chance.random() < 0.3:
                change.restore(chance.randrange(number))
        seen[number] = _state(store, book, None)
        for version, state in seen.items():
            assert _state(store, book, version) == state, f"version {version} after {number}"
    for version, state in seen.items():
        with store.change_codebook(book, "restore", author="ana") as change:
            change.restore(version)
        assert _state(store, book, None) == state


def _state(store: Store, book: int, version: int | None) -> object:
    themes = [(t.key, t.label, t.parent_id, dict(t.details)) for t in store.themes(book, version)]
    rows = store.assignments(book, version=version)
    return themes, sorted((r.theme_id, r.document_id, r.start, r.end, r.stance) for r in rows)


def _change_something(
    chance: random.Random,
    change: CodebookChange,
    themes: list[int],
    rows: list[AssignmentRow],
    ids: dict[str, int],
) -> None:
    what = chance.choice(("add", "alter", "end", "assign", "unassign"))
    if what == "add":
        new = change.add_theme(f"theme {chance.randrange(1000)}")
        change.assign([coding(new, chance.choice(list(ids.values())), 0, 4, "for")])
        if chance.random() < 0.3:
            change.alter_theme(new, description="made and changed at once")
        return
    if what == "unassign":
        change.end_assignments(row.id for row in rows if chance.random() < 0.4)
    elif themes:
        theme = themes.pop(chance.randrange(len(themes)))
        if what == "alter":
            change.alter_theme(theme, label=f"label {chance.randrange(1000)}")
            themes.append(theme)
        elif what == "end":
            change.end_theme(theme)
            change.end_assignments(row.id for row in rows if row.theme_id == theme)
        else:
            change.assign([coding(theme, chance.choice(list(ids.values())), 1, 5)])
            themes.append(theme)
