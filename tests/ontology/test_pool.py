"""Warm engine processes: kept, replaced, and never asked again after they were stopped."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ontology import formats
from ontology.engine import Limits, Unwanted, identity
from ontology.errors import QueryError, QueryRefused, QueryStopped, QueryTimeout
from ontology.graphstore import open_current
from ontology.pool import EnginePool
from ontology.sparql import prepare, write_answer
from tests.app.graph_folder import graph_folder

ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }"
QUADS = "".join(f"<http://x/s{n}> <http://x/p> <http://x/o{n}> <http://x/g> .\n" for n in range(60))
Answer = Callable[..., bytes]


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graph_folder(tmp_path_factory.mktemp("graph"), QUADS, both=True)


@pytest.fixture
def pool(graphs: Path) -> Iterator[EnginePool]:
    made = EnginePool(lambda: graphs, size=1)
    yield made
    made.close()


def ask(pool: EnginePool, folder: Path, query: str, **limits: float) -> bytes:
    body = io.BytesIO()
    write_answer(
        open_current(folder),
        prepare(query),
        formats.CSV,
        body,
        limits=Limits(**{"timeout": 20.0, **limits}),  # type: ignore[arg-type]
        pool=pool,
    )
    return body.getvalue()


def until(holds: Callable[[], bool]) -> bool:
    """Wait up to ten seconds for something to hold."""
    end = time.monotonic() + 10
    while not holds() and time.monotonic() < end:
        time.sleep(0.05)
    return holds()


def gone(pid: int) -> bool:
    """Whether a process has ended, reaped or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rsplit(b")", 1)[1].split()[0] == b"Z"
    except OSError:
        return True


def test_one_process_answers_many_queries(pool: EnginePool, graphs: Path) -> None:
    ask(pool, graphs, "ASK {}")
    (first,) = pool.pids()
    for number in range(5):
        assert ask(pool, graphs, f"SELECT ({number} AS ?n) {{}}") == f"n\r\n{number}\r\n".encode()
    assert pool.pids() == [first]


def test_a_fault_of_syntax_or_of_the_text_keeps_the_process(pool: EnginePool, graphs: Path) -> None:
    ask(pool, graphs, "ASK {}")
    (first,) = pool.pids()
    with pytest.raises(QueryRefused, match=r"not SPARQL 1\.1"):
        ask(pool, graphs, "SELECT ?x { ?x }")
    assert pool.pids() == [first]
    assert ask(pool, graphs, "ASK {}").strip() == b"true"


@pytest.mark.parametrize(
    ("query", "limits", "error"),
    [
        (ENDLESS, {"timeout": 0.5}, QueryTimeout),
        ("SELECT * { ?a ?b ?c . ?d ?e ?f }", {"max_rows": 100}, QueryStopped),
        ("SELECT * { ?a ?b ?c . ?d ?e ?f }", {"max_bytes": 5000}, QueryStopped),
    ],
)
def test_a_process_that_was_stopped_never_answers_again(
    pool: EnginePool, graphs: Path, query: str, limits: dict[str, float], error: type[QueryError]
) -> None:
    ask(pool, graphs, "ASK {}")
    (first,) = pool.pids()
    with pytest.raises(error):
        ask(pool, graphs, query, **limits)
    assert gone(first)
    assert first not in pool.pids()
    assert ask(pool, graphs, "ASK {}").strip() == b"true"


def test_a_process_that_runs_out_of_memory_is_replaced(graphs: Path) -> None:
    pool = EnginePool(lambda: graphs, size=1, limits=Limits(max_memory=500 * 2**20))
    try:
        ask(pool, graphs, "ASK {}")
        (first,) = pool.pids()
        with pytest.raises(QueryStopped):
            ask(pool, graphs, "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } ORDER BY ?a")
        assert gone(first)
        assert ask(pool, graphs, "ASK {}").strip() == b"true"
    finally:
        pool.close()


def test_a_process_is_replaced_after_so_many_queries_or_so_much_memory(graphs: Path) -> None:
    for served, held in ((2, 2**40), (1000, 1)):
        pool = EnginePool(lambda: graphs, size=1, served=served, held=held)
        try:
            ask(pool, graphs, "ASK {}")
            (first,) = pool.pids()
            ask(pool, graphs, "ASK {}")
            assert ask(pool, graphs, "ASK {}").strip() == b"true"
            assert gone(first)
        finally:
            pool.close()


