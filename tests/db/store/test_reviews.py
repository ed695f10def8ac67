"""Decisions: checked against the document, one current a reviewer and thing, kept by every run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from db.errors import InvalidDecision, NotFound
from db.rows import DecisionInput
from db.store import Store
from tests.db.samples import collection, full, pending_rows, put, run_all, tag

TEXT = "The park needs a playground."
PARK = "urn:c:park"


@pytest.fixture
def here(store: Store) -> int:
    id = collection(store).id
    put(store, id, {"a": TEXT, "b": "A bench by the pond."})
    run_all(store, id, result=lambda row: full(row.text, tag(row.text, 4, 8)))
    return id


def about(store: Store, **more: Any) -> DecisionInput:
    detail = store.document("a")
    assert detail.result is not None
    values: dict[str, Any] = {
        "document_id": detail.document.id,
        "kind": "tag",
        "scheme": "places",
        "item": PARK,
        "start": 4,
        "end": 8,
        "text": "park",
        "verdict": "accepted",
        "reviewer": "ann",
        "result_id": detail.result.id,
    }
    return DecisionInput(**(values | more))


def test_a_decision_knows_its_run_and_collection(store: Store, here: int) -> None:
    row = store.decide(about(store, reason="yes"))
    assert (row.collection_id, row.current, row.reason) == (here, True, "yes")
    assert row.run_id == store.runs(here)[0].id
    assert store.decisions(here) == [row]
    assert store.decisions(document_id=row.document_id) == [row]
    assert store.decisions(here, after=row.id) == []


def test_deciding_again_replaces_ones_own_decision_and_nobody_elses(
    store: Store, here: int
) -> None:
    first = store.decide(about(store))
    other = store.decide(about(store, reviewer="bob", verdict="rejected"))
    elsewhere = store.decide(about(store, start=17, end=27, text="playground"))
    second = store.decide(about(store, verdict="rejected"))
    assert [row.id for row in store.decisions(here)] == [other.id, elsewhere.id, second.id]
    assert len(store.decisions(here, current=False)) == 4
    assert not store.decisions(here, current=False)[0].current
    assert first.id < second.id


def test_a_label_is_one_thing_wherever_its_words_stand(store: Store, here: int) -> None:
    given = {"kind": "label", "scheme": "themes", "item": "green space"}
    store.decide(about(store, **given, start=0, end=0, text=""))
    last = store.decide(about(store, **given, verdict="rejected"))
    assert store.decisions(here) == [last]


def test_a_later_run_leaves_decisions_as_they_are(store: Store, here: int) -> None:
    row = store.decide(about(store))
    run_all(store, here, result=lambda row: full(row.text), fingerprint="f2")
    put(store, here, {"a": TEXT + " Soon.", "b": "A bench by the pond."})
    run_all(store, here, result=lambda row: full(row.text), fingerprint="f2")
    assert store.decisions(here) == [row]


def test_a_correction_keeps_both(store: Store, here: int) -> None:
    instead = {
        "scheme": "places",
        "item": "urn:c:play",
        "start": 17,
        "end": 27,
        "text": "playground",
    }
    row = store.decide(about(store, verdict="corrected", replacement=instead))
    assert (row.item, dict(row.replacement)) == (PARK, instead)


def test_a_decision_taken_back_stays_on_record(store: Store, here: int) -> None:
    row = store.decide(about(store))
    assert store.withdraw_decision(row.id) == replace(row, current=False)
    assert store.decisions(here) == []
    assert len(store.decisions(here, current=False)) == 1
    with pytest.raises(NotFound, match="no decision 999"):
        store.withdraw_decision(999)


INSTEAD = {"scheme": "places", "item": "urn:c:x", "start": 4, "end": 8, "text": "park"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kind": "mood"}, "kind is 'mood'; expected tag, label"),
        ({"verdict": "maybe"}, "verdict is 'maybe'"),
        ({"reviewer": "  "}, "--reviewer NAME"),
        ({"item": ""}, "expected what the decision is about"),
        ({"kind": "summary"}, "expected none for a summary sentence"),
        ({"text": "Park"}, "the document has 'park' from 4 to 8"),
        ({"start": 8, "end": 4}, "the end after the start"),
        ({"end": 999}, "within the 28 characters"),
        ({"replacement": INSTEAD}, "only where it is 'corrected'"),
        ({"verdict": "corrected"}, "the replacement has"),
        ({"verdict": "corrected", "replacement": INSTEAD | {"item": PARK}}, "as it was"),
        ({"verdict": "corrected", "replacement": INSTEAD | {"text": "bark"}}, "replacement's text"),
        ({"verdict": "corrected", "replacement": INSTEAD | {"start": "4"}}, "whole numbers"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_stored(
    store: Store, here: int, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(InvalidDecision, match=said) as caught:
        store.decide(about(store, **given))
    assert caught.value.exit_code == 2
    assert store.decisions(here, current=False) == []


def test_a_document_or_result_that_is_not_there_is_named(store: Store, here: int) -> None:
    with pytest.raises(NotFound, match="no document 999"):
        store.decide(about(store, document_id=999))
    with pytest.raises(NotFound, match="no result 999"):
        store.decide(about(store, result_id=999))
    other = store.document("b").result
    assert other is not None
    with pytest.raises(InvalidDecision, match="is about document"):
        store.decide(about(store, result_id=other.id))
    assert pending_rows(store, here) == []
