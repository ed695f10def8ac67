"""A label as the steps that lead to it in the trie, in the forms in which it is looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ontology.index.forms import SHOUTED, STEM, fold, form_rules, lemma, stem
from ontology.index.selection import MIN_LETTERS, Chosen
from ontology.index.types import JOINED, LETTERED, PATTERN, STRIPPED
from ontology.index.words import APOSTROPHES, LOOSE, POSSESSIVE, SPLIT, gap_kind
from ontology.tokens import gap_key, key

_QUALIFIER = re.compile(r"(.*\S)\s*[(\[][^()\[\]]+[)\]]", re.DOTALL)
_LETTER = re.compile(r"(?<=\s)A\b")
_PATTERN_WORD = re.compile(r"(?P<rest>(?P<first>\w+) .*\S) (?P<last>\w+)")
_SPACE = re.compile(r"\s+")
_APOSTROPHES = str.maketrans({"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'"})
_HYPHEN = ("-", "\u2010", "\u2011")


class Step(NamedTuple):
    """A word of a label: the token that stands for it (with the marks before it) and its key."""

    token: str
    key: str


class LabelForm(NamedTuple):
    """A label to look for: its steps, the marks before and after, and what was done to it."""

    steps: tuple[Step, ...]
    before: str
    after: str
    how: int


def forms_of(chosen: Chosen, *, every_label: bool = False) -> Iterator[LabelForm]:
    """Yield the label as it is written, without its qualifier, and with hyphened words joined."""
    text = chosen.text
    if chosen.capitals or text.isupper():
        text = text.upper() if chosen.capitals else text.lower()
    how = LETTERED if _LETTER.search(text) else 0
    if (form := label_form(text, how)) is None:
        return
    yield form
    if every_label:
        return
    if (bare := _QUALIFIER.fullmatch(text)) and _says_enough(bare.group(1)):
        stripped = label_form(bare.group(1), how | STRIPPED)
        if stripped is not None:
            yield stripped
    if (pattern := _PATTERN_WORD.fullmatch(text)) and _is_pattern(pattern):
        shorter = label_form(pattern.group("rest"), how | PATTERN)
        if shorter is not None and len(shorter.steps) > 1:
            yield shorter
    if "-" in text:
        joined = label_form(_joined(text), how | JOINED)
        if joined is not None:
            yield joined


def label_form(label: str, how: int = 0) -> LabelForm | None:
    """Return the steps of ``label``, or None when it has no word or a gap no label reaches across."""
    pieces = SPLIT.split(label)
    if len(pieces) < 3:
        return None
    words, gaps = pieces[1::2], pieces[2:-1:2]
    steps = [Step(token_of(words[0]), key(words[0]))]
    apart = False
    for (_, word), gap in zip(pairwise(words), gaps, strict=True):
        if gap in APOSTROPHES and word in ("s", "S"):
            apart = True
            continue
        kind = LOOSE if apart and gap_kind(gap) == LOOSE else gap_kind(gap)
        apart = False
        between = "" if kind in (LOOSE, POSSESSIVE) else gap_key(gap)
        if between is None:
            return None
        steps.append(Step(between + token_of(word), key(word)))
    before = _SPACE.sub("", pieces[0]).translate(_APOSTROPHES)
    after = _SPACE.sub("", pieces[-1]).translate(_APOSTROPHES)
    if apart:
        after = "'" + words[-1] + after
    return LabelForm(tuple(steps), before, after, how)


@lru_cache(maxsize=1 << 16)
def token_of(word: str) -> str:
    """Return the token that a word of a label becomes."""
    if shouted(word):
        return STEM + fold(key(word))
    return stem(lemma(fold(key(word))))


def shouted(word: str) -> bool:
    """Tell whether a word looks like an abbreviation, which has no other forms."""
    return 1 < len(word) <= SHOUTED and word.isupper()


def _joined(text: str) -> str:
    """Write the words that a hyphen joins as one."""
    parts = SPLIT.split(text)
    for place in range(2, len(parts) - 1, 2):
        if parts[place] in _HYPHEN and parts[place - 1].isalnum() and parts[place + 1].isalnum():
            parts[place] = ""
    return "".join(parts)


def _is_pattern(found: re.Match[str]) -> bool:
    rules = form_rules()
    first, last = key(found["first"]), key(found["last"])
    return first in rules.pattern_first and last in rules.pattern_last


def _says_enough(label: str) -> bool:
    return sum(char.isalpha() for char in label) >= MIN_LETTERS
