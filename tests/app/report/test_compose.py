"""A report put together from a small coded collection: figures, both bases, quotes, audit."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.codebooks.operations import merge
from app.report.blocks import Bars, Quote, Report, Table
from app.report.compose import Wanted, compose
from app.report.figures import coded, crosstab, side_of
from db.engine import create_engine_for
from db.migrate import upgrade
from db.rows import AssignmentRow, CampaignMemberRow, CampaignRow, CodebookRow, DecisionInput
from db.store import Store
from tests.db.samples import collection, doc, source

TEXTS = {
    "r1": "More trees please. The bus is late.",
    "r2": "Plant trees now.",
    "r3": "Plant trees now.",
    "r4": "No trees at all!",
    "r5": "Yes.",
}
WARDS = {"r1": "North", "r2": "North", "r3": "South", "r4": "South", "r5": ""}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return a store with five responses, a codebook, and two copies."""
    engine = create_engine_for(f"sqlite:///{tmp_path / 'flo.db'}")
    upgrade(engine)
    store = Store(engine)
    home = collection(store)
    store.put_file(
        home.id,
        source(
            columns=({"name": "Ward", "role": "demographic"}, {"name": "text", "role": "free_text"})
        ),
        [doc(key, text, metadata={"Ward": WARDS[key]}) for key, text in TEXTS.items()],
    )
    ids = {row.key: row.id for row in store.documents_page(home.id).rows}
    book = store.create_codebook(home.id, "main")
    with store.change_codebook(book.id, "find", author="machine") as change:
        trees = change.add_theme("Trees", description="About trees.", origin="found")
        buses = change.add_theme("Buses", origin="found")
        silent = change.add_theme("No reason given", kind="no-reason", origin="found")

        def code(theme: int, key: str, start: int, end: int, stance: str) -> AssignmentRow:
            words = TEXTS[key][start:end]
            return AssignmentRow(theme, ids[key], start, end, words, 0.5, stance, "found", 0)

        change.assign(
            [
                code(trees, "r1", 0, 18, "for"),
                code(buses, "r1", 19, 35, "against"),
                code(trees, "r2", 0, 16, "for"),
                code(trees, "r3", 0, 16, "for"),
                code(trees, "r4", 0, 16, "against"),
                code(silent, "r5", 0, 4, ""),
            ]
        )
    members = tuple(CampaignMemberRow(ids[key], 1.0, True, ()) for key in ("r2", "r3"))
    made = datetime(2026, 1, 2, tzinfo=UTC)
    row = CampaignRow(0, home.id, "copy", None, TEXTS["r2"], "By their words.", {}, made, members)
    store.save_campaigns(home.id, [row])
    return store


def _book(store: Store) -> CodebookRow:
    return store.codebook(store.collection("parks").id)


def _report(store: Store, wanted: Wanted | None = None) -> Report:
    home, book = store.collection("parks"), _book(store)
    trees = store.themes(book.id)[0]
    row = store.assignments(book.id, theme_id=trees.id)[0]
    quotes = {trees.id: [Quote(row.text, "r1", row.document_id, row.start, row.end, "Trees, for")]}
    return compose(store, home, book, wanted or Wanted(threshold=0), quotes)


def _table(report: Report, name: str) -> Table:
    return next(table for table in report.tables() if table.name == name)


def test_themes_are_counted_on_both_bases(store: Store) -> None:
    table = _table(_report(store), "Themes")
    assert [column.name for column in table.columns][:4] == ["id", "theme", "responses", "for"]
    assert table.rows[0] == ("t1", "Trees", 4, 3, 1, 0, 0, 0, 3, 2, 1, 0, 0, 0)
    assert table.rows[1] == ("t2", "Buses", 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0)


def test_coverage_adds_up(store: Store) -> None:
    rows = dict(_table(_report(store), "Coverage").rows)  # type: ignore[arg-type]
    assert rows["Responses"] == 5
    assert rows["Responses with a theme"] == 4
    assert rows["Responses that give no reason"] == 1
    assert rows["Responses in them"] == 2
    assert rows["Responses with each campaign counted once"] == 4


