"""Clients that people use: SPARQLWrapper and curl."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.endpoint import EndpointSettings
from tests.app.endpoint_client import running
from tests.app.graph_folder import graph_folder

TOKEN = "a-token-for-the-clients-of-tests"
QUADS = """\
<http://x/a> <http://x/p> "caf\\u00E9"@fr <http://x/g> .
<http://x/a> <http://x/q> <http://x/b%2Fc> <http://x/g> .
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service that asks for a token."""
    folder = graph_folder(tmp_path_factory.mktemp("graph"), QUADS, both=True)
    with running(folder, EndpointSettings(tokens=(TOKEN,))) as port:
        yield f"http://127.0.0.1:{port}/sparql"


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("how", ["urlencoded", "postdirectly"])
def test_sparqlwrapper_gets_rows_and_triples(address: str, method: str, how: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="pip install 'florilegium[dev]'")
    client = wrapper.SPARQLWrapper(address)
    client.setMethod(method)
    client.setRequestMethod(how)
    client.addCustomHttpHeader("Authorization", f"Bearer {TOKEN}")
    client.setQuery('SELECT ?o { <http://x/a> <http://x/p> ?o FILTER(?o = "café"@fr) }')
    client.setReturnFormat(wrapper.JSON)
    found = client.queryAndConvert()["results"]["bindings"]
    assert found == [{"o": {"type": "literal", "value": "café", "xml:lang": "fr"}}]
    client.setQuery("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
    client.setReturnFormat(wrapper.XML)
    graph = client.queryAndConvert()
    assert len(graph) == 2
    assert any(str(value) == "http://x/b%2Fc" for value in graph.objects())
    client.setQuery("ASK {}")
    client.setReturnFormat(wrapper.XML)
    assert "<boolean>true</boolean>" in client.queryAndConvert().toxml()


def test_sparqlwrapper_is_told_what_is_wrong(address: str) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper", reason="pip install 'florilegium[dev]'")
    client = wrapper.SPARQLWrapper(address)
    client.setQuery("ASK {")
    with pytest.raises(wrapper.SPARQLExceptions.Unauthorized):
        client.query()
    client.addCustomHttpHeader("Authorization", f"Bearer {TOKEN}")
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed, match=r"SPARQL 1\.1"):
        client.query()


def curl(*arguments: str) -> bytes:
    program = shutil.which("curl")
    if program is None:
        pytest.skip("curl is missing; run: apt-get install -y curl")
    done = subprocess.run(
        [program, "--silent", "--show-error", "--noproxy", "*", *arguments],
        capture_output=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_curl_asks_in_three_ways(address: str, tmp_path: Path) -> None:
    token = ("--header", f"Authorization: Bearer {TOKEN}")
    query = 'SELECT ?o { <http://x/a> <http://x/p> ?o FILTER(?o = "café"@fr) }'
    file = tmp_path / "query.rq"
    file.write_text(query, "utf-8")
    by_get = curl(*token, "--get", "--data-urlencode", f"query={query}", address)
    by_form = curl(*token, "--data-urlencode", f"query@{file}", address)
    direct = curl(
        *token, "--header", "Content-Type: application/sparql-query",
        "--header", "Accept: text/csv", "--data-binary", f"@{file}", address,
    )  # fmt: skip
    assert by_get == by_form
    assert json.loads(by_get)["results"]["bindings"][0]["o"]["value"] == "café"
    assert direct == "o\r\ncafé\r\n".encode()


def test_curl_is_refused_without_a_token(address: str) -> None:
    status = curl("--output", "/dev/null", "--write-out", "%{http_code}", address)
    assert status == b"401"


def test_curl_gets_quads_when_it_asks_for_them(address: str) -> None:
    found = curl(
        "--header", f"Authorization: Bearer {TOKEN}", "--header", "Accept: application/n-quads",
        "--data-urlencode", "query=CONSTRUCT WHERE { ?s <http://x/q> ?o }", address,
    )  # fmt: skip
    assert found == b"<http://x/a> <http://x/q> <http://x/b%2Fc> .\n"
