"""A vocabulary of the workspace, opened to be looked through: names, hierarchy, top concepts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from db.rows import OntologyRow
    from ontology.model import Concept, Ontology


class Hit(NamedTuple):
    """A concept found by one of its names."""

    concept: Concept
    name: str
    """The name that fits: a label, the CURIE, the IRI or a notation."""


@dataclass(frozen=True)
class Vocabulary:
    """An ontology with its row in the store and its concepts by what is above them."""

    row: OntologyRow
    ontology: Ontology

    @cached_property
    def narrower(self) -> Mapping[str, tuple[str, ...]]:
        """The direct narrower concepts of each concept that has any."""
        from ontology.hierarchy import narrower

        return narrower(self.ontology)

    @cached_property
    def tops(self) -> tuple[Concept, ...]:
        """The concepts with nothing above them in the ontology, by label; deprecated ones aside."""
        inside = self.ontology.concepts
        found = [
            concept
            for concept in inside.values()
            if not concept.deprecated and not any(up in inside for up in concept.broader)
        ]
        return tuple(sorted(found, key=_order))

    def below(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the concepts right below one, by label; deprecated ones last."""
        inside = self.ontology.concepts
        return tuple(
            sorted((inside[iri] for iri in self.narrower.get(concept.iri, ())), key=_order)
        )

    @cached_property
    def _names(self) -> tuple[tuple[str, str, str], ...]:
        """(Folded name, name, IRI) of every name of every concept."""
        return tuple(
            (name.casefold(), name, concept.iri)
            for concept in self.ontology.concepts.values()
            for name in dict.fromkeys(_names_of(concept))
        )

    def named(self, wanted: str) -> list[Hit]:
        """Return the concepts that ``wanted`` is a name of, the better kind of name first.

        An IRI or a CURIE has to agree to the letter, any other name but for its case.
        """
        folded = wanted.casefold()
        hits = [
            Hit(self.ontology.concepts[iri], name)
            for known, name, iri in self._names
            if known == folded
        ]
        return sorted(hits, key=lambda hit: (_rank(hit, wanted), *_order(hit.concept)))

    def search(self, words: str) -> list[Hit]:
        """Return the concepts that have all ``words`` in one of their names, best first.

        A whole name goes before a beginning, and that before the rest; a preferred label before
        other names, and then the shorter name.
        """
        parts = words.casefold().split()
        best: dict[str, tuple[tuple[int, bool, int, str], Hit]] = {}
        if not parts:
            return []
        joined = " ".join(parts)
        for folded, name, iri in self._names:
            if not all(part in folded for part in parts):
                continue
            kind = 0 if folded == joined else 1 if folded.startswith(joined) else 2
            concept = self.ontology.concepts[iri]
            weight = (kind, name != concept.label, len(name), folded)
            if iri not in best or weight < best[iri][0]:
                best[iri] = (weight, Hit(concept, name))
        found = sorted(best.values(), key=lambda each: (each[1].concept.deprecated, each[0]))
        return [hit for _, hit in found]


def _names_of(concept: Concept) -> Iterator[str]:
    yield concept.label
    for label in concept.labels:
        yield label.text
    yield from (concept.curie, concept.iri, *concept.notations)


def _rank(hit: Hit, wanted: str) -> int:
    concept = hit.concept
    if wanted in (concept.iri, concept.curie):
        return 0
    if hit.name == concept.label:
        return 1
    kinds = [label.kind for label in concept.labels if label.text == hit.name]
    return 2 if "pref" in kinds else 3


def _order(concept: Concept) -> tuple[bool, str, str]:
    return concept.deprecated, concept.label.casefold(), concept.iri
