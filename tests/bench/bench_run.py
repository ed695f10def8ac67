"""Whole commands as a user types them: seconds, CPU seconds and peak memory of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.measure import evaluation_data, gemm_gflops, print_row

OURS = [sys.executable, "-P", "-c", "from app.cli.main import main; main()"]


def main() -> None:
    """Print rows for help, the demo, 2,000 files and the public comments, each first and again."""
    with tempfile.TemporaryDirectory() as folder:
        command("help", ["--help"])
        demo = ["--home", f"{folder}/demo", "demo", "--json"]
        for case in ("demo", "demo again"):
            answer = json.loads(command(case, demo))
            failed = sum(row["failed"] for row in answer["collections"])
            assert failed == 0, failed
        letters = Path(folder, "letters")
        letters.mkdir()
        for number in range(2_000):
            text = f"Letter {number} is about the late bus."
            (letters / f"{number:04}.txt").write_text(text, "utf-8")
        files = ["--home", f"{folder}/files", "run", str(letters), "--json", "--quiet"]
        for case in ("2,000 files", "2,000 files again"):
            command(case, files)
        data = evaluation_data() / "consultation" / "polis_opendata"
        run = ["--home", f"{folder}/polis", "run", str(data), "--collection", "polis", "--json"]
        for case in ("polis", "polis again"):
            answer = json.loads(command(case, [*run, "--quiet"]))
            print_row(f"{case}: counts", **answer["documents"])
    # Last, so that torch's memory is not counted in what the commands began with.
    print_row("run: calibration", gemm_gflops=gemm_gflops(os.cpu_count() or 1))


def command(case: str, arguments: list[str]) -> str:
    """Run one command, print its row, and return what it wrote to stdout."""
    with tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen([*OURS, *arguments], stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        out.seek(0)
        text = out.read()
    print_row(
        case,
        exit_code=process.returncode,
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        process_peak_mib=usage.ru_maxrss / 1024,
    )
    return text


if __name__ == "__main__":
    main()
