"""Tell the points of a scale from other closed answers; the wordings are in ``values.toml``."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache

from pipelines.readers.tables.values import rules, words_of

_LABELLED = re.compile(
    r"-?\d{1,2}\s*(?:[-–—:=.)]|\()\s*[^\d\s].*|\d{1,2} (?:stars?|out of \d+|/ ?\d+)|[★☆*]{1,10}"
)


@cache
def _scales() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (family, re.compile("|".join(f"(?:{pattern})" for pattern in patterns)))
        for family, patterns in rules()["scales"].items()
    )


def says_nothing(answers: Collection[str]) -> bool:
    """Tell whether all ``answers`` (folded) only decline to answer: "no", "none", "n/a"."""
    silent = words_of("fillers") | {
        "no",
        "nothing",
        "none at all",
        "nope",
        "no thanks",
        "no thank you",
    }
    return all(answer.rstrip(".!") in silent for answer in answers)


def scale(values: Collection[str]) -> str:
    """Return the family of the scale that all of ``values`` (folded, different) are points of.

    "" when they are not. Neutral answers ("Don't know") stand beside any scale but make none.
    """
    points = {value.rstrip(".!") for value in values}
    points -= words_of("neutral") | words_of("fillers")
    if not points or len(points) > 15:
        return ""
    if points <= words_of("yes_no"):
        return ""
    labelled = sum(bool(_LABELLED.fullmatch(point)) for point in points)
    if labelled > 1 and labelled + sum(point.isdigit() for point in points) == len(points):
        return "numbered"
    bare = {re.sub(r"^\d{1,2}\s*[-–:=.)]\s*", "", point) for point in points}
    bare = bare - words_of("yes_no") or bare
    for family, pattern in _scales():
        outside = [point for point in bare if not pattern.fullmatch(point)]
        # "Excellent … Poor" and "Very likely … Never" borrow a word now and then.
        if not outside or (len(bare) > 3 and len(outside) == 1 and _any_scale(outside[0])):
            return family
    return "graded" if _graded(bare) else ""


def _any_scale(point: str) -> bool:
    return any(pattern.fullmatch(point) for _, pattern in _scales())


def _graded(points: Collection[str]) -> bool:
    """Tell whether the points are one word in degrees ("very walkable", "not walkable at all")."""
    stems: dict[str, int] = {}
    graded = 0
    for point in points:
        stem = _stem(point)
        graded += stem != point
        stems[stem] = stems.get(stem, 0) + 1
    return len(points) > 1 and graded >= len(points) / 2 and len(stems) <= max(1, len(points) // 2)


def _stem(point: str) -> str:
    text, before = point, None
    while text != before:
        before = text
        for word in rules()["modifiers"]["before"]:
            text = text.removeprefix(word + " ")
        for word in rules()["modifiers"]["after"]:
            text = text.removesuffix(" " + word)
    return text
