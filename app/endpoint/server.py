"""The web application and the server that runs it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Route

from app.endpoint.access_log import AccessLog, Logged
from app.endpoint.connection import patient
from app.endpoint.page import asset, page, page_data
from app.endpoint.service import Service
from app.endpoint.types import EndpointSettings
from app.errors import ConfigError
from app.hosts import is_loopback
from ontology.pool import EnginePool

MAX_REQUEST_LINE = 1024 * 1024
LEAVE_SECONDS = 5


def create_app(
    graph_dir: Path | Callable[[], Path], settings: EndpointSettings | None = None
) -> Starlette:
    """Return the service over the current graph of ``graph_dir`` (a folder, or what finds it)."""
    settings = settings or EndpointSettings()
    find = graph_dir if callable(graph_dir) else lambda: graph_dir
    pool = EnginePool(find, size=settings.workers, limits=settings.limits)
    service = Service(find, pool, settings)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool.start()
        try:
            yield
        finally:
            pool.close()

    app = Starlette(
        routes=[
            Route("/sparql", service, methods=None),
            Route("/", page),
            Route("/page.json", page_data),
            Route("/assets/{name}", asset),
        ],
        lifespan=lifespan,
    )
    app.state.pool = pool
    app.state.settings = settings
    if settings.access_log is not None:
        app.add_middleware(Logged, log=AccessLog(settings.access_log))
    return app


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
    """Return a uvicorn server, not yet started; setting its ``should_exit`` stops it.

    Raises ConfigError for an address that others reach, without a token.
    """
    settings = settings or EndpointSettings()
    if not is_loopback(host) and not settings.tokens:
        raise ConfigError(
            f"{host!r} lets other machines ask; expected a token, or 127.0.0.1. "
            "Try: florilegium sparql-server --host ADDRESS --token-file FILE"
        )
    config = uvicorn.Config(
        create_app(graph_dir, settings),
        host=host,
        port=port,
        http=patient(settings.request_seconds),
        h11_max_incomplete_event_size=MAX_REQUEST_LINE,
        limit_concurrency=settings.connections,
        timeout_graceful_shutdown=LEAVE_SECONDS,
        backlog=1024,
        lifespan="on",
        access_log=False,
        log_level="warning",
        server_header=False,
    )
    return uvicorn.Server(config)
