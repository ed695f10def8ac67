"""The page with the editor: files of this package only, nothing asked of any other place."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from app.endpoint.access import check_origin
from app.endpoint.access_log import note
from app.endpoint.types import EndpointSettings
from ontology.errors import QueryRefused
from ontology.queries import ready, ready_queries
from ontology.vocab import PREFIXES

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
}


def wants_page(request: Request) -> bool:
    """Tell whether a browser opened the address: no query, and HTML among what it accepts."""
    return (
        request.method in ("GET", "HEAD")
        and not request.scope.get("query_string")
        and "text/html" in request.headers.get("accept", "").lower()
    )


def page(request: Request) -> Response:
    """Return the page; it holds no data and is shown without a token."""
    note(request.scope, kind="page")
    return _file(request, "page.html")


def asset(request: Request) -> Response:
    """Return a script or style of the page."""
    return _file(request, request.path_params["name"])


def page_data(request: Request) -> Response:
    """Return the ready questions, examples and prefixes; with ``ready`` one question written out.

    Every other parameter of the address is then a value for the question's parameter of that name.
    """
    try:
        check_origin(request, _settings(request).hosts)
        given = dict(request.query_params)
        if "ready" in given:
            name = given.pop("ready")
            return JSONResponse({"text": ready(name, given).written(given)}, headers=_HEADERS)
        return JSONResponse(_data(), headers=_HEADERS)
    except QueryRefused as error:
        return PlainTextResponse(f"{error}\n", error.status, _HEADERS)


def _file(request: Request, name: str) -> Response:
    try:
        check_origin(request, _settings(request).hosts)
    except QueryRefused as error:
        return PlainTextResponse(f"{error}\n", error.status, _HEADERS)
    body = _assets().get(name)
    if body is None:
        return PlainTextResponse(f"no file {name!r}\n", 404, _HEADERS)
    kind = _TYPES[name.rsplit(".", 1)[-1]]
    return Response(body, headers={**_HEADERS, "Content-Type": kind})


def _settings(request: Request) -> EndpointSettings:
    settings = request.app.state.settings
    assert isinstance(settings, EndpointSettings)
    return settings


@cache
def _assets() -> dict[str, bytes]:
    folder = files("app.endpoint").joinpath("assets")
    return {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rsplit(".", 1)[-1] in _TYPES
    }


@cache
def _data() -> dict[str, Any]:
    examples = tomllib.loads(files("app.endpoint").joinpath("examples.toml").read_text("utf-8"))
    return {
        "prefixes": PREFIXES,
        "terms": _terms(),
        "examples": examples["example"],
        "ready": [
            {
                "name": query.name,
                "title": query.title,
                "about": query.about,
                "params": [
                    {
                        "name": each.name,
                        "about": each.about,
                        "example": each.example,
                        "default": each.default,
                        "needed": each.needed,
                    }
                    for each in query.params
                ],
            }
            for query in ready_queries()
        ],
    }


def _terms() -> list[str]:
    """Return the terms of this program's own vocabulary, for completion in the editor."""
    import pyoxigraph as ox

    source = files("ontology").joinpath("data/flo.ttl").read_bytes()
    namespace = PREFIXES["flo"]
    subjects = {quad.subject for quad in ox.parse(source, format=ox.RdfFormat.TURTLE)}
    return sorted(
        "flo:" + each.value.removeprefix(namespace)
        for each in subjects
        if isinstance(each, ox.NamedNode) and each.value.startswith(namespace)
        if each.value != namespace
    )
