"""A proposal is SKOS that loads, with every term a draft; a stated status is kept throughout."""

from __future__ import annotations

import pytest

from ontology.export import SYNTAXES, export
from ontology.load import loads
from ontology.proposal import Proposed, Quoted, to_turtle

TERM = Proposed(
    label='floating "bus" stop',
    alternatives=("floating bus stops",),
    score=5.17,
    count=2,
    documents=1,
    broader=("https://example.org/stop",),
    quotes=(Quoted("streets/a.csv#1", 4, 21, "the floating bus stop\nnear us"),),
)


def test_a_proposal_loads_as_drafts_with_their_evidence() -> None:
    text = to_turtle([TERM], title="Terms", base="urn:x:terms")
    assert text.count("bibo:status bibo:status\\/draft") == 2
    ontology = loads(text.encode(), id="p")
    (concept,) = ontology.concepts.values()
    assert ontology.title == "Terms"
    assert (concept.label, concept.status) == (TERM.label, "draft")
    assert [label.text for label in concept.labels] == [TERM.label, *TERM.alternatives]
    assert "2 times in 1 document; C-value 5.17" in " ".join(concept.notes)
    assert concept.examples == (
        "the floating bus stop near us (streets/a.csv#1, characters 4 to 21)",
    )


def test_a_proposal_is_the_same_each_time() -> None:
    made = [to_turtle([TERM], title="Terms", base="urn:x:terms") for _ in range(2)]
    assert made[0] == made[1]


STATED = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix adms: <http://www.w3.org/ns/adms#> .
@prefix vs: <http://www.w3.org/2003/06/sw-vocab-status/ns#> .
@prefix : <https://example.org/> .
:a a skos:Concept ; skos:prefLabel "a" ; adms:status <https://example.org/status/Completed> .
:b a owl:Class ; rdfs:label "b" ; vs:term_status "testing" .
:c a skos:Concept ; skos:prefLabel "c" .
"""


@pytest.mark.parametrize("syntax", [None, *SYNTAXES])
def test_a_stated_review_status_is_read_and_written(syntax: str | None) -> None:
    if syntax == "owl-functional":
        pytest.importorskip("pyhornedowl")
    ontology = loads(STATED.encode(), id="x")
    if syntax:
        ontology = loads(export(ontology, syntax).encode(), id="x")
    found = {concept.label: concept.status for concept in ontology.concepts.values()}
    assert found == {"a": "Completed", "b": "testing", "c": ""}
