"""The real program in a process of its own: ``florilegium serve`` on free ports."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 60.0
STOP_SECONDS = 15.0
FLORILEGIUM = Path(sys.executable).with_name("florilegium")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: where it answers, its workspace and what it has logged."""

    url: str
    endpoint: str
    home: Path
    log_path: Path

    @property
    def log(self) -> str:
        """What the server has written so far."""
        return self.log_path.read_text(errors="replace")


def run_command(home: Path, *arguments: str) -> str:
    """Run ``florilegium`` over the workspace and return its standard output."""
    done = subprocess.run(
        [FLORILEGIUM, "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=_environment(home),
    )
    assert done.returncode == 0, f"florilegium {' '.join(arguments)}\n{done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def serving(home: Path, log_path: Path) -> Iterator[Server]:
    """Start the server over ``home`` and stop it at the end; a failed start shows its log."""
    port = free_ports()
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            [FLORILEGIUM, "serve", "--home", str(home), "--port", str(port)],
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=_environment(home),
            start_new_session=True,
        )
        server = Server(
            f"http://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}/sparql", home, log_path
        )
        try:
            _wait(server, process)
            yield server
        finally:
            _stop(process)


def free_ports() -> int:
    """Return a port that is free together with the next one."""
    for _ in range(100):
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port: int = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port
    raise RuntimeError("no two free ports side by side were found in 100 tries")


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise AssertionError(f"serve ended with {process.returncode}:\n{server.log}")
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise AssertionError(f"serve did not answer within {START_SECONDS} s:\n{server.log}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask as Ctrl-C does, then end the whole session of processes."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(STOP_SECONDS)


def _environment(home: Path) -> dict[str, str]:
    """Return the environment without the developer's own settings."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("FLORILEGIUM_")
    }
    return kept | {
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "XDG_CONFIG_HOME": str(home.with_name("config")),
    }
