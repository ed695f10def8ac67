"""Build, switch and clean up; what goes wrong with disks, pointers and other writers."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ontology.errors import GraphLocked, GraphMissing, OntologyError
from ontology.graph import GraphDocument, TaggedRecord
from ontology.graphstore import LAYOUT, build, open_current, read_states, writing
from ontology.graphstore import loading as portions
from ontology.quads import nquads
from tests.ontology.snapshots import snapshot

ROOT = Path(__file__).parents[2]


def stores(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.glob("store-*"))


def python(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


def test_a_build_is_current_afterwards(tmp_path: Path) -> None:
    built = build(tmp_path, snapshot(), states={3: "c", 1: "a"})
    assert open_current(tmp_path) == built
    named = {line for line in "".join(nquads(snapshot())).splitlines() if line.endswith("> .")}
    assert built.manifest.quads > 150
    assert built.manifest.quads <= len(named)
    assert any(each.endswith("/run-1/superseded") for each in built.manifest.superseded)
    assert read_states(built) == {3: "c", 1: "a"}
    assert built.manifest.documents == 2


def test_portions_load_what_one_piece_does(tmp_path: Path, monkeypatch) -> None:
    import pyoxigraph as ox

    whole = build(tmp_path / "whole", snapshot())
    monkeypatch.setattr(portions, "PORTION", 1_000)
    parts = build(tmp_path / "parts", snapshot())
    assert parts.manifest.quads == whole.manifest.quads
    both = (set(ox.Store.read_only(str(each.db))) for each in (whole, parts))
    assert next(both) == next(both)


def test_only_the_current_store_is_kept(tmp_path: Path) -> None:
    for _ in range(3):
        build(tmp_path, snapshot())
    assert stores(tmp_path) == ["store-3"]


def test_without_a_graph_the_next_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(GraphMissing, match="graph rebuild"):
        open_current(tmp_path)


@pytest.mark.parametrize("pointer", [b"", b"elsewhere", b"../store-1", b"store-99", b"\xff\xfe"])
def test_a_pointer_to_nowhere_is_a_missing_graph(tmp_path: Path, pointer: bytes) -> None:
    build(tmp_path, snapshot())
    (tmp_path / "CURRENT").write_bytes(pointer)
    with pytest.raises(GraphMissing, match="graph rebuild"):
        open_current(tmp_path)
    with writing(tmp_path):
        assert stores(tmp_path) == ["store-1"]
    build(tmp_path, snapshot())
    assert len(stores(tmp_path)) == 1


def test_a_store_of_another_layout_has_to_be_rebuilt(tmp_path: Path) -> None:
    manifest = build(tmp_path, snapshot()).path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"layout": {LAYOUT}', '"layout": 0'))
    with pytest.raises(GraphMissing, match="layout 0"):
        open_current(tmp_path)


HOLDER = """
import sys, time
from pathlib import Path
from ontology.graphstore import writing

