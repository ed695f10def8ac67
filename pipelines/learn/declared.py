"""Stances that are said outright: "Strongly oppose.", "I am not in favour of these plans".

A declaration counts if it is all that its sentence says, or if it is about the proposal as such or
about the proposal's subject; a subject that the proposal would harm turns it round ("I support
fireworks" under "We should ban fireworks"). Word lists are data: ``declared.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pipelines.learn.proposals import is_action, word_classes
from pipelines.learn.words import stem

_SENTENCE = re.compile(r"[.;!?\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_REACH = 3
"""Words before a declaration among which a negation turns it round, or another speaker owns it."""
_OBJECT = 6
"""Words after a declaration among which what it is about is looked for."""


class _Rules(NamedTuple):
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], int], ...]]
    proposal: frozenset[str]
    between: frozenset[str]
    alone: frozenset[str]
    others: frozenset[str]


def declared(text: str, subject: frozenset[str], turned: float) -> tuple[int, int]:
    """Return how many sentences of ``text`` declare support, and how many opposition.

    ``subject`` are the stems of what the proposal names, ``turned`` is -1 where it would do that harm.
    """
    found = [0, 0]
    for part in _SENTENCE.split(text.lower().replace("’", "'")):
        side = _side(_WORD.findall(part), subject, -1 if turned < 0 else 1)
        if side:
            found[side < 0] += 1
    return found[0], found[1]


def _side(words: list[str], subject: frozenset[str], turned: int) -> int:
    """Return +1 or -1 for a sentence that declares a side, 0 for any other."""
    rules = _rules()
    for place in range(len(words)):
        for phrase, sign in rules.phrases.get(words[place][:2], ()):
            after = place + len(phrase)
            if not _fits(words[place:after], phrase):
                continue
            before = words[max(0, place - _REACH) : place]
            if rules.others.intersection(before):
                break
            about = _about(words, place, after, subject)
            if not about:
                break
            negated = sum(word in word_classes()["negations"] for word in before) % 2
            return sign * (turned if about > 1 else 1) * (-1 if negated else 1)
    return 0


def _about(words: list[str], place: int, after: int, subject: frozenset[str]) -> int:
    """Return 1 for a declaration about the proposal, 2 for one about its subject, else 0."""
    rules = _rules()
    for word in words[after : after + _OBJECT]:
        if stem(word) in subject:
            return 2
        if word in rules.proposal or is_action(word):
            return 1
        if word not in rules.between:
            break
    left, right = words[:place], words[after:]
    around = rules.alone | word_classes()["negations"]
    return int(all(word in around for word in (*left, *right)))


def _fits(words: list[str], phrase: tuple[str, ...]) -> bool:
    return len(words) == len(phrase) and all(
        word.startswith(want[:-1]) if want.endswith("*") else word == want
        for word, want in zip(words, phrase, strict=True)
    )


@cache
def _rules() -> _Rules:
    """Return ``declared.toml``, its phrases by their first two letters, the longest first."""
    data = tomllib.loads(Path(__file__).with_name("declared.toml").read_text("utf-8"))
    phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for key, sign in (("for", 1), ("against", -1)):
        for phrase in data[key].split(";"):
            words = tuple(phrase.split())
            phrases.setdefault(words[0].rstrip("*")[:2], []).append((words, sign))
    return _Rules(
        {
            start: tuple(sorted(some, key=lambda one: -len(one[0])))
            for start, some in phrases.items()
        },
        *(frozenset(data[key].split()) for key in ("proposal", "between", "alone", "others")),
    )
