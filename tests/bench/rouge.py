"""ROUGE F-measures (Lin 2004, https://aclanthology.org/W04-1013): words as they are, no stemming."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_WORD = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """Return the lower-case words and numbers of ``text``."""
    return _WORD.findall(text.lower())


def rouge_n(found: str, gold: str, n: int) -> float:
    """Return the F-measure of shared n-grams."""
    a, b = (_grams(words(text), n) for text in (found, gold))
    return _f(sum((a & b).values()), sum(a.values()), sum(b.values()))


def rouge_l(found: str, gold: str) -> float:
    """Return the F-measure of the longest common subsequence."""
    a, b = words(found), words(gold)
    return _f(_common(a, b), len(a), len(b))


def _grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b, start=1):
            before, row[j] = row[j], before + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def _f(shared: int, found: int, gold: int) -> float:
    return 2 * shared / (found + gold) if found + gold else 0.0
