"""Queries that nobody wrote: each gets an answer that the protocol knows, and nothing is left over."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.endpoint import EndpointSettings
from ontology.graphstore import build
from ontology.sparql import Limits
from tests.app.endpoint_client import running, send
from tests.app.query_grammar import queries
from tests.ontology.canary import canary
from tests.ontology.snapshots import snapshot

DOCUMENTED = {200, 400, 403, 413, 503}
"""503 is the one answer above 499: a limit was reached."""


def children(of: str = "self") -> set[int]:
    """Return the processes that this one started and that still are."""
    found = set()
    for task in Path(f"/proc/{of}/task").iterdir():
        found |= set(map(int, (task / "children").read_text().split()))
    return found


def fuzz(folder: Path, count: int, seed: int) -> Counter[int]:
    """Ask ``count`` queries of a service of its own; return how often each status came."""
    build(folder, snapshot())
    limits = Limits(timeout=0.5, max_rows=50_000, max_memory=1024 * 2**20)
    started = children()
    with canary() as bird, running(folder, EndpointSettings(limits=limits)) as port:

        def ask(query: str) -> int:
            reply = send(
                port,
                "POST",
                body=query.encode("utf-8", "surrogatepass"),
                headers={"Content-Type": "application/sparql-query"},
            )
            assert reply.status in DOCUMENTED, (reply.status, query, reply.body[:500])
            assert b"Traceback" not in reply.body
            return reply.status

        ask("ASK {}")
        files = len(list(Path("/proc/self/fd").iterdir()))
        with ThreadPoolExecutor(8) as pool:
            found = Counter(pool.map(ask, queries(count, seed)))
        assert ask("ASK {}") == 200
        end = time.monotonic() + 15
        while time.monotonic() < end and (
            len(list(Path("/proc/self/fd").iterdir())) > files + 8 or len(children() - started) > 2
        ):
            time.sleep(0.1)
        assert len(list(Path("/proc/self/fd").iterdir())) <= files + 8
        assert len(children() - started) <= 2
        assert bird.heard == []
    assert children() <= started
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files in /proc")
def test_a_hundred_and_fifty_odd_queries(tmp_path: Path) -> None:
    found = fuzz(tmp_path / "graph", 150, 1)
    assert found[200] > 15
    assert found[400] > 40


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files in /proc")
def test_two_thousand_odd_queries(tmp_path: Path) -> None:
    found = fuzz(tmp_path / "graph", 2_000, 2)
    assert sum(found.values()) == 2_000
    assert found[200] > 200
    assert found[400] > 500