def test_a_process_killed_while_idle_is_not_noticed(pool: EnginePool, graphs: Path) -> None:
    ask(pool, graphs, "ASK {}")
    (first,) = pool.pids()
    os.kill(first, signal.SIGKILL)
    assert until(lambda: gone(first))
    assert ask(pool, graphs, "ASK {}").strip() == b"true"


def test_a_query_that_nobody_waits_for_is_stopped(pool: EnginePool, graphs: Path) -> None:
    looks = iter([True, True, False])
    with pytest.raises(Unwanted):
        write_answer(
            open_current(graphs),
            prepare(ENDLESS),
            formats.CSV,
            io.BytesIO(),
            limits=Limits(timeout=30),
            pool=pool,
            wanted=lambda: next(looks, False),
        )


def test_the_next_query_is_answered_from_a_new_store(tmp_path: Path) -> None:
    folder = graph_folder(tmp_path / "graph", "")
    pool = EnginePool(lambda: folder, size=1)
    try:
        assert ask(pool, folder, "ASK { ?s ?p ?o }").strip() == b"false"
        graph_folder(folder, QUADS, both=True)
        assert ask(pool, folder, "ASK { ?s ?p ?o }").strip() == b"true"
    finally:
        pool.close()


def test_a_store_that_comes_again_under_the_same_name_is_another_one(tmp_path: Path) -> None:
    import shutil

    folder = graph_folder(tmp_path / "graph", QUADS, both=True)
    pool = EnginePool(lambda: folder, size=1)
    try:
        assert ask(pool, folder, "ASK { ?s ?p ?o }").strip() == b"true"
        before = open_current(folder)
        known = identity(before)
        shutil.rmtree(folder)
        graph_folder(folder, "")
        assert open_current(folder).path == before.path
        assert identity(open_current(folder)) != known
        assert ask(pool, folder, "ASK { ?s ?p ?o }").strip() == b"false"
    finally:
        pool.close()


def test_idle_processes_let_go_of_an_old_store_by_themselves(tmp_path: Path) -> None:
    folder = graph_folder(tmp_path / "graph", QUADS, both=True)
    pool = EnginePool(lambda: folder, size=2)
    pool.start()
    try:
        assert until(lambda: len(pool.pids()) == 2)
        old = pool.pids()
        graph_folder(folder, QUADS, both=True)
        assert until(lambda: all(map(gone, old)) and len(pool.pids()) == 2)
    finally:
        pool.close()
    assert pool.pids() == []


def test_closing_stops_what_is_being_asked(graphs: Path) -> None:
    import threading

    pool = EnginePool(lambda: graphs, size=1)
    ended: list[BaseException] = []

    def wait() -> None:
        try:
            ask(pool, graphs, ENDLESS, timeout=60)
        except QueryError as error:
            ended.append(error)

    thread = threading.Thread(target=wait)
    thread.start()
    assert until(lambda: len(pool.pids()) == 1)
    pool.close()
    thread.join(10)
    assert isinstance(ended[0], QueryStopped)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize("query", ["ASK {}", ENDLESS])
def test_no_process_outlives_its_asker(graphs: Path, query: str) -> None:
    code = (
        "import sys, threading, time; from pathlib import Path\n"
        "from ontology.pool import EnginePool; from tests.ontology.test_pool import ask\n"
        f"folder = Path({str(graphs)!r}); pool = EnginePool(lambda: folder, size=1)\n"
        f"t = threading.Thread(target=ask, args=(pool, folder, {query!r})); t.start()\n"
        "while not pool.pids(): time.sleep(0.01)\n"
        "time.sleep(0.5); print(pool.pids()[0], flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=root
    ) as asker:
        assert asker.stdout is not None
        worker = int(asker.stdout.readline())
        assert not gone(worker)
        asker.kill()
    assert until(lambda: gone(worker))


def test_no_file_is_left_open_by_queries(pool: EnginePool, graphs: Path) -> None:
    ask(pool, graphs, "ASK {}")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for number in range(30):
        try:
            ask(pool, graphs, "ASK {}" if number % 3 else ENDLESS, timeout=0.05 + number % 3)
        except QueryTimeout:
            continue
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 1
