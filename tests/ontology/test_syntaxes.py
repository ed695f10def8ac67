"""OWL syntaxes, OBO Graphs and SKOS-XL: each brought to the same concepts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ontology.errors import OntologyError
from ontology.load import load, loads
from ontology.load.owl import parse_owl
from ontology.model import Label, Ontology

OBO = "http://purl.obolibrary.org/obo/"

FUNCTIONAL = """
Prefix(:=<https://example.org/a#>)
Prefix(obo:=<http://purl.obolibrary.org/obo/>)
Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Prefix(oboInOwl:=<http://www.geneontology.org/formats/oboInOwl#>)
Ontology(<https://example.org/a>
Declaration(Class(obo:A_1)) Declaration(Class(obo:A_2)) Declaration(Class(obo:A_3))
Declaration(ObjectProperty(:part))
AnnotationAssertion(rdfs:label obo:A_1 "top")
AnnotationAssertion(rdfs:label obo:A_2 "low"@en)
AnnotationAssertion(Annotation(oboInOwl:hasSynonymType :abbreviation)
  oboInOwl:hasExactSynonym obo:A_2 "LW")
AnnotationAssertion(rdfs:label obo:A_3 "gone")
AnnotationAssertion(owl:deprecated obo:A_3 "true"^^<http://www.w3.org/2001/XMLSchema#boolean>)
EquivalentClasses(obo:A_2 ObjectIntersectionOf(obo:A_1 ObjectSomeValuesFrom(:part obo:A_3)))
DisjointClasses(obo:A_1 obo:A_3)
)
"""

OWL_XML = """<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="https://example.org/a">
  <Prefix name="obo" IRI="http://purl.obolibrary.org/obo/"/>
  <Prefix name="rdfs" IRI="http://www.w3.org/2000/01/rdf-schema#"/>
  <Declaration><Class abbreviatedIRI="obo:A_1"/></Declaration>
  <Declaration><Class abbreviatedIRI="obo:A_2"/></Declaration>
  <SubClassOf><Class abbreviatedIRI="obo:A_2"/><Class abbreviatedIRI="obo:A_1"/></SubClassOf>
  <AnnotationAssertion><AnnotationProperty abbreviatedIRI="rdfs:label"/>
    <AbbreviatedIRI>obo:A_2</AbbreviatedIRI><Literal xml:lang="en">low</Literal>
  </AnnotationAssertion>
</Ontology>
"""

MANCHESTER = """
Prefix: obo: <http://purl.obolibrary.org/obo/>
Prefix: rdfs: <http://www.w3.org/2000/01/rdf-schema#>
Ontology: <https://example.org/a>
AnnotationProperty: rdfs:label
Class: obo:A_1
    Annotations: rdfs:label "top"
Class: obo:A_2
    Annotations: rdfs:label "low"@en
    SubClassOf: obo:A_1
"""


def test_functional_syntax_gives_labels_types_genus_and_disjointness() -> None:
    pytest.importorskip("pyhornedowl")
    found = loads(FUNCTIONAL.encode(), id="a")
    low = found.concepts[f"{OBO}A_2"]
    assert (found.format, found.iri) == ("owl-functional", "https://example.org/a")
    assert set(low.labels) == {Label("low", "en", "pref"), Label("LW", "", "exact", "abbreviation")}
    assert low.broader == (f"{OBO}A_1",)
    assert found.concepts[f"{OBO}A_3"].deprecated
    assert found.concepts[f"{OBO}A_1"].disjoint == (f"{OBO}A_3",)


@pytest.mark.parametrize(("text", "format"), [(OWL_XML, "owl-xml"), (MANCHESTER, "manchester")])
def test_the_other_owl_syntaxes(text: str, format: str) -> None:
    pytest.importorskip("pyhornedowl")
    found = loads(text.encode(), id="a")
    low = found.concepts[f"{OBO}A_2"]
    assert (found.format, low.label, low.broader, low.curie) == (
        format,
        "low",
        (f"{OBO}A_1",),
        "A:2",
    )


@pytest.mark.parametrize("text", [FUNCTIONAL[:-60], OWL_XML[:-40]])
def test_a_cut_owl_file_is_said_to_be_broken(text: str) -> None:
    pytest.importorskip("pyhornedowl")
    with pytest.raises(OntologyError, match="cut short"):
        loads(text.encode(), id="a")


def test_deep_class_expressions_are_refused() -> None:
    pytest.importorskip("pyhornedowl")
    with pytest.raises(OntologyError, match="deep"):
        loads(("Ontology(" + "ObjectIntersectionOf(" * 50_000).encode(), id="a")


def test_a_file_too_large_for_the_parser_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontology.load.owl.MAX_BYTES", 100)
    with pytest.raises(OntologyError, match="at most 100"):
        parse_owl(FUNCTIONAL.encode(), "owl-functional", name="a.ofn")


def test_a_missing_extra_is_named_with_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyhornedowl", None)
    with pytest.raises(OntologyError, match=r"pip install 'florilegium\[owl\]'") as caught:
        loads(FUNCTIONAL.encode(), id="a")
    assert caught.value.exit_code == 78


GRAPHS = {
    "graphs": [
        {
            "id": "http://purl.obolibrary.org/obo/a.owl",
            "meta": {"version": "http://purl.obolibrary.org/obo/a/2026/a.owl"},
            "nodes": [
                {"id": f"{OBO}A_1", "lbl": "top", "type": "CLASS"},
                {
                    "id": f"{OBO}A_2",
                    "lbl": "low",
                    "type": "CLASS",
                    "meta": {
                        "definition": {"val": "Under it."},
                        "synonyms": [
                            {"pred": "hasExactSynonym", "val": "LW", "synonymType": f"{OBO}a#abbr"}
                        ],
                        "xrefs": [{"val": "MESH:1"}],
                        "deprecated": True,
                        "basicPropertyValues": [{"pred": f"{OBO}IAO_0100001", "val": "A:1"}],
                    },
                },
                {"id": f"{OBO}part_of", "lbl": "part of", "type": "PROPERTY"},
                {"lbl": "nameless"},
            ],
            "edges": [{"sub": f"{OBO}A_2", "pred": "is_a", "obj": f"{OBO}A_1"}, {"sub": 1}],
        }
    ]
}


def test_obo_graphs_give_the_same_as_obo() -> None:
    found = loads(json.dumps(GRAPHS).encode(), id="a")
    low = found.concepts[f"{OBO}A_2"]
    assert (found.format, len(found.concepts)) == ("obo-graphs", 2)
    assert set(low.labels) == {Label("low", "", "pref"), Label("LW", "", "exact", "abbr")}
    assert (low.definition, low.xrefs, low.broader) == ("Under it.", ("MESH:1",), (f"{OBO}A_1",))
    assert (low.deprecated, low.replaced_by) == (True, (f"{OBO}A_1",))
    assert found.problems == ("node 4 has no id", "edge 2 has no sub, pred or obj")


def test_skos_xl_labels_are_labels() -> None:
    text = """@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <urn:x:> .
    @prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
    :a a s:Concept ; xl:prefLabel [ xl:literalForm "mill"@en ] ; xl:altLabel :l .
    :l a xl:Label ; xl:literalForm "watermill"@en ."""
    concept = loads(text.encode(), id="x").concepts["urn:x:a"]
    assert set(concept.labels) == {Label("mill", "en", "pref"), Label("watermill", "en", "alt")}


def test_notes_examples_notations_and_matches_are_kept() -> None:
    text = """@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <urn:x:> .
    :a a s:Concept ; s:prefLabel "mill" ; s:notation "A1", "B2" ; s:example "a wind mill" ;
       s:scopeNote "Buildings." ; s:exactMatch <urn:y:mill> ; s:related :b .
    :b a s:Concept ; s:prefLabel "miller" ."""
    found = loads(text.encode(), id="x").concepts
    mill = found["urn:x:a"]
    assert (mill.notation, mill.notations) == ("A1", ("A1", "B2"))
    assert (mill.examples, mill.notes, mill.xrefs) == (
        ("a wind mill",),
        ("Buildings.",),
        ("urn:y:mill",),
    )
    assert found["urn:x:b"].related == ("urn:x:a",)


@pytest.mark.eval
@pytest.mark.parametrize(
    "names",
    [
        ("symp/symp.owl", "symp/symp-edit.ofn.owl", "symp/symp.obo"),
        ("go/go-nucleus.owl", "go/go-nucleus.ofn", "go/go-nucleus.obo"),
    ],
)
def test_three_syntaxes_give_the_same_concepts(
    evaluation_data: Path, names: tuple[str, ...]
) -> None:
    pytest.importorskip("pyhornedowl")
    one, two, three = (
        _facts(load(evaluation_data / "ontologies" / name, id="x")) for name in names
    )
    assert one == two
    assert one == three


def _facts(ontology: Ontology) -> dict[str, object]:
    return {
        each.iri: (
            each.label,
            frozenset((label.text, label.language, label.kind) for label in each.labels),
            frozenset(each.broader),
            each.deprecated,
            frozenset(each.replaced_by),
            each.definition,
        )
        for each in ontology.concepts.values()
    }
