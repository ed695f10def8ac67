"""The use of a concept, texts to read through, and quotes: on SQLite and PostgreSQL alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.rows import CollectionUsage, ResultInput
from db.store import Store
from tests.db.samples import collection, full, put, run_all, tag, vocabulary

PARK, PLAYGROUND = "urn:c:park", "urn:c:playground"
TEXTS = {
    "a": "No park here, but the park there is fine.",
    "b": "A playground in the park, 100% École.",
    "c": "Les bus sont en retard, le park aussi.",
}


@pytest.fixture
def filled(store: Store) -> int:
    """Return a collection: "a" names the park twice, once negated, "b" the playground."""
    here = collection(store).id
    store.add_ontology(vocabulary())
    put(store, here, TEXTS)

    def result(row: object) -> ResultInput:
        key, text = row.key, row.text  # type: ignore[attr-defined]
        if key == "a":
            negated = replace(tag(text, 3, 7), negated=True, experiencer="patient")
            return full(text, negated, tag(text, 22, 26))
        if key == "b":
            nested = tag(text, 20, 24, displayed=False)
            return full(text, tag(text, 2, 12, PLAYGROUND), nested)
        return ResultInput("other_language")

    run_all(store, here, result=result)
    return here


def test_counts_are_of_displayed_tags_with_what_was_assessed(store: Store, filled: int) -> None:
    usage = store.concept_usage("places", PARK)
    assert usage.collections == (
        CollectionUsage("parks", False, 1, 2, 2, negated=1, not_assessed=1),
    )
    above = store.concept_usage("places", "urn:c:place")
    assert above.collections == (CollectionUsage("parks", False, 0, 2, 0),)
    assert above.quotes == ()


def test_a_quote_is_the_text_at_its_offsets(store: Store, filled: int) -> None:
    (quote,) = store.concept_usage("places", PARK).quotes
    text = TEXTS["a"]
    assert (quote.document, quote.collection, quote.negated) == ("a", "parks", True)
    assert text[quote.start : quote.end] == quote.text == "park"
    assert quote.before + quote.text + quote.after == text


def test_context_is_cut_on_both_sides_in_code_points(store: Store) -> None:
    here = collection(store).id
    text = "😀" * 100 + "park" + "é" * 100
    put(store, here, {"long": text})
    run_all(store, here, result=lambda row: full(row.text, tag(row.text, 100, 104)))
    (quote,) = store.concept_usage("places", PARK).quotes
    assert (quote.before, quote.after) == ("😀" * 80, "é" * 80)
    (again,) = store.quotes([(quote.document_id, 100, 104)])
    assert (again.before, again.text, again.after) == (quote.before, "park", quote.after)


def test_at_most_one_quote_a_document_and_as_many_as_asked(store: Store, filled: int) -> None:
    put(store, filled, {"d": "A park and a park.", "e": "The park."}, "/data/b.csv")
    run_all(store, filled, result=lambda row: full(row.text, tag(row.text, 2, 6)))
    assert [q.document for q in store.concept_usage("places", PARK).quotes] == ["a", "d", "e"]
    assert len(store.concept_usage("places", PARK, quotes=2).quotes) == 2
    assert store.concept_usage("places", PARK, quotes=0).quotes == ()


def test_what_is_withdrawn_is_not_counted(store: Store, filled: int) -> None:
    (source,) = store.sources(filled)
    store.withdraw_source(source.id)
    assert store.concept_usage("places", PARK).collections == ()
    assert list(store.texts(filled)) == []


def test_another_ontology_with_the_same_concept_is_another_use(store: Store, filled: int) -> None:
    assert store.concept_usage("elsewhere", PARK).collections == ()


def test_texts_leave_out_other_languages_and_go_on_where_a_batch_ended(
    store: Store, filled: int
) -> None:
    many = {f"n{n}": f"Text {n}." for n in range(450)}
    put(store, filled, many, "/data/many.csv")
    found = [text for _, text in store.texts(filled)]
    assert found == [TEXTS["a"], TEXTS["b"], *many.values()]


def test_concepts_are_named_by_identifier_before_label(store: Store, filled: int) -> None:
    assert store.named_concepts("c:park", ["places"]) == {("places", PARK)}
    assert store.named_concepts("PARK", ["places"]) == {("places", PARK)}
    assert store.named_concepts("PARK", ["other"]) == set()
    assert store.named_concepts("nothing", ["places"]) == set()
