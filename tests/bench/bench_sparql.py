"""The ready questions over a made-up workspace: seconds, graph build, memory, beside rdflib.

Scales are read from FLORILEGIUM_BENCH_SCALES ("1" unless set; "0.1,1,10" for a curve).
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from app.projection import rebuild_graph
from app.questions import BY_SQL, ask, asked
from app.settings import Settings
from app.workspace import open_store
from db.store import Store
from ontology.graphstore import open_current
from ontology.queries import ready_queries
from ontology.vocab import FLO, OA, PREFIXES, SKOS
from tests.bench.measure import gemm_gflops, print_row
from tests.bench.sparql_data import make_workspace
from tests.bench.sparql_words import BASE

GIVEN = {"concept": f"{BASE}c0000", "run": "1", "other": "2", "tag": "tag:4-1"}
LIMIT = "100"
MOST_SECONDS = {False: 1.5, True: 5.0}
ROLLED = 0.24
"""Scale at which the default graph has about a million triples."""
T = TypeVar("T")
_COUNTS = {"tags": "COUNT(?tag)", "documents": "COUNT(DISTINCT ?document)"}
_BELOW = {"path": f"<{SKOS}broader>*", "closure": f"<{FLO}within>"}


def main() -> None:
    """Print a row a question and scale, then the roll-up beside rdflib."""
    print_row("sparql: calibration", gemm_gflops=gemm_gflops(1))
    for scale in os.environ.get("FLORILEGIUM_BENCH_SCALES", "1").split(","):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), float(scale))
    roll_up()


def measure(home: Path, scale: float) -> None:
    """Build the graph of a workspace and ask everything once warm, each in its own process."""
    settings = make_workspace(home, scale)
    store = open_store(settings)
    quads, seconds = build(settings, store)
    held = {"scale": scale, "quads": quads}
    print_row("sparql: build", **held, seconds=seconds, quads_per_second=quads / seconds)
    for query in ready_queries():
        given = {each.name: GIVEN[each.name] for each in query.params if each.name in GIVEN}
        given = {
            n: v for n, v in given.items() if any(p.name == n and p.needed for p in query.params)
        }
        given["limit"] = LIMIT
        best, rows = fastest(lambda n=query.name, g=given: answered(settings, store, n, g))  # type: ignore[misc]
        by_sql = query.name in BY_SQL
        print_row(
            f"sparql: {query.name}", **held, seconds=best, rows=rows, by_sql=by_sql,
            bar_seconds=MOST_SECONDS[by_sql], by_sql_seconds=sql_seconds(store, query.name, given),
        )  # fmt: skip
    print_row("sparql: serving memory", **held, mib=serving_memory(settings))
    store.engine.dispose()


def build(settings: Settings, store: Store) -> tuple[int, float]:
    """Return how many quads were built and in how many seconds, optimising included."""
    begun = time.perf_counter()
    rebuild_graph(settings, store)
    seconds = time.perf_counter() - begun
    return open_current(settings.graph_dir).manifest.quads, seconds


def answered(settings: Settings, store: Store, name: str, given: dict[str, str]) -> int:
    """Ask as the command line does; return the number of rows."""
    return ask(settings, store, name, given, timeout=120).rows


def sql_seconds(store: Store, name: str, given: dict[str, str]) -> float | None:
    """Return what SQL takes for the same question, or None where it has none."""
    if name not in store.questions():
        return None
    values = asked(store, given, int(LIMIT))
    return fastest(lambda: len(store.question(name, values).rows))[0]


def fastest(
    work: Callable[[], T], times: int = 3, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, T]:
    """Return the least seconds of some tries, and the answer."""
    best, answer = float("inf"), None
    for _ in range(times):
        begun = clock()
        answer = work()
        best = min(best, clock() - begun)
    assert answer is not None
    return best, answer


def serving_memory(settings: Settings) -> float:
    """Return the peak MiB of a process that opens the graph and answers a question."""
    import subprocess
    import sys

    text = next(each for each in ready_queries() if each.name == "counts-by-top-concept").written()
    script = (
        "import sys, resource, pyoxigraph as ox\n"
        "store = ox.Store.read_only(sys.argv[1])\n"
        f"list(store.query(sys.argv[2], prefixes={PREFIXES!r}))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)"
    )
    db = open_current(settings.graph_dir).db
    done = subprocess.run(
        [sys.executable, "-c", script, str(db), text], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def roll_up() -> None:
    """Print how much faster the hierarchy roll-up is than in rdflib on a million triples.

    The triples are the default graph of a made-up workspace, the counts those of its top concepts:
    with the same property path in both, and with ``flo:within``, as the ready questions have it,
    where rdflib walks the path. In CPU seconds, so that a busy machine does not blur the ratio.
    """
    import pyoxigraph as ox
    from rdflib import Graph

    with tempfile.TemporaryDirectory() as folder:
        settings = make_workspace(Path(folder), ROLLED)
        store = open_store(settings)
        build(settings, store)
        file = Path(folder) / "data.nt"
        ox.Store.read_only(str(open_current(settings.graph_dir).db)).dump(
            str(file), format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph()
        )
        memory, disk = ox.Store(), ox.Store(str(Path(folder) / "db"))
        for each in (memory, disk):
            each.bulk_load(path=str(file), format=ox.RdfFormat.N_TRIPLES)
        disk.optimize()
        graph = Graph().parse(file, format="nt")
        tops = _tops(memory)
        for counted in _COUNTS:
            walked = _form(counted, "path", tops)
            slow, expected = fastest(
                lambda q=walked: sorted(str(row[1]) for row in graph.query(q)),  # type: ignore[misc]
                1,
                time.process_time,
            )
            for below in _BELOW:
                form = _form(counted, below, tops)
                for name, each, least in (("memory", memory, 20), ("disk", disk, 12)):
                    quick, found = fastest(
                        lambda s=each, f=form: sorted(_counts(s, f)),  # type: ignore[misc]
                        3,
                        time.process_time,
                    )
                    assert found == expected
                    print_row(
                        f"sparql: roll-up of {counted} by {below}, {name}",
                        triples=len(each),
                        seconds=quick,
                        rdflib_seconds=slow,
                        times_faster=slow / quick,
                        bar_times=least,
                    )
        store.engine.dispose()


def _form(counted: str, below: str, tops: list[str]) -> str:
    in_document = f" ; <{FLO}inDocument> ?document" if counted == "documents" else ""
    return f"""SELECT ?top ({_COUNTS[counted]} AS ?counted) {{
      VALUES ?top {{ {" ".join(f"<{top}>" for top in tops)} }}
      ?body {_BELOW[below]} ?top . ?tag <{OA}hasBody> ?body{in_document}
    }} GROUP BY ?top"""


def _tops(store: Any) -> list[str]:
    """Return the concepts with something narrower and nothing broader."""
    query = f"SELECT DISTINCT ?c {{ ?n <{SKOS}broader> ?c MINUS {{ ?c <{SKOS}broader> ?b }} }}"
    return sorted(row["c"].value for row in store.query(query))


def _counts(store: Any, form: str) -> list[str]:
    return [row["counted"].value for row in store.query(form)]


if __name__ == "__main__":
    main()
