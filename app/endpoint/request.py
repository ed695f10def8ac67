"""Read a SPARQL 1.1 Protocol request: what is asked, or why it is refused and with which status."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

from ontology.errors import QueryRefused
from ontology.guard import MAX_BYTES as MAX_QUERY_BYTES

METHODS = ("GET", "HEAD", "POST")
MAX_BODY_BYTES = 4 * MAX_QUERY_BYTES
"""A form may need up to three bytes for each of the query's, and some for the graphs' names."""

MAX_DRAINED_BYTES = 16 * 1024 * 1024
"""How much of an over-long body is read before the answer, so that the client gets to read it."""

_FORM = "application/x-www-form-urlencoded"
_QUERY = "application/sparql-query"
_UPDATE = "application/sparql-update"
_UPDATE_FIELDS = {"update", "using-graph-uri", "using-named-graph-uri"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A query and the dataset the request names; None for both parts when it names none."""

    query: str
    default_graphs: tuple[str, ...] | None
    named_graphs: tuple[str, ...] | None


async def read(request: Request) -> Asked | None:
    """Return what is asked, or None for a plain GET; raise QueryRefused with the right status."""
    body = await _body(request)
    if request.method not in METHODS:
        raise QueryRefused(f"{request.method} is not supported; expected GET or POST", status=405)
    line = request.scope.get("query_string", b"")
    fields = _fields(line)
    text: str | None = None
    if request.method == "POST":
        media_type, charset = _content_type(request)
        if media_type == _UPDATE:
            raise _update_refused()
        if media_type not in (_FORM, _QUERY):
            raise QueryRefused(
                f"the body is {media_type or 'of no stated type'}; expected {_QUERY} or {_FORM}",
                status=415,
            )
        if charset not in ("", "utf-8", "us-ascii", "utf8"):
            raise QueryRefused(f"the body is in {charset}; expected UTF-8", status=415)
        if media_type == _FORM:
            fields += _fields(body)
        else:
            text = _decode(body)
    elif len(line) > 3 * MAX_QUERY_BYTES:
        raise QueryRefused(
            f"the request line has {len(line):,} bytes; expected at most {3 * MAX_QUERY_BYTES:,}. "
            "Send the query by POST",
            status=414,
        )
    elif not fields:
        return None
    return _asked(fields, text)


def _asked(fields: list[tuple[str, str]], text: str | None) -> Asked:
    queries = [value for key, value in fields if key == "query"]
    if text is not None:
        queries.append(text)
    if any(key in _UPDATE_FIELDS for key, _ in fields) and (
        not queries or any(key == "update" for key, _ in fields)
    ):
        raise _update_refused()
    if len(queries) != 1:
        raise QueryRefused(f"the request has {len(queries)} queries; expected exactly one")
    default = tuple(value for key, value in fields if key == "default-graph-uri")
    named = tuple(value for key, value in fields if key == "named-graph-uri")
    if not default and not named:
        return Asked(queries[0], None, None)
    return Asked(queries[0], default, named)


def _update_refused() -> QueryRefused:
    return QueryRefused(
        "updates are refused; expected a query: the graph follows the results in SQL", status=403
    )


async def _body(request: Request) -> bytes:
    """Return the body; read on past the limit, within reason, before saying 413."""
    parts: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY_BYTES:
            parts.append(chunk)
        elif size > MAX_DRAINED_BYTES:
            break
    if size > MAX_BODY_BYTES:
        raise QueryRefused(
            f"the body has more than {MAX_BODY_BYTES:,} bytes; expected a query of at most "
            f"{MAX_QUERY_BYTES:,}",
            status=413,
        )
    return b"".join(parts)


def _content_type(request: Request) -> tuple[str, str]:
    media_type, *parameters = request.headers.get("content-type", "").split(";")
    charset = ""
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip().lower() == "charset":
            charset = value.strip().strip('"').lower()
    return media_type.strip().lower(), charset


def _fields(data: bytes) -> list[tuple[str, str]]:
    """Return form fields in order, percent-decoded once, as strict UTF-8."""
    try:
        return parse_qsl(
            data.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=1000
        )
    except ValueError as error:
        raise QueryRefused(f"the form is not URL-encoded UTF-8: {error}") from error


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QueryRefused(f"the query is not UTF-8: {error}") from error
