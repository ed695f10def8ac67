"""Queries end to end: answered whole, in a process of their own, within limits."""

from __future__ import annotations

import csv
import io
import json
import platform
import sys
from pathlib import Path

import pytest

from ontology import formats
from ontology.errors import GraphMissing, QueryRefused, QueryStopped, QueryTimeout
from ontology.guard import check
from ontology.sparql import Limits, evaluate, run_query
from ontology.vocab import DATA
from tests.ontology.canary import canary
from tests.ontology.test_guard import SERVICES
from tests.ontology.vocabularies import EX

ROUND = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"


def column(graph_dir: Path, query: str, **options: object) -> list[str]:
    """Return the first column of a SELECT."""
    answer = run_query(graph_dir, query, format="csv", **options)  # type: ignore[arg-type]
    return [row[0] for row in list(csv.reader(io.StringIO(answer.body.decode(), newline="")))[1:]]


def test_select_answers_json_by_default(graph_dir: Path) -> None:
    answer = run_query(graph_dir, "SELECT ?id { document:1 dct:identifier ?id }")
    assert answer.kind == "select"
    assert answer.media_type == "application/sparql-results+json"
    (row,) = json.loads(answer.body)["results"]["bindings"]
    assert row["id"]["value"] == "a.csv#1/Q1"


@pytest.mark.parametrize(
    ("format", "begins"),
    [
        ("json", b'{"head"'),
        ("xml", b"<?xml"),
        ("csv", b"n\r\n42"),
        ("tsv", b"?n\n42"),
        ("table", "n\n──\n42\n1 row\n".encode()),
        ("text/csv; charset=utf-8", b"n\r\n42"),
    ],
)
def test_select_answers_in_every_row_format(graph_dir: Path, format: str, begins: bytes) -> None:
    answer = run_query(graph_dir, "SELECT (42 AS ?n) {}", format=format)
    assert answer.body.startswith(begins)


@pytest.mark.parametrize(
    ("format", "holds"),
    [
        ("", b"document:1 "),
        ("ttl", b"document:1 "),
        ("nt", b"<https://w3id.org/florilegium/data/document-1> <"),
        ("rdfxml", b"rdf:RDF"),
        ("jsonld", b'"@id"'),
        ("table", b"document:1 "),
    ],
)
def test_graphs_answer_in_every_graph_format(graph_dir: Path, format: str, holds: bytes) -> None:
    answer = run_query(graph_dir, "DESCRIBE document:1", format=format)
    assert holds in answer.body


def test_ask_answers_yes_or_no(graph_dir: Path) -> None:
    assert run_query(graph_dir, "ASK { document:1 ?p ?o }", format="table").body == b"yes\n"
    assert run_query(graph_dir, "ASK { document:99 ?p ?o }", format="table").body == b"no\n"


def test_a_format_that_does_not_fit_is_refused(graph_dir: Path) -> None:
    with pytest.raises(QueryRefused, match="table") as error:
        run_query(graph_dir, "SELECT * { ?s ?p ?o }", format="ttl")
    assert error.value.exit_code == 2


def test_parameters_are_bound(graph_dir: Path) -> None:
    found = column(graph_dir, "SELECT ?id { ?d dct:identifier ?id }", params={"d": "document:2"})
    assert found == ["a.csv#2/Q1"]


def test_a_concept_or_anything_narrower(graph_dir: Path) -> None:
    query = "SELECT DISTINCT ?d { ?c flo:within ?top . ?t oa:hasBody ?c ; flo:inDocument ?d }"
    found = column(graph_dir, query, params={"top": f"{EX}transport"})
    assert sorted(found) == [f"{DATA}document-1", f"{DATA}document-3"]
    narrow = column(graph_dir, query, params={"top": f"{EX}nightbus"})
    assert narrow == [f"{DATA}document-1"]


QUOTES = "SELECT ?quote { ?s oa:exact ?quote } ORDER BY ?quote"


def test_private_words_are_not_answered_unasked(graph_dir: Path) -> None:
    assert len(column(graph_dir, QUOTES)) == 3
    assert len(column(graph_dir, QUOTES, with_text=True)) == 5


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?q { GRAPH <https://w3id.org/florilegium/data/run-3/quotes> { ?s oa:exact ?q } }",
        "SELECT ?q FROM <https://w3id.org/florilegium/data/run-3/quotes> { ?s oa:exact ?q }",
        "SELECT ?q FROM <https://w3id.org/florilegium/data/private-text> { ?s oa:exact ?q }",
        "SELECT ?q FROM NAMED <https://w3id.org/florilegium/data/run-3/quotes> "
        "{ GRAPH ?g { ?s oa:exact ?q } }",
        "SELECT ?q { GRAPH ?g { ?s oa:exact ?q } FILTER(CONTAINS(STR(?g), 'run-3')) }",
    ],
)
def test_private_words_cannot_be_had_by_naming_their_graph(graph_dir: Path, query: str) -> None:
    assert column(graph_dir, query) == []


def test_private_graphs_answer_by_name_when_text_is_asked_for(graph_dir: Path) -> None:
    query = (
        "SELECT ?q { GRAPH <https://w3id.org/florilegium/data/run-3/quotes> { ?s oa:exact ?q } }"
    )
    assert sorted(column(graph_dir, query, with_text=True)) == ["No", "bus"]


