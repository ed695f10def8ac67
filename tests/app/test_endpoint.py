"""The SPARQL endpoint over HTTP: real server, raw requests."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlencode

import pytest

from app.endpoint import EndpointSettings
from app.endpoint.request import MAX_BODY_BYTES
from ontology.graphstore import build
from ontology.sparql import Limits
from tests.app.endpoint_client import ask, running, send
from tests.ontology.canary import canary
from tests.ontology.snapshots import snapshot

FORM = "application/x-www-form-urlencoded"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A service over the shared snapshot that gives a query two seconds."""
    folder = tmp_path_factory.mktemp("graph")
    build(folder, snapshot())
    with running(folder, EndpointSettings(limits=Limits(timeout=2))) as found:
        yield found


def test_a_query_by_get_is_answered(port: int) -> None:
    reply = ask(port, "SELECT ?id { document:1 dct:identifier ?id }")
    assert (reply.status, reply.media_type) == (200, "application/sparql-results+json")
    assert json.loads(reply.body)["results"]["bindings"][0]["id"]["value"] == "a.csv#1/Q1"


def test_a_query_by_post_is_answered_in_both_ways(port: int) -> None:
    direct = send(
        port,
        "POST",
        body="ASK { ?s ?p 'ünï' }".encode(),
        headers={"Content-Type": "application/sparql-query; charset=UTF-8"},
    )
    form = send(
        port,
        "POST",
        body=urlencode({"query": "ASK { ?s ?p ?o }"}).encode(),
        headers={"Content-Type": FORM},
    )
    assert json.loads(direct.body)["boolean"] is False
    assert json.loads(form.body)["boolean"] is True


def test_percent_signs_in_iris_are_decoded_once(port: int) -> None:
    query = "SELECT (STR(<http://x/a%2Fb>) AS ?iri) {}"
    for reply in (
        ask(port, query, "text/csv"),
        send(
            port,
            "POST",
            body=urlencode({"query": query}).encode(),
            headers={"Content-Type": FORM, "Accept": "text/csv"},
        ),
    ):
        assert reply.body == b"iri\r\nhttp://x/a%2Fb\r\n"


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("application/sparql-results+xml", "application/sparql-results+xml"),
        ("text/csv", "text/csv"),
        ("text/tab-separated-values", "text/tab-separated-values"),
    ],
)
def test_rows_come_as_asked_for(port: int, accept: str, media_type: str) -> None:
    assert ask(port, "SELECT * { ?s ?p ?o } LIMIT 1", accept).media_type == media_type


@pytest.mark.parametrize(
    "media_type",
    ["text/turtle", "application/n-triples", "application/rdf+xml", "application/ld+json"],
)
def test_graphs_come_as_asked_for(port: int, media_type: str) -> None:
    assert ask(port, "DESCRIBE document:1", media_type).media_type == media_type


def test_nothing_acceptable_is_406(port: int) -> None:
    assert ask(port, "ASK {}", "image/png").status == 406


def test_get_without_query_describes_the_service(port: int) -> None:
    import pyoxigraph as ox

    reply = send(port, "GET")
    assert (reply.status, reply.media_type) == (200, "text/turtle")
    store = ox.Store()
    store.load(reply.body, format=ox.RdfFormat.TURTLE)
    address = f"http://127.0.0.1:{port}/sparql"
    found = store.query(
        "PREFIX sd: <http://www.w3.org/ns/sparql-service-description#> SELECT ?g "
        f"{{ ?s a sd:Service ; sd:endpoint <{address}> ; sd:supportedLanguage sd:SPARQL11Query ; "
        "sd:defaultDataset ?d . ?d sd:namedGraph ?n . ?n sd:name ?g }"
    )
    assert isinstance(found, ox.QuerySolutions)
    graphs = {getattr(row["g"], "value", "") for row in found}
    assert any(graph.endswith("/run-2") for graph in graphs)
    assert not any("private" in graph or "run-3/quotes" in graph for graph in graphs)


def test_the_description_comes_in_other_syntaxes_and_without_a_graph(tmp_path: Path) -> None:
    with running(tmp_path) as port:
        reply = send(port, "GET", headers={"Accept": "application/rdf+xml"})
        assert (reply.status, reply.media_type) == (200, "application/rdf+xml")
        assert ask(port, "ASK {}").status == 503


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND"])
def test_other_methods_are_405_and_say_which(port: int, method: str) -> None:
    reply = send(port, method, [("query", "ASK {}")])
    assert reply.status == 405
    assert reply.headers["allow"] == "GET, HEAD, POST"


def test_head_answers_like_get_without_a_body(port: int) -> None:
    reply = send(port, "HEAD", [("query", "ASK {}")])
    assert (reply.status, reply.body) == (200, b"")


@pytest.mark.parametrize(
    "query", ["ASK {", "nonsense", "", "SELECT * { SERVICE <http://x/> { ?s ?p ?o } }"]
)
def test_queries_not_to_be_evaluated_are_400_in_plain_text(port: int, query: str) -> None:
    reply = ask(port, query)
    assert (reply.status, reply.media_type) == (400, "text/plain")
    assert b"Traceback" not in reply.body


