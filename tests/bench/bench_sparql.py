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
from ontology.vocab import DATA, FLO, OA, PREFIXES, RDFS
from tests.bench.measure import gemm_gflops, print_row
from tests.bench.sparql_data import make_workspace
from tests.bench.sparql_words import BASE

GIVEN = {"concept": f"{BASE}c0000", "run": "1", "other": "2", "tag": "tag:4-1"}
LIMIT = "100"
MOST_SECONDS = {False: 1.5, True: 5.0}
TRIPLES = 1_000_000
CONCEPTS, PER_TAG = 2_000, 2
T = TypeVar("T")
_ABOVE = f"?top <{RDFS}subClassOf> <urn:root> . ?body <{RDFS}subClassOf>* ?top"
_COUNT = "SELECT ?top (COUNT(DISTINCT ?document) AS ?documents)"
PLAIN = f"""{_COUNT} {{
  {_ABOVE} . ?tag <{OA}hasBody> ?body ; <{FLO}inDocument> ?document
}} GROUP BY ?top"""
JOINED = f"""{_COUNT} {{
  {{ SELECT ?top ?body {{ {_ABOVE} }} }}
  {{ SELECT ?tag ?body {{ ?tag <{OA}hasBody> ?body }} }}
  {{ SELECT ?tag ?document {{ ?tag <{FLO}inDocument> ?document }} }}
}} GROUP BY ?top"""
TAGS = f"""SELECT ?top (COUNT(?tag) AS ?documents) {{
  {{ SELECT ?top ?body {{ {_ABOVE} }} }} ?tag <{OA}hasBody> ?body
}} GROUP BY ?top"""
"""JOINED is the form of the ready questions, faster on disk; rdflib and memory are faster with the plain one."""


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

    In CPU seconds of this process, so that a busy machine does not blur the ratio.
    """
    import pyoxigraph as ox
    from rdflib import Graph

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "data.nt"
        with file.open("w", encoding="utf-8") as out:
            out.writelines(triples())
        memory, disk = ox.Store(), ox.Store(str(Path(folder) / "db"))
        for store in (memory, disk):
            store.bulk_load(path=str(file), format=ox.RdfFormat.N_TRIPLES)
        disk.optimize()
        graph = Graph().parse(file, format="nt")
        cpu = time.process_time
        for counted, plain, joined in (("tags", TAGS, TAGS), ("documents", PLAIN, JOINED)):
            slow, expected = fastest(
                lambda q=plain: sorted(str(row[1]) for row in graph.query(q)),  # type: ignore[misc]
                1,
                cpu,
            )
            for name, store, form, least in (
                ("memory", memory, plain, 20),
                ("disk", disk, joined, 12),
            ):
                quick, found = fastest(lambda s=store, f=form: sorted(_counts(s, f)), 3, cpu)  # type: ignore[misc]
                assert found == expected
                print_row(
                    f"sparql: roll-up of {counted}, {name}", triples=len(store), seconds=quick,
                    rdflib_seconds=slow, times_faster=slow / quick, bar_times=least,
                )  # fmt: skip


def _counts(store: Any, form: str) -> list[str]:
    return [row["documents"].value for row in store.query(form)]


def triples() -> Any:
    """Yield a hierarchy of five below each, and tags on it, as N-Triples."""
    for number in range(CONCEPTS):
        above = "urn:root" if number < 8 else f"urn:c{(number - 8) // 5}"
        yield f"<urn:c{number}> <{RDFS}subClassOf> <{above}> .\n"
    for tag in range((TRIPLES - CONCEPTS) // PER_TAG):
        subject = f"<{DATA}tag-{tag}-1>"
        yield f"{subject} <{OA}hasBody> <urn:c{tag * 7919 % CONCEPTS}> .\n"
        yield f"{subject} <{FLO}inDocument> <{DATA}document-{tag // 6}> .\n"


if __name__ == "__main__":
    main()
