"""Content negotiation and the table for a terminal."""

from __future__ import annotations

import json

import pytest

from ontology.errors import QueryRefused
from ontology.formats import negotiate
from ontology.table import render, shorten


@pytest.mark.parametrize(
    ("accept", "form", "chosen"),
    [
        (None, "select", "json"),
        ("", "ask", "json"),
        ("*/*", "select", "json"),
        ("text/csv", "select", "csv"),
        ("text/*", "select", "csv"),
        ("application/sparql-results+xml", "ask", "xml"),
        ("text/tab-separated-values;q=0.5, text/csv;q=0.4", "select", "tsv"),
        ("text/csv;q=0.4, */*;q=0.1", "select", "csv"),
        ("application/sparql-results+json;q=0, */*", "select", "xml"),
        ("text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "select", "xml"),
        ("text/turtle, application/sparql-results+json", "select", "json"),
        ("text/turtle, application/sparql-results+json", "construct", "ttl"),
        ("application/n-triples", "describe", "nt"),
        ("application/ld+json", "construct", "jsonld"),
        (None, "describe", "ttl"),
    ],
)
def test_the_best_offer_is_chosen(accept: str | None, form: str, chosen: str) -> None:
    assert negotiate(accept, form).name == chosen


@pytest.mark.parametrize("accept", ["image/png", "text/turtle", "text/csv;q=0", "nonsense"])
def test_nothing_acceptable_is_406(accept: str) -> None:
    with pytest.raises(QueryRefused) as error:
        negotiate(accept, "select")
    assert error.value.status == 406


def test_a_table_is_aligned_and_iris_are_short() -> None:
    rows = [
        {"c": {"type": "uri", "value": "http://www.w3.org/2004/02/skos/core#Concept"}},
        {
            "c": {"type": "literal", "value": "two\nlines"},
            "n": {"type": "literal", "value": "日本"},
        },
    ]
    results = {"head": {"vars": ["c", "n"]}, "results": {"bindings": rows}}
    assert render(json.dumps(results).encode()).splitlines() == [
        "c             n",
        "────────────  ────",
        "skos:Concept",
        "two lines     日本",
        "2 rows",
    ]


def test_long_cells_end_with_an_ellipsis() -> None:
    rows = [{"c": {"type": "literal", "value": "x" * 500}}]
    results = {"head": {"vars": ["c"]}, "results": {"bindings": rows}}
    assert max(map(len, render(json.dumps(results).encode()).splitlines())) == 80


def test_only_flat_names_are_shortened() -> None:
    data = "https://w3id.org/florilegium/data/"
    assert shorten(data + "tag-17-1") == "tag:17-1"
    assert shorten(data + "run-3/quotes") == data + "run-3/quotes"
