"""Run every benchmark, or those named, each in a process of its own: JSON lines on stdout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main(names: list[str]) -> int:
    """Run the benchmarks; leave with 1 where one failed."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    chosen = [name for name in found if not names or name.removeprefix("bench_") in names]
    failed = 0
    for name in chosen:
        failed += subprocess.run([sys.executable, "-m", f"tests.bench.{name}"]).returncode != 0
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
