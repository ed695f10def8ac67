"""Zero-shot labels: key points of arguments (IBM KPA 2021 dev) as label sets, by topic and stance."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.pipeline import Pipeline
from pipelines.recipes import load_recipe
from pipelines.stages.encode import Encoder
from pipelines.types import Document
from tests.bench.measure import evaluation_data, print_row

Rows = list[dict[str, str]]


def main() -> None:
    """Print mean average precision of the best key point, missing pairs as wrong and as right."""
    folder = evaluation_data() / "consultation" / "ibm_kpa_2021"
    arguments, points, pairs = (
        _rows(folder / f"{name}_dev.csv") for name in ("arguments", "key_points", "labels")
    )
    gold = {(row["arg_id"], row["key_point_id"]): int(row["label"]) for row in pairs}
    encoder = Encoder(threads=1)
    values: dict[str, list[float]] = defaultdict(list)
    offered: list[bool] = []
    for topic in sorted({row["topic"] for row in points}):
        of_topic = [row for row in points if row["topic"] == topic]
        for stance in ("1", "-1"):
            texts = [r for r in arguments if (r["topic"], r["stance"]) == (topic, stance)]
            best = _best(encoder, texts, [row for row in of_topic if row["stance"] == stance])
            for name, missing in (("strict", 0), ("relaxed", 1)):
                values[name].append(_average_precision(best, gold, missing))
            side = {row["key_point_id"]: row["stance"] for row in of_topic}
            offered += [side[p] != stance for _, p, _ in _best(encoder, texts, of_topic)]
    print_row(
        "labels",
        data="ibm_kpa_2021 dev",
        strict=float(np.mean(values["strict"])),
        relaxed=float(np.mean(values["relaxed"])),
        wrong_side=float(np.mean(offered)),
    )


def _rows(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _best(encoder: Encoder, arguments: Rows, points: Rows) -> list[tuple[str, str, float]]:
    """Return argument, its best key point and the score."""
    labels = LabelSet("points", tuple(LabelDefinition(r["key_point"]) for r in points), "")
    ids = {row["key_point"]: row["key_point_id"] for row in points}
    recipe = load_recipe()
    pipeline = Pipeline(recipe, encoder, label_set=labels)
    results = pipeline.process([Document(r["arg_id"], r["argument"]) for r in arguments])
    return [
        (row["arg_id"], ids[result.labels[0].label], result.labels[0].score)
        for row, result in zip(arguments, results, strict=True)
    ]


def _average_precision(
    best: list[tuple[str, str, float]], gold: dict[tuple[str, str], int], missing: int
) -> float:
    """Return the average precision of the best half by score."""
    kept = sorted(best, key=lambda item: -item[2])[: len(best) // 2]
    right = np.array([gold.get((argument, point), missing) for argument, point, _ in kept])
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    return float((precision * right).sum() / max(1, right.sum()))


if __name__ == "__main__":
    main()
