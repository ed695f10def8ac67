"""Decisions about codings: applied at once, learnt from, taken back by undo."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.codebooks.coding import Corrected, correct, read_corrections
from app.codebooks.operations import merge, undo
from app.errors import UsageError
from app.graph_mark import is_stale
from app.questions import ask
from app.review_targets import Question
from app.reviews import review, withdraw
from app.settings import load_settings
from db.errors import InvalidDecision
from db.rows import CodebookRow
from db.rows.questions import Asked
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


def _asked(target: str, verdict: str, value: str = "") -> Question:
    return Question(target=target, verdict=verdict, value=value, reviewer="ana")


def test_a_second_thought_takes_the_first_ones_theme_away(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    here = load_settings(home=tmp_path)
    coding = f"coding-{store.assignments(book.id)[0].id}"
    review(here, store, _asked(coding, "corrected", "Buses"))
    assert _themes_at(store, book, "a", 0) == [("Buses", "person")]
    review(here, store, _asked(coding, "corrected", "Other"))
    assert _themes_at(store, book, "a", 0) == [("Other", "person")]
    review(here, store, _asked(coding, "rejected"))
    assert _themes_at(store, book, "a", 0) == []


def test_a_withdrawn_decision_leaves_nothing_in_the_codings(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    here = load_settings(home=tmp_path)
    before = [(r.theme_id, r.document_id, r.start, r.stance) for r in store.assignments(book.id)]
    coding = f"coding-{store.assignments(book.id)[0].id}"
    done = review(here, store, _asked(coding, "corrected", "Buses"))
    withdraw(here, store, done.decision.id)
    after = [(r.theme_id, r.document_id, r.start, r.stance) for r in store.assignments(book.id)]
    assert after == before
    version = _now(store, book).version
    withdraw(here, store, done.decision.id)
    assert _now(store, book).version == version


def test_what_another_reviewer_still_says_stays(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    here = load_settings(home=tmp_path)
    coding = f"coding-{store.assignments(book.id)[0].id}"
    done = review(here, store, _asked(coding, "corrected", "Buses"))
    other = Question(target=coding, verdict="corrected", value="Buses", reviewer="bea")
    review(here, store, other)
    withdraw(here, store, done.decision.id)
    assert _themes_at(store, book, "a", 0) == [("Buses", "person")]


def test_a_refused_decision_leaves_the_graph_in_step(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    here = load_settings(home=tmp_path)
    coding = f"coding-{store.assignments(book.id)[0].id}"
    review(here, store, _asked(coding, "accepted"))
    with pytest.raises(InvalidDecision):
        review(here, store, _asked(coding, "corrected", "Trees"))
    assert not is_stale(here)


def test_a_corrected_statement_is_counted_once(
    store: Store, book: CodebookRow, tmp_path: Path
) -> None:
    here = load_settings(home=tmp_path)
    coding = f"coding-{store.assignments(book.id)[0].id}"
    review(here, store, _asked(coding, "corrected", "Buses"))
    by_sql = store.question("themes-by-stance", Asked(limit=99))
    rows = {(row[2], row[3]): (row[4], row[5]) for row in by_sql.rows}
    assert rows["Buses", "not assessed"] == (1, 1)
    by_graph = ask(here, store, "themes-by-stance", {}, timeout=20)
    said = {
        (row["label"]["value"], row["stance"]["value"]): row["statements"]["value"]
        for row in json.loads(by_graph.body)["results"]["bindings"]
    }
    assert said == {key: str(count) for key, (_, count) in rows.items()}


def test_a_theme_called_other_in_a_file_is_the_place_there_is(
    store: Store, book: CodebookRow
) -> None:
    from app.codebooks.entries import Entry
    from app.codebooks.importing import take_over

    take_over(store, book, [Entry("Other"), Entry("Noise")], author="ana", source="c.csv")
    assert [theme.label for theme in store.themes(book.id)] == ["Trees", "Buses", "Other", "Noise"]
