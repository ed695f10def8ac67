"""Sentence similarity: Spearman of cosines against STS benchmark scores, development part."""

from __future__ import annotations

import csv
import time

import numpy as np

from pipelines.stages.encode import Encoder
from tests.bench.measure import evaluation_data, gemm_gflops, print_row


def main() -> None:
    """Print one row: the embedded model's score."""
    path = evaluation_data() / "sts" / "stsb-en-dev.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 3]
    encoder = Encoder(threads=1)
    start = time.perf_counter()
    vectors = encoder.encode([text for row in rows for text in row[:2]])
    seconds = time.perf_counter() - start
    cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
    print_row(
        "sts",
        data="stsb-en-dev",
        model=encoder.spec.id,
        sha256=encoder.spec.sha256,
        pairs=len(rows),
        spearman=spearman(cosines, np.array([float(row[2]) for row in rows])),
        seconds=seconds,
        gemm_gflops=gemm_gflops(1),
    )


def spearman(a: np.ndarray, b: np.ndarray) -> float:  # type: ignore[type-arg]
    """Return Spearman's rank correlation, ties at their mean rank."""
    from scipy.stats import spearmanr

    return float(spearmanr(a, b).statistic)


if __name__ == "__main__":
    main()
