"""A bare HTTP client and a running endpoint: nothing added to what a test sends."""

from __future__ import annotations

import http.client
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

from app.endpoint import EndpointSettings, server


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        return self.headers.get("content-type", "").split(";")[0]


@contextmanager
def running(graph_dir: Path, settings: EndpointSettings | None = None) -> Iterator[int]:
    """Serve ``graph_dir`` on a free port of 127.0.0.1 and yield the port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    service = server(graph_dir, port=port, settings=settings)
    thread = threading.Thread(target=service.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not service.started and time.monotonic() < deadline:
        time.sleep(0.02)
    try:
        yield port
    finally:
        service.should_exit = True
        thread.join(10)


def send(
    port: int,
    method: str,
    params: list[tuple[str, str]] | None = None,
    *,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    path: str = "/sparql",
) -> Reply:
    """Send a request with exactly these headers beside Host and Content-Length."""
    target = path + ("?" + urlencode(params, quote_via=quote) if params else "")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        given = dict(headers or {})
        connection.putrequest(method, target, skip_host="Host" in given, skip_accept_encoding=True)
        for name, value in given.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Reply(answer.status, found, answer.read())
    finally:
        connection.close()


def ask(port: int, query: str, accept: str | None = None, **extra: str) -> Reply:
    """Send ``query`` by GET."""
    return send(
        port,
        "GET",
        [("query", query), *((key.replace("_", "-"), value) for key, value in extra.items())],
        headers={"Accept": accept} if accept else {},
    )
