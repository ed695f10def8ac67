"""30,000 short answers labelled end to end with a trained set, as a user types it: ``classify --set``.

The answers are the public comments, arguments and survey answers of four open sets, by lot; the set
is learnt from the NHS comments (kernel over words, vectors and question). Beside the wall time stand
the CPU seconds and what the machine gave in the same run.
"""

from __future__ import annotations

import csv
import json
import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pipelines.learn.candidates import CANDIDATES
from pipelines.learn.train import train
from pipelines.learn.trained import save_trained
from pipelines.learn.types import Examples
from pipelines.stages.encode import Encoder
from tests.bench.bench_nhs import read_comments
from tests.bench.bench_run import command
from tests.bench.measure import evaluation_data, gemm_gflops, print_row

ANSWERS = 30_000
RUNS = "words and vectors"


def main() -> None:
    """Print the row of the command and one with the distinct texts and words."""
    answers = list(read_answers(evaluation_data() / "consultation"))
    random.Random(0).shuffle(answers)
    answers = answers[:ANSWERS]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "answers.ndjson")
        with path.open("w", encoding="utf-8") as file:
            for number, (text, question) in enumerate(answers):
                row = {"id": str(number), "text": text, "question": question}
                file.write(json.dumps(row) + "\n")
        learn(Path(folder, "home", "labels", "themes"))
        found = command(
            "30,000 answers",
            ["--home", f"{folder}/home", "classify", "--set", "themes", "--batch", str(path)],
        )
        lines = found.splitlines()
        assert len(lines) == ANSWERS, len(lines)
        print_row(
            "30,000 answers: counts",
            distinct=len(set(answers)),
            words=sum(len(text.split()) for text, _ in answers),
            assigned=sum(len(json.loads(line).get("assigned", [])) for line in lines),
            wanted_seconds=180,
        )
    print_row("classify: calibration", gemm_gflops=gemm_gflops(os.cpu_count() or 1))


def learn(folder: Path) -> None:
    """Learn the NHS themes without comparing ways to learn."""
    rows, codes = read_comments()
    names = tuple(f"code {number}" for number in range(codes.shape[1]))
    examples = Examples(
        names,
        tuple(
            replace(row, labels=tuple(names[c] for c in of_row.nonzero()[0]))
            for row, of_row in zip(rows, codes, strict=True)
        ),
        single=False,
    )
    encoder = Encoder(threads=os.cpu_count() or 1)
    trained = train(
        "themes",
        examples,
        encoder,
        encoder_sha256=encoder.spec.sha256,
        seeds=(0,),
        candidates={RUNS: CANDIDATES[RUNS]},
    )
    save_trained(trained, folder)


def read_answers(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield texts with the question they answer, "" where that is not known."""
    for row in _rows(folder / "nhs_fft_pxtextmining" / "v6framework_230831.csv"):
        yield row["FFT answer"], row["FFT question"]
    for path in sorted((folder / "polis_opendata").glob("*/comments.csv")):
        for row in _rows(path):
            yield row["comment-body"], ""
    for part in ("train", "dev"):
        for row in _rows(folder / "ibm_kpa_2021" / f"arguments_{part}.csv"):
            yield row["argument"], row["topic"]
    for number in range(1, 11):
        for row in _rows(folder / "anes2008_open_ended" / f"dataset{number}_Xtrain.csv"):
            yield row["verbatim"], ""


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


if __name__ == "__main__":
    main()
