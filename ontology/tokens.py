"""Words of labels and texts, in one normal form that keeps offsets.

A word is a run of letters and digits (with combining marks, and with "n't" whole); its key is its case-folded NFC form.
Between two words of a label, white space and hyphens are one and the same; any other character has
to stand in the text as it does in the label, curly and straight apostrophes aside.
"""

from __future__ import annotations

import re
import unicodedata

_LOOSE = re.compile(r"[\s\u00ad\u200b-]+|\s*[-\u2010-\u2015\u2212]\s*")
_MARKS = re.compile(r"[\u0300-\u036f\u1ab0-\u1aff]")
_SPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'"})
MAX_GAP = 40
"""Longer stretches between two words never count as one gap."""


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
