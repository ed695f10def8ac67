"""Whether two messages are copies: what of the shorter one stands in the other, in the same order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from pipelines.campaigns.types import Thresholds
from pipelines.learn.words import content_words

Forms = Sequence[str]
_FUNCTION = 0.3
"""What a function word weighs beside a content word that is as frequent."""
_LONE = 0.5
"""What counts of a word that stands in both between words that differ: who speaks of the same thing
uses the same words, but not in a row."""
_BREAK = 5
"""Words that a break costs at most, where one text has more between two shared stretches than the
other, or the shorter one more before or after all: a letter is copied from its first words to its last,
and unlike texts share scattered turns of phrase, or one that ends in the middle of a sentence."""
_RARE, _FEWEST = 0.01, 5
"""Share and number of texts up to which a word is as rare as any."""


class Weights:
    """How much a word tells: function words little, and turns of the collection less than others.

    ``texts`` are what is counted, each campaign once where that is known. Words in no more than
    ``_RARE`` of them weigh the same, or else a misread word would outweigh the right one.
    """

    def __init__(self, texts: Iterable[Forms] = ()) -> None:
        counts: Counter[str] = Counter()
        seen = 0
        for forms in texts:
            counts.update(set(forms))
            seen += 1
        rare = max(_FEWEST, seen * _RARE)
        most = math.log1p(seen / rare)
        self._known = {
            form: (math.log1p(seen / count) / most) * self._kind(form)
            for form, count in counts.items()
            if count > rare
        }

    def of(self, form: str) -> float:
        """Return the weight of a word, above 0 and at most 1."""
        found = self._known.get(form)
        if found is None:
            found = self._known[form] = self._kind(form)
        return found

    @staticmethod
    def _kind(form: str) -> float:
        return 1.0 if tells(form) else _FUNCTION

    def sum(self, forms: Iterable[str]) -> float:
        """Return the weight of words together."""
        known, total = self._known, 0.0
        for form in forms:
            weight = known.get(form)
            total += self.of(form) if weight is None else weight
        return total


@lru_cache(maxsize=200_000)
def tells(form: str) -> bool:
    """Tell whether a word is one of content."""
    return form.isdigit() or bool(content_words(form))


def blocks(a: Forms, b: Forms, weights: Weights) -> list[tuple[int, int, int]]:
    """Return (place in a, place in b, words) that stand in both in the same order.

    A function word alone proves nothing and is left out.
    """
    head = 0
    while head < min(len(a), len(b)) and a[head] == b[head]:
        head += 1
    tail = 0
    while tail < min(len(a), len(b)) - head and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    inner = SequenceMatcher(
        None, a[head : len(a) - tail], b[head : len(b) - tail], autojunk=False
    ).get_matching_blocks()
    found = [(0, 0, head)]
    found += [(i + head, j + head, n) for i, j, n in inner]
    found.append((len(a) - tail, len(b) - tail, tail))
    return [(i, j, n) for i, j, n in found if n > 1 or (n == 1 and tells(a[i]))]


def likeness(a: Forms, b: Forms, weights: Weights) -> float:
    """Return the share (0 to 1) of the lighter one's weight that stands in the other in order."""
    lighter = min(weights.sum(a), weights.sum(b))
    return min(1.0, _weight(a, blocks(a, b, weights), weights) / lighter) if lighter else 0.0


def _weight(a: Forms, found: Iterable[tuple[int, int, int]], weights: Weights) -> float:
    return sum(weights.sum(a[i : i + n]) * (1.0 if n > 1 else _LONE) for i, _, n in found)


def copies(a: Forms, b: Forms, weights: Weights, thresholds: Thresholds) -> bool:
    """Tell whether the two are copies of one letter.

    So much of the shorter one must stand in the other in the same order, less what the breaks cost,
    both by words and by their weight: a few rare words are no letter, and many common ones neither.
    A long answer that holds a short one only quotes it. Both are given without repeats (``said``).
    """
    a, b = sorted((a, b), key=len)
    least = _least(len(a), len(b), thresholds)
    lighter = min(weights.sum(a), weights.sum(b))
    if weights.sum((Counter(a) & Counter(b)).elements()) < least * lighter:
        return False
    found = blocks(a, b, weights)
    broken = _broken(found, len(a))
    if sum(n for *_, n in found) - broken < least * len(a):
        return False
    return _weight(a, found, weights) - broken * lighter / len(a) >= least * lighter


def _broken(found: Sequence[tuple[int, int, int]], fewest: int) -> int:
    """Return the words that breaks cost, and what of the shorter text stands before and after all."""
    if not found:
        return 0
    ends = (found[0][0], fewest - found[-1][0] - found[-1][2])
    inner = (abs((k - i) - (m - j)) for (i, j, _), (k, m, _) in pairwise(found))
    return sum(min(words, _BREAK) for words in (*ends, *inner))


def _least(fewest: int, most: int, thresholds: Thresholds) -> float:
    """Return the share that two texts of so many words must share; above 1 where nothing is enough."""
    if fewest >= thresholds.short_words:
        return thresholds.shared
    return thresholds.short_shared if most <= thresholds.short_longer * fewest else 2.0


def said(forms: Forms, length: int) -> Forms:
    """Return the words without those that end ``length`` words which the text had before.

    Who writes one thing over and over has said it once.
    """
    if len(set(forms)) > len(forms) - length:
        return forms
    seen: set[tuple[str, ...]] = set()
    kept = list(forms[: length - 1])
    for end in range(length, len(forms) + 1):
        words = tuple(forms[end - length : end])
        if words not in seen:
            seen.add(words)
            kept.append(words[-1])
    return kept
