"""Bounded, read-only SPARQL over the current graph, evaluated in a process that may be killed."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ontology import formats, params, terms
from ontology.engine import MAX_BYTES, MAX_ROWS, TIMEOUT, Engine, Limits, Sink, Written
from ontology.graphstore import CurrentGraph, hold
from ontology.guard import CheckedQuery, check
from ontology.pool import EnginePool
from ontology.table import render
from ontology.vocab import DATA, PREFIXES

__all__ = ["Limits", "QueryAnswer", "evaluate", "prepare", "run_query", "write_answer"]


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A whole answer. ``kind`` is ``select``, ``ask``, ``construct`` or ``describe``."""

    kind: str
    body: bytes
    media_type: str


def run_query(
    graph_dir: Path,
    query: str,
    *,
    format: str = "",
    params: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    with_text: bool = False,
    max_rows: int = MAX_ROWS,
    max_bytes: int = MAX_BYTES,
) -> QueryAnswer:
    """Answer ``query`` from the current graph of ``graph_dir``.

    ``format``: table, csv, tsv, json, xml for SELECT and ASK; ttl, nt, rdfxml, jsonld, nq for the
    others; a media type; "" for JSON or Turtle. ``params`` are bound to the variables of that name
    (see ``ontology.params.term``). ``with_text`` shows quotes of private collections too. Raises
    QueryRefused, QueryTimeout, QueryStopped (never a part of an answer) and GraphMissing.
    """
    checked = prepare(query, params=params)
    shape = formats.named(
        format or ("json" if formats.is_rows(checked.form) else "ttl"), checked.form
    )
    limits = Limits(timeout=timeout, max_rows=max_rows, max_bytes=max_bytes)
    answer = evaluate(graph_dir, checked, shape, limits=limits, with_text=with_text)
    if shape is formats.TABLE:
        return QueryAnswer(answer.kind, render(answer.body).encode("utf-8"), shape.media_type)
    return answer


def prepare(
    query: str, *, params: Mapping[str, str] | None = None, base: str = DATA
) -> CheckedQuery:
    """Return ``query`` with its parameters bound, checked; raise QueryRefused."""
    return check(_bind(query, params), base=base)


def _bind(query: str, values: Mapping[str, str] | None) -> str:
    return params.bind(query, values) if values else query


def evaluate(
    graph_dir: Path,
    query: CheckedQuery,
    shape: formats.Format,
    *,
    limits: Limits,
    with_text: bool = False,
    base: str = DATA,
    default_graphs: Sequence[str] | None = None,
    named_graphs: Sequence[str] | None = None,
) -> QueryAnswer:
    """Return the whole answer of a checked query, evaluated in a process of its own."""
    body = io.BytesIO()
    with hold(graph_dir) as graph:
        write_answer(
            graph,
            query,
            shape,
            body,
            limits=limits,
            with_text=with_text,
            base=base,
            default_graphs=default_graphs,
            named_graphs=named_graphs,
        )
    return QueryAnswer(query.form, body.getvalue(), shape.media_type)


def write_answer(
    graph: CurrentGraph,
    query: CheckedQuery,
    shape: formats.Format,
    sink: Sink,
    *,
    limits: Limits,
    pool: EnginePool | None = None,
    with_text: bool = False,
    base: str = DATA,
    default_graphs: Sequence[str] | None = None,
    named_graphs: Sequence[str] | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Written:
    """Evaluate a checked query over ``graph``, which the caller holds, and write it to ``sink``.

    ``default_graphs`` and ``named_graphs`` are the request's dataset; where either is given, both
    take the place of the query's own FROM clauses (SPARQL 1.1 Protocol, section 2.1.4). Without
    any dataset the default graph holds everything current. The process comes from ``pool``, or is
    one for this query alone. ``wanted`` is asked now and then; where it says no, the query is
    stopped. When this raises, what the sink got is no answer.
    """
    if default_graphs is None and named_graphs is None:
        default_graphs, named_graphs = query.default_graphs, query.named_graphs
    job = {
        "query": query.text,
        "base": base,
        "prefixes": PREFIXES,
        "format": shape.engine,
        "sealed_only": query.quotes_service,
        **_dataset(graph, default_graphs, named_graphs, with_text=with_text),
    }
    if pool is not None:
        with pool.engine(graph) as lent:
            return lent.ask(job, sink, limits, wanted=wanted)
    own = Engine(graph, limits)
    try:
        return own.ask(job, sink, limits, wanted=wanted)
    finally:
        own.end()


def _dataset(
    graph: CurrentGraph,
    default_graphs: Sequence[str] | None,
    named_graphs: Sequence[str] | None,
    *,
    with_text: bool,
) -> dict[str, Any]:
    """Return the graphs the engine may read; private text is never among them unasked."""
    manifest = graph.manifest
    hidden = {terms.PRIVATE_TEXT} if with_text else set(manifest.private)
    if default_graphs is None and named_graphs is None:
        more = [terms.PRIVATE_TEXT] if with_text and manifest.private else []
        visible = [each for each in manifest.graphs if each not in hidden]
        return {
            "default_graphs": None,
            "more_default_graphs": more,
            "named_graphs": visible if manifest.private else None,
        }
    known = set(manifest.graphs) - hidden
    return {
        "default_graphs": [each for each in dict.fromkeys(default_graphs or ()) if each in known],
        "named_graphs": [each for each in dict.fromkeys(named_graphs or ()) if each in known],
    }
