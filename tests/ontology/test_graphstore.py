"""Build, switch, clean up; and what a killed build leaves behind."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.errors import GraphLocked, GraphMissing, OntologyError
from ontology.graph import GraphDocument, TaggedRecord
from ontology.graphstore import build, open_current
from ontology.quads import nquads
from ontology.sparql import run_query
from tests.ontology.snapshots import snapshot

ROOT = Path(__file__).parents[2]


def stores(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.glob("store-*"))


def test_a_build_is_current_afterwards(tmp_path: Path) -> None:
    built = build(tmp_path, snapshot())
    assert open_current(tmp_path) == built
    named = {line for line in "".join(nquads(snapshot())).splitlines() if line.endswith("> .")}
    assert built.manifest.quads > 150
    assert built.manifest.quads <= len(named)
    assert any(each.endswith("/run-1/superseded") for each in built.manifest.superseded)


def test_only_the_store_before_is_kept(tmp_path: Path) -> None:
    for _ in range(4):
        build(tmp_path, snapshot())
    assert stores(tmp_path) == ["store-3", "store-4"]


def test_without_a_graph_the_next_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing, match="graph rebuild"):
        open_current(tmp_path)


@pytest.mark.parametrize("pointer", ["", "elsewhere", "../store-1", "store-99"])
def test_a_pointer_to_nowhere_is_a_missing_graph(tmp_path: Path, pointer: str) -> None:
    build(tmp_path, snapshot())
    (tmp_path / "CURRENT").write_text(pointer)
    with pytest.raises(GraphMissing):
        open_current(tmp_path)


def test_a_store_of_another_layout_has_to_be_rebuilt(tmp_path: Path) -> None:
    manifest = build(tmp_path, snapshot()).path / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"layout": 1', '"layout": 0'))
    with pytest.raises(GraphMissing, match="layout 0"):
        open_current(tmp_path)


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    with (tmp_path / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(GraphLocked) as refused:
            build(tmp_path, snapshot())
    assert refused.value.exit_code == 75


def test_a_failing_build_leaves_the_graph_before(tmp_path: Path) -> None:
    before = build(tmp_path, snapshot())
    wrong = replace(snapshot(), results=[TaggedRecord(1, 99, 1, "processed")])
    with pytest.raises(OntologyError, match="run 99"):
        build(tmp_path, wrong)
    assert open_current(tmp_path) == before
    assert stores(tmp_path) == ["store-1"]


def test_an_unwritable_folder_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("a file in the way")
    with pytest.raises((OntologyError, FileExistsError)):
        build(tmp_path / "graph", snapshot())


SLOW_BUILD = """
import sys, time
from dataclasses import replace
from pathlib import Path
from ontology.graph import GraphDocument
from ontology.graphstore import build
from tests.ontology.snapshots import snapshot

def documents():
    for number in range(10**9):
        if number == 50_000:
            print("half way", flush=True)
        yield GraphDocument(number, 1, str(number), "00")

build(Path(sys.argv[1]), replace(snapshot(), documents=documents(), results=()))
"""


def test_a_killed_build_leaves_the_graph_before_and_the_next_one_tidies_up(tmp_path: Path) -> None:
    build(tmp_path, snapshot())
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_BUILD, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"half way\n"
        process.send_signal(signal.SIGKILL)
        process.wait(20)
    assert len(stores(tmp_path)) == 2
    assert run_query(tmp_path, "ASK { tag:12-1 ?p ?o }").body.endswith(b"true}")
    build(tmp_path, snapshot())
    assert stores(tmp_path) == ["store-1", "store-3"]


def test_a_query_running_while_two_builds_pass_still_answers(tmp_path: Path) -> None:
    old = build(tmp_path, snapshot())
    import pyoxigraph as ox

    reader = ox.Store.read_only(str(old.db))
    build(tmp_path, snapshot())
    build(tmp_path, snapshot())
    assert not old.path.exists()
    assert len(reader) > 100


def test_documents_are_streamed_not_gathered(tmp_path: Path) -> None:
    def documents() -> Iterator[GraphDocument]:
        for number in range(30_000):
            yield GraphDocument(number, 1, str(number), "00")

    began = time.monotonic()
    built = build(tmp_path, replace(snapshot(), documents=documents(), results=()))
    assert built.manifest.quads > 30_000 * 4
    assert time.monotonic() - began < 60
