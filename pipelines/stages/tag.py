"""Ontology tags: every occurrence of every label, as the index finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from ontology.index import Match
from pipelines.types import Tag

METHOD = "label"
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

    def find(self, text: str) -> Sequence[Match]:
        """Return the matches of ``text``."""


def tag(text: str, index: ConceptIndex) -> tuple[Tag, ...]:
    """Return one tag for every concept of every match, by start, longest first, then concept.

    Where two labels of one concept match the same words, the better kind counts. The attributes of
    an assertion (negated, possible …) are not assessed here: ``None``.
    """
    tags: dict[tuple[int, int, str, str], Tag] = {}
    for match in index.find(text):
        for concept in match.concepts:
            key = (match.start, -match.end, concept.ontology, concept.iri)
            score = KIND_SCORES[concept.kind]
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
                method=METHOD,
                ontology=concept.ontology,
                displayed=match.displayed,
            )
    return tuple(tags[key] for key in sorted(tags))
