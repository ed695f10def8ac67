"""Listings, single documents, counts with roll-up, and the export."""

from __future__ import annotations

from dataclasses import replace

import pytest

from db.errors import NotFound
from db.rows import ConceptCount, LabelCount, ResultInput
from db.store import Store
from tests.db.samples import collection, doc, failed, full, put, run_all, source, tag, vocabulary

TEXTS = {
    "a": "The PARK is green.",
    "b": "A playground in the park, 100% École.",
    "c": "Buses are late.",
    "d": "",
}


@pytest.fixture
def filled(store: Store) -> int:
    """Four documents: a and b tagged, c fails, d is empty."""
    here = collection(store).id
    store.add_ontology(vocabulary())
    put(store, here, TEXTS)

    def result(row: object) -> ResultInput:
        key, text = row.key, row.text  # type: ignore[attr-defined]
        if key == "a":
            return full(text, tag(text, 4, 8))
        if key == "b":
            nested = tag(text, 2, 6, "urn:c:place", displayed=False)
            return full(text, tag(text, 2, 12, "urn:c:playground"), nested, label="play")
        return failed() if key == "c" else ResultInput("empty")

    run_all(store, here, result=result)
    return here


def keys(store: Store, collection_id: int, **filters: object) -> list[str]:
    page = store.documents_page(collection_id, **filters)  # type: ignore[arg-type]
    assert page.total == len(page.rows)
    return [row.key for row in page.rows]


def test_a_line_says_what_a_listing_needs(store: Store, filled: int) -> None:
    line = store.documents_page(filled).rows[1]
    assert (line.key, line.path, line.outcome, line.tags) == ("b", "/data/a.csv", "processed", 1)
    assert (line.labels, line.summary, line.length) == (("play",), TEXTS["b"], len(TEXTS["b"]))


def test_a_line_says_who_wrote_the_document_and_what_was_noticed(store: Store) -> None:
    here = collection(store).id
    store.put_file(
        here, source("/a.csv"), [replace(doc("a", "Yes."), respondent="R1", flags=("cut",))]
    )
    (line,) = store.documents_page(here).rows
    assert (line.respondent, line.flags, line.outcome) == ("R1", ("cut",), None)


def test_pages_cut_the_listing_without_gap_or_repeat(store: Store, filled: int) -> None:
    pages = [store.documents_page(filled, offset=n, limit=3) for n in (0, 3, 6)]
    assert [[row.key for row in page.rows] for page in pages] == [["a", "b", "c"], ["d"], []]
    assert {page.total for page in pages} == {4}


def test_a_concept_opens_its_documents_and_narrower_ones(store: Store, filled: int) -> None:
    assert keys(store, filled, concept_iri="urn:c:park") == ["a", "b"]
    assert keys(store, filled, concept_iri="urn:c:park", narrower=False) == ["a"]
    assert keys(store, filled, concept_iri="urn:c:place") == ["a", "b"]
    assert keys(store, filled, concept_iri="urn:c:place", narrower=False) == []
    assert keys(store, filled, concept_iri="urn:c:none") == []


def test_filters_hold_together(store: Store, filled: int) -> None:
    assert keys(store, filled, label="play") == ["b"]
    assert keys(store, filled, label="transport") == []
    assert keys(store, filled, label="play", label_set="other") == []
    assert keys(store, filled, outcome="empty") == ["d"]
    assert keys(store, filled, outcome="failed") == ["c"]
    assert keys(store, filled, outcome="processed", concept_iri="urn:c:park", label="play") == ["b"]


def test_words_are_found_regardless_of_case_and_taken_literally(store: Store, filled: int) -> None:
    assert keys(store, filled, text_like="park") == ["a", "b"]
    assert keys(store, filled, text_like="ÉCOLE") == ["b"]
    assert keys(store, filled, text_like="100%") == ["b"]
    assert keys(store, filled, text_like="_") == []


def test_documents_without_a_result_are_pending(store: Store, filled: int) -> None:
    put(store, filled, {"new": "not yet"}, "/data/z.csv")
    assert keys(store, filled, outcome="pending") == ["new"]


def test_a_document_is_found_by_id_and_by_key(store: Store, filled: int) -> None:
    by_key = store.document("b")
    assert store.document(by_key.document.id) == by_key
    assert store.document(str(by_key.document.id)) == by_key
    assert store.document("b", collection="parks") == by_key
    assert (by_key.collection.name, by_key.path) == ("parks", "/data/a.csv")


