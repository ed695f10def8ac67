"""Be the process that parses: the other end of ``sandbox``.

It takes one request after another from its standard input and sends what the parser yields to its
standard output. Both are moved away first, so that nothing a parser prints or reads gets between.
It ends when its input does, and so never outlives the process that started it.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import IO, Any

from pipelines.readers.errors import SkippedFile, UnreadableFile

HEADER = struct.Struct(">cQ")
"""Before each frame: its kind, and how many bytes follow."""

ITEMS, END, SKIPPED, UNREADABLE, MEMORY, DEPTH, UNEXPECTED = (
    b"I",
    b"E",
    b"S",
    b"U",
    b"M",
    b"D",
    b"X",
)

_BATCH = 1 << 18  # bytes of items that go into one frame
_PAUSE = 0.1  # seconds after which an item is not held back for company
_GRACE = 5.0  # the starting process has its own clock; this one is for when that is gone
_WORN_MB = 512  # a process that grew beyond this is replaced: its memory does not shrink


def main() -> None:
    """Serve requests until the input ends."""
    source, sink = _private_streams()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, requests), daemon=True).start()
    while True:
        target, arguments, seconds, memory_mb = pickle.loads(requests.get())
        _limit_memory(memory_mb)
        _Task(sink, seconds).do(target, arguments)


class _Task:
    """One request: its items collected into frames."""

    def __init__(self, sink: IO[bytes], seconds: float) -> None:
        self._sink = sink
        self._seconds = seconds
        self._items: list[bytes] = []
        self._size = 0
        self._sent = 0.0  # the first item goes at once

    def do(self, target: str, arguments: tuple[Any, ...]) -> None:
        """Run the generator ``target`` and send its items, then how it ended."""
        _alarm(self._seconds + _GRACE)
        ending: tuple[bytes, Any]
        try:
            module, function = target.split(":")
            for item in getattr(import_module(module), function)(*arguments):
                self._take(item)
            ending = END, _worn()
        except SkippedFile as skipped:
            ending = SKIPPED, skipped.reason
        except UnreadableFile as broken:
            ending = UNREADABLE, broken.reason
        except MemoryError:
            ending = MEMORY, ""
        except RecursionError:
            ending = DEPTH, ""
        except OSError as error:
            reason = error.strerror or type(error).__name__
            ending = UNREADABLE, f"cannot be opened: {reason}"
        except BaseException as error:  # a panic of compiled code is no Exception
            ending = UNEXPECTED, (type(error).__name__, _place(error))
        self._flush()
        self._send(ending[0], pickle.dumps(ending[1]))

    def _take(self, item: Any) -> None:
        if item is None:  # a sign of life
            self._flush()
            return
        data = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
        self._items.append(data)
        self._size += len(data)
        if self._size >= _BATCH or monotonic() - self._sent >= _PAUSE:
            self._flush()

    def _flush(self) -> None:
        if self._items:
            data = b"".join(self._items)
            self._items.clear()
            self._size = 0
            self._send(ITEMS, data)

    def _send(self, kind: bytes, data: bytes) -> None:
        _alarm(0)  # the reader may take its time
        self._sink.write(HEADER.pack(kind, len(data)))
        self._sink.write(data)
        self._sink.flush()
        self._sent = monotonic()
        if kind == ITEMS:
            _alarm(self._seconds + _GRACE)


def _private_streams() -> tuple[IO[bytes], IO[bytes]]:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.close(nothing)
    return source, sink


def _listen(source: IO[bytes], requests: SimpleQueue[bytes]) -> None:
    """Hand requests on; end the process, whatever it is doing, when there will be no more."""
    with contextlib.suppress(OSError):
        while header := source.read(HEADER.size):
            _, length = HEADER.unpack(header)
            requests.put(source.read(length))
    os._exit(0)


def _alarm(seconds: float) -> None:
    """Let the system end this process, even deep in compiled code, after ``seconds``; 0 stops it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(megabytes: int) -> None:
    """Allow ``megabytes`` of address space beyond what is mapped already, where that is possible."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        wanted = _mapped() + (megabytes << 20)
        if most != resource.RLIM_INFINITY:
            wanted = min(wanted, most)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))


def _mapped() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _worn() -> bool:
    return _peak_kb() > _WORN_MB << 10


def _peak_kb() -> int:
    """Return the most memory that this program ever held.

    Where ``/proc`` has it, since Linux counts in ``ru_maxrss`` what the starting process held.
    """
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/status").read_text().splitlines():
            name, _, amount = line.partition(":")
            if name == "VmHWM":
                return int(amount.split()[0])
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak >> 10 if sys.platform == "darwin" else peak


def _place(error: BaseException) -> str:
    """Return where ``error`` was raised, as the last parts of a path and a line."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "compiled code"
    return f"{'/'.join(Path(frames[-1].filename).parts[-2:])}:{frames[-1].lineno}"
