"""The one resource of the protocol: queries answered by warm processes, in turn."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from app.endpoint.access import CHALLENGE, check_origin, check_token
from app.endpoint.access_log import note
from app.endpoint.answer import SpooledAnswer, spool
from app.endpoint.page import page, wants_page
from app.endpoint.privacy import Privacy
from app.endpoint.request import METHODS, Asked, read
from app.endpoint.types import EndpointSettings
from ontology import formats
from ontology.description import describe
from ontology.engine import Written
from ontology.errors import GraphMissing, OntologyError, QueryRefused, QueryStopped, QueryTimeout
from ontology.graphstore import hold, open_current
from ontology.guard import CheckedQuery
from ontology.pool import EnginePool
from ontology.sparql import prepare, write_answer

MAX_HELD = 512 * 1024 * 1024
"""Bytes of answers that clients have not yet taken, all together."""

MAX_HEADERS = 64 * 1024

WAIT_SHARE = 0.5
"""Part of a query's seconds that it may wait for a process; the rest is for its evaluation."""


class Service:
    """An ASGI application of its own, so that every method reaches it."""

    def __init__(
        self, graph_dir: Callable[[], Path], pool: EnginePool, settings: EndpointSettings
    ) -> None:
        self._graph_dir = graph_dir
        self._pool = pool
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.workers)
        self._privacy = Privacy(pool)
        self._inside = 0
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive, send)
        with contextlib.suppress(ClientDisconnect):
            response = await self._respond(request)
            await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        try:
            return await self._answer(request)
        except QueryRefused as error:
            headers = {"Allow": ", ".join(METHODS)} if error.status == 405 else {}
            if error.status == 401:
                headers["WWW-Authenticate"] = CHALLENGE
            return PlainTextResponse(f"{error}\n", error.status, headers)
        except (QueryStopped, GraphMissing) as error:
            return PlainTextResponse(f"{error}\n", 503, {"Retry-After": "10"})
        except OntologyError as error:
            return PlainTextResponse(f"{error}\n", 500)

    async def _answer(self, request: Request) -> Response:
        settings = self._settings
        size = sum(len(name) + len(value) for name, value in request.scope["headers"])
        if size > MAX_HEADERS:
            raise QueryRefused(
                f"the headers have {size:,} bytes; expected at most {MAX_HEADERS:,}", status=431
            )
        check_origin(request, settings.hosts)
        if wants_page(request):
            return page(request)
        check_token(request, settings.tokens)
        asked = await read(request)
        deadline = time.monotonic() + settings.limits.timeout
        address = f"{request.url.scheme}://{request.headers.get('host', '')}/sparql"
        if asked is None:
            return await self._description(request, address)
        body = spool()
        try:
            async with self._turn(deadline):
                checked = await run_in_threadpool(prepare, asked.query, base=address)
                note(request.scope, kind=checked.form)
                shape = formats.negotiate(request.headers.get("accept"), checked.form)
                written = await self._evaluate(
                    request, checked, shape, body, asked=asked, base=address, until=deadline
                )
        except BaseException:
            body.close()
            raise
        note(request.scope, rows=written.rows)
        self._held += written.size
        headers = {
            "Content-Type": shape.media_type,
            "Vary": "Accept",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-cache",
        }
        return SpooledAnswer(
            body,
            written.size,
            headers,
            seconds=settings.request_seconds,
            done=lambda: self._release(written.size),
        )

    async def _evaluate(
        self,
        request: Request,
        query: CheckedQuery,
        shape: formats.Format,
        body: IO[bytes],
        *,
        asked: Asked,
        base: str,
        until: float,
    ) -> Written:
        """Evaluate; a client that leaves stops its query."""
        settings = self._settings
        gone = threading.Event()

        def answer() -> Written:
            with hold(self._graph_dir()) as graph:
                if settings.access_log is not None and self._privacy.is_open(graph):
                    note(request.scope, query=asked.query)
                left = max(0.05, until - time.monotonic())
                return write_answer(
                    graph,
                    query,
                    shape,
                    body,
                    limits=dataclasses.replace(settings.limits, timeout=left),
                    pool=self._pool,
                    with_text=settings.with_text,
                    base=base,
                    default_graphs=asked.default_graphs,
                    named_graphs=asked.named_graphs,
                    wanted=lambda: not gone.is_set(),
                )

        watch = asyncio.create_task(_leaving(request, gone))
        try:
            return await run_in_threadpool(answer)
        finally:
            watch.cancel()

    async def _description(self, request: Request, address: str) -> Response:
        note(request.scope, kind="description")
        shape = formats.negotiate_graph(request.headers.get("accept"))
        try:
            graph = open_current(self._graph_dir())
        except GraphMissing:
            graph = None
        body = await run_in_threadpool(describe, address, graph, shape)
        return Response(body, headers={"Content-Type": shape.media_type, "Vary": "Accept"})

    @contextlib.asynccontextmanager
    async def _turn(self, deadline: float) -> AsyncIterator[None]:
        """Wait for a free process; send the request away when it would have to wait too long."""
        if self._inside >= self._settings.workers + self._settings.waiting:
            raise QueryStopped(
                f"{self._inside} queries are running or waiting; expected fewer. Try again shortly"
            )
        if self._held >= MAX_HELD:
            raise QueryStopped(
                f"{self._held:,} bytes of answers wait for their readers; expected less. "
                "Try again shortly"
            )
        self._inside += 1
        patience = (deadline - time.monotonic()) * WAIT_SHARE
        try:
            try:
                await asyncio.wait_for(self._slots.acquire(), patience)
            except TimeoutError:
                raise QueryTimeout(
                    f"no process was free within {patience:.3g} s; expected fewer queries at a "
                    "time. Try again shortly"
                ) from None
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._inside -= 1

    def _release(self, size: int) -> None:
        self._held -= size


async def _leaving(request: Request, gone: threading.Event) -> None:
    """Set ``gone`` when the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    gone.set()
