"""The graph's folder: the pointer, the finished stores, and who may read or remove them.

``<graph dir>/CURRENT`` names a folder ``store-<n>``, which holds the engine's files (``db``) and
``manifest.json``. A reader takes a shared lock on the manifest for as long as it needs the folder;
only a folder that nobody holds is removed. The system drops the locks of a process that dies.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from ontology.errors import GraphMissing

LAYOUT = 3
"""Raised when the store's layout changes; an older store then has to be rebuilt."""

POINTER = "CURRENT"
MANIFEST = "manifest.json"
STATES = "documents"
_STORE = re.compile(r"store-(\d+)")
_PAUSE = 0.05
"""Seconds between two looks at a folder that somebody still reads."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a finished store holds. ``quads`` counts statements in named graphs once.

    ``private`` graphs hold words of private collections, ``superseded`` ones old results; neither
    is part of the default graph. ``basis`` names what every document depends on: a store of
    another basis is built anew. ``documents`` were in it when it was built whole; ``changes`` small
    changes with ``changed`` documents have been brought in since.
    """

    layout: int
    built: str
    quads: int
    seconds: float
    graphs: tuple[str, ...]
    private: tuple[str, ...]
    superseded: tuple[str, ...]
    basis: str = ""
    documents: int = 0
    changes: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class CurrentGraph:
    """A finished store: its folder, the engine's folder in it, and its manifest."""

    path: Path
    db: Path
    manifest: Manifest


def open_current(graph_dir: Path) -> CurrentGraph:
    """Return the store the pointer names; raise GraphMissing when there is none of this layout.

    Who reads the store afterwards holds it meanwhile: see ``hold``.
    """
    name = pointed(graph_dir)
    if name is None:
        raise GraphMissing(
            f"no graph in {graph_dir}; expected one built from the results. "
            "Try: florilegium graph rebuild"
        )
    folder = graph_dir / name
    try:
        manifest = _manifest((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError, TypeError, KeyError) as error:
        if pointed(graph_dir) not in (name, None):  # a writer was quicker than this look
            return open_current(graph_dir)
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


@contextmanager
def hold(graph_dir: Path) -> Iterator[CurrentGraph]:
    """Hold the current store, so that its folder is not removed before the block is left.

    Hold it for one query, not for the life of a process: a worker that keeps a store open between
    queries compares ``CurrentGraph.path`` at the next one, and opens the new store when it differs.
    Works on a read-only file system. Raises GraphMissing.
    """
    while True:
        current = open_current(graph_dir)
        try:
            file = os.open(current.path / MANIFEST, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            if pointed(graph_dir) == current.path.name:
                raise GraphMissing(
                    f"the graph in {current.path} has gone; expected a finished store. "
                    "Try: florilegium graph rebuild"
                ) from None
            continue
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
            if os.fstat(file).st_nlink:  # else it was removed between the look and the lock
                yield current
                return
        finally:
            os.close(file)


def stores(graph_dir: Path) -> list[tuple[int, Path]]:
    """Return the store folders, finished or not, by number."""
    return sorted(
        (int(found.group(1)), each)
        for each in graph_dir.iterdir()
        if (found := _STORE.fullmatch(each.name)) and each.is_dir()
    )


def pointed(graph_dir: Path) -> str | None:
    """Return the name of the folder that the pointer names, if it names any."""
    try:
        name = (graph_dir / POINTER).read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return name if _STORE.fullmatch(name) else None


def next_folder(graph_dir: Path) -> Path:
    """Return where the next store goes: a number that no store here has had."""
    return graph_dir / f"store-{1 + max((number for number, _ in stores(graph_dir)), default=0)}"


def finish(graph_dir: Path, folder: Path, manifest: Manifest, states: Mapping[int, str]) -> None:
    """Write the manifest and the documents' states of a filled store, and point readers to it."""
    write(folder / STATES, state_lines(states))
    write(folder / MANIFEST, json.dumps(asdict(manifest), indent=1))
    switch(graph_dir, folder)


def state_lines(states: Mapping[int, str]) -> str:
    """Return the documents' states as they are kept: a line each."""
    return "".join(f"{id} {state}\n" for id, state in states.items())


def read_states(graph: CurrentGraph) -> dict[int, str]:
    """Return the state of each document as the store has it; empty when it was not told any."""
    try:
        lines = (graph.path / STATES).read_text("ascii").splitlines()
        return {int(id): state for id, _, state in (line.partition(" ") for line in lines)}
    except (OSError, ValueError):
        return {}


def switch(graph_dir: Path, folder: Path) -> None:
    """Point readers to ``folder``."""
    write(graph_dir / POINTER, folder.name + "\n")


def sweep(graph_dir: Path, *, patience: float | None = None) -> list[Path]:
    """Remove every store but the current one that nobody holds; return those that had to stay.

    With ``patience`` (seconds) all of them go: readers have that long to let go of them. For the
    writer only; without a pointer nothing is current and all may go.
    """
    current = pointed(graph_dir)
    held = [folder for _, folder in stores(graph_dir) if folder.name != current]
    held = [folder for folder in held if not _removed(folder)]
    until = time.monotonic() + (patience or 0.0)
    while held and time.monotonic() < until:
        time.sleep(_PAUSE)
        held = [folder for folder in held if not _removed(folder)]
    if patience is None:
        return held
    return [folder for folder in held if not _removed(folder, by_force=True)]


def _removed(folder: Path, *, by_force: bool = False) -> bool:
    """Remove a store unless somebody reads it; tell whether it has gone.

    The manifest goes first: what a killed removal leaves is an unfinished store to everybody.
    """
    try:
        file = os.open(folder / MANIFEST, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        shutil.rmtree(folder, ignore_errors=True)
        return not folder.exists()
    except OSError:
        return False
    try:
        if not by_force:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (folder / MANIFEST).unlink()
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        return False
    finally:
        os.close(file)
    return not folder.exists()


def write(path: Path, content: str) -> None:
    """Write ``content`` so that a reader sees the old file or the new one, whole."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make the names in ``folder`` outlast a loss of power."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _manifest(content: str) -> Manifest:
    found = json.loads(content)
    return Manifest(
        layout=int(found["layout"]),
        built=str(found["built"]),
        quads=int(found["quads"]),
        seconds=float(found["seconds"]),
        graphs=tuple(found["graphs"]),
        private=tuple(found["private"]),
        superseded=tuple(found["superseded"]),
        basis=str(found.get("basis", "")),
        documents=int(found.get("documents", 0)),
        changes=int(found.get("changes", 0)),
        changed=int(found.get("changed", 0)),
    )