def test_a_crosstab_has_every_response_and_hides_small_cells(store: Store) -> None:
    tables = [t for t in _report(store).tables() if t.name == "By Ward"]
    assert [t.title.rpartition("(")[2] for t in tables] == [
        "all responses)",
        "campaigns counted once)",
    ]
    assert [column.name for column in tables[0].columns] == [
        *("theme", "North", "South", "(not given)", "sum")
    ]
    assert tables[0].rows[0] == ("Trees", 2, 2, 0, 4)
    assert tables[1].rows[0] == ("Trees", 2, 2, 0, 4)  # one copy in each ward
    assert tables[0].rows[-1] == ("(none of these)", 0, 0, 0, 0)
    hidden = next(t for t in _report(store, Wanted(threshold=10)).tables() if t.name == "By Ward")
    assert set(hidden.rows[0][1:]) <= {"[c]", 0}
    assert any("hidden" in note for note in hidden.notes)


def test_several_answers_of_one_cell_count_under_each(store: Store) -> None:
    book = _book(store)
    facts = [
        replace(fact, metadata={"Mode": "bus; walk" if fact.key == "r1" else "walk"})
        for fact in store.document_facts(book.collection_id)
    ]
    themes = [(0, theme) for theme in store.themes(book.id)]
    table = crosstab(
        themes, coded(store.assignments(book.id), {}), facts, "Mode", separator=";", threshold=0
    )
    assert table.rows[0] == ("Trees", 1, 4, 5)
    assert any("several answers" in note for note in table.notes)


def test_the_audit_tells_what_a_person_changed(store: Store) -> None:
    book = _book(store)
    rows = store.assignments(book.id)
    trees, buses, _ = store.themes(book.id)
    row = next(row for row in rows if row.theme_id == buses.id)
    store.decide(
        DecisionInput(
            row.document_id,
            "theme",
            "main",
            buses.key,
            row.start,
            row.end,
            row.text,
            "corrected",
            "ana",
            "about trees after all",
            {
                "scheme": "main",
                "item": trees.key,
                "start": row.start,
                "end": row.end,
                "text": row.text,
            },
        )
    )
    with store.change_codebook(book.id, "correct", author="ana") as change:
        change.end_assignments([row.id])
        change.assign([replace(row, theme_id=trees.id, method="person")])
    report = _report(store)
    audit = {(r[0], r[2]): r for r in _table(report, "Audit").rows}
    assert audit["r1", 19] == (
        *("r1", "The bus is late.", 19, 35, "Buses", "Trees", "yes", "ana"),
        "corrected: about trees after all",
    )
    assert audit["r2", 0][4:] == ("Trees", "Trees", "no", "", "")
    history = _table(report, "Codebook history").rows
    assert [line[1] for line in history] == ["find", "correct"]


def test_a_report_can_be_made_of_an_earlier_version(store: Store) -> None:
    merge(store, _book(store), ["Trees", "Buses"], author="ana", label="Green transport")
    now = _table(_report(store), "Themes").rows
    assert [row[1] for row in now] == ["Green transport", "No reason given"]
    before = _table(_report(store, Wanted(version=1, threshold=0)), "Themes").rows
    assert [row[1] for row in before] == ["Trees", "Buses", "No reason given"]
    assert "version 1" in _report(store, Wanted(version=1)).subtitle


def test_the_same_store_gives_the_same_report(store: Store) -> None:
    assert _report(store) == _report(store)
    assert any(isinstance(block, Bars) for block in _report(store).blocks)
    for quote in _report(store).quotes():
        text = store.document(quote.document_id).document.text
        assert text[quote.start : quote.end] == quote.text


def test_sides() -> None:
    assert side_of({"for", "neither"}) == "for"
    assert side_of({"for", "against"}) == "mixed"
    assert side_of({"mixed"}) == "mixed"
    assert side_of({""}) == "not assessed"
    assert side_of({"neither", ""}) == "neither"
