"""Published scores of BERT and ALBERT, correctly named and sourced: ``published.csv``.

``average_of_five`` is the mean over five tasks (SQuAD 1.1, SQuAD 2.0, MNLI, SST-2, RACE), each
SQuAD counting as the mean of its F1 and exact match. It is no GLUE score: of the five only MNLI and
SST-2 are in GLUE. One secondary source, the Language AI Handbook (M. Brenndoerfer, chapter "ALBERT",
"Performance Benchmarks"), prints these averages under the heading GLUE, gives BERT-large the average
of BERT-base, and has 89.4 for ALBERT-xxlarge where Table 2 of the paper says 88.7; its figures stand
in the columns ``as_reported_elsewhere_…`` and are shown only beside the right ones.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass, fields
from pathlib import Path

PUBLISHED = Path(__file__).with_name("published.csv")
ELSEWHERE = "Language AI Handbook, chapter ALBERT, there under the heading GLUE"
FIVE = "mean of SQuAD 1.1, SQuAD 2.0, MNLI, SST-2 and RACE"
"""What ``average_of_five`` is an average of."""


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """One row; scores are percentages, ``speed_against_bert_large`` is of training, 1 is the same.

    None stands where a source gives no figure.
    """

    model: str
    version: str
    parameters_million: float
    layers: int
    hidden: int
    embedding: int
    squad1_f1: float
    squad1_em: float
    squad2_f1: float
    squad2_em: float
    mnli: float
    sst2: float
    race: float
    average_of_five: float
    speed_against_bert_large: float | None
    as_reported_elsewhere_average: float | None
    as_reported_elsewhere_squad2: float | None
    source: str

    @property
    def name(self) -> str:
        """Model and version."""
        return f"{self.model} {self.version}".strip()

    @property
    def family(self) -> str:
        """BERT, ALBERT v1 or ALBERT v2: the points that a line joins."""
        return f"{self.model.partition('-')[0]} {self.version}".strip()

    @property
    def per_million(self) -> float:
        """Parameter efficiency: points of ``average_of_five`` a million parameters."""
        return round(self.average_of_five / self.parameters_million, 2)


@functools.cache
def published() -> tuple[PublishedModel, ...]:
    """Return the published rows in the file's order: BERT, ALBERT v1, ALBERT v2, by size."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    words, whole = {"model", "version", "source"}, {"layers", "hidden", "embedding"}
    found = []
    for row in rows:
        values = {
            name: row[name]
            if name in words
            else int(row[name])
            if name in whole
            else float(row[name])
            if row[name]
            else None
            for name in (field.name for field in fields(PublishedModel))
        }
        found.append(PublishedModel(**values))  # type: ignore[arg-type]
    return tuple(found)
