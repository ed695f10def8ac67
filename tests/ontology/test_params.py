"""Values bound to variables: as terms, never as syntax."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from ontology.errors import QueryRefused
from ontology.params import bind, term
from ontology.vocab import DATA, SKOS


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("http://x/a", "<http://x/a>"),
        ("<http://x/a b>", "<http://x/a%20b>"),
        ("urn:x:1", "<urn:x:1>"),
        ("skos:Concept", f"<{SKOS}Concept>"),
        ("tag:17-1", f"<{DATA}tag-17-1>"),
        ("12", "12"),
        ("-0.5", "-0.5"),
        ("true", '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>'),
        ("town plan", '"town plan"'),
        ('"12"', '"12"'),
        ("note: see below", '"note: see below"'),
        ('a" } DROP ALL #', '"a\\" } DROP ALL #"'),
        ("<http://x/> } #>", "<http://x/%3E%20%7D%20#>"),
    ],
)
def test_a_value_becomes_one_term(value: str, written: str) -> None:
    assert term(value) == written


def test_variables_are_replaced_outside_strings_and_comments_only() -> None:
    query = 'SELECT ?x { ?x ?p $c . ?x ?q "?c" } # ?c'
    assert bind(query, {"c": "urn:v"}) == 'SELECT ?x { ?x ?p <urn:v> . ?x ?q "?c" } # ?c'


def test_a_longer_name_is_another_variable() -> None:
    assert bind("ASK { ?c ?p ?concept }", {"c": "1"}) == "ASK { 1 ?p ?concept }"


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT ?c ?o { ?c <urn:p> ?o }", 2),
        ("SELECT (COUNT(?c) AS ?n) { ?c <urn:p> ?o }", 1),
        ("SELECT ?o { ?c <urn:p> ?o } ORDER BY ?c ?o", 2),
        ("SELECT ?o { ?c <urn:p> ?o } GROUP BY ?c ?o HAVING (COUNT(?c) > 0) LIMIT 5", 2),
        ("SELECT ?o { { SELECT ?c ?o WHERE { ?c <urn:p> ?o } ORDER BY ?o LIMIT 9 } }", 2),
        ("SELECT ?o { ?s <urn:p> ?o FILTER(?s = ?c) } ORDER BY DESC(?c)", 2),
    ],
)
def test_bound_queries_stay_valid_wherever_the_variable_stands(query: str, rows: int) -> None:
    store = ox.Store()
    for subject in "ab":
        for value in "12":
            store.add(
                ox.Quad(ox.NamedNode(f"urn:{subject}"), ox.NamedNode("urn:p"), ox.Literal(value))
            )
    found = store.query(bind(query, {"c": "urn:a"}))
    assert isinstance(found, ox.QuerySolutions)
    assert len(list(found)) == rows


def test_an_unknown_variable_is_refused_with_those_there_are() -> None:
    with pytest.raises(QueryRefused, match=r"\?p, \?s"):
        bind("ASK { ?s ?p 1 }", {"concept": "x"})


def test_a_name_that_is_no_variable_name_is_refused() -> None:
    with pytest.raises(QueryRefused):
        bind("ASK { ?s ?p 1 }", {"s ?p": "x"})


def test_what_the_query_computes_cannot_be_given() -> None:
    with pytest.raises(QueryRefused, match="computes"):
        bind("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", {"n": "1"})
