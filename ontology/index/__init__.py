"""Labels of many ontologies in one token trie, compiled once and mapped from then on."""

from __future__ import annotations

from ontology.index.cache import cached_index, index_key
from ontology.index.find import LabelIndex
from ontology.index.layout import InvalidIndex
from ontology.index.selection import MAX_LABEL_CHARACTERS, MIN_LETTERS
from ontology.index.types import METHODS, ONLY_LABELS, Match, MatchedConcept, Mechanisms

__all__ = [
    "MAX_LABEL_CHARACTERS",
    "METHODS",
    "MIN_LETTERS",
    "ONLY_LABELS",
    "InvalidIndex",
    "LabelIndex",
    "Match",
    "MatchedConcept",
    "Mechanisms",
    "cached_index",
    "index_key",
]
