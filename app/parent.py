"""Children that do not outlive the process that started them, however that one ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

_SET_PARENT_DEATH_SIGNAL = 1


def ended_with_parent() -> Callable[[], None] | None:
    """Return what a new child has to call first (``preexec_fn``); None outside Linux.

    The system then kills the child when the thread that started it ends: start it from one that
    lasts (https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html).
    """
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def tie() -> None:
        prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return tie
