"""Warm engine processes, kept between queries and replaced when they are used up.

A process serves one query at a time. It is replaced when it was stopped, after ``SERVED`` queries,
when it holds on to more than ``HELD`` bytes, and when the pointer names another store.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from ontology.engine import Engine, Limits, identity
from ontology.errors import OntologyError
from ontology.graphstore import CurrentGraph, open_current

SERVED = 1_000
HELD = 160 * 1024 * 1024
LOOK = 1.0
"""Seconds between two looks at the pointer."""

log = logging.getLogger(__name__)


class EnginePool:
    """Up to ``size`` warm processes over the current graph; safe to use from many threads."""

    def __init__(
        self,
        graph_dir: Callable[[], Path],
        *,
        size: int = 2,
        limits: Limits | None = None,
        served: int = SERVED,
        held: int = HELD,
    ) -> None:
        self._graph_dir = graph_dir
        self._size = size
        self._limits = limits or Limits()
        self._served, self._held = served, held
        self._idle: list[Engine] = []
        self._busy: set[Engine] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def start(self) -> None:
        """Start the processes, and follow the pointer from now on."""
        self._watcher = threading.Thread(target=self._watch, name="graph pointer", daemon=True)
        self._watcher.start()

    def close(self) -> None:
        """End every process, also those in the middle of a query."""
        self._closed.set()
        with self._lock:
            for engine in self._busy:
                engine.kill()
            idle, self._idle = self._idle, []
        for engine in idle:
            engine.end()
        if self._watcher is not None:
            self._watcher.join(10)

    def pids(self) -> list[int]:
        """Return the processes, idle and busy."""
        with self._lock:
            return [engine.pid for engine in (*self._idle, *self._busy)]

    @contextlib.contextmanager
    def engine(self, graph: CurrentGraph) -> Iterator[Engine]:
        """Lend a process over ``graph``: a warm one where there is one, else a new one."""
        found = self._take(graph)
        try:
            yield found
        finally:
            self._give(found, graph)

    def _take(self, graph: CurrentGraph) -> Engine:
        wanted = identity(graph)
        with self._lock:
            idle, self._idle = self._idle, []
            found: Engine | None = None
            ended: list[Engine] = []
            for engine in idle:
                if engine.store != wanted or not engine.alive:
                    ended.append(engine)
                elif found is None:
                    found = engine
                else:
                    self._idle.append(engine)
            if found is None:
                found = Engine(graph, self._limits)
            self._busy.add(found)
        for engine in ended:
            engine.end()
        return found

    def _give(self, engine: Engine, graph: CurrentGraph) -> None:
        kept = (
            engine.alive
            and engine.served < self._served
            and engine.held < self._held
            and not self._closed.is_set()
        )
        with self._lock:
            self._busy.discard(engine)
            kept = kept and len(self._idle) + len(self._busy) < self._size
            if kept:
                self._idle.append(engine)
        if not kept:
            engine.end()
            self._fill(graph)

    def _fill(self, graph: CurrentGraph) -> None:
        """Start what is missing, so that the next query finds it warm."""
        with self._lock:
            while not self._closed.is_set() and len(self._idle) + len(self._busy) < self._size:
                self._idle.append(Engine(graph, self._limits))

    def _watch(self) -> None:
        """End processes over a store that is no longer current; start new ones."""
        while True:
            try:
                graph = open_current(self._graph_dir())
                self._follow(graph)
            except OntologyError:
                self._leave()
            except OSError as error:
                log.warning("the graph's engine could not be started: %s", error)
            if self._closed.wait(LOOK):
                return

    def _follow(self, graph: CurrentGraph) -> None:
        wanted = identity(graph)
        with self._lock:
            stale = [each for each in self._idle if each.store != wanted or not each.alive]
            self._idle = [each for each in self._idle if each not in stale]
        for engine in stale:
            engine.end()
        self._fill(graph)

    def _leave(self) -> None:
        with self._lock:
            stale, self._idle = self._idle, []
        for engine in stale:
            engine.end()
