"""Write vocabularies: Turtle, RDF/XML, JSON-LD, N-Triples and OWL functional syntax."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ontology.errors import OntologyError
from ontology.export.facts import facts
from ontology.export.functional import concept_axioms, prefixes, to_functional
from ontology.load.triples import Node, Text
from ontology.model import Ontology
from ontology.vocab import OWL, XSD

if TYPE_CHECKING:
    import pyoxigraph as ox

SYNTAXES = ("turtle", "rdf-xml", "json-ld", "n-triples", "owl-functional")


def export(ontology: Ontology, syntax: str) -> str:
    """Return ``ontology`` in ``syntax``, one of ``SYNTAXES``, as loading reads it back.

    What loading leaves aside (restrictions, individuals, further annotations) is not written.
    """
    if syntax == "owl-functional":
        return to_functional(ontology)
    return _rdf(ontology, syntax)


def _rdf(ontology: Ontology, syntax: str) -> str:
    import pyoxigraph as ox

    formats = {
        "turtle": ox.RdfFormat.TURTLE,
        "rdf-xml": ox.RdfFormat.RDF_XML,
        "json-ld": ox.RdfFormat.JSON_LD,
        "n-triples": ox.RdfFormat.N_TRIPLES,
    }
    if syntax not in formats:
        raise OntologyError(
            f"{syntax!r} is no syntax to write; expected one of {', '.join(SYNTAXES)}. "
            "Try: florilegium ontology export ID --format turtle"
        )
    try:
        written = ox.serialize(
            _triples(ontology),
            format=formats[syntax],
            prefixes=None if syntax == "n-triples" else prefixes(ontology),
        )
    except ValueError as error:
        raise OntologyError(
            f"{ontology.id!r} cannot be written as {syntax}: {error}; expected IRIs and language "
            "tags that RDF allows. Correct them in the vocabulary and add it again"
        ) from error
    assert written is not None
    return _with_context(written, ontology) if syntax == "json-ld" else written.decode()


def _with_context(written: bytes, ontology: Ontology) -> str:
    """Return JSON-LD with the prefixes in a context, where they change no IRI."""
    document = json.loads(written)
    schemes = {iri.partition(":")[0] for iri in ontology.concepts} | {"http", "https", "urn"}
    context = {name: iri for name, iri in prefixes(ontology).items() if name not in schemes}
    graph = document if isinstance(document, list) else document.get("@graph", [document])
    return json.dumps({"@context": context, "@graph": graph}, ensure_ascii=False, indent=1) + "\n"


def _triples(ontology: Ontology) -> Iterator[ox.Triple]:
    import pyoxigraph as ox

    def node(value: Node) -> ox.NamedNode | ox.BlankNode:
        return ox.NamedNode(value.value) if value.is_iri else ox.BlankNode(value.value)

    def term(predicate: str, value: Node | Text) -> ox.NamedNode | ox.BlankNode | ox.Literal:
        if isinstance(value, Node):
            return node(value)
        if predicate == f"{OWL}deprecated":
            return ox.Literal(value.value, datatype=ox.NamedNode(f"{XSD}boolean"))
        return ox.Literal(value.value, language=value.language or None)

    for subject, predicate, value in facts(ontology):
        yield ox.Triple(node(subject), ox.NamedNode(predicate), term(predicate, value))


__all__ = ["SYNTAXES", "concept_axioms", "export"]
