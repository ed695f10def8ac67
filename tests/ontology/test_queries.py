"""The ready questions, each asked of the shared graph."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from ontology.errors import QueryRefused
from ontology.queries import ready, ready_queries
from ontology.sparql import run_query
from tests.ontology.vocabularies import EX


def answer(graph_dir: Path, name: str, **params: str) -> list[dict[str, str]]:
    query = ready(name, params)
    found = run_query(graph_dir, query.text, params=params, format="csv")
    return list(csv.DictReader(io.StringIO(found.body.decode(), newline="")))


def test_there_are_the_questions_the_manual_names() -> None:
    assert {each.name for each in ready_queries()} >= {
        "tagged-with",
        "counts-by-concept",
        "counts-rolled-up",
        "collection-summaries",
        "labels",
        "unused-concepts",
        "what-produced",
    }
    assert all(each.title for each in ready_queries())


def test_tagged_with_gives_document_quote_and_score_of_anything_narrower(graph_dir: Path) -> None:
    rows = answer(graph_dir, "tagged-with", concept=f"{EX}transport")
    assert {(row["id"], row["label"], row["quote"], row["score"]) for row in rows} == {
        ("a.csv#1/Q1", "night bus", "night bus", "0.9"),
        ("note 1.txt", "bus", "", "0.9"),
    }


def test_counts_by_concept_count_displayed_tags_of_current_results(graph_dir: Path) -> None:
    rows = answer(graph_dir, "counts-by-concept")
    assert {row["label"]: (row["documents"], row["tags"]) for row in rows} == {
        "bus": ("1", "1"),
        "night bus": ("1", "1"),
    }


def test_rolled_up_counts_hold_everything_narrower(graph_dir: Path) -> None:
    rows = answer(graph_dir, "counts-rolled-up")
    assert {row["label"]: row["documents"] for row in rows} == {
        "transport": "2",
        "bus": "2",
        "night bus": "1",
    }


def test_collection_summaries_are_in_order(graph_dir: Path) -> None:
    rows = answer(graph_dir, "collection-summaries", collection="town plan")
    assert [(row["id"], row["rank"], row["start"]) for row in rows] == [("a.csv#1/Q1", "1", "0")]


def test_labels_are_counted(graph_dir: Path) -> None:
    rows = answer(graph_dir, "labels")
    assert rows == [{"set": "consultation", "label": "Buses & trains", "documents": "1"}]


def test_unused_concepts_are_neither_tagged_nor_deprecated_nor_labels(graph_dir: Path) -> None:
    rows = answer(graph_dir, "unused-concepts")
    assert {row["label"] for row in rows} == {"transport", "bus stop", "raitiovaunu"}


def test_what_produced_a_tag(graph_dir: Path) -> None:
    rows = answer(graph_dir, "what-produced", tag="tag:12-1")
    assert {row["title"] for row in rows} == {"town plan", "embedded"}


def test_an_unknown_question_is_refused_with_those_there_are() -> None:
    with pytest.raises(QueryRefused, match="tagged-with"):
        ready("tagged")


def test_a_missing_parameter_is_explained() -> None:
    with pytest.raises(QueryRefused, match="--param concept"):
        ready("tagged-with")
