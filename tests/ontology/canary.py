"""A listener on loopback that must never hear anything."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Canary:
    """Where it listens, and what connected."""

    port: int
    heard: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"


@contextmanager
def canary() -> Iterator[Canary]:
    """Listen on a free port; answer nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        found = Canary(int(server.getsockname()[1]))

        def listen() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    found.heard.append(connection.recv(1000))

        threading.Thread(target=listen, daemon=True).start()
        yield found
