"""Accuracy of every engine of lower precision: cosines, STS-B dev, NHS samples-F1, beside float32.

An engine is in ``pipelines.engines`` only while these stay within 0.005, 0.002 and 0.003. NHS: the
first 1,200 coded comments, words and vectors, five grouped folds, three seeds.
"""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

import numpy as np

from pipelines.engines import BFLOAT16, FLOAT32, INT8, LEAST_COSINE
from pipelines.learn.candidates import CANDIDATES
from pipelines.learn.crossvalidate import compare
from pipelines.learn.features import text_table
from pipelines.learn.groups import group_rows
from pipelines.learn.prototypes import describe
from pipelines.models import embedded_spec
from pipelines.stages.encode import Encoder
from pipelines.stages.int8 import int8_missing
from pipelines.stages.quantise import prepare
from tests.bench.bench_encode import own_sentences
from tests.bench.bench_nhs import read_comments
from tests.bench.bench_sts import spearman
from tests.bench.measure import evaluation_data, print_row

ROWS = 1200
CANDIDATE = "words and vectors"


def main() -> None:
    """Print one row an engine, and how far it is from float32."""
    data = evaluation_data()
    with tempfile.TemporaryDirectory() as folder:
        names = [FLOAT32, BFLOAT16]
        if int8_missing():
            print_row("engines", engine=INT8, left_out=int8_missing())
        else:
            prepare(embedded_spec(), own_sentences(), Path(folder))
            names.append(INT8)
        first: tuple[np.ndarray, float, float] | None = None  # type: ignore[type-arg]
        for name in names:
            encoder = Encoder(engine=name, folder=Path(folder))
            vectors, sts = similarity(encoder, data)
            nhs = samples_f1(encoder)
            first = first or (vectors, sts, nhs)
            cosines = (vectors * first[0]).sum(axis=1)
            print_row(
                "engines",
                engine=name,
                sha256=encoder.spec.sha256,
                mean_cosine=float(cosines.mean()),
                worst_cosine=float(cosines.min()),
                sts=sts,
                sts_off=sts - first[1],
                nhs_samples_f1=nhs,
                nhs_off=nhs - first[2],
                wanted=[LEAST_COSINE, 0.002, 0.003],
            )


def similarity(encoder: Encoder, data: Path) -> tuple[np.ndarray, float]:  # type: ignore[type-arg]
    """Return the vectors of STS-B's development sentences, and Spearman's correlation."""
    with (data / "sts" / "stsb-en-dev.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) == 3]
    vectors = encoder.encode([text for row in rows for text in row[:2]])
    cosines = (vectors[::2] * vectors[1::2]).sum(axis=1)
    return vectors, spearman(cosines, np.array([float(row[2]) for row in rows]))


def samples_f1(encoder: Encoder) -> float:
    """Return samples-F1 of the NHS codes, pooled out of fold."""
    rows, codes = read_comments()
    rows, codes = rows[:ROWS], codes[:ROWS]
    codes = codes[:, codes.any(axis=0)]
    nothing = [""] * codes.shape[1]
    comparison = compare(
        text_table([row.text for row in rows], [row.question for row in rows], encoder),
        codes,
        group_rows(rows),
        describe(nothing, nothing, encoder),
        single=False,
        candidates={CANDIDATE: CANDIDATES[CANDIDATE]},
    )
    return float(comparison.chosen.scores.samples_f1)


if __name__ == "__main__":
    main()
