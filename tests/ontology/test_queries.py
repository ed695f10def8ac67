"""The ready questions: read from their files, filled in safely, each asked of a graph."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.errors import QueryRefused
from ontology.guard import check
from ontology.queries import named, read_query, ready, ready_queries, with_prefixes
from ontology.sparql import run_query
from ontology.vocab import DATA, PREFIXES
from tests.ontology.vocabularies import EX

FOURTEEN = {
    "acceptance",
    "best-evidence",
    "campaigns-counted-once",
    "concepts-together",
    "counts-by-top-concept",
    "coverage-by-year",
    "document-summary",
    "documents-about",
    "negated-or-uncertain",
    "runs-disagree",
    "tags-that-stand",
    "themes-by-stance",
    "unused-concepts",
    "what-produced",
}
SAMPLE = {
    "concept": f"{EX}bus",
    "collection": 'town "plan" } #',
    "document": "1",
    "run": "1",
    "other": "2",
    "tag": "tag:12-1",
    "reviewer": "A } DROP ALL #",
    "codebook": "matters",
    "limit": "7",
}


def answer(graph_dir: Path, name: str, **params: str) -> list[dict[str, str]]:
    query = ready(name, params)
    found = run_query(graph_dir, query.written(params), format="csv")
    return list(csv.DictReader(io.StringIO(found.body.decode(), newline="")))


def test_the_fourteen_questions_and_two_counts_are_there() -> None:
    assert {each.name for each in ready_queries()} == FOURTEEN | {"counts-by-concept", "labels"}


@pytest.mark.parametrize("query", ready_queries(), ids=lambda query: query.name)
def test_a_question_says_what_it_answers_and_has_a_limit(query) -> None:
    assert query.title
    assert query.about
    assert all(each.about and each.example for each in query.params)
    assert query.params[-1].name == "limit"
    assert f"LIMIT {query.params[-1].default}" in query.text


@pytest.mark.parametrize("query", ready_queries(), ids=lambda query: query.name)
def test_the_file_is_sparql_as_it_stands_and_with_every_choice_of_values(query) -> None:
    optional = [each.name for each in query.params if not each.needed]
    needed = {each.name: SAMPLE[each.name] for each in query.params if each.needed}
    texts = [query.text, query.written(needed)]
    texts += [query.written(needed | {name: SAMPLE[name]}) for name in optional]
    texts += [query.written(needed | {name: SAMPLE[name] for name in optional})]
    store = ox.Store()
    for text in texts:
        assert check(text, base=DATA).form == "select"
        store.query(text, prefixes=PREFIXES)
        ox.Store().query(with_prefixes(text))


def test_lines_for_values_that_are_not_given_are_left_out() -> None:
    counts = named("counts-by-top-concept")
    assert "dct:identifier" not in counts.written()
    assert '"town plan"' in counts.written({"collection": "town plan"})


def test_a_line_may_count_only_without_a_value() -> None:
    pairs = named("concepts-together")
    assert "STR(?body) < STR(?other)" in pairs.written()
    assert "STR(?body)" not in pairs.written({"concept": EX + "bus"})


def test_the_limit_is_set_in_subqueries_too() -> None:
    text = named("best-evidence").written({"concept": EX + "bus", "limit": "7"})
    assert text.count("LIMIT 7") == 2
    assert "LIMIT 50" not in text


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("best-evidence", {"concept": "parking"}, "an IRI, such as"),
        ("best-evidence", {"concept": EX, "limit": "0"}, "whole number"),
        ("best-evidence", {"concept": EX, "limit": "9999999999999"}, "whole number"),
        ("best-evidence", {"concept": EX, "limit": "5 } #"}, "whole number"),
        ("best-evidence", {"concept": EX, "colection": "x"}, "no parameter 'colection'"),
        ("runs-disagree", {"run": "first", "other": "2"}, "a number or an IRI"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(name: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(QueryRefused, match=said):
        named(name).written(values)


def test_values_never_become_syntax() -> None:
    text = named("acceptance").written({"reviewer": SAMPLE["reviewer"]})
    assert '?review dct:creator "A } DROP ALL #" .' in text


def test_a_head_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="head"):
        read_query("x", "# title: X\n# about: Y\n# param limit: no kind\nASK {}")


def test_prefixes_in_use_are_declared_once() -> None:
    text = with_prefixes("PREFIX flo: <urn:x:>\nASK { ?s a flo:Theme ; dct:title ?t }")
    assert text.count("PREFIX flo:") == 1
    assert text.startswith("PREFIX dct: <http://purl.org/dc/terms/>\n")


def test_best_evidence_gives_quote_and_score_of_anything_narrower(graph_dir: Path) -> None:
    rows = answer(graph_dir, "best-evidence", concept=f"{EX}transport")
    assert {(row["id"], row["label"], row["quote"], row["score"]) for row in rows} == {
        ("a.csv#1/Q1", "night bus", "night bus", "0.9"),
        ("note 1.txt", "bus", "", "0.9"),
    }


def test_documents_about_a_concept_hold_anything_narrower(graph_dir: Path) -> None:
    rows = answer(graph_dir, "documents-about", concept=f"{EX}bus")
    assert [(row["collection"], row["id"], row["tags"]) for row in rows] == [
        ("clinic", "note 1.txt", "1"),
        ("town plan", "a.csv#1/Q1", "1"),
    ]
    rows = answer(graph_dir, "documents-about", concept=f"{EX}bus", collection="clinic")
    assert [(row["collection"], row["id"]) for row in rows] == [("clinic", "note 1.txt")]


def test_counts_by_concept_count_displayed_tags_of_current_results(graph_dir: Path) -> None:
    rows = answer(graph_dir, "counts-by-concept")
    assert {row["label"]: (row["documents"], row["tags"]) for row in rows} == {
        "bus": ("1", "1"),
        "night bus": ("1", "1"),
    }


def test_counts_roll_up_to_the_concept_with_nothing_broader(graph_dir: Path) -> None:
    (row,) = answer(graph_dir, "counts-by-top-concept")
    assert (row["label"], row["documents"], row["tags"]) == ("transport", "2", "2")


def test_pairs_and_disagreements(graph_dir: Path) -> None:
    assert answer(graph_dir, "concepts-together") == []
    rows = answer(graph_dir, "runs-disagree", run="1", other="2")
    assert [(row["start"], row["end"], row["label"], row["only"]) for row in rows] == [
        ("4", "13", "night bus", f"{DATA}run-2"),
        ("10", "13", "bus", f"{DATA}run-1"),
    ]


def test_a_summary_is_in_order(graph_dir: Path) -> None:
    rows = answer(graph_dir, "document-summary", document="1")
    assert [(row["id"], row["rank"], row["start"]) for row in rows] == [("a.csv#1/Q1", "1", "0")]


def test_labels_are_counted(graph_dir: Path) -> None:
    rows = answer(graph_dir, "labels")
    assert rows == [{"set": "consultation", "label": "Buses & trains", "documents": "1"}]


def test_unused_concepts_are_neither_tagged_nor_deprecated_nor_labels(graph_dir: Path) -> None:
    rows = answer(graph_dir, "unused-concepts")
    assert {row["label"] for row in rows} == {"transport", "bus stop", "raitiovaunu"}


def test_negated_mentions_come_with_the_cue(graph_dir: Path) -> None:
    (row,) = answer(graph_dir, "negated-or-uncertain")
    assert (row["label"], row["assertion"].rpartition("#")[2]) == ("bus", "Negated")


def test_what_produced_a_tag(graph_dir: Path) -> None:
    rows = answer(graph_dir, "what-produced", tag="tag:12-1")
    assert {row["title"] for row in rows} == {"town plan", "embedded"}


def test_an_unknown_question_is_refused_with_those_there_are() -> None:
    with pytest.raises(QueryRefused, match="best-evidence"):
        named("tagged")


def test_a_missing_parameter_is_explained() -> None:
    with pytest.raises(QueryRefused, match="--param concept=http"):
        ready("best-evidence", {})
