"""An answer that is kept out of memory when it is long, and not for ever by a slow reader."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from typing import IO

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

IN_MEMORY = 1024 * 1024
PIECE = 128 * 1024


def spool() -> IO[bytes]:
    """Return a place for an answer: memory, then a file that has no name."""
    return tempfile.SpooledTemporaryFile(IN_MEMORY)


class SpooledAnswer(Response):
    """Sends ``body`` in pieces; a client that does not take one in ``seconds`` is dropped."""

    def __init__(
        self,
        body: IO[bytes],
        size: int,
        headers: Mapping[str, str],
        *,
        seconds: float,
        done: Callable[[], None],
    ) -> None:
        self.status_code = 200
        self.background = None
        self.media_type = None
        self.body = b""
        self._spooled = body
        self._seconds = seconds
        self._done = done
        self.init_headers({**headers, "Content-Length": str(size)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the headers and the pieces; always call ``done`` and close the body."""
        try:
            await self._send(scope, send)
        except TimeoutError:
            connection = scope.get("state", {}).get("connection")
            if connection is not None:
                connection.transport.abort()
                await asyncio.sleep(0.01)
        finally:
            self._spooled.close()
            self._done()

    async def _send(self, scope: Scope, send: Send) -> None:
        self._spooled.seek(0)
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await asyncio.wait_for(send(start), self._seconds)
        if scope["method"] != "HEAD":
            while piece := self._spooled.read(PIECE):
                body = {"type": "http.response.body", "body": piece, "more_body": True}
                await asyncio.wait_for(send(body), self._seconds)
        await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), self._seconds)
