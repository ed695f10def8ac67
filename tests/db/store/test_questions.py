"""The ready questions in SQL, on both databases: what stands, counted, listed and compared."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from db.models import ReviewDecision
from db.rows.questions import Asked
from db.store import Store
from db.store.access import insert_all
from db.types import utc_now
from tests.db.samples import collection, full, put, run_all, tag, vocabulary

TEXTS = {"b": "A park and a place.", "É": "The park.", "a": "No park here."}


@pytest.fixture
def filled(store: Store) -> Store:
    """Return three documents tagged by two runs, and a tag that a reviewer rejected."""
    here = collection(store).id
    store.add_ontology(vocabulary())
    put(store, here, TEXTS)
    run_all(store, here, result=lambda row: full(row.text, *_tags(row.text)))
    run_all(
        store, here, fingerprint="f2", result=lambda row: full(row.text, *_tags(row.text, first=1))
    )
    with store.writing() as connection:
        decision = {"id": 1, "collection_id": here, "document_id": 2, "kind": "tag"}
        decision |= {"scheme": "places", "item": "urn:c:park", "start": 4, "end": 8, "text": "park"}
        decision |= {"verdict": "rejected", "replacement": {}, "reviewer": "A. Carver"}
        decision |= {"reason": "", "created_at": utc_now(), "current": True}
        insert_all(connection, ReviewDecision, [decision | {"result_id": None, "run_id": None}])
    return store


def _tags(text: str, first: int = 0):
    found = [(text.index("park"), "urn:c:park")] if "park" in text else []
    if "place" in text:
        found.append((text.index("place"), "urn:c:place"))
    return [
        tag(text, start, start + len(iri) - 6, iri, negated="No" in text, possible=False)
        for start, iri in found[first if len(found) > 1 else 0 :]
    ]


@pytest.mark.parametrize("name", sorted(Store.questions()))
def test_every_question_is_answered_with_columns_and_rows_alike(filled: Store, name: str) -> None:
    asked = Asked(concept="urn:c:place", tag="tag-1-1", run=1, other=2, limit=2)
    found = filled.question(name, asked)
    assert len(found.rows) <= 2
    assert all(len(row) == len(found.columns) for row in found.rows)
    assert filled.question(name, replace(asked, collection="nowhere", concept="")) is not None


def test_a_rejected_tag_does_not_stand(filled: Store) -> None:
    rows = filled.question("tags-that-stand", Asked()).rows
    assert [(row[1], row[4], row[6]) for row in rows] == [
        ("b", "urn:c:place", Decimal("0.9000")),
        ("a", "urn:c:park", Decimal("0.9000")),
    ]


def test_text_is_ordered_by_code_points_on_every_database(filled: Store) -> None:
    found = filled.question("document-summary", Asked())
    assert [row[2] for row in found.rows] == ["a", "b", "É"]


def test_two_runs_disagree_where_only_one_has_the_tag(filled: Store) -> None:
    rows = filled.question("runs-disagree", Asked(run=1, other=2)).rows
    assert [(row[1], row[4], row[6]) for row in rows] == [("b", "urn:c:park", "run-1")]
    assert filled.question("runs-disagree", Asked(run=2, other=1)).rows == rows
    assert filled.question("runs-disagree", Asked(run=1, other=1)).rows == ()


def test_acceptance_is_a_percentage(filled: Store) -> None:
    (row,) = filled.question("acceptance", Asked()).rows
    assert row[2:] == (0, 1, 0, 1, 0)


def test_years_are_told_by_the_caller(filled: Store) -> None:
    asked = Asked(year=lambda source, metadata: 2024)
    assert filled.question("coverage-by-year", asked).rows == ((2024, 3, 2),)


def test_negated_mentions_are_listed(filled: Store) -> None:
    (row,) = filled.question("negated-or-uncertain", Asked()).rows
    assert (row[1], row[6]) == ("a", "Negated")
