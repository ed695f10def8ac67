"""Limits a process puts on itself before it evaluates what a stranger wrote."""

from __future__ import annotations

import contextlib
import platform
import resource
import sys

_SOCKET_CALLS = {"x86_64": (0xC000003E, (41, 42)), "aarch64": (0xC00000B7, (198, 203))}
"""Machine: audit architecture, numbers of the system calls socket and connect."""


def limit(*, memory: int, cpu_seconds: int) -> None:
    """Bound the address space (bytes) and the processor time; no core file is written."""
    for kind, value in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            _, hard = resource.getrlimit(kind)
            wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(kind, (wanted, hard))


def forbid_files() -> None:
    """Make every later attempt to open a file fail; what is open already stays usable.

    Import what will be needed first: a module that is not loaded yet can no longer be read.
    """
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


def forbid_sockets() -> bool:
    """Make every later attempt to open a socket fail; say whether the system took the rule.

    A seccomp filter (https://docs.kernel.org/userspace-api/seccomp_filter.html), inherited by all
    threads started afterwards. Needs no privilege. Does nothing outside Linux on x86-64 and ARM64.
    """
    known = _SOCKET_CALLS.get(platform.machine())
    if not sys.platform.startswith("linux") or known is None:
        return False
    import ctypes
    import struct

    architecture, calls = known
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allowed, refused = 0x7FFF0000, 0x00050000 | 13  # SECCOMP_RET_ALLOW; _ERRNO with EACCES
    steps = [
        (load, 0, 0, 4),
        (equal, 0, 4, architecture),
        (load, 0, 0, 0),
        (at_least, 3, 0, 0x40000000),
        (equal, 2, 0, calls[0]),
        (equal, 1, 0, calls[1]),
        (answer, 0, 0, allowed),
        (answer, 0, 0, refused),
    ]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(buffer))
    filter_ = ctypes.create_string_buffer(header, len(header))
    libc = ctypes.CDLL(None, use_errno=True)
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    if libc.prctl(no_new_privileges, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.prctl(set_seccomp, filter_mode, filter_, 0, 0) == 0)
