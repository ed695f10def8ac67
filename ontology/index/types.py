"""What an index of labels finds."""

from __future__ import annotations

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
    """Words of the text that are a label: ``text[start:end]``, code points, half-open.

    ``displayed`` is false for a match inside or across a longer one.
    """

    start: int
    end: int
    concepts: tuple[MatchedConcept, ...]
    displayed: bool


class Entry(NamedTuple):
    """A label's end in the trie: its concept, whether only capitals match, and its outer marks."""

    concept: MatchedConcept
    capitals: bool
    before: str
    after: str


Span = tuple[int, int, tuple[MatchedConcept, ...]]

KINDS = ("pref", "alt", "hidden", "exact", "narrow", "broad", "related")
"""Kinds of label in the order of their number in a compiled index."""
