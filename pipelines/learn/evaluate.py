"""Compare what a label set says with what people said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pipelines.learn.calibrate import calibration_error, reliability
from pipelines.learn.groups import Marks, group_rows, text_marks
from pipelines.learn.metrics import interval, label_figures, score
from pipelines.learn.train import rounded
from pipelines.learn.types import Codes, Examples, Floats


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """A label set of any kind, ready to be compared.

    ``apply`` takes texts and their questions and gives probabilities and assigned labels, both
    [texts, labels]. ``band`` are the probabilities between which a person should look, ``seen`` the
    marks of the texts it was learnt from. ``warnings`` are those of the set.
    """

    labels: tuple[str, ...]
    apply: Callable[[Sequence[str], Sequence[str]], tuple[Floats, Codes]]
    warnings: tuple[str, ...] = ()
    band: tuple[float, float] | None = None
    seen: Marks | None = None


def evaluate(scored: ScoredSet, examples: Examples, *, by: bool = False) -> dict[str, Any]:
    """Return scores, interval, figures a label and a group, and warnings, JSON-ready.

    Labels that only one side knows count: one that people gave and the set lacks is missed each
    time. ``by`` reports each value of the examples' ``by`` column.
    """
    unknown = [label for label in examples.labels if label not in scored.labels]
    labels = (*scored.labels, *unknown)
    warnings = [*examples.warnings, *scored.warnings]
    gold = examples.codes(labels)
    carried = [label for label in unknown if gold[:, labels.index(label)].any()]
    if carried:
        warnings.append(
            f"unknown labels {', '.join(map(repr, carried))}: the set does not have them, so they "
            "count as missed"
        )
    if scored.seen is not None:
        known = int(np.isin(text_marks(examples.texts), scored.seen).sum())
        if known:
            warnings.append(
                f"{known:,} of {len(examples.rows):,} texts were learnt from: the scores are too "
                "good; leave them out"
            )
    values, assigned = scored.apply(examples.texts, examples.questions)
    found = np.zeros(gold.shape, dtype=np.bool_)
    found[:, : len(scored.labels)] = assigned
    groups = group_rows(examples.rows)
    bins = reliability(values, gold[:, : len(scored.labels)])
    answer: dict[str, Any] = {
        "rows": len(examples.rows),
        "scores": asdict(score(gold, found)),
        "interval": list(interval(gold, found, groups)),
        "per_label": [asdict(figures) for figures in label_figures(labels, gold, found)],
        "groups": [],
        "reliability": [asdict(step) for step in bins],
        "calibration_error": calibration_error(bins),
    }
    if scored.band is not None:
        answer |= _unsure(values, gold[:, : len(scored.labels)], scored.band)
    if by:
        column = np.array([row.by for row in examples.rows])
        for value in sorted(set(column.tolist())):
            rows = np.flatnonzero(column == value)
            answer["groups"].append(
                {
                    "value": value,
                    "rows": len(rows),
                    "scores": asdict(score(gold[rows], found[rows])),
                    "interval": list(interval(gold[rows], found[rows], groups[rows])),
                }
            )
    answer["warnings"] = warnings
    result: dict[str, Any] = rounded(answer)
    return result


def _unsure(values: Floats, gold: Codes, band: tuple[float, float]) -> dict[str, Any]:
    """Return how much falls into the band, and how right what lies above and below it is."""
    low, high = band
    inside, above = (values >= low) & (values < high), values >= high
    return {
        "unsure_band": [low, high],
        "unsure": {
            "labels": int(inside.sum()),
            "texts": int(inside.any(axis=1).sum()),
            "right_above": float(gold[above].mean()) if above.any() else None,
            "missed_below": float(gold[values < low].sum() / max(int(gold.sum()), 1)),
        },
    }
