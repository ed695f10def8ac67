"""Coded texts compared by the candidates of ``florilegium train``: what the label benches share."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pipelines.learn.candidates import CANDIDATES, FLOOR
from pipelines.learn.crossvalidate import Comparison, compare
from pipelines.learn.features import text_table
from pipelines.learn.groups import group_rows
from pipelines.learn.prototypes import describe
from pipelines.learn.types import Codes, Example
from pipelines.stages.encode import Encoder
from tests.bench.measure import print_row

SEEDS = (0, 1, 2)


def bench_codes(
    case: str,
    data: str,
    rows: Sequence[Example],
    codes: Codes,
    encoder: Encoder,
    *,
    least: int = 1,
    names: Sequence[str] = tuple(CANDIDATES),
) -> Comparison:
    """Print one row a candidate, pooled out-of-fold, and one for what would run."""
    start = time.perf_counter()
    table = text_table([row.text for row in rows], [row.question for row in rows], encoder)
    encoded = time.perf_counter()
    groups = group_rows(rows)
    nothing = [""] * codes.shape[1]
    comparison = compare(
        table,
        codes,
        groups,
        describe(nothing, nothing, encoder),
        single=bool((codes.sum(axis=1) == 1).all()),
        seeds=SEEDS,
        least=least,
        candidates={name: CANDIDATES[name] for name in names},
    )
    seconds = time.perf_counter() - encoded
    for trial in comparison.trials:
        print_row(
            case,
            data=data,
            candidate=trial.name,
            floor=trial.name == FLOOR,
            runs=trial is comparison.chosen,
            rows=len(rows),
            labels=codes.shape[1],
            samples_f1=trial.scores.samples_f1,
            low=trial.interval[0],
            high=trial.interval[1],
            micro_f1=trial.scores.micro_f1,
            macro_f1=trial.scores.macro_f1,
            exact=trial.scores.exact,
            encode_seconds=encoded - start,
            all_candidates_seconds=seconds,
        )
    return comparison
