"""The endpoint against the SPARQL 1.1 Protocol, case by case, raw on a socket."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.app.endpoint_client import Reply, running
from tests.app.graph_folder import graph_folder
from tests.app.protocol_cases import CASES, GRAPH, KIND, Case
from tests.app.raw_http import encoded, exchange, message

READ_ONLY = 27
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SD = "http://www.w3.org/ns/sparql-service-description#"

Serving = Callable[[dict[str, str]], int]


def _data() -> dict[str, Any]:
    """Return the cases of the evaluation data; empty where there are none."""
    named = os.environ.get("FLORILEGIUM_EVAL_DATA")
    path = Path(named or "", "sparql/protocol-cases.json")
    return dict(json.loads(path.read_text("utf-8"))) if named and path.is_file() else {}


DATA = _data()
NAMED = {case["id"]: case for case in DATA.get("cases", ())}
QUERIES = [each["id"] for each in NAMED.values() if each["applies_to_read_only_service"]]
UPDATES = [id for id in NAMED if id not in QUERIES]


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return what serves a set of graphs (name to its one N-Triples line) and gives the port."""
    with ExitStack() as stack:
        ports: dict[tuple[str, ...], int] = {}

        def serve(graphs: dict[str, str]) -> int:
            key = tuple(sorted(graphs))
            if key not in ports:
                quads = "".join(f"{line} <{name}> .\n" for name, line in graphs.items())
                folder = graph_folder(tmp_path_factory.mktemp("graph"), quads)
                ports[key] = stack.enter_context(running(folder))
            return ports[key]

        yield serve


def fault(reply: Reply, classes: list[str], kinds: list[str], boolean: bool | None) -> str:
    """Return what is wrong with the reply, "" when nothing is."""
    if not any(str(reply.status)[0] == each[0] for each in classes):
        return f"status {reply.status}: {reply.body[:200]!r}"
    if kinds and reply.media_type not in kinds:
        return f"media type {reply.media_type!r}"
    if boolean is not None and json.loads(reply.body)["boolean"] != boolean:
        return f"answer {reply.body!r}"
    return ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_protocol_is_kept(serving: Serving, case: Case) -> None:
    port = serving({f"{GRAPH}{n}": f"<{GRAPH}{n}> <{TYPE}> <{KIND}>" for n in case.graphs})
    sent = message(case.method, case.params, body=case.body, content_type=case.content_type)
    assert fault(exchange(port, sent), [str(case.status)], list(case.kinds), case.boolean) == ""


def test_there_are_as_many_cases_in_our_own_words() -> None:
    assert len(CASES) == len({case.name for case in CASES}) == READ_ONLY


@pytest.mark.eval
@pytest.mark.usefixtures("evaluation_data")
def test_the_evaluation_data_has_every_case() -> None:
    assert len(QUERIES) == READ_ONLY
    assert len(NAMED) == 34


@pytest.mark.eval
@pytest.mark.skipif(not QUERIES, reason="evaluation data: FLORILEGIUM_EVAL_DATA is unset")
@pytest.mark.parametrize("id", QUERIES)
def test_a_case_of_the_evaluation_data_passes(serving: Serving, id: str) -> None:
    for request, reply in _carried_out(serving, NAMED[id]):
        expected = request["expect"]
        kinds = DATA["result_kinds"].get(expected.get("result_kind"), [])
        assert fault(reply, expected["status"], kinds, expected.get("boolean")) == ""


@pytest.mark.eval
@pytest.mark.skipif(not UPDATES, reason="evaluation data: FLORILEGIUM_EVAL_DATA is unset")
@pytest.mark.parametrize("id", UPDATES)
def test_an_update_case_is_answered_403(serving: Serving, id: str) -> None:
    _, reply = next(_carried_out(serving, NAMED[id]))
    assert reply.status == 403


def _carried_out(serving: Serving, case: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Reply]]:
    graphs = [DATA["graph_data"][str(number)] for number in case["graphs_to_load_first"]]
    port = serving(
        {each["graph"]: " ".join(f"<{term}>" for term in each["triple"]) for each in graphs}
    )
    for request in case["requests"]:
        body: bytes | None = None
        if "form" in request:
            body = encoded(request["form"]).encode()
        elif "body" in request:
            body = request["body"].encode(request["body_encoding"])
        sent = message(
            request["method"],
            request.get("url_params", ()),
            body=body,
            content_type=request.get("content_type"),
        )
        yield request, exchange(port, sent)


@pytest.fixture(scope="module")
def description(serving: Serving) -> tuple[str, Reply]:
    """Return the endpoint's address and what a GET without a query answers."""
    port = serving({f"{GRAPH}1": f"<{GRAPH}1> <{TYPE}> <{KIND}>"})
    host = f"127.0.0.1:{port}"
    return f"http://{host}/sparql", exchange(port, message("GET", host=host))


def _triples(reply: Reply) -> list[tuple[str, str, str]]:
    import pyoxigraph as ox

    found = ox.parse(reply.body, format=ox.RdfFormat.TURTLE)
    return [tuple(str(part) for part in quad.triple) for quad in found]  # type: ignore[misc]


def test_the_service_description_is_rdf(description: tuple[str, Reply]) -> None:
    _, reply = description
    assert (reply.status, reply.media_type) == (200, "text/turtle")
    assert _triples(reply)


def test_the_service_description_names_the_endpoint(description: tuple[str, Reply]) -> None:
    address, reply = description
    found = [triple for triple in _triples(reply) if triple[1] == f"<{SD}endpoint>"]
    assert [triple[2] for triple in found] == [f"<{address}>"]


def test_the_service_description_keeps_to_its_vocabulary(description: tuple[str, Reply]) -> None:
    """Domains and ranges of https://www.w3.org/TR/sparql11-service-description/."""
    subjects: dict[str, set[str]] = {}
    triples = _triples(description[1])
    for subject, predicate, value in triples:
        if predicate == f"<{TYPE}>":
            subjects.setdefault(subject, set()).add(value.removeprefix(f"<{SD}").rstrip(">"))
    schema = {
        "endpoint": ("Service", ""),
        "supportedLanguage": ("Service", ""),
        "resultFormat": ("Service", ""),
        "defaultDataset": ("Service", "Dataset"),
        "defaultGraph": ("Dataset", "Graph"),
        "namedGraph": ("Dataset", "NamedGraph"),
        "name": ("NamedGraph", ""),
    }
    used = 0
    for subject, predicate, value in triples:
        if predicate.startswith(f"<{SD}"):
            domain, range_ = schema[predicate.removeprefix(f"<{SD}").rstrip(">")]
            assert domain in subjects[subject]
            assert not range_ or range_ in subjects[value]
            used += 1
    assert used >= len(schema)
    assert all(f"<{SD}{name}>" in {triple[1] for triple in triples} for name in schema)