def test_a_key_made_of_digits_is_found(store: Store, filled: int) -> None:
    put(store, filled, {"20260101": "dated"}, "/data/d.txt")
    assert store.document("20260101").document.text == "dated"


def test_a_missing_or_ambiguous_document_is_not_found(store: Store, filled: int) -> None:
    put(store, collection(store, "zoo").id, {"a": "other"})
    with pytest.raises(NotFound, match="no document with id or key 'x'"):
        store.document("x")
    with pytest.raises(NotFound, match="parks, zoo"):
        store.document("a")
    assert store.document("a", collection="zoo").document.text == "other"


def test_concepts_count_documents_with_everything_narrower(store: Store, filled: int) -> None:
    assert store.concept_counts(filled) == [
        ConceptCount("places", "urn:c:park", "c:park", "park", 1, 2),
        ConceptCount("places", "urn:c:place", "c:place", "place", 0, 2),
        ConceptCount("places", "urn:c:playground", "c:playground", "playground", 1, 1),
    ]
    assert store.concept_counts(filled, ontology="other") == []


def test_each_concept_count_opens_that_many_documents(store: Store, filled: int) -> None:
    for count in store.concept_counts(filled):
        page = store.documents_page(filled, concept_iri=count.iri)
        assert page.total == count.documents_with_narrower


def test_a_concept_the_ontology_lost_counts_for_itself(store: Store, filled: int) -> None:
    store.add_ontology(vocabulary(["urn:c:place"], sha256="v2"))
    counts = {c.iri: (c.documents, c.documents_with_narrower) for c in store.concept_counts(filled)}
    assert counts == {"urn:c:park": (1, 1), "urn:c:playground": (1, 1)}


def test_labels_count_assigned_ones(store: Store, filled: int) -> None:
    assert store.label_counts(filled) == [
        LabelCount("themes", "green space", 1),
        LabelCount("themes", "play", 1),
    ]


def test_totals_are_disjoint_and_sum_up(store: Store, filled: int) -> None:
    totals = store.totals(filled)
    assert (totals.processed, totals.empty, totals.failed, totals.pending) == (2, 1, 1, 0)
    assert totals.documents == 4
    assert (totals.sentences, totals.summary_sentences, totals.labels) == (2, 2, 2)
    assert (totals.tags, totals.displayed_tags) == (3, 2)


def test_an_empty_collection_has_empty_totals(store: Store) -> None:
    assert store.totals(collection(store).id).documents == 0


def test_the_export_streams_everything_the_graph_needs(store: Store, filled: int) -> None:
    with store.export(sentences=True) as export:
        documents = list(export.documents)
    assert [row.name for row in export.collections] == ["parks"]
    assert [run.fingerprint for run in export.runs] == ["f1"]
    assert [o.name for o in export.ontologies] == ["places"]
    assert [d.document.key for d in documents] == ["a", "b", "c", "d"]
    (result,) = documents[0].results
    assert [label.label for label in result.labels] == ["green space"]
    assert len(result.sentences) == 1
    assert result.tags[0].id > 0


def test_the_export_of_one_collection_has_nothing_of_another(store: Store, filled: int) -> None:
    other = collection(store, "zoo").id
    put(store, other, {"x": "Lions."})
    run_all(store, other)
    with store.export(other) as export:
        assert [d.document.key for d in export.documents] == ["x"]
    assert [row.name for row in export.collections] == ["zoo"]
    assert len(export.runs) == 1


def test_the_export_is_one_consistent_view(store: Store, filled: int) -> None:
    with store.export() as export:
        put(store, filled, {"late": "came while exporting"}, "/data/late.txt")
        assert "late" not in [d.document.key for d in export.documents]


def test_superseded_results_and_withdrawn_documents_are_flagged(store: Store, filled: int) -> None:
    run_all(store, filled, fingerprint="f2")
    put(store, filled, {"a": TEXTS["a"]})
    with store.export() as export:
        a, b, *_ = export.documents
    assert [r.current for r in a.results] == [False, True]
    assert b.document.withdrawn
    assert [r.current for r in b.results] == [False, False]
    with store.export(superseded=False) as export:
        a, b, *_ = export.documents
    assert [r.fingerprint for r in a.results] == ["f2"]
    assert b.results == ()
