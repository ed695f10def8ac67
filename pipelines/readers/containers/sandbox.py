"""Run the parsers of compound formats in a process of their own, with limits.

A damaged or hostile file can make a parser crash, loop or take all memory. Here that costs the
one file: its parser's process is killed and the next file gets a new one. Processes are started
when first needed and used again; each serves one iteration at a time, so that any number of
readers and threads can run side by side. This contains accidents; it does not keep in a parser
that has been taken over.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.readers.containers import parser_process as wire
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.types import Limits

_START = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from pipelines.readers.containers.parser_process import main; main()"
)
_QUIET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
_DIED = b"-"  # in place of a frame's kind
_IDLE = 2  # processes kept for the next file
_GAVE_UP = {getattr(signal, name, None) for name in ("SIGABRT", "SIGTRAP", "SIGILL")}
_OUT_OF_MEMORY = (b"memory allocation", b"MemoryError", b"bad_alloc", b"out of memory")


def run(target: str, *arguments: Any, limits: Limits) -> Iterator[Any]:
    """Yield what the generator function ``target`` ("module:function") yields, run elsewhere.

    Arguments and items are pickled; items travel in batches, so small ones are cheap. A ``None``
    sends the items before it at once and is not yielded. Nothing starts before the first item is
    asked for. An iteration that is left early ends the process.

    Raises:
        SkippedFile: raised in the parser, with its reason.
        UnreadableFile: raised in the parser; or it crashed, gave no item for ``limits.seconds``
            (time in which nobody waits for one does not count) or needed more than
            ``limits.memory_mb``. The memory limit holds where the system has ``RLIMIT_AS``.
    """
    request = pickle.dumps((target, arguments, limits.seconds, limits.memory_mb))
    worker = _take(request)
    again = False
    try:
        kind, data = worker.receive(limits)
        if kind == _DIED and worker.used:  # perhaps of what went before: ask a fresh one
            _give_back(worker, again=False)
            worker = _take(request, fresh=True)
            kind, data = worker.receive(limits)
        while True:
            if kind == _DIED:
                raise UnreadableFile(data.decode())
            if kind == wire.ITEMS:
                stream = io.BytesIO(data)
                while stream.tell() < len(data):
                    yield pickle.load(stream)
                kind, data = worker.receive(limits)
            else:
                ending = pickle.loads(data)
                again = kind in (wire.SKIPPED, wire.UNREADABLE) or (kind == wire.END and not ending)
                break
    finally:
        _give_back(worker, again=again)
    _raise(kind, ending, limits)


class _Worker:
    """One parser process and the pipes to it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in close)
        self._late = False
        self.used = False
        windows = sys.platform == "win32"
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, *(str(Path(entry).absolute()) for entry in sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={**os.environ, **_QUIET},
            start_new_session=not windows,  # Ctrl-C is for the process in front
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if windows else 0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._sink, self._source = self._process.stdin, self._process.stdout

    def ask(self, request: bytes) -> None:
        """Send a request.

        Raises:
            OSError: the process is gone.
        """
        self._errors.seek(0)
        self._errors.truncate()
        self._sink.write(wire.HEADER.pack(b"R", len(request)))
        self._sink.write(request)
        self._sink.flush()

    def receive(self, limits: Limits) -> tuple[bytes, bytes]:
        """Return the next frame: kind and data; where the process is gone, ``_DIED`` and why.

        Raises:
            UnreadableFile: there is none within ``limits.seconds``.
        """
        clock = threading.Timer(limits.seconds, self._expire)
        clock.daemon = True
        clock.start()
        try:
            header = self._source.read(wire.HEADER.size)
            if len(header) == wire.HEADER.size:
                kind, length = wire.HEADER.unpack(header)
                data = self._source.read(length)
                if len(data) == length:
                    return kind, data
        finally:
            clock.cancel()
        if self._late:
            raise UnreadableFile(
                f"the parser gave nothing for {limits.seconds:g} seconds and was stopped "
                "(the setting read_seconds)"
            )
        return _DIED, self._last_words(limits).encode()

    def close(self) -> None:
        """End the process."""
        if self.owner != os.getpid():
            return  # the process belongs to the one this was forked from
        self._process.kill()
        self._process.wait()
        for stream in (self._sink, self._source, self._errors):
            with contextlib.suppress(OSError):
                stream.close()

    @property
    def usable(self) -> bool:
        """Whether the process is alive and ours."""
        return self.owner == os.getpid() and self._process.poll() is None

    def _expire(self) -> None:
        self._late = True
        self._process.kill()

    def _last_words(self, limits: Limits) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        complaint = self._errors.read(1 << 20)
        if any(words in complaint for words in _OUT_OF_MEMORY):
            return _too_big(limits)
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        crashed = f"the parser crashed on this file ({how})"
        if -code in _GAVE_UP:  # how compiled parsers end when they get no more memory
            return f"{crashed}: it is damaged, built to do harm, or {_too_big(limits)}"
        return f"{crashed}: it is damaged, or built to do harm"


_lock = threading.Lock()
_idle: list[_Worker] = []
_busy: set[_Worker] = set()


def _take(request: bytes, *, fresh: bool = False) -> _Worker:
    """Return a process that has taken ``request``; one never used if ``fresh``."""
    while True:
        with _lock:
            worker = _idle.pop() if _idle and not fresh else None
        fresh = worker is None
        if worker is None:
            worker = _started()
        elif not worker.usable:
            worker.close()
            continue
        with _lock:
            _busy.add(worker)
        try:
            worker.ask(request)
        except OSError as error:
            _give_back(worker, again=False)
            if fresh:
                raise UnreadableFile(f"its parser cannot be started: {error}") from error
        else:
            return worker


def _started() -> _Worker:
    try:
        return _Worker()
    except OSError as error:
        raise UnreadableFile(f"its parser cannot be started: {error}") from error


def _give_back(worker: _Worker, *, again: bool) -> None:
    with _lock:
        _busy.discard(worker)
        if again and len(_idle) < _IDLE:
            worker.used = True
            _idle.append(worker)
            return
    worker.close()


def _raise(kind: bytes, ending: Any, limits: Limits) -> None:
    if kind == wire.SKIPPED:
        raise SkippedFile(ending)
    if kind == wire.UNREADABLE:
        raise UnreadableFile(ending)
    if kind == wire.MEMORY:
        raise UnreadableFile(_too_big(limits))
    if kind == wire.DEPTH:
        raise UnreadableFile("its parts are nested too deeply for the parser")
    if kind == wire.UNEXPECTED:
        name, place = ending
        raise UnreadableFile(f"could not be read: {name} in {place}; please report this")


def _too_big(limits: Limits) -> str:
    return (
        f"reading it takes more than {limits.memory_mb} MB of memory (the setting read_memory_mb)"
    )


def _close_all() -> None:
    with _lock:
        workers = [*_idle, *_busy]
        _idle.clear()
        _busy.clear()
    for worker in workers:
        worker.close()


atexit.register(_close_all)