def test_a_tag_of_a_private_collection_has_offsets_all_the_same(graph_dir: Path) -> None:
    query = "SELECT ?start { tag:14-1 oa:hasTarget/oa:hasSelector/oa:start ?start }"
    assert column(graph_dir, query) == ["3"]


def test_superseded_results_answer_by_name_only(graph_dir: Path) -> None:
    assert column(graph_dir, "SELECT ?p { tag:11-1 ?p ?o }") == []
    assert column(graph_dir, "SELECT ?p { GRAPH ?g { tag:11-1 ?p ?o } }") != []


def test_a_dataset_of_the_request_beats_from(graph_dir: Path) -> None:
    query = check("ASK FROM run:1 { tag:12-1 ?p ?o }", base=DATA)
    shape = formats.named("json", "ask")
    alone = evaluate(graph_dir, query, shape, limits=Limits())
    beaten = evaluate(graph_dir, query, shape, limits=Limits(), default_graphs=[f"{DATA}run-2"])
    assert json.loads(alone.body)["boolean"] is False
    assert json.loads(beaten.body)["boolean"] is True


def test_without_a_graph_the_error_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing, match="graph rebuild") as error:
        run_query(tmp_path, "ASK {}")
    assert error.value.exit_code == 78


@pytest.mark.parametrize("query", ["ASK {", "SELECT ?x WHERE", "SELECT * { ?s ?p }"])
def test_broken_queries_are_refused_with_the_place(graph_dir: Path, query: str) -> None:
    with pytest.raises(QueryRefused, match=r"not SPARQL 1\.1: .*1:"):
        run_query(graph_dir, query)


def test_a_query_without_end_is_stopped_in_time(graph_dir: Path) -> None:
    with pytest.raises(QueryTimeout, match="longer than 1 s") as error:
        run_query(graph_dir, f"SELECT (COUNT(*) AS ?rows) {ROUND}", timeout=1)
    assert error.value.status == 503


@pytest.mark.parametrize("format", ["json", "xml", "csv", "tsv"])
def test_too_many_rows_are_an_error_not_a_part(graph_dir: Path, format: str) -> None:
    with pytest.raises(QueryStopped, match="more than 50 rows"):
        run_query(graph_dir, "SELECT ?s { ?s ?p ?o }", format=format, max_rows=50)
    answer = run_query(graph_dir, "SELECT ?s { ?s ?p ?o } LIMIT 50", format=format, max_rows=50)
    assert answer.body


def test_too_many_bytes_are_an_error_not_a_part(graph_dir: Path) -> None:
    with pytest.raises(QueryStopped, match="more than 1,000 bytes"):
        run_query(graph_dir, "SELECT * { ?s ?p ?o }", max_bytes=1000)
    with pytest.raises(QueryStopped, match="more than 1,000 bytes"):
        run_query(graph_dir, "CONSTRUCT WHERE { ?s ?p ?o }", max_bytes=1000)


def test_too_many_triples_are_an_error_not_a_part(graph_dir: Path) -> None:
    with pytest.raises(QueryStopped, match="more than 5 rows"):
        run_query(graph_dir, "CONSTRUCT WHERE { ?s ?p ?o }", max_rows=5)


def test_too_much_memory_ends_the_worker_not_the_program(graph_dir: Path) -> None:
    query = f"SELECT DISTINCT * {ROUND} ORDER BY ?a"
    limits = Limits(timeout=60, max_memory=400 * 2**20)
    with pytest.raises(QueryStopped, match=r"400 MB|longer"):
        evaluate(graph_dir, check(query, base=DATA), formats.JSON, limits=limits)


def test_nothing_is_heard_outside_whatever_is_asked(graph_dir: Path) -> None:
    with canary() as bird:
        for query in SERVICES:
            with pytest.raises(QueryRefused):
                run_query(graph_dir, query.replace("127.0.0.1:1", f"127.0.0.1:{bird.port}"))
    assert bird.heard == []


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in ("x86_64", "aarch64"),
    reason="the socket rule exists on Linux, x86-64 and ARM64",
)
def test_the_worker_cannot_open_a_socket_even_when_the_guard_is_passed(graph_dir: Path) -> None:
    with canary() as bird:
        checked = check("ASK {}", base=DATA)
        query = f"ASK {{ SERVICE <{bird.url}> {{ ?s ?p ?o }} }}"
        smuggled = type(checked)(query, "ask", None, None, ())
        with pytest.raises(QueryRefused, match="outside this graph"):
            evaluate(graph_dir, smuggled, formats.JSON, limits=Limits(timeout=10))
    assert bird.heard == []


def test_the_asking_process_loads_no_engine(graph_dir: Path) -> None:
    import subprocess

    code = (
        "import sys; from pathlib import Path; from ontology.sparql import run_query;"
        f"run_query(Path({str(graph_dir)!r}), 'ASK {{}}');"
        "print([name for name in ('pyoxigraph', 'rdflib', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_twenty_queries_take_a_quarter_of_a_second_of_processor_time_each_at_most(
    graph_dir: Path,
) -> None:
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(20):
        run_query(graph_dir, "SELECT * { ?s ?p ?o } LIMIT 10")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used / 20 < 0.25
