"""One writer at a time: a lock that names its holder and dies with it."""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ontology.errors import GraphLocked, OntologyError
from ontology.graphstore.folder import MANIFEST, pointed, sweep

LOCK = "LOCK"
_PAUSE = 0.1
_SHOWN = 120
"""Characters of the holder's command that are shown."""


@dataclass(frozen=True, slots=True)
class Writer:
    """The right to write to a graph folder, for as long as the block that gave it lasts."""

    graph_dir: Path


@contextmanager
def writing(graph_dir: Path, *, wait: float = 0.0) -> Iterator[Writer]:
    """Hold the folder's write lock; the system drops it when the process dies.

    What a build that died has left is removed. ``wait`` is how many seconds to stay for another
    process's build. Raises GraphLocked, which says who holds it, since when and with what command,
    and OntologyError for a folder that cannot be written to.
    """
    until = time.monotonic() + wait
    try:
        graph_dir.mkdir(parents=True, exist_ok=True)
        lock = (graph_dir / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise OntologyError(
            f"the graph folder {graph_dir} cannot be written to: {error.strerror}; expected a "
            "folder that you may write to. Name another workspace with --home DIR"
        ) from error
    with lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() >= until:
                    raise GraphLocked(
                        f"another process is building the graph in {graph_dir}"
                        f"{_holder(graph_dir)}; expected to be alone. "
                        "Wait for it with: florilegium graph rebuild --wait"
                    ) from error
                time.sleep(_PAUSE)
        lock.truncate(0)
        lock.write(json.dumps({"pid": os.getpid(), "since": time.time(), "command": _command()}))
        lock.flush()
        # Without a pointer that holds, the store that it named may still be wanted.
        if (graph_dir / (pointed(graph_dir) or "") / MANIFEST).is_file():
            sweep(graph_dir)
        yield Writer(graph_dir)


def _command() -> str:
    name, *rest = sys.argv or [""]
    return " ".join((Path(name).name, *rest))[:_SHOWN]


def _holder(graph_dir: Path) -> str:
    """Return what the holder wrote of itself, or nothing when it has not come to that."""
    try:
        found = json.loads((graph_dir / LOCK).read_text("utf-8"))
        since = datetime.fromtimestamp(float(found["since"]))
        return f" (process {int(found['pid'])}, since {since:%d %b %H:%M:%S}: {found['command']})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""
