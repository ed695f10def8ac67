"""What every benchmark prints: one JSON line a row, with what a reader needs to compare it."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import resource
import sys
import time
from pathlib import Path
from typing import Any

PACKAGES = ("torch", "transformers", "tokenizers", "numpy", "spacy")


def evaluation_data() -> Path:
    """Return the folder of evaluation data; leaves with 0 and a JSON line where it is unset."""
    named = os.environ.get("FLORILEGIUM_EVAL_DATA")
    if not named:
        print_row("skipped", reason="evaluation data: FLORILEGIUM_EVAL_DATA is unset")
        sys.exit(0)
    return Path(named)


def print_row(case: str, **values: Any) -> None:
    """Write one row with peak memory and versions."""
    row = {
        "case": case,
        **{key: _plain(value) for key, value in values.items()},
        "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        "versions": versions(),
    }
    sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def versions() -> dict[str, str]:
    """Return the versions a figure depends on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def gemm_gflops(threads: int, *, size: int = 1024, seconds: float = 0.5) -> float:
    """Measure float32 matrix products: what the machine gives right now, to set timings against."""
    import torch

    torch.set_num_threads(threads)
    a, b = torch.randn(size, size), torch.randn(size, size)
    torch.mm(a, b)
    count, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        torch.mm(a, b)
        count += 1
    return count * 2 * size**3 / elapsed / 1e9


def _plain(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
