"""Professional codes of open survey answers (ANES 2008): ten sets, cross-validated, three seeds."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from pipelines.learn.candidates import FLOOR
from pipelines.learn.types import Codes, Example
from pipelines.stages.encode import Encoder
from tests.bench.coded import bench_codes
from tests.bench.measure import evaluation_data, print_row

SETS = range(1, 11)


def main() -> None:
    """Print one row a set and candidate, and one against the bar."""
    folder = evaluation_data() / "consultation" / "anes2008_open_ended"
    encoder = Encoder(threads=1)
    chosen, floor = [], []
    for number in SETS:
        rows, codes = read_answers(folder, number)
        comparison = bench_codes("anes", f"anes2008 set {number}", rows, codes, encoder)
        chosen.append(comparison.chosen.scores.samples_f1)
        floor += [t.scores.samples_f1 for t in comparison.trials if t.name == FLOOR]
    print_row(
        "anes bar",
        samples_f1=float(np.mean(chosen)),
        lowest=min(chosen),
        wanted=[0.84, 0.55],
        floor_mean=float(np.mean(floor)),
        floor_lowest=min(floor),
    )


def read_answers(folder: Path, number: int) -> tuple[list[Example], Codes]:
    """Return the answers of a set and their codes, [rows, codes that occur]."""
    with (folder / f"dataset{number}_Xtrain.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            Example(id=row["caseID"], text=row["verbatim"], labels=(), group=row["caseID"])
            for row in csv.DictReader(file)
        ]
    with (folder / f"dataset{number}_ytrain.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        next(reader)
        codes = np.array([[float(cell) > 0 for cell in row] for row in reader])
    return rows, codes[:, codes.any(axis=0)]


if __name__ == "__main__":
    main()
