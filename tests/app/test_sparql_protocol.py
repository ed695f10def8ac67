"""The endpoint against the SPARQL 1.1 Protocol cases of the evaluation data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest

from ontology.graphstore import LAYOUT
from tests.app.endpoint_client import Reply, running, send

READ_ONLY = 27

pytestmark = pytest.mark.eval


@pytest.fixture(scope="module")
def cases(evaluation_data: Path) -> dict[str, Any]:
    """The cases as data."""
    path = evaluation_data / "sparql/protocol-cases.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def store(folder: Path, triples: dict[str, list[str]]) -> None:
    """Write a finished store that holds each graph's one triple, by name only."""
    import pyoxigraph as ox

    (folder / "store-1").mkdir(parents=True)
    engine = ox.Store(str(folder / "store-1/db"))
    for graph, triple in triples.items():
        engine.add(ox.Quad(*map(ox.NamedNode, triple), ox.NamedNode(graph)))  # type: ignore[arg-type]
    engine.flush()
    del engine
    manifest = {
        "layout": LAYOUT,
        "built": "",
        "quads": len(triples),
        "seconds": 0,
        "graphs": list(triples),
        "private": [],
        "superseded": [],
    }
    (folder / "store-1/manifest.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "CURRENT").write_text("store-1\n", "utf-8")


@pytest.fixture(scope="module")
def ports(
    cases: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[tuple[int, ...], int]]:
    """One service for each set of graphs that a case wants loaded."""
    data = cases
    with ExitStack() as stack:
        found: dict[tuple[int, ...], int] = {}
        for case in data["cases"]:
            wanted = tuple(case["graphs_to_load_first"])
            if wanted in found:
                continue
            folder = tmp_path_factory.mktemp("graph")
            loaded = [data["graph_data"][str(number)] for number in wanted]
            store(folder, {each["graph"]: each["triple"] for each in loaded})
            found[wanted] = stack.enter_context(running(folder))
        yield found


def carry_out(port: int, request: dict[str, Any]) -> Reply:
    body: bytes | None = None
    if "form" in request:
        pairs = (f"{quote_plus(key)}={quote_plus(value)}" for key, value in request["form"])
        body = "&".join(pairs).encode()
    elif "body" in request:
        body = request["body"].encode(request["body_encoding"])
    headers = {"Content-Type": request["content_type"]} if "content_type" in request else {}
    return send(
        port,
        request["method"],
        [(key, value) for key, value in request.get("url_params", ())],
        body=body,
        headers=headers,
    )


def holds(reply: Reply, expected: dict[str, Any], kinds: dict[str, list[str]]) -> str:
    """Return what is wrong with the reply, "" when nothing is."""
    if not any(str(reply.status)[0] == each[0] for each in expected["status"]):
        return f"status {reply.status}: {reply.body[:200]!r}"
    kind = expected.get("result_kind")
    if kind and reply.media_type not in kinds[kind]:
        return f"media type {reply.media_type!r}"
    if "boolean" in expected and json.loads(reply.body)["boolean"] != expected["boolean"]:
        return f"answer {reply.body!r}"
    return ""


def test_every_read_only_protocol_case_passes(
    cases: dict[str, Any], ports: dict[tuple[int, ...], int]
) -> None:
    data = cases
    wrong: dict[str, str] = {}
    passed = 0
    for case in data["cases"]:
        if not case["applies_to_read_only_service"]:
            continue
        port = ports[tuple(case["graphs_to_load_first"])]
        for request in case["requests"]:
            fault = holds(carry_out(port, request), request["expect"], data["result_kinds"])
            if fault:
                wrong[case["id"]] = fault
        passed += case["id"] not in wrong
    assert wrong == {}
    assert passed == READ_ONLY


def test_every_update_case_is_answered_403(
    cases: dict[str, Any], ports: dict[tuple[int, ...], int]
) -> None:
    for case in cases["cases"]:
        if not case["applies_to_read_only_service"]:
            request = case["requests"][0]
            port = ports[tuple(case["graphs_to_load_first"])]
            assert carry_out(port, request).status == 403, case["id"]
