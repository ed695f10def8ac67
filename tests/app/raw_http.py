"""HTTP by hand on a socket: what is sent is what a test wrote, byte for byte."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable
from urllib.parse import quote_plus

from tests.app.endpoint_client import Reply

FORM = "application/x-www-form-urlencoded"
QUERY = "application/sparql-query"
UPDATE = "application/sparql-update"


def encoded(pairs: Iterable[tuple[str, str]]) -> str:
    """Return form fields, each percent-encoded once, in order."""
    return "&".join(f"{quote_plus(key)}={quote_plus(value)}" for key, value in pairs)


def message(
    method: str,
    params: Iterable[tuple[str, str]] = (),
    *,
    body: bytes | None = None,
    content_type: str | None = None,
    headers: Iterable[tuple[str, str]] = (),
    path: str = "/sparql",
    host: str = "127.0.0.1",
) -> bytes:
    """Return a request with a Host and, for a body, a length: nothing else that is not given."""
    line = encoded(params)
    lines = [f"{method} {path}{'?' if line else ''}{line} HTTP/1.1", f"Host: {host}"]
    if content_type is not None:
        lines.append(f"Content-Type: {content_type}")
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode("ascii") + (body or b"")


def exchange(port: int, data: bytes, *, timeout: float = 60) -> Reply:
    """Send ``data`` and return what came until the other side closed the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        with contextlib.suppress(OSError):  # refused before its end: the answer may be there
            connection.sendall(data)
        return reply(_all(connection))


def reply(data: bytes) -> Reply:
    """Return the parts of a response; status 0 where there was none."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    if not first.startswith("HTTP/1.1 "):
        return Reply(0, {}, data)
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        body = _joined(body)
    return Reply(int(first.split()[1]), headers, body)


def _all(connection: socket.socket) -> bytes:
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def _joined(body: bytes) -> bytes:
    parts = []
    while body:
        size, _, body = body.partition(b"\r\n")
        length = int(size, 16)
        parts.append(body[:length])
        body = body[length + 2 :]
    return b"".join(parts)
