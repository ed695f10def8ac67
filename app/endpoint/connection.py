"""Connections that are not kept open for clients who send next to nothing."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_SAID = b"the request was not complete in time; expected it whole\n"
_LATE = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n" % len(_SAID)
) + _SAID
_WHOLE = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)


def patient(seconds: float) -> type[H11Protocol]:
    """Return the HTTP protocol that gives a client ``seconds`` to send a request, line to body."""

    class Patient(H11Protocol):
        _timer: asyncio.TimerHandle | None = None

        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            super().__init__(*arguments, **keywords)
            self.app_state = {**self.app_state, "connection": self}

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._start()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state in _WHOLE:
                self._stop()

        def on_response_complete(self) -> None:
            self._start()
            super().on_response_complete()
            answering = self.cycle is not None and not self.cycle.response_complete
            if answering and self.conn.their_state in _WHOLE:
                self._stop()

        def _start(self) -> None:
            self._stop()
            self._timer = self.loop.call_later(seconds, self._give_up)

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _give_up(self) -> None:
            begun = self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]
            silent = self.cycle is None or self.cycle.response_complete
            if not silent:
                silent = not self.cycle.response_started
            if begun and silent and not self.transport.is_closing():
                self.transport.write(_LATE)
            self.transport.abort()

    return cast("type[H11Protocol]", Patient)
