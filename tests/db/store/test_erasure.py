"""Forgetting: nothing of a document is left, and it does not come back; runs withdrawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, insert, select

from db.engine import create_engine_for, transaction
from db.errors import Locked, NotFound
from db.migrate import upgrade
from db.models import (
    Base,
    Campaign,
    CampaignMember,
    GroupSummary,
    GroupSummarySentence,
    Job,
    Result,
)
from db.rows import DecisionInput, SourceInput
from db.store import Store
from db.store.access import table
from db.store.erasure import key_hash
from db.store.quoted import FORGOTTEN
from db.types import utc_now
from tests.db.samples import collection, doc, full, put, run_all, source, tag

MARKER = "Zygomorphic marker sentence of one person only."
TEXTS = {"a": MARKER, "b": "A bench by the pond.", "c": "Another text altogether."}


@pytest.fixture
def here(store: Store) -> int:
    id = collection(store).id
    put(store, id, TEXTS)
    run_all(store, id, result=lambda row: full(row.text, tag(row.text, 0, 1)))
    return id


def everything(store: Store) -> str:
    """Return every value of every table, as text."""
    with store.reading() as connection:
        return "\n".join(
            str(tuple(row))
            for model in Base.metadata.sorted_tables
            for row in connection.execute(select(model))
        )


def test_a_forgotten_document_leaves_a_line_without_words(store: Store, here: int) -> None:
    a = store.document("a").document
    store.decide(DecisionInput(a.id, "summary", "", "", 0, 11, MARKER[:11], "accepted", "ann"))
    (row,) = store.forget([a.id], author="ann", reason="asked for it")
    assert (row.kind, row.author, row.reason) == ("document", "ann", "asked for it")
    assert (row.key_hash, row.sha256) == (key_hash("a"), a.sha256)
    assert row.counts == {
        "results": 1,
        "sentences": 1,
        "summary_sentences": 1,
        "labels": 2,
        "tags": 1,
        "decisions": 1,
    }
    assert store.erasures(here) == [row]
    assert "Zygomorphic" not in everything(store)
    assert [each.documents for each in store.sources(here)] == [2]
    with pytest.raises(NotFound):
        store.document("a")


def test_it_does_not_come_back_and_others_do(store: Store, here: int) -> None:
    store.forget([store.document("a").document.id], author="ann")
    counts = store.put_file(here, source(), [doc(k, t) for k, t in (TEXTS | {"d": "New."}).items()])
    assert [(each.key, each.reason) for each in counts.forgotten] == [("a", "forgotten")]
    assert (counts.added, counts.untouched, counts.documents) == (1, 2, 3)
    assert [row.warnings for row in store.sources(here)] == [("a: forgotten",)]
    changed = TEXTS | {"a": "Something else that is written now."}
    assert put(store, here, changed).added == 1  # the same row of a file, but another text


def test_another_collection_keeps_its_own(store: Store, here: int) -> None:
    other = collection(store, "ponds").id
    store.forget([store.document("a").document.id], author="ann")
    assert put(store, other, TEXTS).added == 3


def test_all_documents_of_a_person_are_found_withdrawn_ones_too(store: Store) -> None:
    here = collection(store).id
    rows = [doc("a", "One.", respondent="R1"), doc("b", "Two.", respondent="R1"), doc("c", "3.")]
    store.put_file(here, source(), rows)
    store.put_file(here, source(), rows[1:])
    found = store.documents_of("R1")
    assert len(found) == 2
    assert store.documents_of("R1", here + 1) == []
    assert len(store.forget(found, author="ann")) == 2
    assert store.documents_of("R1") == []


def test_summaries_campaigns_and_reports_that_quote_it_are_cleared(store: Store, here: int) -> None:
    a, b = (store.document(key).document.id for key in "ab")
    stored = {"collection_id": here, "created_at": utc_now(), "details": {}}
    with transaction(store.engine, write=True) as connection:
        for values in ({"id": 1}, {"id": 2}):
            connection.execute(
                insert(table(GroupSummary)).values(
                    **stored, **values, kind="theme", subject="s", query=""
                )
            )
            connection.execute(
                insert(table(GroupSummarySentence)).values(
                    summary_id=values["id"],
                    rank=1,
                    document_id=a if values["id"] == 1 else b,
                    start=0,
                    end=3,
                    text=MARKER[:3],
                    score=1.0,
                    stance="",
                    role="summary",
                )
            )
        connection.execute(
            insert(table(Campaign)).values(
                **stored, id=1, kind="copy", template=MARKER, method="exact"
            )
        )
        for id in (a, b):
            connection.execute(
                insert(table(CampaignMember)).values(
                    campaign_id=1, document_id=id, likeness=1.0, exact=True, own=[]
                )
            )
        connection.execute(
            insert(table(Job)).values(
                kind="look",
                collection_id=here,
                payload={},
                state="done",
                progress=0,
                total=0,
                message="",
                result={"warnings": [f"row 1: {MARKER} is odd"], "documents": ["a", "b"]},
                attempts=1,
                created_at=utc_now(),
            )
        )
    store.record_source(here, SourceInput("/data/x.csv", "read", warnings=(f"saw {MARKER}",)))
    (row,) = store.forget([a], author="ann")
    assert row.counts["group_summaries"] == row.counts["campaigns"] == 1
    assert row.counts["quoted_elsewhere"] == 2
    assert "Zygomorphic" not in everything(store)
    with store.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(GroupSummary)) == 1
        result = connection.scalar(select(Job.result))
    assert result == {"warnings": [f"row 1: {FORGOTTEN} is odd"], "documents": [FORGOTTEN, "b"]}


def test_a_document_forgotten_twice_is_not_found(store: Store, here: int) -> None:
    id = store.document("a").document.id
    store.forget([id], author="ann")
    with pytest.raises(NotFound, match="forgotten already"):
        store.forget([id], author="ann")


def test_scrubbing_says_what_it_cannot_reach(store: Store, here: int) -> None:
    store.forget([store.document("a").document.id], author="ann")
    left = store.scrub()
    assert len(left) == (store.engine.dialect.name == "postgresql")
    assert store.document("b").document.text == TEXTS["b"]


def test_nothing_of_it_is_left_in_the_files_of_sqlite(tmp_path: Path) -> None:
    engine = create_engine_for(f"sqlite:///{tmp_path / 'a.sqlite'}")
    upgrade(engine)
    store = Store(engine)
    here = collection(store).id
    filler = {f"f{n}": f"Filler text {n}. " * 40 for n in range(50)}
    put(store, here, {"a": MARKER * 200} | filler)
    put(store, here, {"a": MARKER} | filler)  # an earlier, longer text leaves free pages
    run_all(store, here, result=lambda row: full(row.text, tag(row.text, 0, 11)))
    files = list(tmp_path.iterdir())
    assert any(b"Zygomorphic" in path.read_bytes() for path in files)
    store.forget([store.document("a").document.id], author="ann")
    assert store.scrub() == []
    for path in tmp_path.iterdir():
        assert b"Zygomorphic" not in path.read_bytes(), path.name
    engine.dispose()


def test_a_withdrawn_run_gives_way_to_the_one_before(store: Store, here: int) -> None:
    (first,) = store.runs(here)
    run_all(store, here, result=lambda row: full(row.text), fingerprint="f2")
    second = store.runs(here)[-1]
    row = store.withdraw_run(here, second.id, author="ann", reason="wrong vocabulary")
    assert row.counts == {"run": second.id, "results": 3, "current_again": 3}
    for key in TEXTS:
        result = store.document(key).result
        assert result is not None
        assert (result.run_id, result.current) == (first.id, True)
    assert [run.state for run in store.runs(here)][1] == "withdrawn"
    assert store.erasures(here) == [row]
    with store.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(Result)) == 3


def test_a_run_that_is_unknown_or_running_is_not_withdrawn(store: Store, here: int) -> None:
    with pytest.raises(NotFound, match="no run 99"):
        store.withdraw_run(here, 99, author="ann")
    id = store.start_run(here, recipe="general", fingerprint="f9", details={})
    with pytest.raises(Locked, match="is running"):
        store.withdraw_run(here, id, author="ann")
