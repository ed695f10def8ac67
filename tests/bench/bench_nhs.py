"""Theme codes of public-service comments (NHS): pooled out-of-fold, five folds, three seeds.

Rows without a real code are dropped; folds are grouped by respondent and normalised text; macro-F1
is over codes with at least ten rows.
"""

from __future__ import annotations

import csv

import numpy as np

from pipelines.learn.types import Codes, Example
from pipelines.stages.encode import Encoder
from tests.bench.coded import bench_codes
from tests.bench.measure import evaluation_data, print_row

CODES = 50
NO_CODES = ("Not assigned", "Labelling not possible")
LEAST = 10


def main() -> None:
    """Print one row a candidate and one against the bar."""
    rows, codes = read_comments()
    comparison = bench_codes(
        "nhs", "nhs_fft_pxtextmining", rows, codes, Encoder(threads=1), least=LEAST
    )
    print_row(
        "nhs bar",
        samples_f1=comparison.chosen.scores.samples_f1,
        macro_f1=comparison.chosen.scores.macro_f1,
        wanted=[0.75, 0.50],
        gain_over_floor=comparison.gain,
        gain_low=comparison.gain_interval[0],
        gain_high=comparison.gain_interval[1],
    )


def read_comments() -> tuple[list[Example], Codes]:
    """Return the coded comments, and their codes [rows, codes that occur]."""
    folder = evaluation_data() / "consultation" / "nhs_fft_pxtextmining"
    with (folder / "v6framework_230831.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        cells = [row for row in reader if len(row) == len(header)]
    names = header[-CODES:]
    table = np.array([[cell in ("1", "1.0") for cell in row[-CODES:]] for row in cells])
    real = [i for i, name in enumerate(names) if name not in NO_CODES]
    kept = ~table[:, names.index(NO_CODES[1])] & table[:, real].any(axis=1)
    codes = table[kept][:, real]
    place = {name: header.index(name) for name in ("Respondent ID", "FFT question", "FFT answer")}
    rows = [
        Example(
            id=str(number),
            text=row[place["FFT answer"]],
            labels=(),
            question=row[place["FFT question"]],
            group=row[place["Respondent ID"]],
        )
        for number, row in enumerate(cells)
        if kept[number]
    ]
    return rows, codes[:, codes.any(axis=0)]


if __name__ == "__main__":
    main()
