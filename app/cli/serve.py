"""``florilegium serve`` and ``worker``: the long-running processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click

from app.cli.options import global_options, settings
from app.cli.output import note
from app.cli.ports import ADDRESS, must_be_free
from app.cli.sparql_server import chosen, endpoint_options
from app.errors import AppError
from app.parent import ended_with_parent
from app.settings import Settings

READY_SECONDS = 60.0


@click.command()
@click.option("--once", is_flag=True, help="Leave when the queue is empty.")
@global_options
def worker(once: bool) -> None:
    """Claim and do jobs from the queue until told to stop."""
    from app.worker import work

    stopping = threading.Event()
    _on_signals(stopping)
    done = work(settings(), stopping, once=once)
    note(f"{done:,} jobs done")


@click.command()
@click.option("--port", type=click.IntRange(1, 65_534), help="Dashboard port.  [default: 8501]")
@endpoint_options
@global_options
def serve(
    port: int | None, host: str | None, token_file: Path | None, access_log: Path | None
) -> None:
    """Start dashboard, worker and SPARQL endpoint together on 127.0.0.1.

    The dashboard is on PORT, the endpoint on the next one at /sparql, with a page to ask from at /.
    With --host the endpoint alone listens elsewhere; the dashboard stays on 127.0.0.1.
    """
    from app.workspace import open_store

    here = chosen(settings(), host, token_file, access_log)
    port = port or here.port
    must_be_free(port)
    must_be_free(port + 1, address=here.sparql_host)
    open_store(here, create=True)
    stopping = threading.Event()
    _on_signals(stopping)
    children = {name: _start(command, here) for name, command in _commands(port, here).items()}
    try:
        reached = _reached(here.sparql_host)
        _wait_until_ready(children, ((ADDRESS, port), (reached, port + 1)), stopping)
        if not stopping.is_set():
            click.echo(f"Dashboard  http://{ADDRESS}:{port}")
            shown = f"[{reached}]" if ":" in reached else reached
            click.echo(f"SPARQL     http://{shown}:{port + 1}/sparql")
            click.echo(f"Workspace  {here.home}\nStop with Ctrl-C.")
            sys.stdout.flush()
        _watch(children, here, port, stopping)
    finally:
        _end(children)


def _reached(host: str) -> str:
    """Return an address that reaches what listens on ``host``."""
    return {"0.0.0.0": ADDRESS, "::": "::1"}.get(host, host)


def _commands(port: int, here: Settings) -> dict[str, list[str]]:
    """Return the three command lines; ``-P`` keeps the current folder off the import path."""
    script = Path(__file__).parent.parent / "dashboard" / "main.py"
    ours = [sys.executable, "-P", "-c", "from app.cli.main import main; main()"]
    return {
        "dashboard": [
            *(sys.executable, "-P", "-m", "streamlit", "run", str(script)),
            *("--server.port", str(port), "--server.address", ADDRESS),
            *("--server.headless", "true", "--server.maxUploadSize", str(here.max_upload_mb)),
        ],
        "endpoint": [*ours, "sparql-server", "--port", str(port + 1), *_who(here)],
        "worker": [*ours, "worker"],
    }


def _who(here: Settings) -> list[str]:
    """Return the flags that say who may ask the endpoint."""
    flags = ["--host", here.sparql_host]
    if here.sparql_token_file is not None:
        flags += ["--token-file", str(here.sparql_token_file)]
    if here.sparql_access_log is not None:
        flags += ["--access-log", str(here.sparql_access_log)]
    return flags


def _start(command: Sequence[str], here: Settings) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        "FLORILEGIUM_HOME": str(here.home),
        "FLORILEGIUM_DATABASE_URL": here.db_url,
    }
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=ended_with_parent(),
    )


def _watch(
    children: dict[str, subprocess.Popen[bytes]],
    here: Settings,
    port: int,
    stopping: threading.Event,
) -> None:
    """Wait; a worker that died is started again, the others end everything."""
    while not stopping.wait(0.5):
        for name, child in list(children.items()):
            code = child.poll()
            if code is None:
                continue
            if name != "worker":
                raise AppError(f"The {name} ended with code {code}; see the lines above.")
            note(f"The worker ended with code {code}; starting it again.")
            stopping.wait(2.0)
            children[name] = _start(_commands(port, here)[name], here)


def _wait_until_ready(
    children: dict[str, subprocess.Popen[bytes]],
    places: Sequence[tuple[str, int]],
    stopping: threading.Event,
) -> None:
    end = time.monotonic() + READY_SECONDS
    for address, port in places:
        while not stopping.is_set() and not _answers(address, port):
            for name, child in children.items():
                if child.poll() is not None and name != "worker":
                    raise AppError(f"The {name} could not start; see the lines above.")
            if time.monotonic() > end:
                raise AppError(f"Nothing answers on port {port} after {READY_SECONDS:.0f} seconds.")
            stopping.wait(0.2)


def _answers(address: str, port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
        return True
    return False


def _on_signals(stopping: threading.Event) -> None:
    def stop(number: int, frame: FrameType | None) -> None:
        stopping.set()

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)


def _end(children: dict[str, subprocess.Popen[bytes]]) -> None:
    for child in children.values():
        with contextlib.suppress(ProcessLookupError):
            child.terminate()
    for child in children.values():
        try:
            child.wait(timeout=15)
        except subprocess.TimeoutExpired:
            child.kill()
