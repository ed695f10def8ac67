"""Bounded, read-only SPARQL over the current graph, one killable process a query.

The engine has no time limit in Python, cannot be interrupted, and ends its process on deep nesting
(https://github.com/oxigraph/oxigraph/issues/1926), so it never runs in the caller's process.
"""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ontology import formats, params, terms
from ontology.errors import OntologyError, QueryRefused, QueryStopped, QueryTimeout
from ontology.graphstore import CurrentGraph, open_current
from ontology.guard import CheckedQuery, check
from ontology.table import render
from ontology.vocab import DATA, PREFIXES

MAX_ROWS = 1_000_000
MAX_BYTES = 64 * 1024 * 1024
MAX_MEMORY = 2 * 1024 * 1024 * 1024
TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A whole answer. ``kind`` is ``select``, ``ask``, ``construct`` or ``describe``."""

    kind: str
    body: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost: seconds on the clock, rows or triples, bytes out, bytes held."""

    timeout: float = TIMEOUT
    max_rows: int = MAX_ROWS
    max_bytes: int = MAX_BYTES
    max_memory: int = MAX_MEMORY


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

    ``format``: table, csv, tsv, json, xml for SELECT and ASK; ttl, nt, rdfxml, jsonld for the
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
    """Evaluate a checked query in a process of its own.

    ``default_graphs`` and ``named_graphs`` are the request's dataset; where either is given, both
    take the place of the query's own FROM clauses (SPARQL 1.1 Protocol, section 2.1.4). Without
    any dataset the default graph holds everything current.
    """
    graph = open_current(graph_dir)
    if default_graphs is None and named_graphs is None:
        default_graphs, named_graphs = query.default_graphs, query.named_graphs
    job = {
        "db": str(graph.db),
        "query": query.text,
        "base": base,
        "prefixes": PREFIXES,
        "format": shape.engine,
        "max_rows": limits.max_rows,
        "max_bytes": limits.max_bytes,
        "max_memory": limits.max_memory,
        "cpu_seconds": math.ceil(limits.timeout) * 2 + 2,
        **_dataset(graph, default_graphs, named_graphs, with_text=with_text),
    }
    body = _run(job, limits)
    return QueryAnswer(query.form, body, shape.media_type)


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


def _run(job: dict[str, Any], limits: Limits) -> bytes:
    with subprocess.Popen(
        _command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env={"LC_ALL": "C.UTF-8", "RAYON_NUM_THREADS": "1"},
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(json.dumps(job).encode("utf-8"), timeout=limits.timeout)
        except subprocess.TimeoutExpired as error:
            raise QueryTimeout(
                f"the query took longer than {limits.timeout:g} s and was stopped; expected an "
                "answer by then. Narrow it down (a fixed concept or GRAPH, LIMIT) or raise --timeout"
            ) from error
        finally:
            process.kill()
    return _answer(process.returncode, out, err, limits)


def _answer(status: int, out: bytes, err: bytes, limits: Limits) -> bytes:
    line, _, body = out.partition(b"\n")
    if status != 0 or not line:
        name = signal.Signals(-status).name if status < 0 else f"exit {status}"
        lines = err.decode("utf-8", "replace").strip().splitlines()
        last = [line for line in lines if not line.startswith("note:")][-1:] or ["no message"]
        if status == -signal.SIGXCPU:
            raise QueryTimeout("the query used up its processor time; narrow it down")
        raise QueryStopped(
            f"the query's process ended with {name} ({last[0][:200]}); expected an answer within "
            f"{limits.max_memory // 2**20:,} MB. Narrow it down, or write it flatter"
        )
    header = json.loads(line)
    fault = header.get("error")
    if fault is None:
        return body
    message = str(header.get("message", ""))
    if fault == "syntax":
        raise QueryRefused(f"the query is not SPARQL 1.1: {message}")
    if fault in ("rows", "bytes"):
        most = limits.max_rows if fault == "rows" else limits.max_bytes
        raise QueryStopped(
            f"the answer has more than {most:,} {fault}; a cut answer would mislead, so none is "
            "given. Add LIMIT, or ask for counts"
        )
    if fault == "MemoryError":
        raise QueryStopped(f"the query needs more than {limits.max_memory // 2**20:,} MB")
    if fault == "PermissionError":
        raise QueryRefused(f"the query asks for something outside this graph: {message}")
    raise QueryStopped(f"the query failed: {fault}: {message}")


def _command() -> list[str]:
    """Return the worker's command line: no site-packages, no user settings, a quick start."""
    here = Path(__file__).resolve().parent
    engine = find_spec("pyoxigraph")
    if engine is None or not engine.submodule_search_locations:
        raise OntologyError(
            "pyoxigraph is not installed; expected it beside this program. "
            "Try: pip install -c constraints.txt florilegium"
        )
    folder = Path(next(iter(engine.submodule_search_locations))).parent
    return [sys.executable, "-I", "-S", str(here / "worker.py"), str(here.parent), str(folder)]
