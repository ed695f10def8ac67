"""Make the names and wordings of columns from one, two or three header rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.readers.tables.header_signs import rules

BETWEEN = " – "
"""Stands between the texts of two header rows."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """What the header rows say of each column; "" where they say nothing."""

    names: tuple[str, ...]
    questions: tuple[str, ...]
    codes: tuple[str, ...]
    shape: str


class Tiers:
    """Header rows of the same width, the uppermost first."""

    def __init__(self, rows: Sequence[Sequence[str]], width: int) -> None:
        """Level the folded ``rows`` to ``width`` cells."""
        self.width = width
        self.rows = [[*row[:width], *[""] * (width - len(row))] for row in rows]


def wordings(tiers: Tiers, shape: str) -> Wordings:
    """Put the tiers together, column by column.

    Upper texts reach to the right over blank cells. Where the upper row only numbers the columns
    ("Ident 1") the lower text is the name; where it holds codes with a meaning of their own the
    code is the name and the lower text its wording; else "upper – lower" is both.
    """
    rows = tiers.rows
    blank = ("",) * tiers.width
    if shape == "Qualtrics":
        return _coded(rows[:-1], tiers.width, "Qualtrics")
    if not rows:
        return Wordings(blank, blank, blank, shape)
    if len(rows) == 1:
        return Wordings(tuple(rows[0]), blank, blank, shape)
    upper, lower = rows[-2], rows[-1]
    pairs = [(u, low) for u, low in zip(upper, lower, strict=True) if u and low]
    both = len(pairs) >= 0.8 * sum(bool(u) for u in upper)
    if both and sum(bool(rules().positions.search(u)) for u, _ in pairs) >= 0.8 * len(pairs):
        names = tuple(low or u for u, low in zip(upper, lower, strict=True))
        return Wordings(names, blank, tuple(upper), "codes")
    full = sum(map(bool, upper)) >= 0.9 * tiers.width
    spaceless = sum(" " not in u for u, _ in pairs) >= 0.8 * len(pairs)
    if both and full and spaceless and len(set(upper)) == len(upper):
        return _coded([upper, lower], tiers.width, "codes")
    return _grouped(rows, tiers.width)


def _coded(rows: Sequence[Sequence[str]], width: int, shape: str) -> Wordings:
    """Name the columns by the codes of the first row; the second holds the wordings."""
    blank = ("",) * width
    if not rows:
        return Wordings(blank, blank, blank, shape)
    codes = tuple(rows[0])
    if len(rows) == 1:
        return Wordings(codes, blank, blank, shape)
    questions = tuple(
        text if text and text != code else "" for code, text in zip(codes, rows[1], strict=True)
    )
    names = tuple(code or text for code, text in zip(codes, rows[1], strict=True))
    return Wordings(names, questions, codes, shape)


def _grouped(rows: Sequence[Sequence[str]], width: int) -> Wordings:
    names = []
    carried = [""] * len(rows)
    spans: Counter[str] = Counter()
    parts: list[tuple[str, str]] = []
    for i in range(width):
        own = [row[i] for row in rows]
        for tier, text in enumerate(own[:-1]):
            if text:
                carried[tier:] = [text, *[""] * (len(rows) - tier - 1)]
        lower = own[-1]
        upper = BETWEEN.join(dict.fromkeys(text for text in carried[:-1] if text))
        if not lower and not any(own):
            upper = ""
        parts.append((upper, lower))
        spans[upper] += bool(lower)
    for upper, lower in parts:
        says_answer = bool(lower) and bool(rules().answer_labels.search(lower))
        if not lower or not upper or upper == lower or (says_answer and spans[upper] == 1):
            name = upper or lower
        else:
            name = f"{upper}{BETWEEN}{lower}"
        names.append(name)
    return Wordings(tuple(names), ("",) * width, tuple(rows[0]), "groups")
