"""A process of the engine as its asker sees it: started over one store, asked, ended.

The engine has no time limit in Python, cannot be interrupted, and ends its process on deep nesting
(https://github.com/oxigraph/oxigraph/issues/1926), so it never runs in the asker's own process. An
asker that waits longer than it may ends the process; nothing that was stopped answers again.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from ontology.errors import OntologyError, QueryRefused, QueryStopped, QueryTimeout
from ontology.graphstore import CurrentGraph

MAX_ROWS = 1_000_000
MAX_BYTES = 64 * 1024 * 1024
MAX_MEMORY = 2 * 1024 * 1024 * 1024
TIMEOUT = 20.0

_PIPE = 1 << 20
"""Bytes of an answer on their way, where the system lets a pipe hold so many."""

_LOOK_UP = 0.1
"""Seconds between two looks at whether the answer is still wanted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost: seconds on the clock, rows or triples, bytes out, bytes held."""

    timeout: float = TIMEOUT
    max_rows: int = MAX_ROWS
    max_bytes: int = MAX_BYTES
    max_memory: int = MAX_MEMORY


class Sink(Protocol):
    """Takes the bytes of an answer."""

    def write(self, data: bytes, /) -> object:
        """Take ``data``."""
        ...


class Written(NamedTuple):
    """An answer that went to the sink: its rows or triples, its bytes, the memory now held."""

    rows: int
    size: int
    held: int


class Unwanted(QueryStopped):
    """Nobody waits for the answer any more."""


def identity(graph: CurrentGraph) -> tuple[str, int, int]:
    """Return what tells a store from every other, a later one in a folder of the same name too."""
    with contextlib.suppress(OSError):
        found = (graph.path / "manifest.json").stat()
        return str(graph.db), found.st_ino, found.st_mtime_ns
    return str(graph.db), 0, 0


class Engine:
    """One engine process over ``graph``; for one asker at a time."""

    def __init__(self, graph: CurrentGraph, limits: Limits) -> None:
        self.store = identity(graph)
        self.max_memory = limits.max_memory
        self.served = 0
        self.held = 0
        self._process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
            env={"LC_ALL": "C.UTF-8", "RAYON_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
            start_new_session=True,
        )
        self._input, self._output, self._said = map(
            _pipe, (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        start = {"db": str(graph.db), "max_memory": limits.max_memory, "cpu_seconds": 60}
        with contextlib.suppress(BrokenPipeError):
            self._input.write(json.dumps(start).encode("utf-8") + b"\n")
        for pipe in (self._input, self._output, self._said):
            os.set_blocking(pipe.fileno(), False)
        with contextlib.suppress(AttributeError, OSError):  # Linux only, and only so much a user
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, _PIPE)

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs; one that is ending, thread by thread, does not."""
        if self._process.poll() is not None:
            return False
        try:
            state = Path(f"/proc/{self.pid}/stat").read_bytes().rpartition(b")")[2].split()[0]
        except (OSError, IndexError):
            return True
        return state not in (b"Z", b"X")

    def ask(
        self,
        job: dict[str, Any],
        sink: Sink,
        limits: Limits,
        *,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Written:
        """Write the answer of ``job`` to ``sink``; raise QueryRefused, QueryTimeout, QueryStopped.

        After anything but an answer or a fault of syntax the process has been ended. The sink then
        may hold part of an answer, which is to be thrown away.
        """
        deadline = time.monotonic() + limits.timeout
        job = {**job, "cpu_seconds": math.ceil(limits.timeout) * 2 + 2}
        job |= {"max_rows": limits.max_rows, "max_bytes": limits.max_bytes}
        good = False
        try:
            found = self._exchange(job, sink, deadline, limits, wanted)
            good = True
            return found
        except QueryRefused as error:
            good = error.args[0].startswith(_SYNTAX)
            raise
        finally:
            self.served += 1
            if not good:
                self.end()

    def kill(self) -> None:
        """End the process while another thread may be asking it; that thread frees what it held."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def end(self) -> None:
        """End the process, whatever it does, and free what it held."""
        self.kill()
        for pipe in (self._input, self._output, self._said):
            with contextlib.suppress(OSError):
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)

    def _exchange(
        self,
        job: dict[str, Any],
        sink: Sink,
        deadline: float,
        limits: Limits,
        wanted: Callable[[], bool],
    ) -> Written:
        unsent = memoryview(json.dumps(job).encode("ascii") + b"\n")
        line, header, left = b"", None, 0
        with selectors.PollSelector() as ready:
            ready.register(self._output, selectors.EVENT_READ)
            ready.register(self._input, selectors.EVENT_WRITE)
            while header is None or left:
                rest = deadline - time.monotonic()
                if rest <= 0:
                    raise _too_long(limits)
                if not wanted():
                    raise Unwanted("the asker has gone; the query was stopped")
                for key, _ in ready.select(min(rest, _LOOK_UP)):
                    if key.fileobj is self._input:
                        try:
                            unsent = unsent[os.write(key.fd, unsent[: 1 << 16]) :]
                        except BrokenPipeError:
                            unsent = unsent[:0]
                        if not unsent:
                            ready.unregister(self._input)
                        continue
                    data = os.read(key.fd, 1 << 20)
                    if not data:
                        raise self._death(limits)
                    if header is None:
                        line += data
                        first, end, data = line.partition(b"\n")
                        if not end:
                            continue
                        header = _checked(json.loads(first), limits)
                        left = int(header["size"])
                    sink.write(data)
                    left -= len(data)
        self.held = int(header["held"])
        return Written(int(header["rows"]), int(header["size"]), self.held)

    def _death(self, limits: Limits) -> QueryStopped:
        """Say how the process ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        status = self._process.returncode
        said = b""
        with contextlib.suppress(OSError):
            said = self._said.read() or b""
        if status == -signal.SIGXCPU:
            return QueryTimeout("the query used up its processor time; narrow it down")
        name = (
            signal.Signals(-status).name if status is not None and status < 0 else f"exit {status}"
        )
        lines = said.decode("utf-8", "replace").strip().splitlines()
        last = [line for line in lines if not line.startswith("note:")][-1:] or ["no message"]
        return QueryStopped(
            f"the query's process ended with {name} ({last[0][:200]}); expected an answer within "
            f"{limits.max_memory // 2**20:,} MB. Narrow it down, or write it flatter"
        )


_SYNTAX = "the query is not SPARQL 1.1"


def _checked(header: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the header of an answer; raise what it says went wrong."""
    fault = header.get("error")
    if fault is None:
        return header
    message = str(header.get("message", ""))
    if fault == "syntax":
        raise QueryRefused(f"{_SYNTAX}: {message}")
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


def _too_long(limits: Limits) -> QueryTimeout:
    return QueryTimeout(
        f"the query took longer than {limits.timeout:.3g} s and was stopped; expected an answer by "
        "then. Narrow it down (a fixed concept or GRAPH, LIMIT) or raise --timeout"
    )


def _pipe(found: IO[bytes] | None) -> IO[bytes]:
    assert found is not None
    return found


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
