"""Labels of many ontologies in one token trie: every occurrence of every label in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ontology.model import Concept, Label, Ontology
from ontology.tokens import WORD, gap_key, key, label_words

MIN_LETTERS = 3
"""Shorter labels are matched only when they are all capitals, and single letters never."""

MAX_LABEL_CHARACTERS = 500
"""A longer label is a description, not a name, and is not matched."""

_NON_ASCII = re.compile(r"[^\x00-\x7f]")


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


class _Entry(NamedTuple):
    concept: MatchedConcept
    capitals: bool
    before: str
    after: str


class _Node:
    __slots__ = ("entries", "following")

    def __init__(self) -> None:
        self.following: dict[str, _Node] = {}
        self.entries: list[_Entry] = []


class LabelIndex:
    """Find every occurrence of every label, with word boundaries on both sides.

    Deprecated concepts are never matched. A label all in capitals matches only capitals, unless
    most of its ontology is written so. Labels of a concept are its English and untagged ones; those
    of other languages only where it has no such. A label with no letter is left out.
    """

    def __init__(self) -> None:
        self._root = _Node()
        self.labels = 0
        """How many labels can be matched."""

    @classmethod
    def build(cls, ontologies: Sequence[Ontology], *, every_label: bool = False) -> LabelIndex:
        """Return the index of all the ontologies' labels.

        With ``every_label`` short ones and those without a letter are matched too, and any case
        matches any: somebody asked for these very words.
        """
        index = cls()
        for ontology in ontologies:
            index._add(ontology, every_label)
        return index

    def _add(self, ontology: Ontology, every_label: bool) -> None:
        live = [each for each in ontology.concepts.values() if not each.deprecated]
        chosen = [(concept, _matchable(concept)) for concept in live]
        shouted = sum(label.text.isupper() for _, labels in chosen for label in labels)
        capitals_mean_something = shouted * 2 <= sum(len(labels) for _, labels in chosen)
        for concept, labels in chosen:
            for label in labels:
                capitals = label.text.isupper()
                if not every_label and not _long_enough(label.text, capitals):
                    continue
                found = MatchedConcept(
                    ontology.id, concept.iri, concept.curie, concept.label, label.kind
                )
                self._insert(
                    label.text, found, capitals and capitals_mean_something and not every_label
                )

    def _insert(self, label: str, concept: MatchedConcept, capitals: bool) -> None:
        words = label_words(label)
        if words is None:
            return
        node = self._root
        for step in words.steps:
            node = node.following.setdefault(step, _Node())
        entry = _Entry(concept, capitals, words.before, words.after)
        if not any(_same(entry, other) for other in node.entries):
            node.entries.append(entry)
            self.labels += 1

    def find(self, text: str) -> list[Match]:
        """Return all matches in order of start, the longest first; nested ones included."""
        found: list[tuple[int, int, tuple[MatchedConcept, ...]]] = []
        first = self._root.following
        if _NON_ASCII.search(text):
            for word in WORD.finditer(text):
                node = first.get(key(word.group()))
                if node is not None:
                    self._extend(text, word.start(), word.end(), node, found)
        else:
            lowered = text.lower()
            for word in WORD.finditer(lowered):
                node = first.get(word.group())
                if node is not None:
                    self._extend(text, word.start(), word.end(), node, found)
        return _with_display(found)

    def _extend(
        self,
        text: str,
        start: int,
        end: int,
        node: _Node,
        found: list[tuple[int, int, tuple[MatchedConcept, ...]]],
    ) -> None:
        """Walk on from the first word and note each label that ends on the way."""
        here: list[tuple[int, int, tuple[MatchedConcept, ...]]] = []
        while True:
            if node.entries:
                span = _accepted(text, start, end, node.entries)
                here.extend(span)
            if not node.following:
                break
            word = WORD.search(text, end)
            if word is None:
                break
            gap = gap_key(text[end : word.start()])
            if gap is None:
                break
            step = node.following.get(gap + key(word.group()))
            if step is None:
                break
            node, end = step, word.end()
        here.reverse()
        found.extend(here)


def _accepted(
    text: str, start: int, end: int, entries: Iterable[_Entry]
) -> list[tuple[int, int, tuple[MatchedConcept, ...]]]:
    """Return the spans that fit: one, or more where labels have marks before or after them."""
    spans: dict[tuple[int, int], list[MatchedConcept]] = {}
    for entry in entries:
        if entry.capitals and not text[start:end].isupper():
            continue
        left, right = start - len(entry.before), end + len(entry.after)
        if entry.before and (left < 0 or text[left:start] != entry.before):
            continue
        if entry.after and text[end:right] != entry.after:
            continue
        concepts = spans.setdefault((left, right), [])
        if all(other[:2] != entry.concept[:2] for other in concepts):
            concepts.append(entry.concept)
    return [(left, right, tuple(concepts)) for (left, right), concepts in spans.items()]


def _with_display(found: list[tuple[int, int, tuple[MatchedConcept, ...]]]) -> list[Match]:
    """Mark the longest of overlapping matches, the leftmost of equally long ones."""
    found.sort(key=lambda each: (each[0], -each[1]))
    matches: list[Match] = []
    cluster: list[tuple[int, int, tuple[MatchedConcept, ...]]] = []
    reach = -1
    for each in [*found, (len(found) and found[-1][1] + 1, 0, ())]:
        if cluster and (each[0] >= reach or not each[2]):
            matches.extend(_display_cluster(cluster))
            cluster = []
        cluster.append(each)
        reach = max(reach, each[1])
    return matches


def _display_cluster(
    cluster: list[tuple[int, int, tuple[MatchedConcept, ...]]],
) -> list[Match]:
    if len(cluster) == 1:
        start, end, concepts = cluster[0]
        return [Match(start, end, concepts, True)]
    kept: list[tuple[int, int]] = []
    for start, end, _ in sorted(cluster, key=lambda each: (each[0] - each[1], each[0])):
        if all(end <= left or start >= right for left, right in kept):
            kept.append((start, end))
    shown = set(kept)
    return [Match(start, end, concepts, (start, end) in shown) for start, end, concepts in cluster]


def _matchable(concept: Concept) -> list[Label]:
    """Return the labels of ``concept`` that a text in English may hold."""
    near = [each for each in concept.labels if each.language[:3] in ("", "en", "en-")]
    return near or list(concept.labels)


def _long_enough(label: str, capitals: bool) -> bool:
    letters = sum(char.isalnum() for char in label)
    if len(label) > MAX_LABEL_CHARACTERS or not any(char.isalpha() for char in label):
        return False
    return letters >= MIN_LETTERS or (letters == MIN_LETTERS - 1 and capitals)


def _same(entry: _Entry, other: _Entry) -> bool:
    """Tell whether both say the same; the kind met first (preferred before others) stays."""
    return entry.concept[:2] == other.concept[:2] and entry[1:] == other[1:]
