"""Speed: text to vector, tokenising included, for public comments; one and two threads."""

from __future__ import annotations

import csv
import os
import time
from pathlib import Path

from pipelines.stages.encode import Encoder
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

MOST = 3000


def main() -> None:
    """Print load and first-sentence times, then tokens a second for each number of threads."""
    texts = comments(evaluation_data())
    start = time.perf_counter()
    encoder = Encoder(threads=1)
    loaded = time.perf_counter() - start
    encoder.encode(["The bus was late again."])
    first = time.perf_counter() - start - loaded
    print_row("load", model=encoder.spec.id, load_seconds=loaded, first_sentence_seconds=first)
    tokens = encoder.count_tokens(texts)
    for threads in range(1, min(2, os.cpu_count() or 1) + 1):
        encoder = Encoder(threads=threads)
        peak = gemm_gflops(threads)
        start = time.perf_counter()
        encoder.encode(texts)
        seconds = time.perf_counter() - start
        print_row(
            "encode",
            data="polis_opendata",
            threads=threads,
            texts=len(texts),
            tokens=tokens,
            seconds=seconds,
            tokens_per_second=tokens / seconds,
            gemm_gflops=peak,
        )


def comments(data: Path) -> list[str]:
    """Return the first distinct comments of all public consultations."""
    found: dict[str, None] = {}
    for path in sorted((data / "consultation" / "polis_opendata").glob("*/comments.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            found |= dict.fromkeys(row["comment-body"] for row in csv.DictReader(file))
    return [text for text in found if text.strip()][:MOST]


if __name__ == "__main__":
    main()
