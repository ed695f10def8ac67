"""The same words read otherwise: joined at a hyphen, put right, spelt out, without what is in brackets.

Each variant is a short stretch of the text in which some words are replaced; they keep the offsets
of what stands in the text, so that a match in a variant still points at the very characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ontology.index.near import NearWords
from ontology.index.reader import Reader
from ontology.index.types import ABBREVIATION, FUZZY, QUALIFIER, SPELLING, Mechanisms
from ontology.index.words import CLOSE, LOOSE, OPEN, SPLIT, Words

REACH = 8
"""Words on either side of what is replaced that a match may reach to."""
MOST_BRACKETED = 4
SCORES = {SPELLING: 0.98, FUZZY: 0.8, ABBREVIATION: 0.9, QUALIFIER: 0.85}
_HYPHENS = frozenset("-\u2010\u2011\u00ad")
_LINE_END = re.compile(r"[-\u2010\u2011\u00ad\u00ac\u2e17=][ \t]*\r?\n[ \t]*")


class Variant(NamedTuple):
    """Words of a text of which those from ``first`` to ``last`` are replaced.

    ``whole`` says that a match has to hold all of them; else it has to reach across the place.
    """

    words: Words
    first: int
    last: int
    method: str
    score: float

    def covers(self, first: int, last: int) -> bool:
        """Tell whether a match of these words rests on the replacement."""
        return first <= self.first and last >= self.last and last >= first


def variants_of(
    words: Words,
    mechanisms: Mechanisms,
    short_forms: Mapping[str, str],
    reader: Reader,
    near: NearWords,
) -> Iterator[Variant]:
    """Yield the stretches of ``words`` that can be read otherwise."""
    if mechanisms.spelling:
        yield from _joined(words, reader)
    if mechanisms.abbreviation and short_forms:
        yield from _spelt_out(words, short_forms, reader)
    if mechanisms.fuzzy:
        fewest = mechanisms.fuzzy_letters
        for place, form in enumerate(words.forms):
            if words.tokens[place] < 0 and len(form) >= fewest:
                corrected = near.correct(form, fewest)
                if corrected:
                    yield _replaced(words, place, place, [corrected], FUZZY, 1.0, reader)
    if mechanisms.qualifier:
        yield from _without_brackets(words)


def _spelt_out(words: Words, short_forms: Mapping[str, str], reader: Reader) -> Iterator[Variant]:
    """Yield the abbreviations, in the singular or plural, as what the text says they stand for."""
    known = {tuple(SPLIT.findall(short)): long for short, long in short_forms.items()}
    known |= {
        (*short[:-1], short[-1][:-1]): long
        for short, long in known.items()
        if short and short[-1].endswith("s") and short[-1][:-1].isupper()
    }
    longest = max(map(len, known), default=0)
    for place in range(len(words)):
        for count in range(1, longest + 1):
            forms = tuple(words.forms[place : place + count])
            long = known.get(forms) or known.get((*forms[:-1], forms[-1].removesuffix("s")))
            if long is None or len(forms) < count:
                continue
            last = place + count - 1
            if count > 1 and not all(
                gap.strip() == gap for gap in words.gaps[place + 1 : last + 1]
            ):
                continue
            yield _replaced(words, place, last, SPLIT.findall(long), ABBREVIATION, 1.0, reader)


def _joined(words: Words, reader: Reader) -> Iterator[Variant]:
    """Yield words that a hyphen parts, also at the end of a line, as one word."""
    joining = {gap for gap in set(words.gaps) if gap in _HYPHENS or _LINE_END.fullmatch(gap)}
    if not joining:
        return
    for place, gap in enumerate(words.gaps):
        if gap in joining and place:
            joined = words.forms[place - 1] + words.forms[place]
            if joined.isalnum() and reader.tokens([joined])[0] >= 0:
                yield _replaced(words, place - 1, place, [joined], SPELLING, 1.0, reader)


def _without_brackets(words: Words) -> Iterator[Variant]:
    kinds = words.kinds
    for first, kind in enumerate(kinds):
        if kind != OPEN or not first:
            continue
        after = first + 1
        while after < len(words) and after - first <= MOST_BRACKETED and kinds[after] == LOOSE:
            after += 1
        if after < len(words) and kinds[after] == CLOSE:
            near = words.around(first, after - 1, REACH)
            at = first - max(0, first - REACH)
            part = slice(at, at + after - first)
            near.kinds[at + after - first] = LOOSE
            near.gaps[at + after - first] = " "
            for column in (near.forms, near.gaps, near.kinds, near.starts, near.ends, near.tokens):
                del column[part]
            yield Variant(near, at - 1, at, QUALIFIER, SCORES[QUALIFIER])


def _replaced(
    words: Words,
    first: int,
    last: int,
    forms: list[str],
    method: str,
    score: float,
    reader: Reader,
) -> Variant:
    near = words.around(first, last, REACH)
    at = first - max(0, first - REACH)
    part = slice(at, at + last - first + 1)
    count = len(forms)
    start, end = words.starts[first], words.ends[last]
    near.kinds[part] = [near.kinds[at], *[LOOSE] * (count - 1)]
    near.gaps[part] = [near.gaps[at], *[" "] * (count - 1)]
    near.starts[part], near.ends[part] = [start] * count, [end] * count
    near.forms[part], near.tokens[part] = forms, reader.tokens(forms)
    return Variant(near, at, at + count - 1, method, score * SCORES[method])
