"""Every occurrence of every label in a text, from a compiled index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ontology.index.compile import compile_index
from ontology.index.display import with_display
from ontology.index.grade import grade
from ontology.index.layout import ANCHORS, BEGINS, InvalidIndex, map_file
from ontology.index.near import NearWords
from ontology.index.order import bag_spans
from ontology.index.reader import Reader
from ontology.index.types import ABBREVIATION, ONLY_LABELS, Match, MatchedConcept, Mechanisms, Span
from ontology.index.variants import Variant, variants_of
from ontology.index.words import POSSESSIVE, Words, blocks, cut
from ontology.model import Ontology
from ontology.tokens import gap_key

_KEPT = 1 << 18
NEAREST = 0.04
LOOSE_KINDS = {"related": 0.8, "broad": 0.8}
"""A concept whose label is so much further from the words than another's is not named by them."""


class Hit(NamedTuple):
    """A label found in words: the first and last of them, what it names, and how."""

    first: int
    last: int
    concept: MatchedConcept
    method: str
    score: float
    before: str
    after: str


class LabelIndex:
    """Find every occurrence of every label, with word boundaries on both sides.

    Which labels are looked for is decided by ``ontology.index.selection``, in which forms by the
    ``Mechanisms`` of a search. The index is bytes in memory or a mapped file, read in place.
    """

    def __init__(self, data: bytes | memoryview) -> None:
        self.reader = Reader(data)
        self.labels = self.reader.labels
        """How many forms of labels can be matched."""
        self.size = len(data)
        """Bytes of the compiled form."""
        self.near = NearWords(self.reader)
        self._graded: dict[Mechanisms, dict[tuple[int, tuple[str, ...]], tuple[Hit, ...]]] = {}

    @classmethod
    def build(cls, ontologies: Sequence[Ontology], *, every_label: bool = False) -> LabelIndex:
        """Return the index of all the ontologies' labels.

        With ``every_label`` short ones and those without a letter are matched too, and any case
        matches any: somebody asked for these very words.
        """
        return cls(compile_index(ontologies, every_label=every_label))

    @classmethod
    def open(cls, path: Path) -> LabelIndex:
        """Map the compiled index in ``path``; raises InvalidIndex or OSError."""
        return cls(map_file(path))

    def find(
        self,
        text: str,
        mechanisms: Mechanisms = ONLY_LABELS,
        *,
        short_forms: Mapping[str, str] | None = None,
    ) -> list[Match]:
        """Return all matches in order of start, the longest first; nested ones included.

        ``short_forms`` are abbreviations that the text defines, with what they stand for. Of
        several ways in which the same words name the same concept the nearest counts.
        """
        found: dict[tuple[int, int], dict[tuple[str, str], tuple[float, str, MatchedConcept]]] = {}
        for at, block in blocks(text):
            words = cut(block, at, self.reader.tokens)
            for start, end, hit in self._search(text, words, mechanisms, short_forms or {}):
                if short_forms and hit.method != ABBREVIATION and text[start:end] in short_forms:
                    continue
                here = found.setdefault((start, end), {})
                name = hit.concept[:2]
                if name not in here or here[name][0] < hit.score:
                    here[name] = (hit.score, hit.method, hit.concept)
        return with_display(list(_spans(found)))

    def gloss(self, ontology: str, iri: str) -> str:
        """Return the words that tell a concept found before from others."""
        return self.reader.gloss(ontology, iri)

    def concepts(self) -> Iterator[MatchedConcept]:
        """Yield every concept that has a label."""
        return self.reader.concepts()

    def _search(
        self, text: str, words: Words, mechanisms: Mechanisms, short_forms: Mapping[str, str]
    ) -> Iterator[tuple[int, int, Hit]]:
        for hit in self._scan(words, mechanisms):
            start, end = words.starts[hit.first], words.ends[hit.last]
            if hit.before or hit.after:
                left, right = start - len(hit.before), end + len(hit.after)
                if (
                    left < 0
                    or text[left:start] != hit.before
                    or text[end:right].replace("\u2019", "'") != hit.after
                ):
                    continue
                start, end = left, right
            yield start, end, hit
        for variant in variants_of(words, mechanisms, short_forms, self.reader, self.near):
            yield from self._search_variant(variant, mechanisms)

    def _search_variant(
        self, variant: Variant, mechanisms: Mechanisms
    ) -> Iterator[tuple[int, int, Hit]]:
        words = variant.words
        for hit in self._scan(words, mechanisms):
            if hit.before or hit.after or not variant.covers(hit.first, hit.last):
                continue
            yield (
                words.starts[hit.first],
                words.ends[hit.last],
                hit._replace(method=variant.method, score=hit.score * variant.score),
            )

    def _scan(self, words: Words, mechanisms: Mechanisms) -> Iterator[Hit]:
        """Yield what the words name, in their order and in any other."""
        reader, use = self.reader, self.reader.use
        graded = self._graded.setdefault(mechanisms, {})
        if len(graded) > _KEPT:
            graded.clear()
        for place, token in [each for each in enumerate(words.tokens) if each[1] >= 0]:
            begins = use[token]
            if begins & BEGINS:
                yield from self._walk(words, place, token, mechanisms, graded)
            if begins & ANCHORS and mechanisms.order:
                for first, last, entry, method, score in bag_spans(
                    reader, words, place, token, mechanisms
                ):
                    if entry.before or entry.after:
                        continue
                    if entry.capitals and not all_capitals(words.forms[first : last + 1]):
                        continue
                    yield Hit(first, last, entry.concept, method, score, "", "")

    def _walk(
        self,
        words: Words,
        place: int,
        token: int,
        mechanisms: Mechanisms,
        graded: dict[tuple[int, tuple[str, ...]], tuple[Hit, ...]],
    ) -> Iterator[Hit]:
        """Walk on from the first word and yield each label that ends on the way."""
        reader = self.reader
        node, last, count = reader.step(0, token), place, len(words)
        while node:
            if reader.has_entries(node):
                forms = tuple(words.forms[place : last + 1])
                hits = graded.get((node, forms))
                if hits is None:
                    hits = graded[node, forms] = tuple(self._graded_hits(node, forms, mechanisms))
                for hit in hits:
                    yield hit._replace(first=place, last=last)
            last += 1
            if last >= count or reader.is_leaf(node):
                break
            kind = words.kinds[last]
            if kind <= POSSESSIVE:
                token = words.tokens[last]
            else:
                gap = gap_key(words.gaps[last]) if words.gaps[last] else None
                token = reader.literal(gap, words.forms[last]) if gap is not None else -1
            node = reader.step(node, token) if token >= 0 else 0

    def _graded_hits(
        self, node: int, forms: tuple[str, ...], mechanisms: Mechanisms
    ) -> Iterator[Hit]:
        """Yield what these words name at ``node``, each concept once, by its nearest label."""
        best: dict[tuple[str, str, str, str], Hit] = {}
        for entry in self.reader.entries(node):
            if entry.capitals and not all_capitals(forms):
                continue
            graded = grade(self.reader, forms, entry, mechanisms)
            if graded is None:
                continue
            name = (*entry.concept[:2], entry.before, entry.after)
            if name not in best or best[name].score < graded[1]:
                best[name] = Hit(0, 0, entry.concept, *graded, entry.before, entry.after)
        yield from best.values()


def all_capitals(forms: Sequence[str]) -> bool:
    """Tell whether words are written in capitals (and digits), a plural "s" aside."""
    return "".join(form[:-1] if form[-1] == "s" else form for form in forms).isupper()


def _worth(score: float, method: str, concept: MatchedConcept) -> float:
    """Return how near a label is, one that names only something near its concept as further."""
    return score * LOOSE_KINDS.get(concept.kind, 1.0)


def _spans(
    found: Mapping[tuple[int, int], Mapping[tuple[str, str], tuple[float, str, MatchedConcept]]],
) -> Iterator[Span]:
    """Yield what was found, a span for each method and score at the same place.

    Of concepts that the same words may name only those with the nearest label are kept.
    """
    for (start, end), here in found.items():
        groups: dict[tuple[float, str], list[MatchedConcept]] = {}
        least = max(_worth(*each) for each in here.values()) - NEAREST
        for score, method, concept in here.values():
            if _worth(score, method, concept) < least:
                continue
            groups.setdefault((score, method), []).append(concept)
        for (score, method), concepts in sorted(groups.items(), key=lambda each: -each[0][0]):
            yield Span(start, end, tuple(concepts), method, score)


__all__ = ["InvalidIndex", "LabelIndex"]
