"""Learn a label set from examples: compare the candidates, fit the winner on everything.

Values in, values out: the caller reads the examples and saves the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from pipelines.learn.calibrate import (
    calibration_error,
    reliability,
    standing_curves,
    unsure_band,
)
from pipelines.learn.candidates import CANDIDATES, FLOOR, PROTOTYPES
from pipelines.learn.crossvalidate import Comparison, compare, decide
from pipelines.learn.errors import ExamplesError
from pipelines.learn.features import TextTable, text_table
from pipelines.learn.groups import group_rows, text_marks
from pipelines.learn.metrics import label_figures
from pipelines.learn.prototypes import describe, fit_prototypes
from pipelines.learn.scorer import Candidate, Prepared, PrototypeScorer
from pipelines.learn.thresholds import Rule
from pipelines.learn.trained import TrainedSet
from pipelines.learn.types import Codes, Examples, Floats, Integers
from pipelines.stages.vectors import SentenceEncoder

FEWEST = 10
"""Groups of rows below which nothing can be checked: prototypes are used, unmeasured."""

_MANY = 3000
"""Rows from which one repeat is steady enough."""


def train(
    id: str,
    examples: Examples,
    encoder: SentenceEncoder,
    *,
    encoder_sha256: str = "",
    seeds: tuple[int, ...] | None = None,
    least: int = 1,
    candidates: Mapping[str, Candidate] = CANDIDATES,
    settled: str = "",
    said: Callable[[str], None] = lambda _: None,
) -> TrainedSet:
    """Return the trained set; its ``report`` has the keys of ``florilegium train --json``.

    ``seeds`` are the repeats of the cross-validation (default three, one for many rows), ``least``
    the rows from which a label counts in macro-F1, ``settled`` a candidate that runs whoever wins.
    Raises ``ExamplesError`` where no row carries a label and no label is described.
    """
    coded = any(row.labels for row in examples.rows)
    if examples.rows and not coded and not any(examples.descriptions):
        raise ExamplesError(
            f"none of the {len(examples.rows):,} rows carries a label "
            f"({', '.join(map(repr, examples.labels[:5]))}): there is nothing to learn. Expected 1 in "
            "the column of a label, or names under labels; or say what the labels mean with "
            "--descriptions FILE"
        )
    described = describe(
        examples.labels, examples.descriptions or ("",) * len(examples.labels), encoder
    )
    table = text_table(examples.texts, examples.questions, encoder)
    codes = examples.codes()
    groups = group_rows(examples.rows)
    said(f"{len(table.texts):,} texts encoded")
    if len(np.unique(groups)) < FEWEST:
        return _unmeasured(id, examples, table, codes, groups, described, encoder_sha256)
    repeats = seeds if seeds is not None else (0,) if len(table.texts) > _MANY else (0, 1, 2)
    comparison = compare(
        table,
        codes,
        groups,
        described,
        single=examples.single,
        seeds=repeats,
        least=least,
        candidates=candidates,
        settled=settled,
        said=said,
    )
    name = comparison.chosen.name
    scorer, unseen = candidates[name].fit(Prepared.of(table, codes, groups, described))
    decision = decide(unseen, codes, single=examples.single, floor=name == FLOOR)
    return TrainedSet(
        id=id,
        labels=examples.labels,
        scorer=scorer,
        curves=decision.curves,
        rule=decision.rule,
        encoder=encoder_sha256,
        prototypes=fit_prototypes(table.vectors, codes, described),
        nearest=_nearest(codes, described),
        questions=table.in_question.shape[1] > 0,
        band=unsure_band(comparison.chosen.probabilities[0], codes),
        descriptions=examples.descriptions,
        seen=text_marks(examples.texts),
        report=report(id, examples, comparison, groups),
    )


def report(id: str, examples: Examples, comparison: Comparison, groups: Integers) -> dict[str, Any]:
    """Return what was measured, JSON-ready, figures to four decimals."""
    codes, chosen = examples.codes(), comparison.chosen
    bins = reliability(chosen.probabilities[0], codes)
    measured: dict[str, Any] = rounded(
        {
            "set": id,
            "single": examples.single,
            "rows": len(examples.rows),
            "groups_of_rows": int(groups.max()) + 1,
            "labels": list(examples.labels),
            "repeats": len(chosen.found),
            "chosen": chosen.name,
            "scores": asdict(chosen.scores),
            "interval": list(chosen.interval),
            "gain_over_tfidf_svm": comparison.gain,
            "gain_interval": list(comparison.gain_interval),
            "candidates": [
                {"name": t.name, "scores": asdict(t.scores), "interval": list(t.interval)}
                for t in comparison.trials
            ],
            "per_label": [
                asdict(f) for f in label_figures(examples.labels, codes, chosen.found[0])
            ],
            "reliability": [asdict(step) for step in bins],
            "calibration_error": calibration_error(bins),
            "unsure_band": list(unsure_band(chosen.probabilities[0], codes)),
            "warnings": list(examples.warnings),
        }
    )
    return measured


def rounded(value: Any) -> Any:
    """Return ``value`` with every float to four decimals."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return value


def _unmeasured(
    id: str,
    examples: Examples,
    table: TextTable,
    codes: Codes,
    groups: Integers,
    described: Floats,
    encoder_sha256: str,
) -> TrainedSet:
    """Return a set of prototypes with the common curve: too few rows to set anything on."""
    prototypes = fit_prototypes(table.vectors, codes, described)
    labels = len(examples.labels)
    counts = Counter(label for row in examples.rows for label in row.labels)
    empty = {"samples_f1": None, "micro_f1": None, "macro_f1": None, "exact": None}
    warning = (
        f"only {len(np.unique(groups))} different texts, expected {FEWEST} or more to check "
        "anything: nearest prototypes are used and no score is given"
    )
    return TrainedSet(
        id=id,
        labels=examples.labels,
        scorer=PrototypeScorer(prototypes),
        curves=standing_curves(labels),
        rule=Rule((0.5,) * labels, single=examples.single),
        encoder=encoder_sha256,
        prototypes=prototypes,
        questions=table.in_question.shape[1] > 0,
        descriptions=examples.descriptions,
        seen=text_marks(examples.texts),
        report={
            "set": id,
            "single": examples.single,
            "rows": len(examples.rows),
            "labels": list(examples.labels),
            "chosen": PROTOTYPES,
            "scores": empty,
            "interval": None,
            "candidates": [],
            "per_label": [{"label": name, "examples": counts[name]} for name in examples.labels],
            "warnings": [*examples.warnings, warning],
        },
    )


def _nearest(codes: Codes, described: Floats) -> tuple[int, ...]:
    """Return the labels that have a description and no example."""
    known = (described**2).sum(axis=1) > 0
    return tuple(int(label) for label in np.flatnonzero(known & ~codes.any(axis=0)))
