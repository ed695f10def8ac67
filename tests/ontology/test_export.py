"""What is written is read back as it was."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from ontology.errors import OntologyError
from ontology.export import SYNTAXES, export
from ontology.load import load, loads
from ontology.model import Ontology
from tests.ontology.test_obo import FILE
from tests.ontology.vocabularies import OWL_XML, SKOS_TURTLE


def facts(ontology: Ontology) -> dict[str, object]:
    return {
        concept.iri: {
            key: sorted(map(str, value)) if isinstance(value, tuple) else value
            for key, value in asdict(concept).items()
        }
        for concept in ontology.concepts.values()
    }


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("source", [SKOS_TURTLE, OWL_XML, FILE], ids=["skos", "owl", "obo"])
def test_every_syntax_keeps_every_fact(source: str, syntax: str) -> None:
    if syntax == "owl-functional":
        pytest.importorskip("pyhornedowl")
    ontology = loads(source.encode(), id="x")
    again = loads(export(ontology, syntax).encode(), id="x")
    before, after = facts(ontology), facts(again)
    if syntax == "n-triples":
        for each in (*before.values(), *after.values()):
            each.pop("curie")  # type: ignore[attr-defined]
    assert after == before
    assert (again.format, again.title, again.version) == (syntax, ontology.title, ontology.version)


def test_functional_syntax_has_one_axiom_a_line() -> None:
    lines = export(loads(OWL_XML.encode(), id="x"), "owl-functional").splitlines()
    assert 'AnnotationAssertion(rdfs:label obo:DEMO_0000002 "shortness of breath")' in lines
    assert "SubClassOf(obo:DEMO_0000002 obo:DEMO_0000001)" in lines


def test_an_unknown_syntax_is_refused() -> None:
    with pytest.raises(OntologyError, match="expected one of turtle"):
        export(loads(OWL_XML.encode(), id="x"), "word")


@pytest.mark.eval
@pytest.mark.parametrize("name", ["symp/symp.obo", "go/go-nucleus.obo", "fish/FWW_20190718.rdf"])
def test_real_vocabularies_come_back_whole(evaluation_data: Path, name: str) -> None:
    pytest.importorskip("pyhornedowl")
    ontology = load(evaluation_data / "ontologies" / name, id="x")
    for syntax in ("turtle", "owl-functional"):
        assert facts(loads(export(ontology, syntax).encode(), id="x")) == facts(ontology)
