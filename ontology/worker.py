"""Evaluate queries over one store, one at a time: the process that may be killed.

Started as ``python -I -S worker.py PATH…`` (the folders of this package and of the engine). Standard
input: a JSON line that names the store, then a JSON line a query. Standard output, for each query:
a JSON line, then as many bytes of answer as its ``size`` says. Ends when its input does, at once
even in the middle of a query, so that it never outlives the process that asks.
"""

from __future__ import annotations

import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, cast

if TYPE_CHECKING:
    import pyoxigraph as ox

_ROW_ENDS = {"JSON": b'}},{"', "XML": b"<result>", "CSV": b"\r\n", "TSV": b"\n"}
"""What each row of an answer holds just once: quotes and brackets in values are escaped."""


class Cut(Exception):
    """The answer is longer than allowed."""


class Bounded:
    """A file that counts bytes and rows and refuses to take more than it may."""

    def __init__(self, max_bytes: int, max_rows: int, row_end: bytes) -> None:
        self.parts: list[bytes] = []
        self.cut = ""
        self.ends = 0
        self.size = 0
        self._max_bytes, self._max_rows, self._tail = max_bytes, max_rows, b""
        self._row_end = row_end

    def write(self, data: bytes) -> int:
        """Take ``data``; raise Cut at the limit."""
        self.size += len(data)
        if self._row_end:
            window = self._tail + data
            self.ends += window.count(self._row_end)
            self._tail = window[len(window) - len(self._row_end) + 1 :]
        if self.size > self._max_bytes or self.ends > self._max_rows + 1:
            self.cut = "bytes" if self.size > self._max_bytes else "rows"
            raise Cut(self.cut)
        self.parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing; the parts are in memory."""


def main(paths: list[str], source: BinaryIO, sink: BinaryIO) -> int:
    """Open the store, answer queries from ``source`` on ``sink``, return the exit status."""
    sys.path.extend(paths)
    start = json.loads(source.readline())
    from ontology.sandbox import forbid_sockets, limit

    limit(memory=start["max_memory"], cpu_seconds=start["cpu_seconds"])
    sealed = forbid_sockets()
    threading.Thread(target=_end_with, args=(source.fileno(),), daemon=True).start()
    import pyoxigraph as ox

    store: ox.Store | None = None
    for line in source:
        job = json.loads(line)
        used = math.ceil(time.process_time())
        limit(memory=start["max_memory"], cpu_seconds=used + job["cpu_seconds"])
        body = Bounded(job["max_bytes"], job["max_rows"], _ROW_ENDS.get(job["format"], b""))
        header: dict[str, Any]
        try:
            if job["sealed_only"] and not sealed:
                raise PermissionError(
                    "a string in it reads like SERVICE, and sockets stay open here"
                )
            store = store or ox.Store.read_only(start["db"])
            header = answer(store, job, body)
        except SyntaxError as error:
            header = {"error": "syntax", "message": str(error)}
        except Exception as error:
            header = {"error": body.cut or type(error).__name__, "message": str(error)}
        if "error" in header:
            body.parts.clear()
        header |= {"sealed": sealed, "size": sum(map(len, body.parts)), "held": _held()}
        sink.write(json.dumps(header).encode("ascii") + b"\n")
        sink.writelines(body.parts)
        sink.flush()
    return 0


def answer(store: ox.Store, job: dict[str, Any], body: Bounded) -> dict[str, Any]:
    """Evaluate ``job`` into ``body`` and return the kind of answer and its number of rows."""
    import pyoxigraph as ox

    default: list[ox.NamedNode | ox.BlankNode | ox.DefaultGraph] = []
    if job["default_graphs"] is None:
        default.append(ox.DefaultGraph())
        default.extend(ox.NamedNode(each) for each in job["more_default_graphs"])
    else:
        default.extend(ox.NamedNode(each) for each in job["default_graphs"])
    named: list[ox.NamedNode | ox.BlankNode] | None = None
    if job["named_graphs"] is not None:
        named = [ox.NamedNode(each) for each in job["named_graphs"]]
    results = store.query(
        job["query"],
        base_iri=job["base"],
        prefixes=job["prefixes"],
        default_graph=default,
        named_graphs=named,
    )
    output = cast("BinaryIO", body)
    if isinstance(results, ox.QueryTriples):
        counted = _Counted(results, job["max_rows"], body)
        ox.serialize(
            counted,
            output,
            format=getattr(ox.RdfFormat, job["format"]),
            prefixes=job["prefixes"] if job["format"] == "TURTLE" else None,
        )
        return {"kind": "graph", "rows": counted.number}
    results.serialize(output, format=getattr(ox.QueryResultsFormat, job["format"]))
    if isinstance(results, ox.QueryBoolean):
        return {"kind": "ask", "rows": 1}
    return {"kind": "select", "rows": _rows(job["format"], body)}


class _Counted:
    """Triples, counted as they pass; raises Cut after ``most``."""

    def __init__(self, triples: ox.QueryTriples, most: int, body: Bounded) -> None:
        self.number = 0
        self._triples, self._most, self._body = triples, most, body

    def __iter__(self) -> Iterator[ox.Triple]:
        for triple in self._triples:
            if self.number >= self._most:
                self._body.cut = "rows"
                raise Cut("rows")
            self.number += 1
            yield triple


def _rows(format: str, body: Bounded) -> int:
    """Return how many rows a written table has; the ends stand between, in or after the rows."""
    if format == "JSON":
        return 0 if b"".join(body.parts[-4:]).endswith(b'"bindings":[]}}') else body.ends + 1
    return body.ends if format == "XML" else body.ends - 1


def _held() -> int:
    """Return the bytes of memory that are this process's own; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib is a slow import
            _, resident, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return 0
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")


def _end_with(input_: int) -> None:
    """End this process when nobody can write to ``input_`` any more."""
    import select

    watch = select.poll()
    watch.register(input_, 0)
    watch.poll()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
