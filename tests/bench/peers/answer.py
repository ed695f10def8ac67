"""The other side of ``apart``: runs in the peer's environment, with the standard library alone."""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_WARM = 20
Answering = Callable[[Any], Any]


def serve(package: str, build: Callable[[dict[str, Any]], Answering], *, warm: bool) -> None:
    """Read the question, build once, answer every item, and write answers with their seconds.

    ``warm``: the first items are answered once before, outside the measurement.
    """
    question = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    items = question["items"]
    wall, cpu = time.perf_counter(), time.process_time()
    answering = build(question)
    built_wall, built_cpu = time.perf_counter() - wall, time.process_time() - cpu
    if warm:
        for item in items[:_WARM]:
            answering(item)
    wall, cpu = time.perf_counter(), time.process_time()
    answers = [answering(item) for item in items]
    costs = {
        "seconds": time.perf_counter() - wall,
        "cpu_seconds": time.process_time() - cpu,
        "build_seconds": built_wall,
        "build_cpu_seconds": built_cpu,
    }
    said = {
        "answers": answers,
        "costs": costs,
        "version": f"{package} {importlib.metadata.version(package)}",
    }
    Path(sys.argv[2]).write_text(json.dumps(said), "utf-8")
