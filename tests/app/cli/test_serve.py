"""``serve`` and ``sparql-server`` as processes: who is left when they end, and how they listen."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.graph_folder import graph_folder
from tests.e2e.server import FLORILEGIUM, free_ports

TOKEN = "0123456789abcdef0123456789abcdef"
PATIENCE = 60.0
QUADS = "<http://x/a> <http://x/p> <http://x/b> <http://x/g> .\n"

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="children are tied to their parent on Linux only"
)


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.1)
    return holds()


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def family(pid: int) -> set[int]:
    """Return the process's children, and theirs."""
    found: set[int] = set()
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        for task in tasks:
            for child in map(int, (task / "children").read_text().split()):
                found |= {child} | family(child)
    except OSError:
        pass
    return found


def answers(url: str, **headers: str) -> int:
    """Return the status of a GET, 0 where nobody listens."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=5) as got:
            return int(got.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@contextmanager
def started(home: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    with subprocess.Popen(
        [FLORILEGIUM, "--home", str(home), *arguments],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            left = family(process.pid)
            process.kill()
            for pid in left:
                if alive(pid):
                    os.kill(pid, signal.SIGKILL)


@pytest.fixture
def ready(home: Path) -> Path:
    """A workspace with a graph."""
    graph_folder(home / "graph", QUADS, both=True)
    return home


def test_no_child_outlives_serve_that_was_killed(ready: Path) -> None:
    port = free_ports()
    with started(ready, "serve", "--port", str(port)) as process:
        query = f"http://127.0.0.1:{port + 1}/sparql?query=ASK%20%7B%7D"
        assert until(lambda: answers(query) == 200)
        assert until(lambda: answers(f"http://127.0.0.1:{port}/_stcore/health") == 200)
        assert until(lambda: len(family(process.pid)) >= 5)
        children = family(process.pid)
        process.send_signal(signal.SIGKILL)
        assert until(lambda: not any(map(alive, children))), {
            pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children if alive(pid)
        }


def test_serve_hands_token_file_and_log_on_to_the_endpoint(ready: Path, tmp_path: Path) -> None:
    tokens, log = tmp_path / "tokens", tmp_path / "access.log"
    tokens.write_text(TOKEN)
    tokens.chmod(0o600)
    port = free_ports()
    arguments = ("--port", str(port), "--token-file", str(tokens), "--access-log", str(log))
    with started(ready, "serve", *arguments):
        query = f"http://127.0.0.1:{port + 1}/sparql?query=ASK%20%7B%7D"
        assert until(lambda: answers(query) == 401)
        assert answers(query, Authorization=f"Bearer {TOKEN}") == 200
        assert until(lambda: '"status":200' in log.read_text())
    found = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["status"] for line in found][-2:] == [401, 200]


def test_the_endpoint_alone_ends_in_order_and_takes_its_processes_with_it(ready: Path) -> None:
    port = free_ports()
    with started(ready, "sparql-server", "--port", str(port)) as process:
        assert until(lambda: answers(f"http://127.0.0.1:{port}/sparql?query=ASK%20%7B%7D") == 200)
        assert until(lambda: len(family(process.pid)) == 2)
        children = family(process.pid)
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        assert until(lambda: not any(map(alive, children)))


def test_the_endpoint_listens_where_it_is_told_when_it_has_a_token(
    ready: Path, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text(TOKEN)
    tokens.chmod(0o600)
    port = free_ports()
    arguments = ("--host", "0.0.0.0", "--port", str(port), "--token-file", str(tokens))
    with started(ready, "sparql-server", *arguments):
        query = f"http://127.0.0.2:{port}/sparql?query=ASK%20%7B%7D"
        assert until(lambda: answers(query) == 401)
        assert answers(query, Authorization=f"Bearer {TOKEN}") == 200
