"""Merge, rename, move, add, undo: each a version, none loses a coding."""

from __future__ import annotations

import pytest

from app.codebooks.operations import add, find_theme, merge, move, rename, restore, undo
from app.errors import UsageError
from db.errors import Locked
from db.rows import CodebookRow
from db.store import Store


def _now(store: Store, book: CodebookRow) -> CodebookRow:
    return store.codebook(book.collection_id)


def _labels(store: Store, book: CodebookRow) -> list[str]:
    return [theme.label for theme in store.themes(book.id)]


def test_a_theme_is_named_by_key_or_label(store: Store, book: CodebookRow) -> None:
    themes = store.themes(book.id)
    assert find_theme(themes, "t2").label == "Buses"
    assert find_theme(themes, " trees ").key == "t1"
    with pytest.raises(UsageError, match=r"No theme 'noise'.*t1 \(Trees\)"):
        find_theme(themes, "noise")


def test_merging_keeps_every_place_once(store: Store, book: CodebookRow) -> None:
    before = store.assignments(book.id)
    target = merge(store, book, ["Trees", "Buses"], author="ana", label="Trees and buses")
    themes = store.themes(book.id)
    assert [theme.label for theme in themes] == ["Trees and buses", "Other"]
    assert themes[0].details["merged"] == ["Buses"]
    after = store.assignments(book.id)
    assert {row.theme_id for row in after} == {target}
    assert [(r.document_id, r.start, r.end, r.text, r.stance) for r in after] == [
        (r.document_id, r.start, r.end, r.text, r.stance) for r in before
    ]
    version = store.codebook_versions(book.id)[-1]
    assert (version.action, version.author) == ("merge", "ana")
    assert version.detail == {"into": "t1", "from": ["t2"], "labels": ["Buses"]}


def test_a_persons_coding_wins_where_two_meet(store: Store, book: CodebookRow) -> None:
    rows = store.assignments(book.id)
    buses = find_theme(store.themes(book.id), "Buses")
    place = rows[0]
    with store.change_codebook(book.id, "code", author="ana") as change:
        from dataclasses import replace

        change.assign([replace(place, theme_id=buses.id, method="person", stance="neither")])
    merge(store, _now(store, book), ["Trees", "Buses"], author="ana")
    met = [r for r in store.assignments(book.id) if (r.start, r.end) == (place.start, place.end)]
    mine = [r for r in met if r.document_id == place.document_id]
    assert [(r.method, r.stance) for r in mine] == [("person", "neither")]


def test_undo_twice_goes_back_two_changes(store: Store, book: CodebookRow) -> None:
    before = store.assignments(book.id)
    rename(store, book, "Trees", "Street trees", author="ana")
    merge(store, _now(store, book), ["Street trees", "Buses"], author="ana")
    assert undo(store, _now(store, book), author="ana") == 2
    assert _labels(store, book) == ["Street trees", "Buses", "Other"]
    assert undo(store, _now(store, book), author="ana") == 1
    assert _labels(store, book) == ["Trees", "Buses", "Other"]
    assert [(r.theme_id, r.document_id, r.start) for r in store.assignments(book.id)] == [
        (r.theme_id, r.document_id, r.start) for r in before
    ]
    assert [v.action for v in store.codebook_versions(book.id)] == [
        *("find", "rename", "merge", "undo", "undo")
    ]


def test_undo_of_everything_then_nothing_is_left_to_undo(store: Store, book: CodebookRow) -> None:
    assert undo(store, book, author="ana") == 0
    assert _labels(store, book) == []
    with pytest.raises(UsageError, match="Nothing to undo"):
        undo(store, _now(store, book), author="ana")
    restore(store, _now(store, book), 1, author="ana")
    assert _labels(store, book) == ["Trees", "Buses", "Other"]


def test_changes_after_sign_off_are_new_versions(store: Store, book: CodebookRow) -> None:
    store.sign_off(book.id, "ana")
    rename(store, book, "t1", "Planting", author="ben", description="Trees along streets.")
    versions = store.codebook_versions(book.id)
    assert [v.signed_off_by for v in versions] == ["ana", ""]
    assert [t.label for t in store.themes(book.id, 1)] == ["Trees", "Buses", "Other"]
    assert store.themes(book.id)[0].description == "Trees along streets."


def test_the_hierarchy_has_no_circles_and_survives_a_merge(store: Store, book: CodebookRow) -> None:
    add(store, book, "Planting", author="ana", parent="Trees")
    with pytest.raises(UsageError, match="itself or under it"):
        move(store, _now(store, book), "Trees", "Planting", author="ana")
    move(store, _now(store, book), "Buses", "Trees", author="ana")
    with pytest.raises(UsageError, match="name the upper one first"):
        merge(store, _now(store, book), ["Buses", "Trees"], author="ana")
    themes = store.themes(book.id)
    trees = find_theme(themes, "Trees")
    assert {t.label for t in themes if t.parent_id == trees.id} == {"Planting", "Buses"}
    add(store, _now(store, book), "Parks", author="ana")
    merge(store, _now(store, book), ["Parks", "Trees"], author="ana")
    themes = store.themes(book.id)
    parks = find_theme(themes, "Parks")
    assert {t.label for t in themes if t.parent_id == parks.id} == {"Planting", "Buses"}


def test_what_does_not_fit_is_refused_with_the_reason(store: Store, book: CodebookRow) -> None:
    with pytest.raises(UsageError, match="t2's already"):
        rename(store, book, "Trees", "buses", author="ana")
    with pytest.raises(UsageError, match="the place for what no theme fits"):
        rename(store, book, "Trees", "other", author="ana")
    with pytest.raises(UsageError, match="stays outside the tree"):
        move(store, book, "Trees", "Other", author="ana")
    with pytest.raises(UsageError, match="cannot be empty"):
        add(store, book, "  ", author="ana")
    with pytest.raises(UsageError, match="Nothing to change"):
        rename(store, book, "Trees", None, author="ana")
    with pytest.raises(UsageError, match="two or more different"):
        merge(store, book, ["Trees", "t1"], author="ana")
    with pytest.raises(UsageError, match="cannot be merged"):
        merge(store, book, ["Trees", "Other"], author="ana")
    with pytest.raises(UsageError, match="no version 7"):
        restore(store, book, 7, author="ana")
    assert store.codebook(book.collection_id).version == 1


def test_a_change_on_an_outdated_view_is_refused(store: Store, book: CodebookRow) -> None:
    rename(store, book, "Trees", "Planting", author="ana")
    with pytest.raises(Locked, match="someone changed it meanwhile"):
        merge(store, book, ["t1", "t2"], author="ben")


def test_no_theme_comes_under_itself_by_a_merge(store: Store, book: CodebookRow) -> None:
    with store.change_codebook(book.id, "import", author="ana") as change:
        top = change.add_theme("Top")
        middle = change.add_theme("Middle", parent_id=top)
        change.add_theme("Low", parent_id=middle)
    with pytest.raises(UsageError, match="'Low' is under a theme it would take in"):
        merge(store, store.codebook(book.collection_id), ["Low", "Top"], author="ana")
