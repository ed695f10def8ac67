"""What answers look like in each format: unbound values, escapes, languages, datatypes, booleans.

After the formats' own pages: https://www.w3.org/TR/sparql11-results-csv-tsv/,
https://www.w3.org/TR/sparql11-results-json/, https://www.w3.org/TR/rdf-sparql-XMLres/.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ontology.sparql import run_query
from tests.app.graph_folder import graph_folder

XSD = "http://www.w3.org/2001/XMLSchema#"
ROWS = r"""
SELECT ?n ?v ?w {
  VALUES (?n ?v ?w) {
    (1 "plain" UNDEF)
    (2 "a \"quoted\", cell" "line one\nline two\ttabbed \\ backslash")
    (3 "chat"@fr "Bœuf"@fr-BE)
    (4 4 4.5)
    (5 5e6 true)
    (6 "2026-12-01"^^xsd:date <http://example.org/a%2Fb?x=1&y='2'>)
    (7 "" " edge ")
    (8 "<&>" "日本 😀")
    (9 UNDEF "=1+1")
  }
} ORDER BY ?n
"""
"""One query whose nine rows hold what a format can get wrong. The engine writes language tags small."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph with a blank node in it."""
    return graph_folder(
        tmp_path_factory.mktemp("formats"),
        '_:b <http://example.org/p> "x" <http://example.org/g> .\n',
        both=True,
    )


def answered(folder: Path, query: str, format: str) -> bytes:
    return run_query(folder, query, format=format).body


def test_csv_gives_plain_values_and_nothing_for_an_unbound_one(folder: Path) -> None:
    text = answered(folder, ROWS, "csv").decode()
    assert text.startswith("n,v,w\r\n1,plain,\r\n")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert rows[2] == ["2", 'a "quoted", cell', "line one\nline two\ttabbed \\ backslash"]
    assert rows[3] == ["3", "chat", "Bœuf"]
    assert rows[4] == ["4", "4", "4.5"]
    assert float(rows[5][1]) == 5e6
    assert rows[5][2] == "true"
    assert rows[6] == ["6", "2026-12-01", "http://example.org/a%2Fb?x=1&y='2'"]
    assert rows[7] == ["7", "", " edge "]
    assert rows[8] == ["8", "<&>", "日本 😀"]
    assert rows[9] == ["9", "", "=1+1"]


def test_tsv_gives_terms_as_in_turtle_on_one_line_each(folder: Path) -> None:
    text = answered(folder, ROWS, "tsv").decode()
    assert text.endswith("\n")
    head, *rows = [line.split("\t") for line in text.splitlines()]
    assert head == ["?n", "?v", "?w"]
    assert rows[0] == ["1", '"plain"', ""]
    assert rows[1][1] == r'"a \"quoted\", cell"'
    assert rows[1][2] == r'"line one\nline two\ttabbed \\ backslash"'
    assert rows[2][1:] == ['"chat"@fr', '"Bœuf"@fr-be']
    assert rows[3] == ["4", "4", "4.5"]
    assert rows[5][1] == f'"2026-12-01"^^<{XSD}date>'
    assert rows[5][2] == "<http://example.org/a%2Fb?x=1&y='2'>"
    assert rows[6][1:] == ['""', '" edge "']
    assert rows[8] == ["9", "", '"=1+1"']


def test_json_gives_typed_terms_and_leaves_unbound_ones_out(folder: Path) -> None:
    found = json.loads(answered(folder, ROWS, "json"))
    assert found["head"]["vars"] == ["n", "v", "w"]
    rows = found["results"]["bindings"]
    assert len(rows) == 9
    assert set(rows[0]) == {"n", "v"}
    assert rows[0]["n"] == {"type": "literal", "value": "1", "datatype": f"{XSD}integer"}
    assert rows[0]["v"] == {"type": "literal", "value": "plain"}
    assert rows[1]["w"]["value"] == "line one\nline two\ttabbed \\ backslash"
    assert rows[2]["w"] == {"type": "literal", "value": "Bœuf", "xml:lang": "fr-be"}
    assert rows[3]["w"]["datatype"] == f"{XSD}decimal"
    assert rows[4]["v"]["datatype"] == f"{XSD}double"
    assert rows[4]["w"] == {"type": "literal", "value": "true", "datatype": f"{XSD}boolean"}
    assert rows[5]["w"] == {"type": "uri", "value": "http://example.org/a%2Fb?x=1&y='2'"}
    assert set(rows[8]) == {"n", "w"}


def test_xml_gives_the_same_as_json(folder: Path) -> None:
    name = "{http://www.w3.org/2005/sparql-results#}"
    root = ElementTree.fromstring(answered(folder, ROWS, "xml").decode())
    assert [each.get("name") for each in root.iter(f"{name}variable")] == ["n", "v", "w"]
    rows = [{each.get("name"): each[0] for each in row} for row in root.iter(f"{name}result")]
    assert [sorted(filter(None, row)) for row in (rows[0], rows[8])] == [["n", "v"], ["n", "w"]]
    assert rows[1]["w"].text == "line one\nline two\ttabbed \\ backslash"
    assert rows[2]["v"].get("{http://www.w3.org/XML/1998/namespace}lang") == "fr"
    assert rows[5]["v"].get("datatype") == f"{XSD}date"
    assert rows[5]["w"].tag == f"{name}uri"
    assert rows[7]["v"].text == "<&>"


def test_a_blank_node_is_told_from_an_iri(folder: Path) -> None:
    query = "SELECT ?s { ?s <http://example.org/p> ?o }"
    (row,) = json.loads(answered(folder, query, "json"))["results"]["bindings"]
    assert row["s"]["type"] == "bnode"
    assert answered(folder, query, "csv").splitlines()[1].startswith(b"_:")
    assert answered(folder, query, "tsv").splitlines()[1].startswith(b"_:")
    assert b"<bnode>" in answered(folder, query, "xml")


@pytest.mark.parametrize(("query", "yes"), [("ASK {}", True), ("ASK { <a:a> <a:a> <a:a> }", False)])
def test_a_boolean_in_every_format(folder: Path, query: str, yes: bool) -> None:
    word = str(yes).lower()
    assert json.loads(answered(folder, query, "json")) == {"head": {}, "boolean": yes}
    assert f"<boolean>{word}</boolean>".encode() in answered(folder, query, "xml")
    assert answered(folder, query, "csv").strip() == word.encode()
    assert answered(folder, query, "tsv").strip() == word.encode()


@pytest.mark.parametrize("format", ["csv", "tsv", "json", "xml"])
def test_no_row_is_a_head_alone(folder: Path, format: str) -> None:
    body = answered(folder, "SELECT ?a ?b { FILTER(false) }", format)
    expected = {
        "csv": b"a,b",
        "tsv": b"?a\t?b",
        "json": b'{"head":{"vars":["a","b"]},"results":{"bindings":[]}}',
    }
    assert format == "xml" or body.strip() == expected[format]
    assert b"<result>" not in body


def test_a_row_without_any_value_is_still_a_row(folder: Path) -> None:
    rows = json.loads(answered(folder, "SELECT ?a { VALUES ?a { UNDEF UNDEF } }", "json"))
    assert rows["results"]["bindings"] == [{}, {}]
    assert answered(folder, "SELECT ?a { VALUES ?a { UNDEF UNDEF } }", "csv") == b"a\r\n\r\n\r\n"


TRIPLES = r"""CONSTRUCT {
  <http://example.org/é> <http://example.org/p> "a\"b\n\\"@en-GB, 4, "x"^^<http://example.org/t>
} WHERE {}"""


@pytest.mark.parametrize(
    ("format", "syntax"),
    [("ttl", "turtle"), ("nt", "nt"), ("rdfxml", "xml"), ("jsonld", "json-ld"), ("nq", "nquads")],
)
def test_a_graph_says_the_same_in_every_syntax(folder: Path, format: str, syntax: str) -> None:
    """Read back by another library; N-Quads without graph names are N-Triples."""
    from rdflib import Graph, Literal, URIRef

    body = answered(folder, TRIPLES, format)
    graph = Graph()
    graph.parse(data=body, format="nt" if syntax == "nquads" else syntax)
    subject, predicate = URIRef("http://example.org/é"), URIRef("http://example.org/p")
    assert set(graph.objects(subject, predicate)) == {
        Literal('a"b\n\\', lang="en-GB"),
        Literal(4),
        Literal("x", datatype=URIRef("http://example.org/t")),
    }


def test_n_quads_of_a_constructed_graph_have_no_graph_name(folder: Path) -> None:
    query = "CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }"
    (line,) = answered(folder, query, "nq").splitlines()
    assert line.startswith(b"_:")
    assert line.endswith(b'<http://example.org/p> "x" .')
