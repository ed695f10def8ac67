"""Serving SPARQL: requests a second and p95 at 8 clients, beside two other services; memory; limits.

The made-up workspace of ``sparql_data`` at ``FLORILEGIUM_BENCH_SCALE`` (default 0.05; 1 is 2.7 million
quads or more), or the one in ``FLORILEGIUM_BENCH_HOME`` with its graph built. The mix: every ready
question that is asked of the graph, with LIMIT 100. ``make bench-peer NAME=endpoint`` installs the peers.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ontology.graphstore import open_current
from ontology.queries import Parameter, ready_queries
from ontology.sparql import run_query
from ontology.vocab import PREFIXES
from tests.app.hostile_queries import BOMBS
from tests.bench.measure import print_row
from tests.bench.peers.sparql_peers import (
    Service,
    children,
    memory,
    ours,
    oxigraph,
    rdflib_endpoint,
    resident,
)
from tests.bench.sparql_data import make_workspace

CLIENTS = 8
ROUNDS = int(os.environ.get("FLORILEGIUM_BENCH_ROUNDS", "6"))
"""How often each client asks the whole mix."""
SMALL = "SELECT * { ?s ?p ?o } LIMIT 10"
"""Next to nothing for the engine: what is left is what the service itself takes."""

LIMIT = 2.0
GIVE_UP = 10.0
"""Seconds that a peer gets for a question when nothing else is asked."""
BY_SQL = ("concepts-together", "runs-disagree")
"""Ready questions that command line and dashboard ask of SQL."""


def main() -> None:
    """Print a row a service, one for a process a query, and what hostile queries took."""
    with tempfile.TemporaryDirectory(prefix="bench-endpoint-") as folder:
        home = _home(Path(folder))
        graph = open_current(home / "graph")
        mix = _mix(home / "graph")
        print_row("endpoint: data", quads=graph.manifest.quads, questions=len(mix))
        with ours(home, 30) as service:
            _measure(service, mix, warm_processes=2)
        _apart(home / "graph", mix)
        _beside(lambda: oxigraph(graph.db), mix)
        _hostile(home)
        _beside(lambda: rdflib_endpoint(graph.db, Path(folder, "copy")), mix)


def _home(folder: Path) -> Path:
    named = os.environ.get("FLORILEGIUM_BENCH_HOME")
    if named:
        return Path(named)
    from app.projection import rebuild_graph
    from app.workspace import open_store

    scale = float(os.environ.get("FLORILEGIUM_BENCH_SCALE", "0.05"))
    settings = make_workspace(folder / "home", scale)
    store = open_store(settings)
    rebuild_graph(settings, store)
    store.engine.dispose()
    return settings.home


def _mix(graph_dir: Path) -> dict[str, str]:
    """Return each question as SPARQL with values that the data have, every prefix declared."""
    values = {
        "concept": _one(graph_dir, "SELECT ?c { ?t flo:inDocument ?d ; oa:hasBody ?c . ?c flo:within ?up } "
                                   "GROUP BY ?c ORDER BY DESC(COUNT(?t)) LIMIT 1"),
        "tag": _one(graph_dir, "SELECT ?t { ?t oa:motivatedBy oa:identifying } LIMIT 1"),
        "document": "17",
        "run": "2",
        "collection": "made-up",
    }  # fmt: skip
    head = "".join(f"PREFIX {prefix}: <{iri}>\n" for prefix, iri in PREFIXES.items())
    found = {}
    for question in ready_queries():
        if question.name in BY_SQL:
            continue
        given = {each.name: _value(each, values) for each in question.params}
        text = question.written({name: value for name, value in given.items() if value})
        found[question.name] = head + text
    return found


def _value(parameter: Parameter, values: dict[str, str]) -> str:
    if parameter.name == "limit":
        return "100"
    return values.get(parameter.kind, parameter.example) if parameter.needed else ""


def _one(graph_dir: Path, query: str) -> str:
    lines = run_query(graph_dir, query, format="csv", timeout=300).body.decode().splitlines()
    return lines[1]


def _beside(
    start: Callable[[], AbstractContextManager[Service | None]], mix: dict[str, str]
) -> None:
    """Measure a peer over what it answers; one that gives no answer is started again."""
    alone: dict[str, float | None] = {}
    left = list(mix)
    while left:
        with start() as service:
            if service is None:
                return
            while left:
                name = left.pop(0)
                began = time.perf_counter()
                try:
                    good = service.ask(mix[name], service.connect(GIVE_UP)) == 200
                except OSError:
                    alone[name] = None
                    break
                alone[name] = time.perf_counter() - began if good else None
    quick = mix
    if None in alone.values():  # then one that takes turns would need minutes for eight clients
        most = GIVE_UP / CLIENTS
        quick = {name: mix[name] for name, took in alone.items() if took and took < most}
    print_row(
        f"endpoint: {service.name}, first time alone",
        give_up_seconds=GIVE_UP,
        no_answer=[name for name, took in alone.items() if took is None],
        alone_ms={name: round(took * 1000, 1) for name, took in alone.items() if took},
    )
    with start() as service:
        if service is not None and quick:
            _measure(service, quick)


def _measure(service: Service, mix: dict[str, str], *, warm_processes: int = 0) -> None:
    single: dict[str, float] = {}
    for name, query in mix.items():
        service.ask(query)
        began = time.perf_counter()
        service.ask(query)
        single[name] = time.perf_counter() - began
    connections = [service.connect() for _ in range(CLIENTS)]
    seconds, statuses, wall = _load(
        list(mix.values()), lambda client, query: service.ask(query, connections[client])
    )
    small, _, small_wall = _load(
        [SMALL], lambda client, query: service.ask(query, connections[client]), rounds=50
    )
    for connection in connections:
        connection.close()
    workers = children(service.pid) if warm_processes else []
    print_row(
        f"endpoint: {service.name}",
        questions=len(mix),
        **_figures(seconds, wall),
        small_requests_per_second=len(small) / small_wall,
        small_p95_ms=small[int(len(small) * 0.95)] * 1000,
        statuses={str(key): count for key, count in statuses.items()},
        process_mib=resident(service.pid),
        process_own_mib=memory(service.pid),
        workers_mib=[round(resident(pid), 1) for pid in workers],
        workers_own_mib=[round(memory(pid), 1) for pid in workers],
        alone_ms={name: round(value * 1000, 1) for name, value in single.items()},
    )


def _apart(graph_dir: Path, mix: dict[str, str]) -> None:
    """Measure a new process for each query, two at a time, as the command line does it."""

    turn = threading.Semaphore(2)

    def ask(client: int, query: str) -> int:
        with turn:
            run_query(graph_dir, query, timeout=60)
        return 200

    seconds, _, wall = _load(list(mix.values()), ask, rounds=max(1, ROUNDS // 3))
    print_row("endpoint: a new process for each query, no HTTP", **_figures(seconds, wall))


def _load(
    queries: Sequence[str], ask: Callable[[int, str], int], *, rounds: int = ROUNDS
) -> tuple[list[float], Counter[int], float]:
    """Let every client ask the mix ``rounds`` times, each from another place in it."""
    seconds: list[float] = []
    statuses: Counter[int] = Counter()
    lock = threading.Lock()

    def client(number: int) -> None:
        for step in range(rounds * len(queries)):
            query = queries[(step + number * 3) % len(queries)]
            began = time.perf_counter()
            status = ask(number, query)
            took = time.perf_counter() - began
            with lock:
                seconds.append(took)
                statuses[status] += 1

    threads = [threading.Thread(target=client, args=(number,)) for number in range(CLIENTS)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(seconds), statuses, time.perf_counter() - began


def _figures(seconds: Sequence[float], wall: float) -> dict[str, Any]:
    return {
        "clients": CLIENTS,
        "requests": len(seconds),
        "requests_per_second": len(seconds) / wall,
        "p50_ms": seconds[len(seconds) // 2] * 1000,
        "p95_ms": seconds[int(len(seconds) * 0.95)] * 1000,
        "slowest_ms": seconds[-1] * 1000,
    }


def _hostile(home: Path) -> None:
    """Ask what costs too much of a service that gives two seconds; then 200 clients at once."""
    with ours(home, LIMIT) as service:
        took: dict[str, float] = {}
        statuses: Counter[int] = Counter()
        for name, query in BOMBS.items():
            began = time.perf_counter()
            statuses[service.ask(query)] += 1
            took[name] = time.perf_counter() - began
        worst = max(took, key=lambda name: took[name])
        print_row(
            "endpoint: hostile queries",
            limit_seconds=LIMIT,
            queries=len(took),
            statuses={str(key): count for key, count in statuses.items()},
            slowest=worst,
            slowest_seconds=took[worst],
            process_mib=resident(service.pid),
        )
        for name, query in (("light", "ASK {}"), ("heavy", BOMBS["a product of four patterns"])):
            seconds, found = _at_once(service, query, 200)
            print_row(
                f"endpoint: 200 clients at once, {name}",
                limit_seconds=LIMIT,
                slowest_seconds=seconds,
                statuses={str(key): count for key, count in found.items()},
                process_mib=resident(service.pid),
            )


def _at_once(service: Service, query: str, clients: int) -> tuple[float, Counter[int]]:
    barrier = threading.Barrier(clients)
    statuses: Counter[int] = Counter()
    seconds: list[float] = []

    def client() -> None:
        barrier.wait()
        began = time.perf_counter()
        status = service.ask(query)
        seconds.append(time.perf_counter() - began)
        statuses[status] += 1

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(seconds), statuses


if __name__ == "__main__":
    main()
