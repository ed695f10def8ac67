"""Sentences: texts and characters a second, for short answers and for one line of five megabytes."""

from __future__ import annotations

import time

from pipelines.segment import segment, segment_all
from tests.bench.measure import gemm_gflops, print_row

ANSWER = "I think the park should stay open, e.g. on Sundays. It costs £3.50! Why close it?"
LINE = "The council, e.g. Mr. Hall, should keep No. 7 open at 3.5 per cent. We disagree! "


def main() -> None:
    """Print one row a shape of text."""
    print_row("segment: calibration", gemm_gflops=gemm_gflops(1))
    segment("Warm. Up.")
    answers = [f"{ANSWER} {i}" for i in range(100_000)]
    start = time.perf_counter()
    count = sum(map(len, segment_all(answers)))
    row("segment: short answers", len(answers), sum(map(len, answers)), count, start)
    line = LINE * (5_000_000 // len(LINE))
    start = time.perf_counter()
    row("segment: one long line", 1, len(line), len(segment(line)), start)


def row(case: str, texts: int, characters: int, sentences: int, start: float) -> None:
    """Print the row of one case that began at ``start``."""
    seconds = time.perf_counter() - start
    print_row(
        case,
        texts=texts,
        sentences=sentences,
        seconds=seconds,
        texts_per_second=texts / seconds,
        characters_per_second=characters / seconds,
    )


if __name__ == "__main__":
    main()
