"""The graph on disk: built into a new folder, then switched in by one rename of a pointer.

``<graph dir>/CURRENT`` names a folder ``store-<n>``, which holds the engine's files (``db``) and
``manifest.json``. Readers follow the pointer and open the finished store read-only; nobody writes
to a folder that a reader may hold open. A build that dies leaves the pointer where it was, and the
next build removes what it left.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from ontology.errors import GraphLocked, GraphMissing, OntologyError
from ontology.graph import GraphSnapshot
from ontology.quads import GraphNames, nquads

LAYOUT = 1
"""Raised when the store's layout changes; an older store then has to be rebuilt."""

_STORE = re.compile(r"store-(\d+)")
_POINTER = "CURRENT"
_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a finished store holds. ``quads`` counts statements in named graphs once."""

    layout: int
    built: str
    quads: int
    seconds: float
    graphs: tuple[str, ...]
    private: tuple[str, ...]
    superseded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CurrentGraph:
    """A finished store: its folder, the engine's folder in it, and its manifest."""

    path: Path
    db: Path
    manifest: Manifest


def build(graph_dir: Path, snapshot: GraphSnapshot) -> CurrentGraph:
    """Build a store from ``snapshot``, switch the pointer to it and return it.

    The store before it is kept for readers that are about to open it; older ones are removed.
    Raises GraphLocked when another process is building, OntologyError when the disk does not play
    along; the graph before then stays in place.
    """
    graph_dir.mkdir(parents=True, exist_ok=True)
    with _writer(graph_dir):
        previous = _pointed(graph_dir)
        number = 1 + max((number for number, _ in _stores(graph_dir)), default=0)
        folder = graph_dir / f"store-{number}"
        try:
            folder.mkdir()
            manifest = _fill(folder / "db", snapshot)
            _write(folder / _MANIFEST, json.dumps(asdict(manifest), indent=1))
            _write(graph_dir / _POINTER, folder.name + "\n")
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise OntologyError(
                f"the graph could not be written to {folder}: {error}; expected a writable folder "
                "with room. The previous graph is still in place. Try: df -h and graph rebuild"
            ) from error
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        for _, store in _stores(graph_dir):
            if store.name not in (folder.name, previous):
                shutil.rmtree(store, ignore_errors=True)
        return CurrentGraph(folder, folder / "db", manifest)


def open_current(graph_dir: Path) -> CurrentGraph:
    """Return the store the pointer names; raise GraphMissing when there is none of this layout."""
    name = _pointed(graph_dir)
    if name is None:
        raise GraphMissing(
            f"no graph in {graph_dir}; expected one built from the results. "
            "Try: florilegium graph rebuild"
        )
    folder = graph_dir / name
    try:
        found = json.loads((folder / _MANIFEST).read_text("utf-8"))
        manifest = Manifest(
            layout=int(found["layout"]),
            built=str(found["built"]),
            quads=int(found["quads"]),
            seconds=float(found["seconds"]),
            graphs=tuple(found["graphs"]),
            private=tuple(found["private"]),
            superseded=tuple(found["superseded"]),
        )
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise GraphMissing(
            f"the graph in {folder} is not readable ({error}); expected a finished store. "
            "Try: florilegium graph rebuild"
        ) from error
    if manifest.layout != LAYOUT:
        raise GraphMissing(
            f"the graph in {folder} has layout {manifest.layout}; expected {LAYOUT}. "
            "Try: florilegium graph rebuild"
        )
    return CurrentGraph(folder, folder / "db", manifest)


def _fill(db: Path, snapshot: GraphSnapshot) -> Manifest:
    import pyoxigraph as ox

    began = time.monotonic()
    names = GraphNames()
    store = ox.Store(str(db))
    reader = io.BufferedReader(_LineStream(nquads(snapshot, names)), 1 << 20)
    store.bulk_load(reader, format=ox.RdfFormat.N_QUADS, lenient=True)
    store.optimize()
    store.flush()
    counted = store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
    assert isinstance(counted, ox.QuerySolutions)
    in_default = int(next(counted)["n"].value)
    quads = len(store) - in_default
    del counted, store
    return Manifest(
        layout=LAYOUT,
        built=datetime.now(UTC).isoformat(timespec="seconds"),
        quads=quads,
        seconds=round(time.monotonic() - began, 3),
        graphs=tuple(sorted(names.seen)),
        private=tuple(sorted(names.private & names.seen)),
        superseded=tuple(sorted(names.superseded & names.seen)),
    )


class _LineStream(io.RawIOBase):
    """A binary stream over chunks of text, so that a graph is never whole in memory."""

    def __init__(self, chunks: Iterator[str]) -> None:
        self._chunks = chunks
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object, /) -> int:
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        wanted = len(view)
        parts, held = [self._rest], len(self._rest)
        while held < wanted:
            chunk = next(self._chunks, None)
            if chunk is None:
                break
            data = chunk.encode("utf-8")
            parts.append(data)
            held += len(data)
        joined = b"".join(parts)
        view[: min(wanted, held)] = joined[:wanted]
        self._rest = joined[wanted:]
        return min(wanted, held)


@contextmanager
def _writer(graph_dir: Path) -> Iterator[None]:
    """Hold the folder's write lock; the system drops it when the process dies."""
    with (graph_dir / "LOCK").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise GraphLocked(
                f"another process is building the graph in {graph_dir}; expected to be alone. "
                "Try again when it is done"
            ) from error
        yield


def _stores(graph_dir: Path) -> list[tuple[int, Path]]:
    return sorted(
        (int(found.group(1)), each)
        for each in graph_dir.iterdir()
        if (found := _STORE.fullmatch(each.name)) and each.is_dir()
    )


def _pointed(graph_dir: Path) -> str | None:
    try:
        name = (graph_dir / _POINTER).read_text("utf-8").strip()
    except OSError:
        return None
    return name if _STORE.fullmatch(name) else None


def _write(path: Path, content: str) -> None:
    """Write ``content`` so that a reader sees the old file or the new one, whole."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
