"""A vocabulary as triples again: what loading keeps, in the terms of its source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from ontology.load.triples import Node, Text, Triple
from ontology.model import Concept, Ontology
from ontology.vocab import BIBO, DCT, OBO, OIO, OWL, RDF, RDFS, SKOS

_SCOPES = {
    kind: f"{OIO}has{kind.title()}Synonym" for kind in ("exact", "narrow", "broad", "related")
}


def facts(ontology: Ontology) -> Iterator[Triple]:
    """Yield the ontology's own description, then each concept's triples.

    A class's preferred labels are ``rdfs:label``, its notes those of OBO; a concept's are SKOS.
    Synonym types are annotations of the synonym (``owl:Axiom``).
    """
    classes = any(concept.kind == "class" for concept in ontology.concepts.values())
    head = Node(ontology.iri or f"urn:florilegium:{ontology.id}", True)
    yield head, f"{RDF}type", Node(f"{OWL}Ontology" if classes else f"{SKOS}ConceptScheme", True)
    yield head, f"{DCT}title", Text(ontology.title, "")
    if ontology.version:
        yield head, f"{OWL}versionInfo", Text(ontology.version, "")
    if ontology.licence:
        is_iri = (
            ontology.licence.startswith(("http://", "https://")) and " " not in ontology.licence
        )
        licence = Node(ontology.licence, True) if is_iri else Text(ontology.licence, "")
        yield head, f"{DCT}license", licence
    axioms = count(1)
    for concept in ontology.concepts.values():
        yield from concept_facts(concept, axioms)


def concept_facts(concept: Concept, axioms: Iterator[int]) -> Iterator[Triple]:
    """Yield the triples of one concept; ``axioms`` numbers blank nodes."""
    subject, is_class = Node(concept.iri, True), concept.kind == "class"
    yield subject, f"{RDF}type", Node(f"{OWL}Class" if is_class else f"{SKOS}Concept", True)
    for label in concept.labels:
        predicate = _SCOPES.get(label.kind, f"{SKOS}{label.kind}Label")
        if label.kind == "pref" and is_class:
            predicate = f"{RDFS}label"
        text = Text(label.text, label.language)
        yield subject, predicate, text
        if label.type:
            axiom = Node(f"axiom{next(axioms)}", False)
            yield axiom, f"{RDF}type", Node(f"{OWL}Axiom", True)
            yield axiom, f"{OWL}annotatedSource", subject
            yield axiom, f"{OWL}annotatedProperty", Node(predicate, True)
            yield axiom, f"{OWL}annotatedTarget", text
            yield axiom, f"{OIO}hasSynonymType", Node(f"{OBO}synonym#{label.type}", True)
    if concept.definition:
        definition = f"{OBO}IAO_0000115" if is_class else f"{SKOS}definition"
        yield subject, definition, Text(concept.definition, "")
    for predicate, texts in (
        (f"{SKOS}notation", concept.notations),
        (f"{OBO}IAO_0000112" if is_class else f"{SKOS}example", concept.examples),
        (f"{SKOS}scopeNote", concept.notes),
    ):
        for value in texts:
            yield subject, predicate, Text(value, "")
    for value in concept.xrefs:
        if value.startswith(("http://", "https://")) and not is_class:
            yield subject, f"{SKOS}exactMatch", Node(value, True)
        else:
            yield subject, f"{OIO}hasDbXref", Text(value, "")
    for predicate, others in (
        (f"{RDFS}subClassOf" if is_class else f"{SKOS}broader", concept.broader),
        (f"{SKOS}related", concept.related),
        (f"{OWL}disjointWith", concept.disjoint),
        (f"{OBO}IAO_0100001" if is_class else f"{DCT}isReplacedBy", concept.replaced_by),
    ):
        for other in others:
            yield subject, predicate, Node(other, True)
    if concept.deprecated:
        yield subject, f"{OWL}deprecated", Text("true", "")
    if concept.status:
        status = f"{OBO}IAO_0000114" if is_class else f"{BIBO}status"
        yield subject, status, Text(concept.status, "")
