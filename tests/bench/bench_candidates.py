"""Candidate terms: what is proposed for NHS comments, and 100,000 documents in bounded memory."""

from __future__ import annotations

import csv
import random
import time
from collections.abc import Iterator

from pipelines.candidates import count, rank
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

DOCUMENTS = 100_000
SHOWN = 25
SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "ke",
    "li",
    "mo",
    "nu",
    "pa",
    "re",
    "si",
    "to",
    "vu",
)


def main() -> None:
    """Print the best candidates of the comments, then the cost of a hundred thousand documents."""
    path = evaluation_data() / "consultation/nhs_fft_pxtextmining/v6framework_230831.csv"
    with path.open(encoding="utf-8", newline="") as file:
        comments = [row["FFT answer"] for row in csv.DictReader(file)]
    start = time.perf_counter()
    counts = count(lambda: enumerate(comments))
    found = rank(counts, limit=200)
    print_row(
        "candidates",
        data="NHS comments",
        documents=counts.documents,
        seconds=time.perf_counter() - start,
        best=[term.label for term in found[:SHOWN]],
    )
    start = time.perf_counter()
    counts = count(lambda: generated(comments))
    seconds = time.perf_counter() - start
    print_row(
        "candidates: scale",
        data="comments and invented words",
        documents=counts.documents,
        sequences=len(counts.tallies),
        lost_below=counts.lost_below,
        seconds=seconds,
        documents_per_second=DOCUMENTS / seconds,
        ranked=len(rank(counts, limit=100)),
    )
    print_row("candidates: calibration", gemm_gflops=gemm_gflops(1))


def generated(comments: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the comments again and again, each time with other invented words that fill the table."""
    draw = random.Random(7)
    for number in range(DOCUMENTS):
        invented = " ".join("".join(draw.choices(SYLLABLES, k=4)) for _ in range(6))
        yield number, f"{comments[number % len(comments)]} The {invented}."


if __name__ == "__main__":
    main()
