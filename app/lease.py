"""The name under which a process holds a lease, and whether that process has died since."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path


def owner() -> str:
    """Return a name for this process: host, process id and its space, and a random part."""
    return f"{_place()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"


def has_died(name: str) -> bool:
    """Tell whether the process called ``name`` ran here and is certainly no more.

    Of another host or container nothing is known, so the answer is no: its lease runs out by
    itself. So it is where another process has got the number since.
    """
    place, _, rest = name.rpartition(":")[0].rpartition(":")
    if place != _place() or not rest.isdecimal():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _place() -> str:
    """Return the host and, on Linux, the space its process ids are counted in."""
    try:
        space = Path("/proc/self/ns/pid").readlink().name.strip("pid:[]")
    except OSError:
        space = ""
    return f"{socket.gethostname()}/{space}"
