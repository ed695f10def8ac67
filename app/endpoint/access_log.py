"""The access log: one JSON line a request, and never what may name a person.

The query's text is written only where no collection of the graph keeps its words private.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import time
from datetime import UTC, datetime
from logging.handlers import WatchedFileHandler
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import ConfigError


class AccessLog:
    """A file that is opened again when the system has moved it away (logrotate)."""

    def __init__(self, path: Path) -> None:
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
            self._file = WatchedFileHandler(path, encoding="utf-8", delay=True)
        except OSError as error:
            raise ConfigError(
                f"The access log {str(path)!r} cannot be written ({error.strerror}); "
                "expected a file in a folder that exists. Name another with --access-log FILE"
            ) from error

    def write(self, entry: dict[str, Any]) -> None:
        """Append a line."""
        line = json.dumps(entry, ensure_ascii=True, separators=(",", ":"))
        self._file.handle(logging.LogRecord("access", logging.INFO, "", 0, line, None, None))


class Logged:
    """The application inside, with a line for each request when it has been answered."""

    def __init__(self, app: ASGIApp, log: AccessLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, and write the line."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, arrived = time.monotonic(), datetime.now(UTC)
        status, size = 0, 0

        async def counted(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        noted: dict[str, Any] = {}
        scope.setdefault("state", {})["noted"] = noted
        try:
            await self._app(scope, receive, counted)
        finally:
            entry: dict[str, Any] = {
                "time": arrived.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "status": status,
                "ms": round((time.monotonic() - began) * 1000, 1),
                "bytes": 0 if scope["method"] == "HEAD" else size,
                "method": scope["method"][:16],
                "kind": noted.get("kind", _kind(scope["path"])),
                "client": _client(scope),
            }
            self._log.write(entry | {k: noted[k] for k in ("rows", "query") if k in noted})


def note(scope: Scope, **values: Any) -> None:
    """Say something about the request that belongs in its line: ``kind``, ``rows``, ``query``."""
    noted = scope.get("state", {}).get("noted")
    if noted is not None:
        noted.update(values)


def _kind(path: str) -> str:
    return "none" if path == "/sparql" else "page"


def _client(scope: Scope) -> str:
    address = (scope.get("client") or ("unknown",))[0]
    try:
        return "loopback" if ipaddress.ip_address(address).is_loopback else address
    except ValueError:
        return "unknown"