@pytest.mark.parametrize("field", ["update", "query"])
def test_updates_are_403(port: int, field: str) -> None:
    body = urlencode({field: "INSERT DATA { <a> <b> <c> }"}).encode()
    assert send(port, "POST", body=body, headers={"Content-Type": FORM}).status == 403
    direct = send(
        port,
        "POST",
        body=b"CLEAR ALL",
        headers={"Content-Type": "application/sparql-update"},
    )
    assert direct.status == 403


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "multipart/form-data"])
def test_other_bodies_are_415(port: int, content_type: str) -> None:
    reply = send(port, "POST", body=b"ASK {}", headers={"Content-Type": content_type})
    assert reply.status == 415


@pytest.mark.parametrize("body", [b"\xff\xfe", b"query=%FF%FE", b"query=ASK+{}&query=ASK+{}"])
def test_broken_bodies_are_400(port: int, body: bytes) -> None:
    kind = FORM if b"=" in body else "application/sparql-query"
    assert send(port, "POST", body=body, headers={"Content-Type": kind}).status == 400


def test_a_long_body_is_read_and_answered_413(port: int) -> None:
    for size in (MAX_BODY_BYTES + 1, 5_000_000):
        reply = send(
            port, "POST", body=b"#" * size, headers={"Content-Type": "application/sparql-query"}
        )
        assert reply.status == 413


def test_a_long_request_line_is_answered_414(port: int) -> None:
    assert ask(port, "ASK {} #" + "x" * 250_000).status == 414
    assert ask(port, "ASK {} #" + "x" * 70_000).status == 413


def test_the_graphs_of_the_request_are_the_dataset(port: int) -> None:
    run_2 = "https://w3id.org/florilegium/data/run-2"
    inside = ask(port, "ASK { tag:12-1 ?p ?o }", default_graph_uri=run_2)
    outside = ask(port, "ASK { document:1 dct:identifier ?o }", default_graph_uri=run_2)
    assert json.loads(inside.body)["boolean"] is True
    assert json.loads(outside.body)["boolean"] is False


def test_private_words_do_not_leave(port: int) -> None:
    query = "SELECT ?q { { ?s oa:exact ?q } UNION { GRAPH ?g { ?s oa:exact ?q } } }"
    assert b'"bus"' in ask(port, query).body
    only = "SELECT ?q { document:3 ^oa:hasSource/oa:hasSelector/oa:exact ?q }"
    assert ask(port, only, "text/csv").body == b"q\r\n"
    quotes = "https://w3id.org/florilegium/data/run-3/quotes"
    reply = ask(port, "SELECT ?q { ?s oa:exact ?q }", "text/csv", default_graph_uri=quotes)
    assert reply.body == b"q\r\n"


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1.example.org:80", "evil", ""])
def test_a_foreign_host_is_refused(port: int, host: str) -> None:
    assert send(port, "GET", headers={"Host": host}).status in (400, 421)


@pytest.mark.parametrize("host", ["localhost:1234", "127.0.0.1", "[::1]:99", "LOCALHOST"])
def test_loopback_hosts_are_served(port: int, host: str) -> None:
    assert send(port, "GET", [("query", "ASK {}")], headers={"Host": host}).status == 200


def test_a_page_of_another_origin_is_refused_and_no_cors_header_is_sent(port: int) -> None:
    foreign = send(port, "GET", [("query", "ASK {}")], headers={"Origin": "https://evil.example"})
    own = send(
        port, "GET", [("query", "ASK {}")], headers={"Origin": f"http://127.0.0.1:{port + 1}"}
    )
    assert (foreign.status, own.status) == (403, 200)
    assert not any(name.startswith("access-control") for name in {*foreign.headers, *own.headers})


def test_an_endless_query_is_503_and_the_service_goes_on(port: int) -> None:
    reply = ask(port, ENDLESS)
    assert reply.status == 503
    assert ask(port, "ASK {}").status == 200


def test_more_clients_than_may_wait_are_sent_away_at_once(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    settings = EndpointSettings(limits=Limits(timeout=1.5), workers=1, waiting=1)
    with running(tmp_path, settings) as port, ThreadPoolExecutor(6) as pool:
        statuses = [reply.status for reply in pool.map(lambda _: ask(port, ENDLESS), range(6))]
        assert statuses == [503] * 6
        assert ask(port, "ASK {}").status == 200


def test_a_new_graph_is_answered_without_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as port:
        assert ask(port, "ASK {}").status == 503
        build(tmp_path, snapshot())
        assert json.loads(ask(port, "ASK { tag:12-1 ?p ?o }").body)["boolean"] is True


def test_nothing_is_heard_outside(port: int) -> None:
    with canary() as bird:
        for query in (
            f"SELECT * {{ SERVICE <{bird.url}> {{ ?s ?p ?o }} }}",
            f"LOAD <{bird.url}>",
            f"SELECT * FROM <{bird.url}> {{ ?s ?p ?o }}",
            f"PREFIX s: <{bird.url}/> SELECT * {{ services:x {{ ?s ?p ?o }} }}",
        ):
            ask(port, query)
        ask(port, "ASK {}", default_graph_uri=bird.url)
    assert bird.heard == []


def test_garbage_on_the_line_does_not_end_the_service(port: int) -> None:
    for line in (b"\x00\xff" * 100, b"GET /sparql HTTP/9.9\r\n\r\n", b"GET " + b"a" * 2_000_000):
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            try:
                connection.sendall(line + b"\r\n\r\n")
                connection.recv(1000)
            except OSError:
                pass
    assert ask(port, "ASK {}").status == 200


def test_other_paths_are_404(port: int) -> None:
    assert send(port, "GET", path="/other").status == 404
    assert send(port, "GET", path="/assets/page.py").status == 404
