"""The SPARQL 1.1 Protocol over HTTP: queries only, on loopback unless told otherwise.

https://www.w3.org/TR/sparql11-protocol/. GET and POST on ``/sparql``; a GET without parameters
answers the service description. One killable process a query, two at a time by default. No CORS
header is ever sent, and requests that name another host or come from another origin are refused,
so that a web page cannot read or burden the service through a visitor's browser.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from app.sparql_request import METHODS, check_origin, read
from ontology import formats
from ontology.description import describe
from ontology.errors import GraphMissing, OntologyError, QueryRefused, QueryStopped
from ontology.graphstore import open_current
from ontology.sparql import Limits, evaluate, prepare

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_REQUEST_LINE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """How the service behaves. ``waiting`` requests queue for ``workers``; more are sent away."""

    hosts: Sequence[str] = LOOPBACK
    limits: Limits = field(default_factory=Limits)
    with_text: bool = False
    workers: int = 2
    waiting: int = 32


def create_app(
    graph_dir: Path | Callable[[], Path], settings: EndpointSettings | None = None
) -> Starlette:
    """Return the service over the current graph of ``graph_dir`` (a folder, or what finds it)."""
    service = _Service(
        graph_dir if callable(graph_dir) else lambda: graph_dir, settings or EndpointSettings()
    )
    return Starlette(
        routes=[
            Route("/sparql", service, methods=None),
            Route("/", RedirectResponse("/sparql", status_code=303), methods=None),
        ]
    )


def serve(
    graph_dir: Path | Callable[[], Path],
    *,
    host: str = "127.0.0.1",
    port: int = 7879,
    settings: EndpointSettings | None = None,
) -> None:
    """Serve until interrupted. ``port`` 0 takes a free one."""
    server(graph_dir, host=host, port=port, settings=settings).run()


def server(
    graph_dir: Path | Callable[[], Path],
    *,
    host: str = "127.0.0.1",
    port: int = 7879,
    settings: EndpointSettings | None = None,
) -> uvicorn.Server:
    """Return a uvicorn server, not yet started; setting its ``should_exit`` stops it."""
    config = uvicorn.Config(
        create_app(graph_dir, settings),
        host=host,
        port=port,
        http="h11",
        h11_max_incomplete_event_size=MAX_REQUEST_LINE,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
    )
    return uvicorn.Server(config)


class _Service:
    """The one resource, as an ASGI application of its own so that every method reaches it."""

    def __init__(self, graph_dir: Callable[[], Path], settings: EndpointSettings) -> None:
        self._graph_dir = graph_dir
        self._settings = settings
        self._slots = asyncio.Semaphore(settings.workers)
        self._inside = 0

    async def __call__(self, scope: object, receive: object, send: object) -> None:
        request = Request(scope, receive, send)  # type: ignore[arg-type]
        with contextlib.suppress(ClientDisconnect):
            response = await self._respond(request)
            await response(scope, receive, send)  # type: ignore[arg-type]

    async def _respond(self, request: Request) -> Response:
        try:
            return await self._answer(request)
        except QueryRefused as error:
            headers = {"Allow": ", ".join(METHODS)} if error.status == 405 else None
            return PlainTextResponse(f"{error}\n", error.status, headers)
        except (QueryStopped, GraphMissing) as error:
            return PlainTextResponse(f"{error}\n", 503, {"Retry-After": "10"})
        except OntologyError as error:
            return PlainTextResponse(f"{error}\n", 500)

    async def _answer(self, request: Request) -> Response:
        check_origin(request, self._settings.hosts)
        asked = await read(request)
        address = f"{request.url.scheme}://{request.headers.get('host', '')}/sparql"
        if asked is None:
            return await self._description(request, address)
        checked = prepare(asked.query, base=address)
        shape = formats.negotiate(request.headers.get("accept"), checked.form)
        async with self._turn():
            answer = await run_in_threadpool(
                evaluate,
                self._graph_dir(),
                checked,
                shape,
                limits=self._settings.limits,
                with_text=self._settings.with_text,
                base=address,
                default_graphs=asked.default_graphs,
                named_graphs=asked.named_graphs,
            )
        return Response(
            answer.body,
            headers={
                "Content-Type": answer.media_type,
                "Vary": "Accept",
                "X-Content-Type-Options": "nosniff",
                "Cache-Control": "no-cache",
            },
        )

    async def _description(self, request: Request, address: str) -> Response:
        accept = request.headers.get("accept")
        if accept and "text/html" in accept:
            accept = None
        shape = formats.negotiate_graph(accept)
        try:
            graph = open_current(self._graph_dir())
        except GraphMissing:
            graph = None
        body = await run_in_threadpool(describe, address, graph, shape)
        return Response(body, headers={"Content-Type": shape.media_type, "Vary": "Accept"})

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for a free worker; send the request away when too many wait already."""
        if self._inside >= self._settings.workers + self._settings.waiting:
            raise QueryStopped(
                f"{self._inside} queries are running or waiting; expected fewer. Try again shortly"
            )
        self._inside += 1
        try:
            async with self._slots:
                yield
        finally:
            self._inside -= 1
