"""SPARQL services over one store: ours, and what people would run instead.

Each is a process of its own on 127.0.0.1 and gets the same files: Oxigraph's server opens them
read-only, rdflib-endpoint a copy.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

_ROOT = Path(__file__).parents[3]
_PEER = _ROOT / "build/peers/sparql"
_START = 120.0


class Service(NamedTuple):
    """A service that answers: its name, process, port and address."""

    name: str
    pid: int
    port: int
    path: str

    def ask(self, query: str, connection: http.client.HTTPConnection | None = None) -> int:
        """Ask by POST for JSON, read the whole answer and return the status."""
        line = connection or self.connect()
        line.request(
            "POST",
            self.path,
            urlencode({"query": query}),
            {
                "Content-Type": "application/x-www-form-urlencoded",
                "Accept": "application/sparql-results+json, text/turtle;q=0.5",
            },
        )
        answer = line.getresponse()
        answer.read()
        return answer.status

    def connect(self, timeout: float = 300) -> http.client.HTTPConnection:
        """Return a connection that a client keeps; it gives up after ``timeout`` seconds."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)


@contextmanager
def ours(home: Path, timeout: float) -> Iterator[Service]:
    """Run ``florilegium sparql-server`` over a workspace."""
    port = _free_port()
    program = Path(sys.executable).with_name("florilegium")
    command = [str(program), "--home", str(home), "--quiet", "sparql-server", "--port", str(port)]
    environment = {"FLORILEGIUM_SPARQL_TIMEOUT": str(timeout)}
    with _running("florilegium", command, port, "/sparql", environment) as found:
        yield found


@contextmanager
def oxigraph(store: Path) -> Iterator[Service | None]:
    """Run Oxigraph's own server; None where ``make bench-peer`` has not installed it."""
    if not (_PEER / ".made").is_file():
        yield None
        return
    port = _free_port()
    command = [str(_PEER / "bin/oxigraph"), "serve-read-only", "--location", str(store)]
    command += ["--bind", f"127.0.0.1:{port}"]
    with _running("oxigraph serve-read-only", command, port, "/query", {}) as found:
        yield found


@contextmanager
def rdflib_endpoint(store: Path, folder: Path) -> Iterator[Service | None]:
    """Run rdflib-endpoint over a copy of the store in ``folder``; None where not installed."""
    if not (_PEER / ".made").is_file():
        yield None
        return
    port = _free_port()
    if not folder.exists():
        shutil.copytree(store, folder)
    module = "tests.bench.peers.sparql_service"
    command = [str(_PEER / "bin/python"), "-m", module, str(folder), str(port)]
    with _running("rdflib-endpoint", command, port, "/sparql", {}) as found:
        yield found


def memory(pid: int) -> float:
    """Return the MiB that a process holds: its resident set without what is mapped from files."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return 0.0


def resident(pid: int) -> float:
    """Return the MiB of a process's resident set."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        found += map(int, (task / "children").read_text().split())
    return found


@contextmanager
def _running(
    name: str, command: Sequence[str], port: int, path: str, environment: dict[str, str]
) -> Iterator[Service]:
    with subprocess.Popen(
        command,
        cwd=_ROOT,
        env={**os.environ, **environment, "RAYON_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        service = Service(name, process.pid, port, path)
        try:
            _wait(service, process)
            yield service
        finally:
            process.terminate()
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(service: Service, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + _START
    while time.monotonic() < until:
        if process.poll() is not None:
            said = process.stderr.read()[-2_000:] if process.stderr else ""
            raise RuntimeError(f"{service.name} ended with {process.returncode}: {said}")
        try:
            if service.ask("ASK {}") == 200:
                return
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)
    raise RuntimeError(f"{service.name} did not answer within {_START:.0f} s")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
