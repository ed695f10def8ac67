"""Evaluate one query and end: the process that may be killed.

Started as ``python -I -S worker.py PATH…`` (the folders of this package and of the engine), fed one
JSON job on standard input. Answers a JSON line and then the bytes of the answer.
"""

from __future__ import annotations

import json
import sys
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
        self._bytes, self._rows, self._tail = max_bytes, max_rows, b""
        self._row_end = row_end

    def write(self, data: bytes) -> int:
        """Take ``data``; raise Cut at the limit."""
        self._bytes -= len(data)
        if self._row_end:
            window = self._tail + data
            self._rows -= window.count(self._row_end)
            self._tail = window[len(window) - len(self._row_end) + 1 :]
        if self._bytes < 0 or self._rows < -1:
            self.cut = "bytes" if self._bytes < 0 else "rows"
            raise Cut(self.cut)
        self.parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing; the parts are in memory."""


def main(paths: list[str], source: BinaryIO, sink: BinaryIO) -> int:
    """Read a job from ``source``, write the answer to ``sink``, return the exit status."""
    sys.path.extend(paths)
    job = json.load(source)
    from ontology.sandbox import forbid_sockets, limit

    limit(memory=job["max_memory"], cpu_seconds=job["cpu_seconds"])
    sealed = forbid_sockets()
    header: dict[str, Any]
    body = Bounded(job["max_bytes"], job["max_rows"], _ROW_ENDS.get(job["format"], b""))
    try:
        header = {"kind": answer(job, body)}
    except SyntaxError as error:
        header = {"error": "syntax", "message": str(error)}
    except Exception as error:
        header = {"error": body.cut or type(error).__name__, "message": str(error)}
    if "error" in header:
        body.parts.clear()
    header["sealed"] = sealed
    sink.write(json.dumps(header).encode("ascii") + b"\n")
    sink.writelines(body.parts)
    sink.flush()
    return 0


def answer(job: dict[str, Any], body: Bounded) -> str:
    """Evaluate ``job`` into ``body`` and return the kind of answer."""
    import pyoxigraph as ox

    store = ox.Store.read_only(job["db"])
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
        ox.serialize(
            _counted(results, job["max_rows"], body),
            output,
            format=getattr(ox.RdfFormat, job["format"]),
            prefixes=job["prefixes"] if job["format"] == "TURTLE" else None,
        )
        return "graph"
    results.serialize(output, format=getattr(ox.QueryResultsFormat, job["format"]))
    return "ask" if isinstance(results, ox.QueryBoolean) else "select"


def _counted(triples: ox.QueryTriples, most: int, body: Bounded) -> Iterator[ox.Triple]:
    for number, triple in enumerate(triples):
        if number >= most:
            body.cut = "rows"
            raise Cut("rows")
        yield triple


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
