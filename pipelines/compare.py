"""Compare models on the user's own labelled texts: score, size, speed and memory, one row a model.

Every model's vectors go through the same head (ridge regression on centred vectors) with the same
grouped cross-validation, curves and thresholds inside the folds; only the vectors differ. The score
is samples-F1, which is the accuracy where every text has one label. A tf-idf SVM without a model is
the floor: a model that does not beat it earns nothing on these labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from pipelines.comparisons import Row
from pipelines.errors import ModelError
from pipelines.learn.candidates import FLOOR
from pipelines.learn.crossvalidate import Trial
from pipelines.learn.crossvalidate import compare as cross_validate
from pipelines.learn.errors import ExamplesError
from pipelines.learn.features import TextTable, Weights
from pipelines.learn.groups import group_rows
from pipelines.learn.scorer import Candidate, WithKernel, WithSvm
from pipelines.learn.types import Examples, Floats
from pipelines.measure import Measured, measure
from pipelines.models import ModelSpec

FEWEST = 10
"""Different texts below which nothing can be compared."""

_HEAD = WithKernel(Weights(words=0.0, characters=0.0, question=0.0), degree=1, ridge=0.5)
_SEEDS = (0, 1, 2)
_MANY = 3000  # rows from which one repeat is steady enough


def compare(
    specs: Sequence[ModelSpec],
    examples: Examples,
    *,
    threads: int = 1,
    said: Callable[[str], None] = lambda _: None,
) -> tuple[Row, list[Row]]:
    """Return the floor and one row a model, in order; a model that fails has a row that says so.

    Raises ``ExamplesError`` for too few different texts.
    """
    groups = group_rows(examples.rows)
    if int(groups.max(initial=-1)) + 1 < FEWEST:
        raise ExamplesError(
            f"{int(groups.max(initial=-1)) + 1} different texts (or groups of rows), expected "
            f"{FEWEST} or more: nothing can be compared on so few. Give more rows with --gold FILE"
        )
    nothing = np.zeros((len(examples.rows), 1), dtype=np.float32)
    floor = _trial(FLOOR, WithSvm(), examples, nothing)
    said(f"{FLOOR}: {floor.scores.samples_f1:.3f}")
    rows = []
    for spec in specs:
        try:
            measured = measure(spec, examples.texts, threads=threads)
        except ModelError as error:
            rows.append(_row(spec, error=str(error)))
            said(str(error))
            continue
        trial = _trial("vectors", _HEAD, examples, measured.vectors)
        rows.append(_row(spec, trial, measured))
        said(f"{spec.id}: {trial.scores.samples_f1:.3f}")
    figures = _figures(floor)
    return Row(FLOOR, "none", 0, 0, "", **figures), rows


def _trial(name: str, candidate: Candidate, examples: Examples, vectors: Floats) -> Trial:
    """Return how a candidate does on ``vectors``, [rows, dimensions]."""
    table = TextTable(
        tuple(examples.texts),
        ("",) * len(examples.rows),
        vectors,
        np.zeros((len(examples.rows), 0), dtype=np.float32),
    )
    described = np.zeros((len(examples.labels), vectors.shape[1]), dtype=np.float32)
    return cross_validate(
        table,
        examples.codes(),
        group_rows(examples.rows),
        described,
        single=examples.single,
        seeds=_SEEDS if len(examples.rows) <= _MANY else _SEEDS[:1],
        candidates={name: candidate},
    ).chosen


def _figures(trial: Trial) -> dict[str, Any]:
    return {
        "scores": {key: round(value, 4) for key, value in asdict(trial.scores).items()},
        "interval": (round(trial.interval[0], 4), round(trial.interval[1], 4)),
        "score": round(trial.scores.samples_f1, 4),
    }


def _row(
    spec: ModelSpec, trial: Trial | None = None, measured: Measured | None = None, error: str = ""
) -> Row:
    figures: dict[str, Any] = {}
    if trial is not None and measured is not None:
        millions = spec.encoder_parameters / 1e6
        figures = _figures(trial) | {
            "per_million": round(100.0 * trial.scores.samples_f1 / millions, 2),
            "tokens_per_second": round(measured.tokens_per_second, 1),
            "peak_memory": measured.peak_memory,
            "load_seconds": round(measured.load_seconds, 2),
        }
    return Row(
        id=spec.id,
        kind=spec.kind,
        parameters=spec.encoder_parameters,
        bytes=spec.bytes,
        licence=spec.licence,
        error=error,
        **figures,
    )
