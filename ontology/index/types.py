"""What an index of labels finds, and by which mechanisms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class MatchedConcept(NamedTuple):
    """A concept whose label was found; ``label`` is its preferred one.

    ``kind`` is that of the label that matched: ``pref``, ``alt``, ``hidden``, ``exact``,
    ``narrow``, ``broad`` or ``related``.
    """

    ontology: str
    iri: str
    curie: str
    label: str
    kind: str


class Match(NamedTuple):
    """Words of the text that name a concept: ``text[start:end]``, code points, half-open.

    ``displayed`` is false for a match inside or across a longer one. ``method`` is one of
    ``METHODS``; ``score`` says how far the words are from the label, 1 for none.
    """

    start: int
    end: int
    concepts: tuple[MatchedConcept, ...]
    displayed: bool
    method: str = "label"
    score: float = 1.0


METHODS = (
    "label",
    "spelling",
    "lemma",
    "qualifier",
    "derivation",
    "order",
    "coordination",
    "abbreviation",
    "fuzzy",
)
"""How words may stand for a label, the nearest first."""
LABEL, SPELLING, LEMMA, QUALIFIER, DERIVATION, ORDER, COORDINATION, ABBREVIATION, FUZZY = METHODS


@dataclass(frozen=True, slots=True)
class Mechanisms:
    """Which mechanisms find a label; the label itself always does.

    ``window`` is the most words that a match by word order may span, ``fuzzy_letters`` the fewest
    letters of a word that may be misspelt.
    """

    spelling: bool = True
    lemma: bool = True
    qualifier: bool = True
    derivation: bool = True
    order: bool = True
    coordination: bool = True
    abbreviation: bool = True
    fuzzy: bool = False
    window: int = 12
    fuzzy_letters: int = 8

    def allows(self, method: str) -> bool:
        """Tell whether matches by ``method`` are wanted."""
        return method == LABEL or bool(getattr(self, method))


ONLY_LABELS = Mechanisms(*(False,) * 8)


class Entry(NamedTuple):
    """A label's end in the trie: its concept and what the words of the text have to be like.

    ``keys`` are the keys of the label's words, ``how`` what was done to the label before.
    """

    concept: MatchedConcept
    capitals: bool
    before: str
    after: str
    keys: tuple[str, ...]
    how: int


class Span(NamedTuple):
    """A match before it is decided which are displayed."""

    start: int
    end: int
    concepts: tuple[MatchedConcept, ...]
    method: str = "label"
    score: float = 1.0


KINDS = ("pref", "alt", "hidden", "exact", "narrow", "broad", "related")
"""Kinds of label in the order of their number in a compiled index."""

STRIPPED, JOINED, PATTERN, LETTERED = 1, 2, 4, 8
"""Of an entry: its bracketed qualifier was left out; two words of it were written as one; a last
word that says nothing was left out; it has a letter for a name ("type A"), so that its order counts.
"""
