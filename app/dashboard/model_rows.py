"""The models of a workspace, what was measured of them and what was published, as plain rows."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.dashboard.present import NONE, Cell, number
from pipelines.comparisons import Comparison, Row
from pipelines.installed import installed
from pipelines.models import CARD, JUDGEMENT, ModelSpec, embedded_spec
from pipelines.published import published

PUBLISHED_SCORES: Mapping[str, str] = {
    "average_of_five": "Average of five tasks",
    "squad1_f1": "SQuAD 1.1, F1",
    "squad1_em": "SQuAD 1.1, exact match",
    "squad2_f1": "SQuAD 2.0, F1",
    "squad2_em": "SQuAD 2.0, exact match",
    "mnli": "MNLI, accuracy",
    "sst2": "SST-2, accuracy",
    "race": "RACE, accuracy",
}
OWN_SCORES: Mapping[str, str] = {
    "samples_f1": "Samples F1",
    "micro_f1": "Micro F1",
    "macro_f1": "Macro F1",
    "exact": "Exact match (accuracy)",
}


@dataclass(frozen=True, slots=True)
class Point:
    """A model in a chart: parameters in millions, scores by name in points of 0 to 100.

    ``family`` is what a line joins, by size; ``source`` is who says so.
    """

    name: str
    family: str
    million: float
    scores: Mapping[str, float]
    source: str = ""

    def per_million(self, score: str) -> float:
        """Return parameter efficiency: points of ``score`` for a million parameters."""
        return self.scores[score] / self.million

    @property
    def log_million(self) -> float:
        """The logarithm to base 10 of the parameters in millions, and one: areas are not negative."""
        return 1.0 + max(0.0, math.log10(self.million))


def published_points() -> list[Point]:
    """Return the published models, every score under its right name."""
    return [
        Point(
            row.name,
            row.family,
            row.parameters_million,
            {label: getattr(row, name) for name, label in PUBLISHED_SCORES.items()},
            row.source,
        )
        for row in published()
    ]


def own_points(comparison: Comparison) -> list[Point]:
    """Return the models of a comparison that have figures."""
    return [
        Point(row.id, row.kind.upper(), row.parameters / 1e6, own_scores(row), "measured here")
        for row in comparison.models
        if row.scores and row.parameters
    ]


def own_scores(row: Row) -> dict[str, float]:
    """Return the scores of a row in points of 0 to 100."""
    return {label: 100.0 * (row.scores or {})[name] for name, label in OWN_SCORES.items()}


def model_rows(folder: Path) -> tuple[list[ModelSpec], list[str]]:
    """Return the models that can be used, the embedded one first, and why others cannot."""
    specs, problems = [embedded_spec()], []
    for name, found in installed(folder):
        if isinstance(found, ModelSpec):
            specs.append(found)
        else:
            problems.append(f"{name} cannot be used: {found}")
    return specs, problems


def model_cells(specs: Sequence[ModelSpec]) -> list[list[Cell]]:
    """Return the models with what they are for, their size and licence."""
    return [
        [
            Cell(spec.id, heading=True, title=f"sha256 {spec.sha256}"),
            Cell(spec.kind.upper()),
            Cell(spec.task),
            Cell(number(spec.parameters), right=True),
            Cell(number(spec.encoder_parameters), right=True),
            Cell(number(spec.bytes), right=True),
            Cell(spec.licence or NONE),
        ]
        for spec in specs
    ]


def card_of(spec: ModelSpec) -> str:
    """Return the model's card in Markdown, "" where it has none."""
    path = spec.folder / CARD
    return path.read_text("utf-8", errors="replace") if path.is_file() else ""


def adapted(spec: ModelSpec) -> dict[str, Any] | None:
    """Return what adapting the model gave; None where it was not adapted or that cannot be read."""
    path = spec.folder / JUDGEMENT
    try:
        facts = json.loads(path.read_text("utf-8"))
        return facts if isinstance(facts["judgement"], dict) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def comparison_cells(comparison: Comparison) -> list[list[Cell]]:
    """Return every model of a comparison with its figures, the floor first."""
    return [
        [
            Cell(row.id, heading=True),
            Cell(f"{100 * row.score:.1f}" if row.score is not None else NONE, right=True),
            Cell(_interval(row), right=True),
            Cell(f"{100 * row.scores['macro_f1']:.1f}" if row.scores else NONE, right=True),
            Cell(number(row.parameters), right=True),
            Cell(number(row.per_million) if row.per_million is not None else NONE, right=True),
            Cell(number(row.bytes), right=True),
            Cell(
                number(round(row.tokens_per_second)) if row.tokens_per_second else NONE, right=True
            ),
            Cell(number(round(row.peak_memory / 1e6)) if row.peak_memory else NONE, right=True),
        ]
        for row in (comparison.floor, *comparison.models)
    ]


def published_cells() -> list[list[Cell]]:
    """Return the published models, and beside them what the handbook reports."""
    return [
        [
            Cell(row.name, heading=True, nowrap=True),
            Cell(f"{row.average_of_five:.1f}", right=True),
            Cell(_plain(row.parameters_million), right=True),
            Cell(number(row.per_million), right=True),
            Cell(f"{row.squad2_f1:.1f}", right=True),
            Cell(_plain(row.as_reported_elsewhere_average), right=True),
            Cell(_plain(row.as_reported_elsewhere_squad2), right=True),
            Cell(re.split(" \\(|, README", row.source)[0], title=row.source, nowrap=True),
        ]
        for row in published()
    ]


def as_csv(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Return a table as CSV, UTF-8 with a mark so that spreadsheets read it right."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig")


def _interval(row: Row) -> str:
    return "–".join(f"{100 * end:.1f}" for end in row.interval) if row.interval else NONE


def _plain(value: float | None) -> str:
    return NONE if value is None else f"{value:g}"
