"""The endpoint under attack: each query ends in its time, and the service goes on as before."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.endpoint import EndpointSettings
from ontology.guard import MAX_BYTES
from ontology.sparql import Limits
from tests.app.endpoint_client import Reply, ask, running, send
from tests.app.graph_folder import graph_folder
from tests.app.hostile_queries import BOMBS, BRACKETS, HARMLESS, UPDATES, elsewhere, reaching
from tests.app.raw_http import exchange, message, reply
from tests.ontology.canary import Canary, canary

LIMIT = 1.0
HANGS = LIMIT + 20
"""Seconds after which a test says that nothing was stopped; the bench has the exact figures."""
QUADS = "".join(
    f"<http://x/{n}> <http://x/next> <http://x/{(n * 7 + 3) % 1500}> <http://x/g> .\n"
    f'<http://x/{n}> <http://x/says> "a letter of number {n}, with aaaaaaaaaaaaaaaa" <http://x/g> .\n'
    for n in range(1500)
)
DOCUMENTED = (200, 400, 403, 413, 414, 503)


@dataclass(frozen=True)
class Service:
    """Where it is, and what would hear it ask anybody else."""

    port: int
    bird: Canary

    def ask(self, query: str) -> tuple[Reply, float]:
        """Ask by POST, so that no length of address is in the way; return the seconds too."""
        began = time.monotonic()
        headers = {"Content-Type": "application/sparql-query"}
        found = send(self.port, "POST", body=query.encode(), headers=headers)
        return found, time.monotonic() - began


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service over 3,000 statements that gives each query a second."""
    folder = graph_folder(tmp_path_factory.mktemp("graph"), QUADS, both=True)
    limits = Limits(timeout=LIMIT, max_rows=200_000, max_memory=1024 * 2**20)
    settings = EndpointSettings(limits=limits, request_seconds=2)
    with canary() as bird, running(folder, settings) as port:
        yield Service(port, bird)


@pytest.fixture(autouse=True)
def still_there(service: Service) -> Iterator[None]:
    """After every test the service still answers, and nobody else was asked."""
    yield
    assert json.loads(service.ask("ASK { <http://x/1> <http://x/next> ?o }")[0].body)["boolean"]
    assert service.bird.heard == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_what_costs_too_much_is_stopped_in_time(service: Service, name: str) -> None:
    found, seconds = service.ask(BOMBS[name])
    assert found.status in DOCUMENTED, found.body[:300]
    assert seconds < HANGS
    assert found.status == 200 or found.media_type == "text/plain"


@pytest.mark.parametrize(
    "name", ["a product of four patterns", "five million rows", "everything in order"]
)
def test_the_worst_get_no_part_of_an_answer(service: Service, name: str) -> None:
    found, _ = service.ask(BOMBS[name])
    assert found.status == 503
    assert found.headers["retry-after"]
    assert len(found.body) < 500


@pytest.mark.parametrize("name", BRACKETS)
def test_brackets_and_long_lists_do_not_end_it(service: Service, name: str) -> None:
    found, seconds = service.ask(BRACKETS[name])
    assert found.status in DOCUMENTED, found.body[:300]
    assert seconds < HANGS


@pytest.mark.parametrize("name", list(reaching("http://127.0.0.1:9/")))
def test_nobody_else_is_asked(service: Service, name: str) -> None:
    found, _ = service.ask(reaching(service.bird.url)[name])
    assert found.status in (400, 403), found.body[:300]


@pytest.mark.parametrize("query", UPDATES)
def test_nothing_is_changed(service: Service, query: str) -> None:
    assert service.ask(query)[0].status in (400, 403)


@pytest.mark.parametrize("query", HARMLESS)
def test_words_alone_are_no_offence(service: Service, query: str) -> None:
    assert service.ask(query)[0].status == 200


@pytest.mark.parametrize("name", list(elsewhere("http://127.0.0.1:9/")))
def test_data_elsewhere_are_not_read(service: Service, name: str) -> None:
    found, _ = service.ask(elsewhere(service.bird.url)[name])
    assert found.status in (200, 400)
    if found.status == 200:
        assert json.loads(found.body)["results"]["bindings"] == []


def test_data_elsewhere_are_not_read_for_a_parameter_either(service: Service) -> None:
    for url in (service.bird.url, "file:///etc/passwd"):
        for kind in ("default_graph_uri", "named_graph_uri"):
            found = ask(service.port, "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }",
                        **{kind: url})  # fmt: skip
            assert json.loads(found.body)["results"]["bindings"] == []


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 70_000, 1_000_000, 17_000_000])
def test_a_long_query_is_refused(service: Service, size: int) -> None:
    query = "ASK {} #" + "x" * (size - 8)
    assert service.ask(query)[0].status == 413


