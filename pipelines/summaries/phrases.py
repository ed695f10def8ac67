"""How many voices use the same phrase: the consensus of a text's sentences, or of a group's people.

A sentence that puts a point in the words in which many put it stands for more of them than one that
is only near in meaning. Pairs of neighbouring words are counted once a voice, as the graph of
Opinosis counts its paths (Ganesan, Zhai and Han 2010, https://aclanthology.org/C10-1039).
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterable
from itertools import pairwise
from zlib import crc32

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SLOTS = 1 << 22
"""Places of a bounded table (16 MiB). Pairs that share one are counted together: with a million
different pairs, every ninth or so counts too high."""


class Phrases:
    """Counts of word pairs over voices. ``bounded`` keeps the memory constant for any number."""

    def __init__(self, *, bounded: bool = False) -> None:
        self._table = array("I", bytes(4 * _SLOTS)) if bounded else None
        self._counts: dict[int, int] = {}
        self.voices = 0

    def add(self, texts: Iterable[str]) -> None:
        """Count one voice, which says all of ``texts``."""
        pairs = {pair for text in texts for pair in _pairs(text)[0]}
        self.voices += 1
        if self._table is not None:
            for place in {pair % _SLOTS for pair in pairs}:
                self._table[place] += 1
            return
        for pair in pairs:
            self._counts[pair] = self._counts.get(pair, 0) + 1

    def consensus(self, text: str) -> float:
        """Return 0 to 1: the mean, over the words of ``text``, of the logarithm of how many voices
        use the word with the one before it, where all of them is 1. Words of one voice add 0."""
        pairs, words = _pairs(text)
        if not pairs or self.voices < 2:
            return 0.0
        if self._table is not None:
            counts = [self._table[pair % _SLOTS] for pair in sorted(pairs)]
        else:
            counts = [self._counts.get(pair, 0) for pair in sorted(pairs)]
        found = sum(math.log(count) for count in counts if count > 1)
        return found / (words * math.log1p(self.voices))


def _pairs(text: str) -> tuple[set[int], int]:
    """Return the distinct pairs of neighbouring words, as numbers, and how many words there are."""
    words = _WORD.findall(text.casefold())
    pairs = {crc32(f"{a} {b}".encode("utf-8", "surrogatepass")) for a, b in pairwise(words)}
    return pairs, max(1, len(words))


def of_sentences(texts: Iterable[str]) -> Phrases:
    """Return the counts of one text, each of whose sentences is a voice."""
    phrases = Phrases()
    for text in texts:
        phrases.add((text,))
    return phrases
