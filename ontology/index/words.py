"""A text cut into words and the gaps between them, as parallel arrays.

Everything behind works on these arrays and gives back places in them, so that the offsets of a
match are always those of whole words of the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from ontology.tokens import gap_key

SPLIT = re.compile(r"([^\W_]+(?:[\u0300-\u036f\u1ab0-\u1aff]+[^\W_]*)*(?:['\u2019]t\b)?)")
BLOCK = 200_000
"""Characters of a text that are cut up at a time."""

APOSTROPHES = ("'", "\u2019", "\u02bc", "\u00b4", "`", "\u2018")
_APOSTROPHES = frozenset(APOSTROPHES)
LOOSE, POSSESSIVE, COMMA, SLASH, OPEN, CLOSE, OTHER, HARD = range(8)
"""Kinds of gaps: white space and hyphens; ’s; then marks; HARD ends whatever stands before it."""

_POSSESSIVE = re.compile(r"['\u2019\u02bc]\s+")
_COMMA = re.compile(r"\s*,\s*|\s*-?,\s+")
_QUOTE = re.compile(r"\s*[\"\u201c\u201d\u00ab\u00bb]+\s*|\s+['\u2018]|['\u2019]\s+")
_SLASH = re.compile(r"\s*/\s*|\s*&\s*|\s*\+\s*")
_OPEN = re.compile(r"\s*[(\[]")
_CLOSE = re.compile(r"[)\]]\s*")
_HARD = re.compile(r"[.;:!?\u2026|<>=\u2022*]|\n\s*\n")
_CUT = re.compile(r"\n\s*\n|[.!?]\s+(?=[A-Z])|\n")


@lru_cache(maxsize=1 << 12)
def gap_kind(gap: str) -> int:
    """Return the kind of what stands between two words."""
    if gap == " " or not gap:
        return LOOSE
    if _HARD.search(gap):
        return HARD
    key = gap_key(gap)
    if key is None:
        return HARD
    if not key or _QUOTE.fullmatch(gap):
        return LOOSE
    for kind, pattern in _KINDS:
        if pattern.fullmatch(gap):
            return kind
    return OTHER


_KINDS = (
    (POSSESSIVE, _POSSESSIVE),
    (COMMA, _COMMA),
    (SLASH, _SLASH),
    (OPEN, _OPEN),
    (CLOSE, _CLOSE),
)


@dataclass(slots=True)
class Words:
    """Words of a stretch of text: ``forms[i]`` stands at ``starts[i]:ends[i]`` of the whole text.

    ``gaps[i]`` stands before word ``i``, ``kinds[i]`` is its kind, HARD before the first word.
    ``tokens[i]`` is the word's token in an index, -1 for a word that no label has.
    """

    forms: list[str]
    gaps: list[str]
    kinds: list[int]
    starts: list[int]
    ends: list[int]
    tokens: list[int]

    def __len__(self) -> int:
        return len(self.forms)

    def around(self, first: int, last: int, reach: int) -> Words:
        """Return the words from ``reach`` before ``first`` to ``reach`` after ``last``."""
        part = slice(max(0, first - reach), last + reach + 1)
        return Words(
            self.forms[part],
            self.gaps[part],
            [HARD, *self.kinds[part][1:]],
            self.starts[part],
            self.ends[part],
            self.tokens[part],
        )


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the text in stretches of about ``BLOCK`` characters, cut where no label reaches on."""
    at = 0
    while len(text) - at > BLOCK:
        cut = at + BLOCK
        found = _CUT.search(text, cut, cut + BLOCK // 8)
        end = found.end() if found else _blank(text, cut)
        yield at, text[at:end]
        at = end
    yield at, text[at:]


def _blank(text: str, at: int) -> int:
    end = text.find(" ", at)
    return len(text) if end < 0 else end + 1


def cut(text: str, at: int, tokens: Callable[[list[str]], list[int]]) -> Words:
    """Return the words of ``text``, which stands at ``at`` of the whole one."""
    pieces = SPLIT.split(text)
    edges = list(accumulate(map(len, pieces), initial=at))
    forms, gaps = pieces[1::2], pieces[0:-1:2]
    kinds = list(map(gap_kind, gaps))
    if kinds:
        kinds[0] = HARD
    words = Words(forms, gaps, kinds, edges[1:-1:2], edges[2::2], tokens(forms))
    return _without_possessives(words)


def _without_possessives(words: Words) -> Words:
    """Take the "s" of "Down’s" away from the words; it then stands in the gap."""
    apart = [
        i
        for i, gap in enumerate(words.gaps)
        if gap in _APOSTROPHES and i and words.forms[i] in ("s", "S")
    ]
    if not apart:
        return words
    for i in reversed(apart):
        if i + 1 < len(words):
            gap = words.gaps[i + 1]
            words.gaps[i + 1] = words.gaps[i] + words.forms[i] + gap
            words.kinds[i + 1] = POSSESSIVE if gap_kind(gap) == LOOSE else gap_kind(gap)
        for column in (
            words.forms,
            words.gaps,
            words.kinds,
            words.starts,
            words.ends,
            words.tokens,
        ):
            del column[i]
    return words
