"""Read IBM's key point data: arguments and key points of a subject, and which makes which.

Apache-2.0; Friedman et al. 2021, https://aclanthology.org/2021.argmining-1.16
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Subject:
    """Arguments and key points of one subject; stance +1 for its proposal, -1 against."""

    topic: str
    arguments: list[str]
    stances: NDArray[np.int64]
    points: list[str]
    point_stances: NDArray[np.int64]
    gold: NDArray[np.int64]
    """1 match, 0 no match, -1 not decided; [arguments, points]."""


def read_subjects(folder: Path, part: str) -> Iterator[Subject]:
    """Yield the subjects of a part, sorted."""
    arguments, points, labels = (
        _rows(folder / f"{name}_{part}.csv") for name in ("arguments", "key_points", "labels")
    )
    gold = {(row["arg_id"], row["key_point_id"]): int(row["label"]) for row in labels}
    for topic in sorted({row["topic"] for row in points}):
        a = [row for row in arguments if row["topic"] == topic]
        p = [row for row in points if row["topic"] == topic]
        yield Subject(
            topic,
            [row["argument"] for row in a],
            np.array([int(row["stance"]) for row in a]),
            [row["key_point"] for row in p],
            np.array([int(row["stance"]) for row in p]),
            np.array([[gold.get((x["arg_id"], y["key_point_id"]), -1) for y in p] for x in a]),
        )


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
