"""Read the gold cases of matching and assertion and judge answers to them (see README.md)."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FLAGS = ("negated", "possible", "hypothetical", "historical")
Span = tuple[int, int, str]


@dataclass(frozen=True)
class AssertionCase:
    """A term in a text; ``expected`` holds the judged attributes only."""

    id: str
    text: str
    start: int
    end: int
    expected: Mapping[str, bool | str]
    hard: bool
    part: str
    why: str

    def wrong(self, answer: Mapping[str, bool | str | None]) -> tuple[str, ...]:
        """Name the attributes in which ``answer`` differs; not assessed counts as false/patient."""
        return tuple(
            name
            for name, value in self.expected.items()
            if (answer.get(name) or (False if name in FLAGS else "patient")) != value
        )


@dataclass(frozen=True)
class MatchingCase:
    """A text, a small vocabulary, and the spans that must, must not and may be tagged."""

    id: str
    kind: str
    vocabulary: Mapping[str, tuple[str, ...]]
    text: str
    expected: tuple[Span, ...]
    forbidden: tuple[Span, ...]
    allowed: tuple[Span, ...]
    hard: bool
    part: str
    why: str

    def wrong(self, found: Iterable[Span]) -> tuple[str, ...]:
        """Say what is missing and what is too much in ``found``; empty if the case is right."""
        tags = set(found)
        missing = [f"missing {span}" for span in self.expected if span not in tags]
        fine = {*self.expected, *self.allowed}
        return (*missing, *(f"too much {span}" for span in sorted(tags - fine)))


def assertion_cases(part: str | None = None) -> tuple[AssertionCase, ...]:
    """Read ``assertion.csv``: the cases of ``part`` (dev, held), or all."""
    cases = []
    for row in _rows("assertion.csv", part):
        start = -1
        for _ in range(int(row["occurrence"])):
            start = row["text"].index(row["term"], start + 1)
        expected: dict[str, bool | str] = {n: row[n] == "true" for n in FLAGS if row[n]}
        if row["experiencer"]:
            expected["experiencer"] = row["experiencer"]
        end = start + len(row["term"])
        hard = row["level"] == "hard"
        cases.append(
            AssertionCase(
                row["id"], row["text"], start, end, expected, hard, row["part"], row["why"]
            )
        )
    return tuple(cases)


def matching_cases(part: str | None = None) -> tuple[MatchingCase, ...]:
    """Read ``matching.csv``: the cases of ``part`` (dev, held), or all."""
    return tuple(
        MatchingCase(
            row["id"],
            row["kind"],
            {label: tuple(also) for label, also in json.loads(row["vocabulary"]).items()},
            json.loads(row["text"]),
            _spans(row["expected"]),
            _spans(row["forbidden"]),
            _spans(row["allowed"]),
            row["level"] == "hard",
            row["part"],
            row["why"],
        )
        for row in _rows("matching.csv", part)
    )


def _spans(cell: str) -> tuple[Span, ...]:
    return tuple((start, end, concept) for start, end, concept in json.loads(cell))


def _rows(name: str, part: str | None) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if part in (None, row["part"])]
