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

PACKAGES = (
    "torch",
    "transformers",
    "tokenizers",
    "numpy",
    "spacy",
    "sentence-transformers",
    "openvino",
    "nncf",
    "onnxruntime",
)


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


def gemm_gflops(
    threads: int, *, size: int = 1024, seconds: float = 0.5, kind: str = "float32"
) -> float:
    """Measure matrix products: what the machine gives right now, to set timings against.

    ``kind`` is float32, bfloat16 or int8. The faster of torch's libraries counts.
    """
    import torch

    from pipelines.stages.layers import has_onednn

    torch.set_num_threads(threads)
    precision = torch.bfloat16 if kind == "bfloat16" else torch.float32
    a, b = torch.randn(size, size).to(precision), torch.randn(size, size).to(precision)
    products = [lambda: torch.mm(a, b)]
    if has_onednn() and kind != "int8":
        packed, ops = torch.ops.mkldnn._reorder_linear_weight(b, size), torch.ops.mkldnn
        products.append(lambda: ops._linear_pointwise(a, packed, None, "none", [], ""))
    if has_onednn() and kind == "int8":
        levels = torch.randint(0, 255, (size, size), dtype=torch.uint8)
        weight = torch.ops.onednn.qlinear_prepack(levels.to(torch.int8), [size, size])
        scales, zeros = torch.ones(size), torch.zeros(size, dtype=torch.int32)
        run = torch.ops.onednn.qlinear_pointwise
        settings = (scales, zeros, None, 1.0, 0, torch.float32, "none", [], "")
        products = [lambda: run(levels, 1.0, 0, weight, *settings)]
    best = 0.0
    for product in products:
        product()
        count, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds:
            product()
            count += 1
        best = max(best, count * 2 * size**3 / elapsed / 1e9)
    return best


def _plain(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value
