"""Words of labels and texts, in one normal form that keeps offsets.

A word is a run of letters and digits (with combining marks, and with "n't" whole); its key is its case-folded NFC form.
Between two words of a label, white space and hyphens are one and the same; any other character has
to stand in the text as it does in the label, curly and straight apostrophes aside.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f\u1ab0-\u1aff]+[^\W_]*)*(?:['\u2019]t\b)?")
_LOOSE = re.compile(r"[\s\u00ad\u200b-]+|\s*[-\u2010-\u2015\u2212]\s*")
_MARKS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff]")
_SPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'"})
MAX_GAP = 40
"""Longer stretches between two words never count as one gap."""


class LabelWords(NamedTuple):
    """A label cut up: the keys of its steps, and what has to stand right before and after it."""

    steps: tuple[str, ...]
    before: str
    after: str


def key(word: str) -> str:
    """Return the form under which ``word`` is compared."""
    folded = word.casefold()
    return unicodedata.normalize("NFC", folded) if _MARKS.search(folded) else folded


def gap_key(gap: str) -> str | None:
    """Return the key of what stands between two words; None where no label can reach across.

    White space, hyphens and nothing give ``""``; a blank line ends a label.
    """
    if gap == " " or not gap:
        return ""
    if len(gap) > MAX_GAP or gap.count("\n") > 1:
        return None
    if _LOOSE.fullmatch(gap):
        return ""
    return _SPACE.sub("", gap.translate(_APOSTROPHES))


def label_words(label: str) -> LabelWords | None:
    """Return the steps of ``label``, or None when it has no word.

    A step is the gap's key before the word and the word's key.
    """
    words = list(WORD.finditer(label))
    if not words:
        return None
    steps = [key(words[0].group())]
    for previous, word in pairwise(words):
        gap = gap_key(label[previous.end() : word.start()])
        if gap is None:
            return None
        steps.append(gap + key(word.group()))
    before = _SPACE.sub("", label[: words[0].start()]).translate(_APOSTROPHES)
    after = _SPACE.sub("", label[words[-1].end() :]).translate(_APOSTROPHES)
    return LabelWords(tuple(steps), before, after)
