"""The SPARQL page over a real graph: ready questions, answers, downloads and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.projection import rebuild_graph
from app.settings import load_settings
from db.store import Store
from ontology.queries import ready_queries
from tests.app.dashboard.conftest import Open, page_html
from tests.app.dashboard.workspace_data import BASE

NARROWER = "The best evidence for a concept or anything narrower"


@pytest.fixture
def graph(store: Store, home: Path) -> Store:
    """Return the store after its graph has been built."""
    rebuild_graph(load_settings(), store)
    return store


def run(page: AppTest, query: str = "") -> AppTest:
    if query:
        page.text_area[0].input(query)
    next(button for button in page.button if button.label == "Run query").click()
    return page.run()


def choose(page: AppTest, label: str, value: str) -> AppTest:
    return next(box for box in page.selectbox if box.label == label).select(value).run()


def test_the_example_counts_the_documents_of_each_collection(graph: Store, open_page: Open) -> None:
    page = run(open_page("sparql"))
    assert not page.exception
    frame = page.dataframe[0].value
    assert dict(zip(frame["collection"], frame["documents"], strict=True)) == {
        "streets": 60,
        "ward": 2,
        "travels": 1,
    }
    assert "3 rows" in page_html(page)


def test_every_ready_question_is_offered_by_its_title(graph: Store, open_page: Open) -> None:
    offered = open_page("sparql").selectbox[0].options
    assert offered == [query.title for query in ready_queries()]


def test_a_ready_question_goes_into_the_editor_with_its_concept(
    graph: Store, open_page: Open
) -> None:
    page = choose(open_page("sparql"), "Ready questions", NARROWER)
    page = choose(page, "Concept", "Transport (streets)")
    next(button for button in page.button if button.label == "Put into the editor").click()
    page = page.run()
    assert f"<{BASE}transport>" in page.text_area[0].value
    page = run(page)
    assert not page.exception
    assert "50 rows" in page_html(page)
    assert set(page.dataframe[0].value["label"]) <= {"Parking", "Parking permit", "Bus service"}


def test_a_ready_question_without_its_value_says_what_it_needs(
    graph: Store, open_page: Open
) -> None:
    page = choose(open_page("sparql"), "Ready questions", NARROWER)
    next(button for button in page.button if button.label == "Put into the editor").click()
    assert "This question needs" in page_html(page.run())


def test_a_limit_that_was_reached_is_told(graph: Store, open_page: Open) -> None:
    page = choose(open_page("sparql"), "Ready questions", NARROWER)
    page = choose(page, "Concept", "Transport (streets)")
    next(box for box in page.text_input if box.label.startswith("Limit")).input("7").run()
    next(button for button in page.button if button.label == "Ask").click()
    page = page.run()
    assert "7 rows" in page_html(page)
    assert "The limit of 7 rows was reached" in page_html(page)


def test_the_address_asks_the_question_again(graph: Store, open_page: Open) -> None:
    page = open_page("sparql", ready="best-evidence", concept=f"{BASE}bus", limit="3")
    assert not page.exception
    assert "3 rows" in page_html(page)
    assert set(page.dataframe[0].value["label"]) == {"Bus service"}
    assert page.text_area[0].value.startswith("PREFIX ")


def test_a_query_in_the_address_waits_in_the_editor(graph: Store, open_page: Open) -> None:
    page = open_page("sparql", query="ASK { ?s ?p ?o }")
    assert page.text_area[0].value == "ASK { ?s ?p ?o }"
    assert not page.dataframe
    page = run(page)
    assert "ASK { ?s ?p ?o }" in page.query_params["query"]


def test_pairs_of_concepts_are_answered_by_the_database(graph: Store, open_page: Open) -> None:
    page = choose(open_page("sparql"), "Ready questions", "Concepts found together")
    next(button for button in page.button if button.label == "Ask").click()
    page = page.run()
    assert "Answered by the database" in page_html(page)
    shown = page.dataframe[0].value
    by_sql = list(zip(shown["label"], shown["other_label"], shown["documents"], strict=True))
    page = run(page)
    shown = page.dataframe[0].value
    assert by_sql == list(
        zip(shown["label"], shown["other_label"], shown["documents"], strict=True)
    )


def test_counts_are_shown_as_a_chart_with_words_beside_it(graph: Store, open_page: Open) -> None:
    page = choose(open_page("sparql"), "Ready questions", "Counts rolled up to the top concepts")
    next(button for button in page.button if button.label == "Ask").click()
    page = page.run()
    next(box for box in page.checkbox if box.label == "Show as chart").check()
    page = page.run()
    assert not page.exception
    (chart,) = page.get("vega_lite_chart")
    assert "Transport" in chart.proto.alt or "Transport" in str(chart.proto)


def test_asking_a_ready_question_answers_it_at_once(graph: Store, open_page: Open) -> None:
    page = choose(open_page("sparql"), "Ready questions", NARROWER)
    page = choose(page, "Concept", "Bus service (streets)")
    next(button for button in page.button if button.label == "Ask").click()
    page = page.run()
    assert not page.exception
    assert f"<{BASE}bus>" in page.text_area[0].value
    assert set(page.dataframe[0].value["label"]) == {"Bus service"}


def test_another_question_in_the_editor_takes_the_old_answer_away(
    graph: Store, open_page: Open
) -> None:
    page = run(open_page("sparql"))
    assert len(page.dataframe) == 1
    page = choose(page, "Ready questions", NARROWER)
    page = choose(page, "Concept", "Bus service (streets)")
    assert len(page.dataframe) == 1
    next(button for button in page.button if button.label == "Put into the editor").click()
    page = page.run()
    assert not page.dataframe
    assert "The answer will appear here." in page_html(page)


def test_iris_of_our_own_are_read_as_prefixed_names(graph: Store, open_page: Open) -> None:
    page = run(open_page("sparql"), "SELECT ?d { ?d a foaf:Document } ORDER BY ?d LIMIT 1")
    assert str(page.dataframe[0].value["d"][0]).startswith("document:")


def test_an_ask_is_answered_in_words(graph: Store, open_page: Open) -> None:
    page = run(open_page("sparql"), "ASK { ?d a foaf:Document }")
    assert page.dataframe[0].value["answer"][0] == "yes"


def test_a_construct_is_shown_as_turtle(graph: Store, open_page: Open) -> None:
    page = run(open_page("sparql"), "CONSTRUCT { ?s a ?c } WHERE { ?s a ?c } LIMIT 3")
    assert not page.exception
    assert page.code[0].value.count(" .") >= 1


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }",
        "LOAD <http://example.org/>",
        "DELETE WHERE { ?s ?p ?o }",
        "SELECT nonsense",
        "SELECT * { " + "{" * 200 + "}" * 200 + " }",
    ],
)
def test_a_refused_query_is_a_sentence(graph: Store, open_page: Open, query: str) -> None:
    page = run(open_page("sparql"), query)
    assert not page.exception
    assert 'role="alert"' in page_html(page)
    assert not page.dataframe


def test_a_query_that_takes_too_long_is_ended(
    graph: Store, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLORILEGIUM_SPARQL_TIMEOUT", "0.5")
    everything = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    page = run(open_page("sparql"), everything)
    assert 'role="alert"' in page_html(page)


def test_without_a_graph_the_page_says_what_to_type(store: Store, open_page: Open) -> None:
    page = run(open_page("sparql"))
    assert not page.exception
    assert "florilegium" in page_html(page)
    assert 'role="alert"' in page_html(page)


def test_words_of_a_private_collection_are_left_out_unless_asked_for(
    graph: Store, open_page: Open
) -> None:
    query = 'SELECT ?q { ?x oa:exact ?q FILTER(CONTAINS(?q, "Seen in clinic")) }'
    page = run(open_page("sparql"), query)
    assert "0 rows" in page_html(page)
    page.checkbox[0].check()
    page = run(page, query)
    assert "0 rows" not in page_html(page)
