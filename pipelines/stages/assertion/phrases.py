"""The small language of cue phrases, and the index that finds them among the words of a sentence.

A phrase is words separated by spaces. ``a|b`` is either word, ``a?`` may be left out, ``<name>`` is
any word of a named list, ``*`` any one word, ``#`` a number, ``####`` a year; ``_`` is the space between words of an
alternative. A literal ``?`` is written ``\\?``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from pipelines.stages.assertion.steps import Piece, Steps

LONGEST = 14
"""Pieces of the longest phrase."""

TOKEN = re.compile(
    r"[^\W_]+(?:['’][^\W_]+)*(?:[-\u00ad\u00ac]\r?\n[^\S\n]*(?=[a-zà-ÿ])[^\W_]+)?|[^\w\s]|_+"
)
_CUT = re.compile(r"[-\u00ad\u00ac]\r?\n[^\S\n]*")
_LETTERS = str.maketrans(
    dict(zip("’ſﬁﬂﬀﬃﬄﬅﬆ", ("'", "s", "fi", "fl", "ff", "ffi", "ffl", "st", "st"), strict=True))
)
_NUMBERS = frozenset(
    {
        *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        *("eleven", "twelve", "several", "few", "couple", "many"),
    }
)
_NUMBER = "#"
_YEAR = "####"
_YEARS = frozenset(map(str, range(1000, 2100)))
_ANY = "*"

Item = TypeVar("Item")


@dataclass(slots=True)
class Token:
    """A word or mark of the text, lower case, with its characters."""

    word: str
    start: int
    end: int


def tokens(text: str, start: int, end: int) -> list[Token]:
    """Return the words and marks of ``text[start:end]``."""
    part = text[start:end]
    if part.isascii() and "\n" not in part:  # lower case has the same length
        return [
            Token(found[0], found.start() + start, found.end() + start)
            for found in TOKEN.finditer(part.lower())
        ]
    return [Token(_plain(found[0]), *found.span()) for found in TOKEN.finditer(text, start, end)]


def _plain(word: str) -> str:
    """Return a word as phrases write it: lower case, in one piece, without long s and ligatures."""
    if word.isascii() and "\n" not in word:
        return word.lower()
    return _CUT.sub("", word).lower().translate(_LETTERS)


class PhraseIndex(Generic[Item]):
    """Phrases with an item each, kept by the two words that they can begin with."""

    def __init__(self) -> None:
        self._by_first: dict[str, dict[str, list[int]]] = {}
        self._openings: dict[str, list[int]] = {}
        self._phrases: list[tuple[Piece, ...]] = []
        self._items: list[Item] = []
        self._steps: Steps | None = None

    @property
    def phrases(self) -> int:
        """How many phrases there are."""
        return len(self._phrases)

    def add(self, phrase: str, item: Item, lists: Mapping[str, Sequence[str]]) -> None:
        """Add a phrase. Raises ``ValueError``: it is empty, too long, or names an unknown list."""
        pieces = tuple(_piece(part, lists, phrase) for part in phrase.split())
        if not 1 <= len(pieces) <= LONGEST:
            raise ValueError(f"{phrase!r} has {len(pieces)} parts, expected 1 to {LONGEST}")
        if all(piece.optional for piece in pieces):
            raise ValueError(f"{phrase!r} would match no words at all")
        entry = len(self._phrases)
        for first, seconds in _openings(pieces).items():
            if first == _ANY:
                raise ValueError(
                    f"{phrase!r} begins with any word, expected a word, a list or a number"
                )
            self._openings.setdefault(first, []).append(entry)
            following = self._by_first.setdefault(first, {})
            for second in [""] if seconds & {"", _ANY} else seconds:
                following.setdefault(second, []).append(entry)
        self._phrases.append(pieces)
        self._items.append(item)
        self._steps = None

    def openings(self, words: Sequence[str]) -> list[int]:
        """Return the places where a phrase may begin."""
        found, following = [], (*words[1:], "")
        for place, word in enumerate(words):
            seconds = self._by_first.get(word)
            second = following[place]
            if (
                _is_number(word)
                if seconds is None
                else "" in seconds or second in seconds or _is_number(second) or _is_number(word)
            ):
                found.append(place)
        return found

    def at(self, words: Sequence[str], place: int) -> list[tuple[int, Item]]:
        """Return (end, item) of every phrase that begins at ``place``, the longest way each."""
        word = words[place]
        if word not in self._by_first and not _is_number(word):
            return []
        if self._steps is None:
            self._steps = Steps(self._phrases, _kinds, self._opening)
        ends = self._steps.ends(words, place)
        if len(ends) < 2:
            return [(end, self._items[n]) for n, end in ends.items()]
        order = self._ordered(word, words[place + 1] if place + 1 < len(words) else "")
        return [
            (ends[n], self._items[n])
            for n in sorted(ends.keys() & order.keys(), key=order.__getitem__)
        ]

    def _opening(self, word: str) -> set[int]:
        """Return the phrases that can begin with the word."""
        return {phrase for first in _keys(word) for phrase in self._openings.get(first, ())}

    def _ordered(self, first: str, second: str) -> dict[int, int]:
        """Return the phrases that can begin with the two words, each with its place in the order."""
        firsts, seconds = _keys(first), ("", *_keys(second)) if second else ("",)
        found: dict[int, int] = {}
        for one in firsts:
            following = self._by_first.get(one, {})
            for two in seconds:
                for phrase in following.get(two, ()):
                    found.setdefault(phrase, len(found))
        return found


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in _NUMBERS


def _kinds(word: str) -> tuple[str, ...]:
    """Return what a word can stand for anywhere in a phrase."""
    return (*_keys(word), _ANY) if word[0].isalnum() else _keys(word)


def _keys(word: str) -> tuple[str, ...]:
    """Return what a word can stand for at the beginning of a phrase."""
    if not _is_number(word):
        return (word,)
    return (word, _NUMBER, _YEAR) if word in _YEARS else (word, _NUMBER)


def _openings(pieces: Sequence[Piece]) -> dict[str, set[str]]:
    """Return the words that a phrase can begin with, each with those that can follow it.

    "" among the followers: the phrase may end there.
    """
    found: dict[str, set[str]] = {}
    for place, piece in enumerate(pieces):
        following: set[str] = set()
        for later in pieces[place + 1 :]:
            following |= later.words | {run[0] for run in later.runs}
            if not later.optional:
                break
        else:
            following.add("")
        for word in piece.words:
            found.setdefault(word, set()).update(following)
        for run in piece.runs:
            found.setdefault(run[0], set()).add(run[1])
        if not piece.optional:
            break
    return found


@lru_cache(maxsize=10_000)
def _run(text: str) -> tuple[str, ...]:
    """Return the words of an alternative."""
    spaced = text.replace("_", " ")
    return tuple(token.word for token in tokens(spaced, 0, len(spaced)))


def _piece(part: str, lists: Mapping[str, Sequence[str]], phrase: str) -> Piece:
    """Return one part of a phrase."""
    optional = len(part) > 1 and part[-1] == "?" and part != r"\?"
    body = part[:-1] if optional else "?" if part == r"\?" else part
    words: set[str] = set()
    runs: set[tuple[str, ...]] = set()
    for alternative in body.split("|") if len(body) > 1 else [body]:
        texts: Sequence[str] = [alternative]
        if alternative in (_ANY, _NUMBER, _YEAR):
            words.add(alternative)
            continue
        if len(alternative) > 2 and alternative[0] == "<" and alternative[-1] == ">":
            if alternative[1:-1] not in lists:
                raise ValueError(f"{phrase!r} names the list {alternative}, which is not there")
            texts = lists[alternative[1:-1]]
        for text in texts:
            run = _run(text)
            if not run:
                raise ValueError(f"{phrase!r} has an empty alternative")
            if len(run) == 1:
                words.add(run[0])
            else:
                runs.add(run)
    return Piece(frozenset(words), tuple(sorted(runs)), optional)