def test_a_query_as_long_as_it_may_be_is_answered(service: Service) -> None:
    query = "ASK {} #" + "x" * (MAX_BYTES - 8)
    assert service.ask(query)[0].status == 200


@pytest.mark.parametrize(
    "data",
    [
        message("GET", [("query", "ASK {} #" + "x" * 1_200_000)]),
        message("GET", headers=[("X-Long", "x" * 1_200_000)]),
        message("GET", headers=[(f"X-{n}", "x" * 100) for n in range(12_000)]),
        message("POST", headers=[("Content-Length", "9" * 400)]),
        message("GET", [(f"f{n}", "") for n in range(2_000)]),
        b"GET /sparql HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\n\r\n",
        b"POST /sparql HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Length: 5\r\n\r\nfffffffffffffffffff\r\nASK {}",
        b"\x16\x03\x01\x02\x00" + b"\x01" * 300,
        b"GET /sparql?query=ASK%20%7B%7D HTTP/1.1\r\n\r\n",
    ],
    ids=["line", "header", "headers", "length", "fields", "hosts", "chunks", "tls", "no host"],
)
def test_requests_that_are_none_are_refused(service: Service, data: bytes) -> None:
    began = time.monotonic()
    found = exchange(service.port, data)
    assert found.status in (0, 400, 408, 413, 414, 421, 431)
    assert time.monotonic() - began < HANGS


@pytest.mark.slow
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /sparql?query=ASK",
        b"POST /sparql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/sparql-query\r\n"
        b"Content-Length: 500\r\n\r\nASK {} #",
    ],
    ids=["at once", "in the line", "in the body"],
)
def test_a_client_that_sends_a_byte_now_and_then_is_sent_away(
    service: Service, begun: bytes
) -> None:
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.sendall(begun)
        connection.settimeout(0.25)
        answer = b""
        while time.monotonic() - began < HANGS:
            try:
                connection.sendall(b"x")
                part = connection.recv(1000)
            except TimeoutError:
                continue
            except OSError:
                break
            if not part:
                break
            answer += part
    assert time.monotonic() - began < HANGS
    assert not answer or reply(answer).status == 408


def test_clients_that_send_nothing_keep_nobody_waiting(service: Service) -> None:
    idle = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(150)]
    try:
        found, seconds = service.ask("ASK {}")
        assert found.status == 200
        assert seconds < HANGS
    finally:
        for each in idle:
            each.close()


def _send_on(connection: socket.socket) -> None:
    for _ in range(40):
        connection.sendall(b"x" * 1000)
        time.sleep(0.05)


@pytest.mark.slow
def test_a_client_that_does_not_read_is_dropped(service: Service) -> None:
    query = "SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 100000"
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(message("GET", [("query", query)]))
        time.sleep(6)
        with pytest.raises(OSError):
            _send_on(connection)


def test_a_client_that_leaves_frees_its_process(service: Service) -> None:
    data = message("GET", [("query", BOMBS["a product of four patterns"])])
    for _ in range(6):
        with socket.create_connection(("127.0.0.1", service.port)) as connection:
            connection.sendall(data)
            time.sleep(0.1)
    found, seconds = service.ask("ASK {}")
    assert found.status == 200
    assert seconds < HANGS


@pytest.mark.parametrize("name", ["light", "heavy"])
def test_two_hundred_clients_at_once(service: Service, name: str) -> None:
    query = {"light": "SELECT * { ?s ?p ?o } LIMIT 10", "heavy": BOMBS["everything distinct"]}[name]
    barrier = threading.Barrier(200)

    def client(_: int) -> tuple[int, float]:
        barrier.wait()
        found, seconds = service.ask(query)
        return found.status, seconds

    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(client, range(200)))
    statuses = {status for status, _ in found}
    assert statuses <= ({200, 503} if name == "light" else {503})
    assert max(seconds for _, seconds in found) < HANGS


@pytest.mark.slow
def test_after_all_that_no_file_is_left_open(service: Service) -> None:
    folder = Path("/proc/self/fd")
    if not folder.exists():
        pytest.skip("looks at /proc")

    def open_files() -> int:
        return len(list(folder.iterdir()))

    service.ask("ASK {}")
    time.sleep(0.5)
    before = open_files()
    for name in ("a product of four patterns", "five million rows"):
        for _ in range(3):
            service.ask(BOMBS[name])
    end = time.monotonic() + 10
    while open_files() > before + 2 and time.monotonic() < end:
        time.sleep(0.2)
    assert open_files() <= before + 2
