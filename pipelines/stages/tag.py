"""Ontology tags: every label that an index finds in a text, by whatever mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from ontology.index import Match, MatchedConcept, Mechanisms
from pipelines.recipes.tagging import TagParameters
from pipelines.stages.matching.abbreviations import definitions
from pipelines.types import Tag

# How much a kind of label says about the concept it names: SKOS labels, then OBO synonym scopes.
KIND_SCORES: Mapping[str, float] = {
    "pref": 1.0,
    "alt": 0.9,
    "exact": 0.9,
    "hidden": 0.8,
    "narrow": 0.8,
    "broad": 0.7,
    "related": 0.7,
}


class ConceptIndex(Protocol):
    """Finds labels in a text; ``ontology.index.LabelIndex`` is one."""

    def find(
        self, text: str, mechanisms: Mechanisms, *, short_forms: Mapping[str, str] | None = None
    ) -> Sequence[Match]:
        """Return the matches of ``text``."""

    def gloss(self, ontology: str, iri: str) -> str:
        """Return the words that tell a concept from others: label, definition, neighbours."""

    def concepts(self) -> Iterable[MatchedConcept]:
        """Return every concept that has a label."""


def tag(text: str, index: ConceptIndex, parameters: TagParameters | None = None) -> tuple[Tag, ...]:
    """Return one tag for every concept of every match, by start, longest first, then concept.

    ``method`` names the mechanism; ``score`` is that of the kind of label times how near its words
    are. Where two labels of one concept match the same words, the better counts. The attributes of
    an assertion (negated, possible …) are not assessed here: ``None``.
    """
    parameters = parameters or TagParameters()
    short_forms = definitions(text) if parameters.abbreviation else None
    tags: dict[tuple[int, int, str, str], Tag] = {}
    for match in index.find(text, parameters.mechanisms(), short_forms=short_forms):
        for concept in match.concepts:
            key = (match.start, -match.end, concept.ontology, concept.iri)
            score = round(KIND_SCORES[concept.kind] * match.score, 4)
            if key in tags and tags[key].score >= score:
                continue
            tags[key] = Tag(
                iri=concept.iri,
                curie=concept.curie,
                label=concept.label,
                start=match.start,
                end=match.end,
                text=text[match.start : match.end],
                score=score,
                method=match.method,
                ontology=concept.ontology,
                displayed=match.displayed,
            )
    return tuple(tags[key] for key in sorted(tags))