with writing(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(GraphLocked, match=rf"process {process.pid}, since .*--wait") as refused:
            build(tmp_path, snapshot())
        assert refused.value.exit_code == 75
        process.kill()
        process.wait(20)
    with writing(tmp_path):  # what it wrote is still there, and does not matter
        assert str(process.pid) not in (tmp_path / "LOCK").read_text()


def test_a_writer_may_wait_for_the_other(tmp_path: Path) -> None:
    script = HOLDER.replace("sys.stdin.read()", "time.sleep(0.5)")
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with writing(tmp_path, wait=60):
            pass


def test_a_failing_build_leaves_the_graph_before(tmp_path: Path) -> None:
    before = build(tmp_path, snapshot())
    wrong = replace(snapshot(), results=[TaggedRecord(1, 99, 1, "processed")])
    with pytest.raises(OntologyError, match="run 99"):
        build(tmp_path, wrong)
    assert open_current(tmp_path) == before
    assert stores(tmp_path) == ["store-1"]


def test_lines_that_the_engine_refuses_end_the_build(tmp_path: Path, monkeypatch) -> None:
    import pyoxigraph as ox

    monkeypatch.setattr(portions, "PORTION", 10)
    with pytest.raises(SyntaxError):
        portions.load(ox.Store(), (line for line in ["<urn:a> <urn:b> .\n"] * 50))


def test_a_file_in_the_way_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    (tmp_path / "graph").write_text("a file in the way")
    with pytest.raises(OntologyError, match="--home"):
        build(tmp_path / "graph", snapshot())


READ_ONLY = """
import os, sys
from pathlib import Path
import pyoxigraph as ox
from ontology.errors import OntologyError
from ontology.graphstore import build, hold
from tests.ontology.snapshots import snapshot

if os.geteuid() == 0:
    os.setuid(65534)
with hold(Path(sys.argv[1])) as graph:
    print(len(ox.Store.read_only(str(graph.db))) > 100)
try:
    build(Path(sys.argv[1]), snapshot())
except OntologyError as error:
    print(error)
"""


def test_a_folder_of_somebody_else_is_read_but_not_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = build(folder, snapshot())
        folder.chmod(0o555)
        for each in folder.rglob("*"):
            each.chmod(0o555)
        done = python(READ_ONLY, folder)
        folder.chmod(0o755)
        for each in folder.rglob("*"):
            each.chmod(0o755)
        assert done.stdout.startswith("True\n"), done.stderr
        assert "cannot be written to" in done.stdout
        assert open_current(folder) == before


FULL_AMID_A_CHANGE = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from ontology.errors import OntologyError
from ontology.graphstore import Change, apply
from tests.ontology.snapshots import snapshot

partial = replace(snapshot(), results=snapshot().results[:-1], partial=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    apply(Path(sys.argv[1]), Change([1, 2, 3], partial, {}))
except OntologyError as error:
    print(error)
"""


@pytest.mark.parametrize("size", [300, 3_000])
def test_a_disk_that_is_full_amid_a_change_leaves_the_graph_before(
    tmp_path: Path, size: int
) -> None:
    before = build(tmp_path, snapshot())
    done = python(FULL_AMID_A_CHANGE, tmp_path, size)
    assert "could not be written" in done.stdout, done.stderr
    assert open_current(tmp_path) == before
    assert stores(tmp_path) == ["store-1"]


FULL = """
import resource, sys
from dataclasses import replace
from pathlib import Path
from ontology.errors import OntologyError
from ontology.graph import GraphDocument
from ontology.graphstore import build
from tests.ontology.snapshots import snapshot

documents = (GraphDocument(n, 1, f"key {n} {hash(str(n))}", "00") for n in range(20_000))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
try:
    build(Path(sys.argv[1]), replace(snapshot(), documents=documents, results=()))
except OntologyError as error:
    print(error)
"""


def test_a_full_disk_leaves_the_graph_before(tmp_path: Path) -> None:
    before = build(tmp_path, snapshot())
    done = python(FULL, tmp_path)
    assert "could not be written" in done.stdout, done.stderr
    assert "df -h" in done.stdout
    assert open_current(tmp_path) == before
    assert stores(tmp_path) == ["store-1"]


def test_documents_are_streamed_not_gathered(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(portions, "PORTION", 100_000)
    ahead = taken = 0
    real = portions._portions

    def documents() -> Iterator[GraphDocument]:
        nonlocal ahead
        for number in range(5_000):
            ahead = max(ahead, number - taken)
            yield GraphDocument(number, 1, str(number), "00")

    def counted(chunks: Iterator[str]) -> Iterator[bytes]:
        nonlocal taken
        for portion in real(chunks):
            taken += portion.count(b"/ns#sha256")
            yield portion

    monkeypatch.setattr(portions, "_portions", counted)
    built = build(tmp_path, replace(snapshot(), documents=documents(), results=()))
    assert built.manifest.quads > 5_000 * 4
    assert ahead < 1_000


def test_a_lock_without_a_holder_does_not_block(tmp_path: Path) -> None:
    (tmp_path / "LOCK").write_text('{"pid": 1, "since": 0, "command": "gone"}')
    build(tmp_path, snapshot())
    with (tmp_path / "LOCK").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(GraphLocked, match="another process"):
            build(tmp_path, snapshot())
