"""Dialogue to note section (MTS-Dialog): learnt on train, scored on test 1."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from pipelines.learn.candidates import CANDIDATES, FLOOR
from pipelines.learn.crossvalidate import decide
from pipelines.learn.features import text_table
from pipelines.learn.groups import group_rows
from pipelines.learn.metrics import label_figures
from pipelines.learn.prototypes import describe
from pipelines.learn.scorer import Prepared
from pipelines.learn.types import Codes, Example, Examples
from pipelines.stages.encode import Encoder
from tests.bench.measure import evaluation_data, print_row

TRAIN = "MTS-Dialog-TrainingSet.csv"
TEST = "MTS-Dialog-TestSet-1-MEDIQA-Chat-2023.csv"


def main() -> None:
    """Print one row a candidate: accuracy, and F1 weighted by support."""
    folder = evaluation_data() / "clinical" / "mts-dialog"
    train, test = read_dialogues(folder / TRAIN), read_dialogues(folder / TEST)
    labels = tuple(sorted({row.labels[0] for row in train}))
    encoder = Encoder(threads=1)
    nothing = [""] * len(labels)
    tables = [
        text_table([r.text for r in rows], nothing[:1] * len(rows), encoder)
        for rows in (train, test)
    ]
    codes = Examples(labels, tuple(train), True).codes()
    gold = Examples(labels, tuple(test), True).codes()
    prepared = Prepared.of(tables[0], codes, group_rows(train), describe(nothing, nothing, encoder))
    for name, candidate in CANDIDATES.items():
        scorer, unseen = candidate.fit(prepared)
        decision = decide(unseen, codes, single=True)
        seen = decision.rule.assign(decision.probabilities(unseen))
        found = decision.rule.assign(decision.probabilities(scorer.score(tables[1])))
        print_row(
            "mts",
            data="mts-dialog test 1",
            candidate=name,
            floor=name == FLOOR,
            rows=len(test),
            accuracy=_accuracy(gold, found),
            weighted_f1=_weighted(labels, gold, found),
            accuracy_cross_validated=_accuracy(codes, seen),
            wanted=0.78,
        )


def read_dialogues(path: Path) -> list[Example]:
    """Return the dialogues with their section heading as the one label."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Example(id=row["ID"], text=row["dialogue"], labels=(row["section_header"].strip(),))
            for row in csv.DictReader(file)
        ]


def _accuracy(gold: Codes, found: Codes) -> float:
    return float((gold == found).all(axis=1).mean())


def _weighted(labels: tuple[str, ...], gold: Codes, found: Codes) -> float:
    figures = label_figures(labels, gold, found)
    return float(np.average([f.f1 for f in figures], weights=[f.examples for f in figures]))


if __name__ == "__main__":
    main()
