"""RDF dumps: Turtle, N-Quads and JSON-LD of one collection, with a DCAT description beside."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from app.exports.quads import batches, collection_snapshot
from app.exports.types import Asked, Written, whole

if TYPE_CHECKING:
    import pyoxigraph as ox

KINDS = ("ttl", "nq", "jsonld")
PACKED = ".gz"


def write_dump(asked: Asked, kind: str) -> Written:
    """Write the collection as ``kind``, one of KINDS, compressed when the name ends in .gz.

    Turtle and JSON-LD hold the default graph, what a query without GRAPH sees; N-Quads hold the
    named graphs too. The same database gives the same bytes.
    """
    from app.exports.annotations import write_annotations
    from app.exports.description import write_description

    with collection_snapshot(asked.store, asked.collection) as snapshot:
        lines = batches(snapshot, words=asked.words)
        with whole(asked.path) as part, _opened(part, packed=is_packed(asked.path)) as out:
            if kind == "nq":
                count = _nquads(lines, out)
            elif kind == "ttl":
                count = _turtle(map(triples, lines), out)
            else:
                count = write_annotations(map(triples, lines), out)
        described = write_description(asked, snapshot, kind, count)
    return Written(count, "statements", (described,))


def is_packed(path: Path) -> bool:
    """Tell whether a name asks for gzip."""
    return path.suffix.lower() == PACKED


def triples(lines: list[str]) -> list[ox.Triple]:
    """Return the statements of the default graph among N-Quads lines."""
    import pyoxigraph as ox

    default = ox.DefaultGraph()
    found = ox.parse("".join(lines), format=ox.RdfFormat.N_QUADS)
    return [quad.triple for quad in found if quad.graph_name == default]


def _nquads(batches: Iterator[list[str]], out: IO[bytes]) -> int:
    count = 0
    for lines in batches:
        out.write("".join(lines).encode())
        count += len(lines)
    return count


def _turtle(batches: Iterator[list[ox.Triple]], out: IO[bytes]) -> int:
    import pyoxigraph as ox

    from ontology.vocab import PREFIXES

    count = 0

    def each() -> Iterator[ox.Triple]:
        nonlocal count
        for batch in batches:
            # One subject's statements together read better, and are what the format abbreviates.
            batch.sort(key=lambda triple: str(triple.subject))
            count += len(batch)
            yield from batch

    ox.serialize(each(), out, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)
    return count


@contextmanager
def _opened(path: Path, *, packed: bool) -> Iterator[IO[bytes]]:
    """Open a file for writing, compressed (without name and date) where ``packed``."""
    with path.open("wb") as file:
        if not packed:
            yield file
            return
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
            yield cast("IO[bytes]", out)
