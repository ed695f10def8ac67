"""A real PostgreSQL server of the tests' own: temporary folder, random port, loopback only."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Nothing here needs to survive a power cut, and the tests should not wait for the disc.
_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class NoServer(Exception):
    """The server cannot be started here; the text says why."""


def find_binaries() -> Path:
    """Return the folder with initdb and pg_ctl; raises NoServer."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: p.parent.name, reverse=True
    )
    on_path = shutil.which("pg_ctl")
    if on_path:
        folders.append(Path(on_path).resolve().parent)
    for folder in folders:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    raise NoServer("PostgreSQL server binaries not found (Debian: apt-get install postgresql)")


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server and yield its URL without a database name; stop and delete it after.

    The server refuses to run as root, so root starts it as the user ``postgres``.
    """
    binaries = find_binaries()
    home = Path(tempfile.mkdtemp(prefix="flo-pg-"))
    prefix: list[str] = []
    if os.geteuid() == 0:
        try:
            user = pwd.getpwnam("postgres")
        except KeyError:
            shutil.rmtree(home)
            raise NoServer("running as root and there is no user postgres") from None
        os.chown(home, user.pw_uid, user.pw_gid)
        prefix = ["runuser", "-u", "postgres", "--"]
    data, log = home / "data", home / "server.log"

    def call(*words: str) -> None:
        done = subprocess.run(
            [*prefix, *words], cwd=home, capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode:
            said = log.read_text() if log.exists() else ""
            raise NoServer(f"{Path(words[0]).name} failed: {done.stderr.strip()} {said[-500:]}")

    try:
        init = [str(binaries / "initdb"), "-D", str(data), "-U", "florilegium", "-A", "trust"]
        call(*init, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
        port = _free_port()
        options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories={home} -p {port} "
        options += " ".join(f"-c {setting}" for setting in _FAST)
        control = str(binaries / "pg_ctl")
        call(control, "-D", str(data), "-l", str(log), "-o", options, "-w", "start")
        try:
            yield f"postgresql+psycopg://florilegium@127.0.0.1:{port}"
        finally:
            call(control, "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
