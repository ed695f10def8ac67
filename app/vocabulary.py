"""A vocabulary of the workspace, opened to be looked through: names, hierarchy, top concepts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from db.rows import OntologyRow
    from ontology.concept_file import ConceptFile
    from ontology.model import Concept, Ontology


class Hit(NamedTuple):
    """A concept found by one of its names."""

    concept: Concept
    name: str
    """The name that fits: a label, the CURIE, the IRI or a notation."""


@dataclass(frozen=True)
class Vocabulary:
    """A registered ontology, its concepts read from the file that is kept of them."""

    row: OntologyRow
    concepts: ConceptFile

    @property
    def ontology(self) -> Ontology:
        """The ontology; its concepts are read when asked for."""
        return self.concepts.ontology

    @cached_property
    def tops(self) -> tuple[Concept, ...]:
        """The concepts with nothing above them in the ontology, by label; deprecated ones aside."""
        return tuple(sorted(self.concepts.tops(), key=_order))

    def below(self, concept: Concept) -> tuple[Concept, ...]:
        """Return the concepts right below one, by label; deprecated ones last."""
        return tuple(sorted(self.concepts.below(concept.iri), key=_order))

    def named(self, wanted: str) -> list[Hit]:
        """Return the concepts that ``wanted`` is a name of, the better kind of name first.

        An IRI or a CURIE has to agree to the letter, any other name but for its case.
        """
        found = self.concepts.named(wanted)
        hits = [Hit(self.concepts.at(each.number), each.name) for each in found]
        return sorted(hits, key=lambda hit: (_rank(hit, wanted), *_order(hit.concept)))

    def search(self, words: str) -> list[Hit]:
        """Return the concepts that have all ``words`` in one of their names, best first.

        A whole name goes before a beginning, and that before the rest; a preferred label before
        other names, and then the shorter name.
        """
        parts = words.casefold().split()
        best: dict[int, tuple[tuple[bool, int, bool, int, str], str]] = {}
        if not parts:
            return []
        joined = " ".join(parts)
        for each in self.concepts.containing(parts):
            folded = each.name.casefold()
            kind = 0 if folded == joined else 1 if folded.startswith(joined) else 2
            other = each.name != each.label
            weight = (each.deprecated, kind, other, len(each.name), folded)
            if each.number not in best or weight < best[each.number][0]:
                best[each.number] = (weight, each.name)
        found = sorted(best.items(), key=lambda item: item[1][0])
        return [Hit(self.concepts.at(number), name) for number, (_, name) in found]


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
