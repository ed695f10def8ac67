"""Keep folders of unpacked files until they are closed, and leave none behind.

A folder goes when it is closed, when nothing holds it any more, when the program ends, and when it
is told to end (SIGTERM, SIGHUP). One whose program was killed without a word is removed by the next
that unpacks something: a lock in it, which dies with its program, tells whether it is in use.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import threading
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FrameType

_PREFIX = "florilegium-"
_LOCK = ".lock"


class Folder:
    """A private folder for unpacked files, empty but for a hidden lock."""

    def __init__(self) -> None:
        """Make the folder at ``path``.

        Raises:
            OSError: it cannot be made.
        """
        _sweep()
        _heed_signals()
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._remove = weakref.finalize(self, _remove, self.path, _locked(self.path, new=True))
        _open.add(self)

    def close(self) -> None:
        """Remove the folder and all in it."""
        self._remove()


_open: weakref.WeakSet[Folder] = weakref.WeakSet()


def _remove(path: Path, lock: int | None) -> None:
    shutil.rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)


@cache
def _sweep() -> None:
    """Remove the folders that ended programs of this user left behind; once a program."""
    for path in _folders():
        lock = _locked(path)
        if lock is not None:
            _remove(path, lock)


def _folders() -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)


def _locked(folder: Path, *, new: bool = False) -> int | None:
    """Return the descriptor of the lock of ``folder``, ``None`` where it is held or there are none.

    A new lock gets its name once it is held, so that nobody finds it free.
    """
    try:
        import fcntl
    except ImportError:
        return None
    path = folder / (f"{_LOCK}-new" if new else _LOCK)
    try:
        lock = os.open(path, os.O_RDWR | (os.O_CREAT | os.O_EXCL if new else os.O_NOFOLLOW), 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if new:
            path.rename(folder / _LOCK)
    except OSError:
        os.close(lock)
        return None
    return lock


def _heed_signals() -> None:
    """Remove the folders before a signal ends this program, where nothing else heeds that signal."""
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    for folder in list(_open):
        folder.close()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
