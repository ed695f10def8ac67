"""A writer that is killed anywhere: the graph before, or the new one, answers; the next tidies up.

Each child wraps a function of its own copy of the program so that it dies there.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.graphstore import Change, CurrentGraph, apply, build, open_current
from ontology.sparql import run_query
from tests.ontology.snapshots import snapshot

ROOT = Path(__file__).parents[2]
CHILD = """
import os, signal, sys
from dataclasses import replace
from pathlib import Path
import pyoxigraph as ox
from ontology.graphstore import Change, apply, build, building, changing, folder, loading, lock
from tests.ontology.snapshots import snapshot

def die(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)

def dying_after(module, name, times=1):
    real, calls = getattr(module, name), []
    def wrapped(*arguments, **named):
        found = real(*arguments, **named)
        calls.append(name)
        if len(calls) >= times:
            die()
        return found
    setattr(module, name, wrapped)

def dying_amid(module, name):
    real = getattr(module, name)
    def wrapped(*arguments):
        for count, item in enumerate(real(*arguments)):
            yield item
            if count:
                die()
    setattr(module, name, wrapped)

PLACES
partial = replace(snapshot(), results=snapshot().results[:-1], partial=True)
if sys.argv[2] == "build":
    build(Path(sys.argv[1]), replace(snapshot(), results=snapshot().results[:-1]))
else:
    apply(Path(sys.argv[1]), Change([1, 2, 3], partial, {}))
print("done")
"""
BUILDS = {
    "holding the lock": ("building.new_store = die", False),
    "in an empty folder": ("building._fill = die", False),
    "while lines are made": ("dying_amid(building, 'nquads')", False),
    "between two portions": ("loading.PORTION = 2000\ndying_amid(loading, '_portions')", False),
    "while the engine loads": (
        "import threading\nloading.PORTION = 500\n"
        "real = loading._worker\n"
        "def slow(*a):\n    threading.Timer(0.01, die).start()\n    real(*a)\n"
        "loading._worker = slow\nloading.THREADS = 1",
        False,
    ),
    "loaded, not in order": ("dying_after(building, 'load')", False),
    "filled, without a manifest": ("building.finish = die", False),
    "with a manifest half written": ("dying_after(folder, 'state_lines')", False),
    "before the pointer": ("folder.switch = die", False),
    "after the pointer": ("dying_after(folder, 'switch')", True),
    "before the old store goes": ("building.sweep = die", True),
    "while the old store goes": ("folder.shutil.rmtree = die", True),
}
CHANGES = {
    "before the copy": ("changing.new_store = die", False),
    "after the copy": ("changing._rewrite = die", False),
    "while the copy is changed": ("changing.no_longer_used = die", False),
    "changed, not settled": ("dying_after(changing, '_rewrite')", False),
    "changed, without a manifest": ("changing.finish = die", False),
    "before the pointer": ("folder.switch = die", False),
    "after the pointer": ("dying_after(folder, 'switch')", True),
    "before the old store goes": ("changing.sweep = die", True),
}
ALL = [("build", name, *each) for name, each in BUILDS.items()] + [
    ("apply", name, *each) for name, each in CHANGES.items()
]


FEWER = replace(snapshot(), results=list(snapshot().results)[:-1])


@pytest.fixture(scope="module")
def smaller(tmp_path_factory) -> set[ox.Quad]:
    """Return what the child's graph holds when it is whole."""
    return quads(build(tmp_path_factory.mktemp("smaller"), FEWER))


def quads(graph: CurrentGraph) -> set[ox.Quad]:
    return set(ox.Store.read_only(str(graph.db)))


@pytest.mark.parametrize(("way", "place", "code", "switched"), ALL, ids=lambda v: str(v)[:40])
def test_a_killed_writer(
    tmp_path: Path, smaller: set[ox.Quad], way: str, place: str, code: str, switched: bool
) -> None:
    folder = tmp_path / "graph"
    whole = quads(build(folder, snapshot(), states={1: "a"}))
    done = subprocess.run(
        [sys.executable, "-c", CHILD.replace("PLACES", code), str(folder), way],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )
    assert done.returncode == -signal.SIGKILL, (place, done.stdout, done.stderr)
    assert quads(open_current(folder)) == (smaller if switched else whole)
    if way == "apply":
        again = apply(folder, Change([1, 2, 3], replace(FEWER, partial=True), {}))
    else:
        again = build(folder, FEWER)
    assert quads(again) == smaller
    assert [each.name for each in folder.glob("store-*")] == [again.path.name]
    assert not list(again.path.rglob("*.part"))


def test_a_killed_build_is_no_matter_to_who_asks(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    code = CHILD.replace("PLACES", "dying_after(building, 'load')")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), "build"], cwd=ROOT, env=env)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob("store-*"))) == 2
    assert run_query(tmp_path, "ASK { tag:14-1 ?p ?o }").body.endswith(b"true}")


def test_a_sweep_that_died_half_way_is_finished_by_the_next_writer(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    torn = tmp_path / "store-7"
    (torn / "db").mkdir(parents=True)
    (torn / "db" / "000012.sst").write_bytes(b"half")
    build(tmp_path, snapshot())
    assert [each.name for each in tmp_path.glob("store-*")] == ["store-2"]
