"""One scripted story: a codebook from its import to a report that survives a later run."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.report.audit import audit_table
from db.engine import create_engine_for
from db.rows import AssignmentRow, CodebookRow
from db.store import Store
from tests.app.conftest import Answer, call

CODEBOOK = """label,description,parent,examples
Traffic,Cars and through traffic on the roads,,
Speed,How fast people drive,Traffic,Cars speed past the school
Parking,Where cars stand and what it costs,,There is nowhere to park
Buses,Bus routes and how often they run,,The bus is never on time
Cycling,Cycle lanes and bicycles,,Please build more cycle lanes
Access,Getting about with a disability or a blue badge,,I need my car because of my disability
"""
ANSWERS = 20


@pytest.fixture
def home(demo_home: Path, tmp_path: Path) -> Path:
    """Return a copy of the demo workspace."""
    shutil.copytree(demo_home, tmp_path / "home")
    return tmp_path / "home"


def _store(home: Path) -> Store:
    return Store(create_engine_for(f"sqlite:///{home / 'florilegium.sqlite'}"))


def _book(store: Store) -> CodebookRow:
    return store.codebook(store.collection("consultation").id, "agreed")


def _coded(store: Store, book: CodebookRow) -> set[tuple[int, int, int, int]]:
    rows = store.assignments(book.id)
    return {(row.document_id, row.start, row.end, row.theme_id) for row in rows}


def test_what_people_decide_stands(home: Path, tmp_path: Path) -> None:
    def flor(*arguments: str | Path) -> Answer:
        answer = call("--home", home, "--quiet", *arguments)
        assert answer.code == 0, answer.err
        return answer

    store = _store(home)
    table = tmp_path / "codebook.csv"
    table.write_text(CODEBOOK, "utf-8")
    named = ("--codebook", "agreed")
    by = (*named, "--by", "ana")

    flor("themes", "import", "consultation", table, *by)
    book = _book(store)
    assert [v.action for v in store.codebook_versions(book.id)] == ["import", "map"]
    mapped = _coded(store, book)
    assert mapped

    flor("themes", "merge", "consultation", "Traffic", "Speed", *by)
    flor(
        "themes",
        "split",
        "consultation",
        "Buses",
        "--into",
        "Bus fares",
        "--into",
        "Bus times",
        *by,
    )
    labels = [theme.label for theme in store.themes(book.id) if theme.kind == "theme"]
    assert labels == ["Traffic", "Parking", "Cycling", "Access", "Bus fares", "Bus times"]
    flor("themes", "undo", "consultation", *by)
    labels = [theme.label for theme in store.themes(book.id) if theme.kind == "theme"]
    assert labels == ["Traffic", "Parking", "Buses", "Cycling", "Access"]

    corrected = _corrections(store, tmp_path / "corrections.csv")
    flor("themes", "correct", "consultation", tmp_path / "corrections.csv", *by)
    decided = _decided(store, corrected)
    assert decided == dict.fromkeys(decided, True)

    for _ in range(2):  # a later run, twice: the second finds nothing new
        flor("run", "--collection", "consultation")
        flor("themes", "map", "consultation", *named)
        flor("themes", "find", "consultation", *named)
        assert _decided(store, corrected) == decided
    number = _book(store).version
    flor("themes", "map", "consultation", *named)
    flor("themes", "find", "consultation", *named)
    assert _decided(store, corrected) == decided
    assert _book(store).version <= number + 2

    _audit_tells(store, corrected)


def _corrections(store: Store, path: Path) -> list[tuple[AssignmentRow, str, str]]:
    """Write twenty corrections of different kinds; return (coding, from, to)."""
    book = _book(store)
    themes = {theme.id: theme.label for theme in store.themes(book.id) if theme.kind == "theme"}
    keys = {fact.id: fact.key for fact in store.document_facts(book.collection_id)}
    rows = [row for row in store.assignments(book.id) if row.theme_id in themes]
    places = [(row.document_id, row.start) for row in rows]
    rows = [row for row in rows if places.count((row.document_id, row.start)) == 1][:ANSWERS]
    assert len(rows) == ANSWERS
    made = []
    for number, row in enumerate(rows):
        before = themes[row.theme_id]
        other = next(label for label in themes.values() if label != before)
        made.append((row, before, ("", before, other)[number % 3]))
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(("response", "start", "end", "from", "to", "reason"))
        for row, before, to in made:
            out.writerow((keys[row.document_id], row.start, row.end, before, to, "read again"))
    return made


def _decided(store: Store, corrected: list[tuple[AssignmentRow, str, str]]) -> dict[int, bool]:
    """Return for each corrected place whether what the person said is what stands."""
    book = _book(store)
    ids = {theme.label: theme.id for theme in store.themes(book.id)}
    now = _coded(store, book)
    answer = {}
    for row, before, to in corrected:
        place = (row.document_id, row.start, row.end)
        right = not to or (*place, ids[to]) in now
        if to != before:
            right = right and (*place, ids[before]) not in now
        answer[row.id] = right
    return answer


def _audit_tells(store: Store, corrected: list[tuple[AssignmentRow, str, str]]) -> None:
    book = _book(store)
    keys = {fact.id: fact.key for fact in store.document_facts(book.collection_id)}
    audit = {(row[0], row[2], row[3]): row for row in audit_table(store, book, keys).rows}
    for row, before, to in corrected:
        line = audit[keys[row.document_id], row.start, row.end]
        verdict = "rejected" if not to else "accepted" if to == before else "corrected"
        assert line[6:] == ("yes", "ana", f"{verdict}: read again")
        assert line[1] == row.text
        assert to in str(line[5])


def test_without_a_codebook_the_next_step_is_named(florilegium: Callable[..., Answer]) -> None:
    answer = florilegium("themes", "list", "nothing")
    assert answer.code == 2
    assert "no collection 'nothing'" in answer.err
