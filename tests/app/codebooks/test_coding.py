"""Decisions about codings: applied at once, learnt from, taken back by undo."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.codebooks.coding import Corrected, correct, read_corrections
from app.codebooks.operations import merge, undo
from app.errors import UsageError
from app.reviews import Question, review
from app.settings import load_settings
from db.rows import CodebookRow
from db.store import Store


def _now(store: Store, book: CodebookRow) -> CodebookRow:
    return store.codebook(book.collection_id)


def _themes_at(store: Store, book: CodebookRow, document: str, start: int) -> list[tuple[str, str]]:
    keys = {fact.id: fact.key for fact in store.document_facts(book.collection_id)}
    labels = {theme.id: theme.label for theme in store.themes(book.id)}
    return [
        (labels[row.theme_id], row.method)
        for row in store.assignments(book.id)
        if (keys[row.document_id], row.start) == (document, start)
    ]


def test_corrections_of_every_kind_in_one_version(store: Store, book: CodebookRow) -> None:
    version, changed = correct(
        store,
        book,
        [
            Corrected("a", 0, 18, "Trees", "Buses", "about stops"),
            Corrected("b", 0, 15, "Buses", ""),
            Corrected("b", 16, 26, "Trees", "Trees"),
            Corrected("c", 0, 16, "", "Buses"),
        ],
        author="ana",
    )
    assert version == 2
    assert changed > 0
    assert _themes_at(store, book, "a", 0) == [("Buses", "person")]
    assert _themes_at(store, book, "b", 0) == []
    assert _themes_at(store, book, "b", 16) == [("Trees", "person")]
    assert _themes_at(store, book, "c", 0) == [("Trees", "found"), ("Buses", "person")]
    assert store.codebook_versions(book.id)[-1].author == "ana"
    made = store.decisions(collection_id=book.collection_id)
    assert [row.verdict for row in made] == ["corrected", "rejected", "accepted", "added"]


def test_undo_takes_the_decisions_back_too(store: Store, book: CodebookRow) -> None:
    before = [(r.theme_id, r.document_id, r.start, r.method) for r in store.assignments(book.id)]
    correct(store, book, [Corrected("a", 0, 18, "Trees", "Buses")], author="ana")
    undo(store, _now(store, book), author="ana")
    after = [(r.theme_id, r.document_id, r.start, r.method) for r in store.assignments(book.id)]
    assert after == before
    assert store.decisions(collection_id=book.collection_id) == []


def test_a_decision_counts_for_the_theme_that_took_the_other_in(
    store: Store, book: CodebookRow
) -> None:
    correct(store, book, [Corrected("c", 0, 16, "Trees", "Buses")], author="ana")
    merge(store, _now(store, book), ["Trees", "Buses"], author="ana")
    correct(store, _now(store, book), [Corrected("b", 0, 15, "Trees", "Trees")], author="ana")
    assert _themes_at(store, book, "c", 0) == [("Trees", "person")]


def test_nothing_is_stored_where_one_correction_is_wrong(store: Store, book: CodebookRow) -> None:
    good = Corrected("a", 0, 18, "Trees", "Buses")
    for bad, said in (
        (Corrected("z", 0, 3, "Trees", ""), "no response 'z'"),
        (Corrected("a", 0, 999, "Trees", ""), "0 to 999 is no place in response 'a'"),
        (Corrected("a", 0, 18, "Noise", ""), "No theme 'Noise'"),
    ):
        with pytest.raises(UsageError, match=said):
            correct(store, book, [good, bad], author="ana")
    assert store.decisions(collection_id=book.collection_id) == []
    assert _now(store, book).version == 1


def test_a_review_of_a_coding_changes_it_at_once(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    url = store.engine.url.render_as_string(hide_password=False)
    settings = load_settings(home=tmp_path / "home", database_url=url)
    row = store.assignments(book.id)[0]
    question = Question(f"coding-{row.id}", "rejected", reviewer="ben", reason="not about trees")
    assert review(settings, store, question).decision.verdict == "rejected"
    assert _themes_at(store, book, "a", 0) == []
    assert _now(store, book).version == 2


def test_a_table_of_corrections_says_all_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("response,start,end,from,to\na,0,x,Trees,\nb,0,3,,\n", "utf-8")
    with pytest.raises(UsageError, match=r"line 2: start and end .* line 3: neither"):
        read_corrections(path)
    path.write_text("response,from,to\na,Trees,\n", "utf-8")
    with pytest.raises(UsageError, match="no column 'start'; no column 'end'"):
        read_corrections(path)
    path.write_text("response,start,end,from,to,reason\na,0,18,Trees,,wrong\n", "utf-8-sig")
    assert read_corrections(path) == [Corrected("a", 0, 18, "Trees", "", "wrong")]
