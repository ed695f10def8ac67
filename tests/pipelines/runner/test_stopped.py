"""Reading that is stopped, breaks off or is killed: nothing half is kept, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from db.errors import DatabaseError
from pipelines.readers import discover
from pipelines.runner import look
from tests.pipelines.runner.conftest import Shelf, mail

BUS = "The bus is late every morning and nobody tells us why."
GATE = "The park needs a new gate at the northern end."
ROWS = 500


def table(rows: int = ROWS) -> str:
    lines = (f"R{n},Answer number {n} is about the late bus number {n}" for n in range(rows))
    return "id,What should we do?\n" + "\n".join(lines) + "\n"


class Asked:
    """Say stop, or raise, the ``times``-th time one is asked."""

    def __init__(self, times: int, error: BaseException | None = None) -> None:
        self.left, self.error = times, error

    def __call__(self) -> bool:
        self.left -= 1
        if self.left <= 0 and self.error is not None:
            raise self.error
        return self.left <= 0


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which everything temporary is made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize("error", [None, KeyboardInterrupt(), DatabaseError("gone")])
def test_a_stop_in_the_middle_of_a_file_keeps_what_was_committed(shelf: Shelf, error):
    shelf.write("a.txt", BUS)
    shelf.write("b.csv", table())
    stop = Asked(ROWS // 2, error)
    if error is None:
        shelf.read(stop=stop)
    else:
        with pytest.raises(type(error)):
            shelf.read(stop=stop)
    assert set(shelf.texts) == {"a.txt"}
    done = shelf.read()
    assert (done.unchanged, len(done.reports)) == (1, 1)
    assert len(shelf.texts) == ROWS + 1


@pytest.mark.parametrize("error", [None, KeyboardInterrupt()])
@pytest.mark.parametrize("times", [3, 4, 5, 6])
def test_a_stop_between_an_archive_and_its_members_reads_it_again(
    shelf: Shelf, temporary: Path, times: int, error
):
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE, "three.txt": "A third."})
    stop = Asked(times, error)
    if error is None:
        shelf.read(stop=stop)
    else:
        with pytest.raises(KeyboardInterrupt):
            shelf.read(stop=stop)
    assert 0 < len(shelf.texts) + 1 < 4
    assert list(temporary.glob("florilegium-*")) == []
    done = shelf.read()
    assert shelf.folder / "a.zip" in {Path(report.path) for report in done.reports}
    assert len(shelf.texts) == 3
    assert shelf.read().reports == []


def test_a_stop_between_a_changed_archive_and_its_members_loses_no_result(shelf: Shelf):
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE})
    shelf.read()
    shelf.process()
    shelf.zip("a.zip", {"one.txt": BUS, "three.txt": "A third."})
    shelf.read(stop=Asked(3))
    assert set(shelf.texts) == {"a.zip!/one.txt", "a.zip!/two.txt"}
    shelf.read()
    assert shelf.process() == ["a.zip!/three.txt"]
    assert set(shelf.texts) == {"a.zip!/one.txt", "a.zip!/three.txt"}


def test_a_stop_in_a_file_that_a_child_process_parses_ends_the_child(shelf: Shelf):
    shelf.write("a.eml", mail("See the letter.", {"one.csv": table().encode()}))
    shelf.read(stop=Asked(ROWS // 2))
    assert set(shelf.texts) <= {"a.eml"}
    shelf.read()
    assert len(shelf.texts) == ROWS + 1


KILLED = """
import os, signal, sys
from pathlib import Path
from db.engine import create_engine_for
from db.store import Store
from pipelines.readers import ReadOptions, discover
from pipelines.recipes import load_recipe
from pipelines.runner import ingest

times = int(sys.argv[3])
def stop():
    global times
    times -= 1
    if not times:
        os.kill(os.getpid(), signal.SIGKILL)
    return False

ingest(Store(create_engine_for(sys.argv[1])), int(sys.argv[4]), discover([sys.argv[2]]), known=(),
       options=ReadOptions(), recipe=load_recipe("general"), stop=stop)
"""


@pytest.mark.parametrize("times", [2, 3, 5])
def test_reading_that_is_killed_is_taken_up(shelf: Shelf, url: str, times: int):
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE})
    shelf.write("b.csv", table(20))
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, url, str(shelf.folder), str(times), str(shelf.id)],
        env={**os.environ, "TMPDIR": str(shelf.folder.parent)},
        check=False,
        timeout=120,
    )
    assert killed.returncode == -signal.SIGKILL
    assert len(shelf.texts) < 22
    shelf.read()
    assert len(shelf.texts) == 22
    assert shelf.read().reports == []


def test_a_look_knows_what_a_run_would(shelf: Shelf):
    shelf.zip("a.zip", {"one.txt": BUS, "two.txt": GATE})
    path = shelf.write("b.txt", BUS)
    shelf.read()
    path.rename(path.with_name("c.txt"))
    shelf.write("d.txt", "A new letter.")
    from pipelines.readers import ReadOptions

    looked = look(
        discover([shelf.folder]),
        known=shelf.store.sources(shelf.id),
        options=ReadOptions(),
        recipe=shelf.recipe,
    )
    assert (looked.unchanged, looked.documents, len(looked.reports)) == (4, 1, 1)
    assert "b.txt" in shelf.sources
