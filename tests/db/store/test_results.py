"""Saving results: current, superseded, duplicates, attempts."""

from __future__ import annotations

from typing import cast

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from db.errors import UnstorableText
from db.models import Label, Result, Sentence, SummarySentence, Tag
from db.rows import ResultInput, TagRow
from db.store import Store
from tests.db.samples import collection, failed, full, pending_rows, put, run_all, tag

TEXT = "The park needs a playground."


def test_everything_saved_comes_back_in_order(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    assessed = tag(
        TEXT,
        4,
        8,
        negated=False,
        experiencer="family",
        cue="The",
        cue_start=0,
        cue_end=3,
        displayed=False,
    )
    given = full(TEXT, tag(TEXT, 17, 27, "urn:c:playground"), assessed)
    run_all(store, here, result=lambda row: given)
    result = store.document("a").result
    assert result is not None
    assert (result.outcome, result.attempts, result.current) == ("processed", 1, True)
    assert (result.sentences, result.summary) == (given.sentences, given.summary)
    assert result.labels == given.labels
    first, second = result.tags
    assert (first.text, second.text) == ("park", "playground")
    assert (first.negated, first.possible, first.experiencer) == (False, None, "family")
    assert (first.cue, first.cue_start, first.cue_end) == ("The", 0, 3)
    assert second.cue_start is None
    assert first.displayed is False
    assert second.negated is None


def test_every_stored_span_is_its_evidence(store: Store) -> None:
    here = collection(store).id
    text = "Ω🙂 é\u0301 park\r\n"
    put(store, here, {"a": text})
    run_all(store, here, result=lambda row: full(row.text, tag(row.text, 6, 10)))
    detail = store.document("a")
    assert detail.result is not None
    spans = (*detail.result.tags, *detail.result.summary, *detail.result.labels)
    for span in cast("tuple[TagRow, ...]", spans):
        assert detail.document.text[span.start : span.end] == span.text


def test_a_newer_result_supersedes_the_older_which_stays(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, fingerprint="f1")
    run_all(store, here, fingerprint="f2")
    with store.export() as export:
        (exported,) = export.documents
    assert [(r.fingerprint, r.current) for r in exported.results] == [("f1", False), ("f2", True)]
    assert store.totals(here).processed == 1


def test_two_recipes_have_a_current_result_each(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, fingerprint="f1", recipe="general")
    run_all(store, here, fingerprint="f2", recipe="clinical")
    general, clinical = store.document("a"), store.document("a", recipe="clinical")
    assert general.result is not None
    assert clinical.result is not None
    assert (general.result.recipe, clinical.result.recipe) == ("general", "clinical")
    assert store.totals(here).processed == 1
    assert store.documents_page(here).total == 1


def test_the_database_itself_refuses_a_second_current_result(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, fingerprint="f1")
    run_all(store, here, fingerprint="f2")
    with pytest.raises(IntegrityError), store.writing() as connection:
        connection.execute(update(Result).values(current=True))


def test_a_failure_does_not_take_the_place_of_a_completed_result(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, fingerprint="f1")
    run_all(store, here, fingerprint="f2", result=lambda row: failed())
    result = store.document("a").result
    assert result is not None
    assert result.fingerprint == "f1"
    assert store.pending(here, fingerprint="f2").total == 1


def test_a_first_failure_is_shown_until_it_is_mended(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, result=lambda row: failed("bad\x00reason"))
    (line,) = store.documents_page(here, outcome="failed").rows
    assert line.reason == "bad\\x00reason"
    run_all(store, here)
    result = store.document("a").result
    assert result is not None
    assert (result.outcome, result.attempts) == ("processed", 2)
    with store.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(Result)) == 1


def test_saving_a_batch_twice_changes_nothing(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    rows = pending_rows(store, here)
    run = store.start_run(here, recipe="general", fingerprint="f1", details={})
    batch = [(row, full(row.text)) for row in rows]
    first = store.save_results(run, recipe="general", fingerprint="f1", batch=batch)
    again = store.save_results(run, recipe="general", fingerprint="f1", batch=batch)
    assert (first.saved, again.saved) == (1, 0)
    assert store.totals(here).sentences == 1


def test_people_who_wrote_the_same_are_duplicates_but_processed(store: Store) -> None:
    here = collection(store).id
    other = collection(store, "other").id
    put(store, other, {"a": TEXT})
    put(store, here, {"a": TEXT, "b": TEXT, "c": "", "d": "", "e": TEXT + " "})
    saved = run_all(store, here)
    totals = store.totals(here)
    assert saved.duplicate == 1
    assert (totals.processed, totals.duplicate, totals.empty) == (3, 1, 2)
    (line,) = store.documents_page(here, duplicate=True).rows
    assert line.key == "b"


def test_a_copy_is_no_duplicate_once_the_first_is_withdrawn(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT, "b": TEXT, "c": TEXT})
    run_all(store, here)
    assert store.totals(here).duplicate == 2
    put(store, here, {"b": TEXT, "c": TEXT})
    assert store.totals(here).duplicate == 1
    put(store, here, {"a": TEXT, "b": TEXT, "c": TEXT})
    assert store.totals(here).duplicate == 2


def test_a_document_changed_meanwhile_gets_no_current_result(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT, "b": "gone"})
    rows = pending_rows(store, here)
    put(store, here, {"a": "changed"})
    run = store.start_run(here, recipe="general", fingerprint="f1", details={})
    batch = [(row, full(row.text)) for row in rows]
    store.save_results(run, recipe="general", fingerprint="f1", batch=batch)
    assert store.document("a").result is None
    assert store.document("b").result is None
    assert store.totals(here).pending == 1


def test_a_document_that_has_gone_is_counted_as_unknown(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    (row,) = pending_rows(store, here)
    run = store.start_run(here, recipe="general", fingerprint="f1", details={})
    with store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM documents")
    saved = store.save_results(run, recipe="general", fingerprint="f1", batch=[(row, full(TEXT))])
    assert (saved.saved, saved.unknown) == (0, 1)


def test_a_batch_is_all_or_nothing(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT, "b": TEXT})
    run_all(store, here, fingerprint="f1")
    bad = TagRow("places", "urn:x", "x", "x\x00", 0, 1, "T", 0.5, "label")
    run = store.start_run(here, recipe="general", fingerprint="f2", details={})
    rows = pending_rows(store, here, "f2")
    batch = [(rows[0], full(TEXT)), (rows[1], ResultInput("processed", tags=(bad,)))]
    with pytest.raises(UnstorableText):
        store.save_results(run, recipe="general", fingerprint="f2", batch=batch)
    with store.export() as export:
        for exported in export.documents:
            assert [(r.fingerprint, r.current) for r in exported.results] == [("f1", True)]


def test_a_batch_larger_than_one_statement_takes(store: Store) -> None:
    here = collection(store).id
    texts = {f"k{n}": f"A text with number {n}." for n in range(1200)}
    put(store, here, texts)
    assert (
        run_all(store, here, result=lambda row: full(row.text, tag(row.text, 2, 6))).saved == 1200
    )
    for key in ("k0", "k777", "k1199"):
        result = store.document(key).result
        assert result is not None
        assert result.summary[0].text == texts[key]


def test_deleting_a_document_takes_its_results_with_it(store: Store) -> None:
    here = collection(store).id
    put(store, here, {"a": TEXT})
    run_all(store, here, result=lambda row: full(row.text, tag(row.text, 4, 8)))
    with store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM documents")
        for model in (Result, Sentence, SummarySentence, Label, Tag):
            assert connection.scalar(select(func.count()).select_from(model)) == 0
