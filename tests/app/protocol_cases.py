"""Requests of the SPARQL 1.1 Protocol and what a service that only answers queries owes them.

In our own words, after https://www.w3.org/TR/sparql11-protocol/. ``graphs`` are those of three
that hold a triple each; the rest is as in a request.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.app.raw_http import FORM, QUERY, UPDATE

GRAPH = "http://example.org/kept/"
KIND = "http://example.org/Kept"
BOOLEAN = ("application/sparql-results+json", "application/sparql-results+xml")
TABLE = (*BOOLEAN, "text/csv", "text/tab-separated-values")
TRIPLES = ("text/turtle", "application/rdf+xml", "application/n-triples")
YES = "ASK {}"


@dataclass(frozen=True)
class Case:
    """A request, and what has to come back: a class of status, media types, yes or no."""

    name: str
    method: str
    params: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    content_type: str | None = None
    graphs: tuple[int, ...] = ()
    status: int = 2
    kinds: tuple[str, ...] = ()
    boolean: bool | None = None


def _in(place: int) -> str:
    return f"<{GRAPH}{place}> a <{KIND}>"


def _named(place: int, variable: str) -> str:
    return f"GRAPH ?{variable} {{ {_in(place)} }}"


def _graphs(kind: str, *places: int) -> tuple[tuple[str, str], ...]:
    return tuple((f"{kind}-graph-uri", f"{GRAPH}{place}") for place in places)


_TWO = f"ASK {{ {_in(1)} . {_in(2)} }}"
_TWO_NAMED = f"ASK {{ {_named(1, 'a')} {_named(2, 'b')} }}"
_NOWHERE = _graphs("default", 9)


def _asked(name: str, method: str, query: str, **more: object) -> Case:
    """Return a case that is answered with yes."""
    direct = method == "POST"
    given = more.pop("params", ())
    assert isinstance(given, tuple)
    values: dict[str, object] = {"kinds": BOOLEAN, "boolean": True, **more}
    if direct:
        values |= {"body": query.encode(), "content_type": QUERY, "params": given}
    else:
        values["params"] = (("query", query), *given)
    return Case(name, method, **values)  # type: ignore[arg-type]


def _refused(name: str, method: str = "POST", **more: object) -> Case:
    return Case(name, method, status=4, **more)  # type: ignore[arg-type]


CASES = (
    Case("a form field", "POST", _NOWHERE, b"query=ASK+%7B%7D", FORM, (), 2, BOOLEAN, True),
    _asked("a query in the address", "GET", YES, params=_NOWHERE),
    _asked("a query as the body", "POST", YES),
    _asked("two default graphs, GET", "GET", _TWO, params=_graphs("default", 1, 2), graphs=(1, 2)),
    _asked(
        "two default graphs, POST", "POST", _TWO, params=_graphs("default", 1, 2), graphs=(1, 2)
    ),
    _asked(
        "two named graphs, GET", "GET", _TWO_NAMED, params=_graphs("named", 1, 2), graphs=(1, 2)
    ),
    _asked(
        "two named graphs, POST", "POST", _TWO_NAMED, params=_graphs("named", 1, 2), graphs=(1, 2)
    ),
    _asked(
        "default and named graphs together",
        "POST",
        f"ASK {{ {_in(3)} . {_named(1, 'a')} {_named(2, 'b')} }}",
        params=(*_graphs("default", 3), *_graphs("named", 1, 2)),
        graphs=(1, 2, 3),
    ),
    _asked(
        "the request's graphs go before FROM",
        "POST",
        f"ASK FROM <{GRAPH}3> {{ {_named(1, 'a')} {_named(2, 'b')} }}",
        params=_graphs("named", 1, 2),
        graphs=(1, 2, 3),
    ),
    _asked("a table for SELECT", "POST", "SELECT (7 AS ?n) {}", kinds=TABLE, boolean=None),
    _asked("a boolean for ASK", "POST", YES, params=_NOWHERE),
    _asked("triples for DESCRIBE", "POST", f"DESCRIBE <{GRAPH}8>", kinds=TRIPLES, boolean=None),
    _asked(
        "triples for CONSTRUCT with relative IRIs",
        "POST",
        "CONSTRUCT { <x> <y> 7 } WHERE {}",
        kinds=TRIPLES,
        boolean=None,
    ),
    _refused("PUT", "PUT", params=(("query", YES),), content_type=FORM),
    _refused("two queries", "GET", params=(("query", YES), ("query", "SELECT * {}"))),
    _refused("a query as plain text", body=YES.encode(), content_type="text/plain"),
    _refused("a form of no stated type", body=b"query=ASK+%7B%7D"),
    _refused("a query of no stated type", body=YES.encode()),
    _refused("UTF-16", body=YES.encode("utf-16"), content_type=f"{QUERY}; charset=UTF-16"),
    _refused("no SPARQL", "GET", params=(("query", "ASK {"),)),
    _refused("an update in the address", "GET", params=(("update", "CLEAR ALL"),)),
    _refused("two updates", body=b"update=CLEAR+ALL&update=CLEAR+NAMED", content_type=FORM),
    _refused("an update as plain text", body=b"CLEAR ALL", content_type="text/plain"),
    _refused("an update of no stated type", body=b"update=CLEAR+ALL"),
    _refused(
        "an update in UTF-16",
        body="CLEAR ALL".encode("utf-16"),
        content_type=f"{UPDATE}; charset=UTF-16",
    ),
    _refused("no update either", body=b"update=CLEAR+OUT", content_type=FORM),
    _refused(
        "WITH beside a using-named-graph-uri",
        params=(("using-named-graph-uri", f"{GRAPH}1"),),
        body=b"WITH <http://x/g> DELETE { ?s ?p 1 } INSERT { ?s ?p 2 } WHERE { ?s ?p 1 }",
        content_type=UPDATE,
    ),
)
