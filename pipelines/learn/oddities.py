"""What is odd about a set of examples, each with what is done about it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from pipelines.learn.groups import normalised
from pipelines.learn.types import Example

RARE = 10
"""Rows below which a label's score says little."""

_SHOWN = 5


def oddities(labels: Sequence[str], rows: Sequence[Example], *, single: bool) -> list[str]:
    """Return one sentence a finding, most serious first."""
    counts = Counter(label for row in rows for label in row.labels)
    said: list[str] = []
    without = [label for label in labels if not counts[label]]
    if without:
        said.append(f"no example of {_names(without)}: never assigned unless it has a description")
    once = [label for label in labels if counts[label] == 1]
    if once:
        said.append(
            f"rare labels with one example: {_names(once)}: learnt from it, but it cannot be "
            "checked; give at least five"
        )
    rare = [label for label in labels if 1 < counts[label] < RARE]
    if rare:
        said.append(
            f"rare labels with fewer than {RARE} examples: {_names(rare)}: their thresholds lean "
            "on those of the other labels"
        )
    always = [label for label in labels if counts[label] == len(rows)]
    if always:
        said.append(f"no negatives: {_names(always)} is given to every row: always assigned")
    said += _alike(labels)
    if not single and (bare := sum(not row.labels for row in rows)):
        said.append(
            f"{bare} rows without a label: kept as examples of none; samples-F1 counts them 0"
        )
    said += _conflicts(rows)
    return said


def _alike(labels: Sequence[str]) -> list[str]:
    """Say which labels may be one label written in two ways."""
    written: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        written["".join(normalised(label).split()) or label].append(label)
    return [
        f"labels {_names(same)} differ only in capitals, spaces or marks: kept apart; give them "
        "one name if they are one"
        for same in written.values()
        if len(same) > 1
    ]


def _conflicts(rows: Sequence[Example]) -> list[str]:
    """Say how many texts were coded in more than one way."""
    codes: dict[tuple[str, str], set[frozenset[str]]] = defaultdict(set)
    lines: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in rows:
        key = (normalised(row.text), normalised(row.question))
        codes[key].add(frozenset(row.labels))
        lines[key].append(row.line)
    conflicting = [key for key, sets in codes.items() if len(sets) > 1]
    if not conflicting:
        return []
    first = ", ".join(map(str, lines[conflicting[0]][:_SHOWN]))
    return [
        f"{len(conflicting)} conflicting codes: the same text with different labels "
        f"(for example lines {first}): all kept; no method can agree with both"
    ]


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:_SHOWN]))
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN} more"
