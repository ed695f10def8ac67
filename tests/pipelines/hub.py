"""A hub on this machine: serves files at OWNER/NAME/resolve/REVISION/FILE, with redirects."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub:
    """What is served, and what was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.announced: dict[str, str] = {}
        self.short = False
        self.address = ""


@contextmanager
def serve(folder: Path) -> Iterator[Hub]:
    """Serve the files of ``folder`` for as long as the block runs."""
    hub = Hub(folder)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(self.path)
            hub.asked.append(path)
            hub.agents.add(self.headers.get("User-Agent", ""))
            name = path.rpartition("/")[2]
            file = hub.folder / name
            if not file.is_file():
                self.send_error(404)
            elif path.startswith("/store/"):
                data = file.read_bytes()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[:-5] if hub.short else data)
            else:  # as the hub does for large files: the commit is said on the way only
                digest = hashlib.sha256(file.read_bytes()).hexdigest()
                self.send_response(302)
                self.send_header("X-Repo-Commit", COMMIT)
                self.send_header("X-Linked-Etag", f'"{hub.announced.get(name, digest)}"')
                self.send_header("Location", f"/store/{name}")
                self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    hub.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
