"""The process that parses: its items come through, its deaths are reasons, nothing is left over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.readers.containers import sandbox
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.types import Limits

PARSERS = "tests.pipelines.readers.bad_parsers"
ROOT = Path(__file__).parents[4]


def run(name: str, *arguments: Any, **limits: Any) -> Iterator[Any]:
    return sandbox.run(f"{PARSERS}:{name}", *arguments, limits=Limits(**limits))


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(pid: int, seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def test_items_come_in_order() -> None:
    assert list(run("count", 10_000)) == list(range(10_000))


def test_no_items_are_no_items() -> None:
    assert list(run("count", 0)) == []


def test_a_large_item_comes_whole() -> None:
    assert len(next(run("large", 30_000_000))) == 30_000_000


def test_the_next_run_uses_the_same_process() -> None:
    assert list(run("identity")) == list(run("identity"))


def test_a_starting_process_of_any_size_keeps_its_parsers() -> None:
    program = (
        f"from pipelines.readers.containers import sandbox\nfrom pipelines.readers.types import Limits\n"
        f"hoard = b'x' * 700_000_000\n"
        f"pids = [list(sandbox.run('{PARSERS}:identity', limits=Limits())) for _ in range(2)]\n"
        "print(pids[0] == pids[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"


def test_what_a_parser_prints_and_reads_does_not_get_between(capfd: Any) -> None:
    assert list(run("chatty")) == ["item"]
    assert capfd.readouterr() == ("", "")


def test_runs_can_be_interleaved() -> None:
    assert list(zip(run("count", 2_000), run("rows", 2_000, 3), strict=True))[-1][0] == 1_999


def test_threads_can_run_side_by_side() -> None:
    sums: list[int] = []
    threads = [
        threading.Thread(target=lambda: sums.append(sum(run("count", 3_000)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [sum(range(3_000))] * 4


def test_a_parser_that_hangs_is_stopped() -> None:
    with pytest.raises(UnreadableFile, match="gave nothing for 1 seconds and was stopped"):
        list(run("hang_after", 3, seconds=1))


def test_an_endless_loop_is_stopped() -> None:
    with pytest.raises(UnreadableFile, match=r"gave nothing for 0\.5 seconds"):
        list(run("spin", seconds=0.5))


def test_a_slow_parser_that_gives_signs_of_life_is_not_stopped() -> None:
    assert list(run("slow", 4, 0.4, seconds=1)) == [0, 1, 2, 3]


def test_the_time_the_reader_takes_does_not_count() -> None:
    items = run("rows", 20_000, 20, seconds=1)
    next(items)
    time.sleep(1.5)
    assert sum(1 for _ in items) == 19_999


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_is_a_reason(name: str) -> None:
    with pytest.raises(UnreadableFile, match=r"crashed on this file \(signal \d+\)"):
        list(run("die_by", name))
    assert list(run("count", 3)) == [0, 1, 2]


def test_a_parser_that_ends_the_process_is_a_reason() -> None:
    with pytest.raises(UnreadableFile, match=r"crashed on this file \(exit code 3\)"):
        list(run("leave"))


@pytest.mark.skipif(sys.platform != "linux", reason="the memory limit needs RLIMIT_AS")
def test_too_much_memory_is_a_reason_with_the_limit() -> None:
    with pytest.raises(UnreadableFile, match="more than 300 MB of memory"):
        list(run("hoard", memory_mb=300))
    assert list(run("count", 3)) == [0, 1, 2]


def test_endless_nesting_is_a_reason() -> None:
    with pytest.raises(UnreadableFile, match="nested too deeply"):
        list(run("dive"))


@pytest.mark.parametrize(("kind", "error"), [("skipped", SkippedFile), ("unreadable", UnreadableFile)])  # fmt: skip
def test_a_refusal_comes_out_as_itself(kind: str, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^there is a reason$"):
        list(run("refuse", kind))


def test_an_unforeseen_error_names_its_place_and_no_words_of_the_document() -> None:
    with pytest.raises(UnreadableFile, match=r"KeyError in readers/bad_parsers.py:\d+") as caught:
        list(run("fault"))
    assert "secret" not in str(caught.value)


def test_an_unknown_parser_is_a_reason() -> None:
    with pytest.raises(UnreadableFile, match="ModuleNotFoundError"):
        list(sandbox.run("nowhere:at_all", limits=Limits()))


def test_an_iteration_left_early_ends_its_process() -> None:
    items = run("working")
    pid = next(items)
    items.close()  # type: ignore[attr-defined]
    assert gone(pid)


def test_a_process_killed_while_idle_is_replaced() -> None:
    (pid,) = run("identity")
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    assert list(run("count", 3)) == [0, 1, 2]


_PARENT = f"""
import time
from pipelines.readers.containers import sandbox
from pipelines.readers.types import Limits
items = sandbox.run("{PARSERS}:%s", limits=Limits())
print(next(items), flush=True)
%s
"""


def _parent(parser: str, then: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _PARENT % (parser, then)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("parser", ["identity", "working"])
def test_the_process_ends_with_a_parent_that_is_killed(parser: str) -> None:
    with _parent(parser, "time.sleep(60)") as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()
        assert gone(pid)


@pytest.mark.parametrize("then", ["pass", "items.close()", "raise SystemExit(1)"])
def test_the_process_ends_with_its_parent_without_a_word(then: str) -> None:
    with _parent("working", then) as parent:
        output, errors = parent.communicate(timeout=30)
    assert gone(int(output))
    assert errors == ""


def test_an_interrupt_shows_no_traceback_of_the_process() -> None:
    program = _PARENT % ("working", "next(items)")
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as parent:  # fmt: skip
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)
        _, errors = parent.communicate(timeout=30)
    assert gone(pid)
    assert errors.count("Traceback") == 1
    assert "bad_parsers" not in errors


def test_it_does_not_depend_on_the_main_program(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "from pipelines.readers.containers import sandbox\nfrom pipelines.readers.types import Limits\n"
        f"print(list(sandbox.run('{PARSERS}:count', 3, limits=Limits())))\n"
        "if __name__ != '__main__': raise RuntimeError('imported again')\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=tmp_path,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[0, 1, 2]\n"


def test_a_table_of_30_000_rows_comes_through() -> None:
    assert sum(len(cells) for _, cells in run("rows", 30_000, 20)) == 600_000
