"""Folders of unpacked files: none is left behind, however their program ends."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from pipelines.readers.containers import unpacked

ROOT = Path(__file__).parents[4]
_PROGRAM = """
import signal, time
signal.signal(getattr(signal, "SIGHUP", signal.SIGTERM), signal.SIG_DFL)  # nohup hands it on ignored
from pipelines.readers.containers.unpacked import Folder
folder = Folder()
(folder.path / "a.txt").write_text("The bus is late.")
print(folder.path, flush=True)
%s
"""


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    unpacked._sweep.cache_clear()


def started(then: str = "time.sleep(60)") -> tuple[subprocess.Popen[str], Path]:
    program = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM % then], cwd=ROOT, text=True, stdout=subprocess.PIPE
    )
    assert program.stdout is not None
    return program, Path(program.stdout.readline().strip())


def test_a_closed_folder_is_gone() -> None:
    folder = unpacked.Folder()
    (folder.path / "a.txt").write_text("The bus is late.")
    folder.close()
    folder.close()
    assert not folder.path.exists()


def test_a_forgotten_folder_goes_with_its_object() -> None:
    path = unpacked.Folder().path
    gc.collect()
    assert not path.exists()


def test_a_folder_can_be_made_in_any_thread() -> None:
    made: list[Path] = []
    thread = threading.Thread(target=lambda: made.append(unpacked.Folder().path))
    thread.start()
    thread.join()
    assert made


@pytest.mark.skipif(sys.platform == "win32", reason="the signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_program_that_is_told_to_end_leaves_nothing(name: str) -> None:
    program, path = started("try: time.sleep(60)\nexcept KeyboardInterrupt: raise SystemExit(130)")
    assert (path / "a.txt").exists()
    program.send_signal(getattr(signal, name))
    code = program.wait(timeout=30)
    assert code in (-getattr(signal, name), 130)
    assert not path.exists()


def test_a_program_that_ends_leaves_nothing() -> None:
    program, path = started("")
    assert program.wait(timeout=30) == 0
    assert not path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no locks to tell by")
def test_what_a_killed_program_left_goes_with_the_next_one() -> None:
    killed, left = started()
    running, kept = started()
    killed.kill()
    killed.wait(timeout=30)
    assert left.exists()
    folder = unpacked.Folder()
    assert not left.exists()
    assert kept.exists()
    assert folder.path.exists()
    running.terminate()
    running.wait(timeout=30)


@pytest.mark.skipif(sys.platform == "win32", reason="the signals of POSIX")
def test_a_signal_that_is_heeded_elsewhere_stays_so() -> None:
    before = signal.getsignal(signal.SIGTERM)
    try:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        unpacked.Folder().close()
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_folder_of_another_program_without_a_lock_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "florilegium-other"
    other.mkdir()
    os.close(os.open(other / "a.txt", os.O_CREAT))
    unpacked.Folder().close()
    assert other.exists()
