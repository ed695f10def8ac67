"""The demo workspace: the promise of evidence, the counts, the graph and the command line over it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from app.settings import load_settings
from app.workspace import open_store
from tests.app.conftest import call, spawn

BROADER = "https://w3id.org/florilegium/sample/council/on-street-parking"
DEPRESSION_OF_PRIVATE = "https://w3id.org/florilegium/sample/conditions/FC_0119"


@pytest.fixture(scope="module")
def store(demo_home: Path):
    return open_store(load_settings(home=demo_home))


def test_the_answer_has_the_keys_of_the_contract(demo_home):
    answer = json.loads((demo_home / "demo.json").read_text("utf-8"))
    assert set(answer) == {"collections", "seconds", "home"}
    assert answer["home"] == str(demo_home)
    keys = {"name", "documents", "sentences", "labels", "tags", "summary_sentences", "failed"}
    by_name = {row["name"]: row for row in answer["collections"]}
    assert set(by_name) == {"consultation", "clinical", "historical"}
    for row in answer["collections"]:
        assert set(row) == keys
        assert row["failed"] == 0
        assert all(row[name] > 0 for name in keys - {"name", "failed"})


def test_every_span_of_every_collection_is_the_text_at_its_offsets(store):
    spans = 0
    with store.export(sentences=True) as export:
        for item in export.documents:
            text = item.document.text
            for result in item.results:
                for part in (*result.tags, *result.summary, *result.labels):
                    assert text[part.start : part.end] == part.text
                    assert part.text
                    spans += 1
                for sentence in result.sentences:
                    assert text[sentence.start : sentence.end].strip()
    assert spans > 2_000


def test_every_row_and_file_of_the_samples_is_accounted_for(store):
    for row in store.collections():
        totals = store.totals(row.id)
        assert totals.pending == 0
        ended = totals.processed + totals.empty + totals.other_language + totals.skipped
        assert totals.documents == ended
    consultation = store.totals(store.collection("consultation").id)
    assert consultation.other_language == 3  # one person answered in Polish
    assert consultation.skipped == 0
    assert consultation.duplicate >= 8
    assert consultation.empty > 0


def test_doing_it_again_changes_nothing(demo_home):
    before = json.loads((demo_home / "demo.json").read_text("utf-8"))["collections"]
    answer = spawn(
        *("--home", demo_home, "demo", "--json"), code="assert 'torch' not in sys.modules"
    )
    assert answer.code == 0, answer.err
    assert answer.json["collections"] == before


def test_documents_of_a_concept_or_anything_narrower_come_with_quote_and_score(demo_home, store):
    answer = call(
        *("--home", demo_home, "sparql", "--ready", "best-evidence"),
        *("--param", f"concept={BROADER}", "--param", "limit=10000", "--format", "csv"),
    )
    assert answer.code == 0, answer.err
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert {row["label"] for row in rows} > {"On-street parking", "Loading bay"}
    for row in rows:
        text = store.document(
            int(row["document"].rpartition(":")[2].rpartition("-")[2])
        ).document.text
        assert text[int(row["start"]) : int(row["end"])] == row["quote"]
        assert 0 < float(row["score"]) <= 1


def test_the_graph_and_sql_count_the_same_documents(demo_home, store):
    collection = store.collection("consultation")
    counted = {c.iri: c.documents_with_narrower for c in store.concept_counts(collection.id)}
    answer = call(
        *("--home", demo_home, "sparql", "--ready", "best-evidence"),
        *("--param", f"concept={BROADER}", "--param", "limit=10000", "--format", "csv"),
    )
    rows = list(csv.DictReader(io.StringIO(answer.out)))
    assert len({row["document"] for row in rows}) == counted[BROADER]


def test_quotes_of_the_private_collection_are_shown_only_when_asked_for(demo_home):
    ask = (
        *("--home", demo_home, "sparql", "--ready", "best-evidence"),
        *("--param", f"concept={DEPRESSION_OF_PRIVATE}", "--format", "csv"),
    )
    hidden = list(csv.DictReader(io.StringIO(call(*ask).out)))
    shown = list(csv.DictReader(io.StringIO(call(*ask, "--with-text").out)))
    assert len(hidden) == len(shown) > 0
    assert not any(row["quote"] for row in hidden)
    assert all(row["quote"] for row in shown)


def test_document_json_has_the_keys_of_the_contract(demo_home):
    shown = call("--home", demo_home, "document", "1", "--json").json
    assert {"text", "summary", "labels", "tags"} <= set(shown)
    assert {"start", "end", "text", "rank"} <= set(shown["summary"][0])
    assert {"set", "label", "score"} <= set(shown["labels"][0])
    tag = shown["tags"][0]
    assert {"iri", "curie", "label", "start", "end", "text", "score", "method", "displayed"} <= set(
        tag
    )
    assert {"negated", "possible", "historical", "hypothetical", "experiencer"} <= set(tag)
    assert {"cue", "cue_start", "cue_end"} <= set(tag)


def test_deprecated_concepts_are_never_tagged(store):
    deprecated = {concept.iri for concept in store.concepts() if concept.deprecated}
    assert deprecated
    with store.export() as export:
        tagged = {tag.iri for item in export.documents for r in item.results for tag in r.tags}
    assert not tagged & deprecated


@pytest.mark.parametrize(
    "arguments",
    [
        ("collections",),
        ("documents", "clinical"),
        ("documents", "consultation", "--concept", BROADER, "--containing", "parking"),
        ("runs", "list"),
        ("ontology", "list"),
        ("ontology", "show", BROADER),
        ("models", "list"),
        ("models", "show"),
        ("db", "check"),
        ("doctor",),
        ("sparql", "--ready", "counts-by-concept"),
    ],
)
def test_every_listing_prints_for_people_and_for_machines(demo_home, arguments):
    plain = call("--home", demo_home, *arguments)
    assert plain.code == 0, plain.err
    assert plain.out.strip()
    flag = ("--format", "json") if arguments[0] == "sparql" else ("--json",)
    assert isinstance(call("--home", demo_home, *arguments, *flag).json, dict)


def test_graph_rebuild_gives_the_same_answers(demo_home):
    ask = ("--home", demo_home, "sparql", "--ready", "counts-by-concept", "--format", "csv")
    before = call(*ask).out
    assert call("--home", demo_home, "graph", "rebuild").code == 0
    assert call(*ask).out == before


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * WHERE { SERVICE <http://127.0.0.1:9/x> { ?s ?p ?o } }",
        "LOAD <http://127.0.0.1:9/x>",
        "DELETE WHERE { ?s ?p ?o }",
        "SELECT nonsense",
    ],
)
def test_a_refused_query_exits_2_with_a_sentence(demo_home, query):
    answer = call("--home", demo_home, "sparql", query)
    assert answer.code == 2
    assert answer.err.startswith("Error: ")
