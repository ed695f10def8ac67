"""Vocabulary files in, plain concepts out; broken and dangerous ones refused."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from ontology.errors import OntologyError
from ontology.load import MAX_BYTES, load, loads
from ontology.model import Label
from tests.ontology.vocabularies import EX, JSON_LD, N_TRIPLES, OWL_XML, SKOS_TURTLE

OBO = "http://purl.obolibrary.org/obo/"


def read(text: str | bytes, name: str = "") -> dict[str, object]:
    data = text.encode() if isinstance(text, str) else text
    return dict(loads(data, id="x", name=name).concepts)


def test_skos_turtle_gives_labels_hierarchy_and_notes() -> None:
    bus = loads(SKOS_TURTLE.encode(), id="t").concepts[f"{EX}bus"]
    assert bus.label == "bus"
    assert set(bus.labels) == {
        Label("bus", "en", "pref"),
        Label("omnibus", "en", "alt"),
        Label("motor coach", "", "alt"),
        Label("buss", "en", "hidden"),
    }
    assert bus.broader == (f"{EX}transport",)
    assert bus.related == (f"{EX}stop",)
    assert (bus.notation, bus.kind, bus.curie) == ("T1", "concept", "ex:bus")
    assert bus.definition == "A road vehicle for many passengers."


def test_the_scheme_gives_title_version_and_iri() -> None:
    found = loads(SKOS_TURTLE.encode(), id="t")
    assert (found.title, found.version) == ("Transport", "1.2")
    assert found.iri == "https://example.org/transport"
    assert found.sha256 == hashlib.sha256(SKOS_TURTLE.encode()).hexdigest()


def test_schemes_and_collections_are_no_concepts() -> None:
    assert len(loads(SKOS_TURTLE.encode(), id="t").concepts) == 6


def test_a_deprecated_concept_names_its_successor() -> None:
    gone = loads(SKOS_TURTLE.encode(), id="t").concepts[f"{EX}gone"]
    assert gone.deprecated
    assert gone.replaced_by == (f"{EX}bus",)


def test_owl_classes_give_synonyms_definition_and_named_parents_only() -> None:
    breath = loads(OWL_XML.encode(), id="d").concepts[f"{OBO}DEMO_0000002"]
    assert breath.curie == "DEMO:0000002"
    assert breath.kind == "class"
    assert breath.broader == (f"{OBO}DEMO_0000001",)
    assert breath.definition == "Difficult breathing."
    assert {(label.text, label.kind) for label in breath.labels} == {
        ("shortness of breath", "pref"),
        ("dyspnoea", "exact"),
        ("SOB", "related"),
    }


def test_single_quoted_entities_are_read_although_the_fast_parser_refuses_them() -> None:
    found = loads(OWL_XML.encode(), id="d")
    assert found.format == "rdf-xml"
    assert found.concepts[f"{OBO}DEMO_0000003"].replaced_by == (f"{OBO}DEMO_0000002",)
    assert found.concepts[f"{OBO}DEMO_0000003"].deprecated


def test_owl_thing_is_nobodys_parent() -> None:
    assert loads(OWL_XML.encode(), id="d").concepts[f"{OBO}DEMO_0000001"].broader == ()


def test_json_ld_is_read_with_its_inline_context() -> None:
    found = loads(JSON_LD.encode(), id="p")
    watermill = found.concepts["https://example.org/places/watermill"]
    assert found.format == "json-ld"
    assert (watermill.label, watermill.curie) == ("water mill", "places:watermill")
    assert watermill.broader == ("https://example.org/places/mill",)


def test_the_base_of_a_json_context_is_no_prefix() -> None:
    text = JSON_LD.replace('"places": "', '"@base": "https://e.org/v/", "places": "')
    text = text.replace("places:mill", "mill")
    assert loads(text.encode(), id="p").concepts["https://e.org/v/mill"].curie == "p:mill"


def test_n_triples_are_told_from_turtle() -> None:
    assert loads(N_TRIPLES.encode(), id="n").format == "n-triples"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_does_not_matter(encoding: str) -> None:
    assert loads(SKOS_TURTLE.encode(encoding), id="t").format == "turtle"


def test_content_beats_the_extension(tmp_path: Path) -> None:
    path = tmp_path / "transport.owl"
    path.write_text(SKOS_TURTLE)
    assert load(path, id="t").format == "turtle"


def test_skos_narrower_is_broader_read_backwards() -> None:
    found = read(
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <urn:x:> ."
        ':a a s:Concept ; s:prefLabel "a" ; s:narrower :b . :b a s:Concept ; s:prefLabel "b" .'
    )
    assert getattr(found["urn:x:b"], "broader") == ("urn:x:a",)  # noqa: B009


def test_english_is_shown_before_untagged_before_others() -> None:
    found = read(
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <urn:x:> ."
        ':a a s:Concept ; s:prefLabel "Weg"@de, "plain", "way"@en-US .'
        ':b a s:Concept ; s:prefLabel "Weg"@de, "plain" .'
    )
    assert getattr(found["urn:x:a"], "label") == "way"  # noqa: B009
    assert getattr(found["urn:x:b"], "label") == "plain"  # noqa: B009


def test_a_concept_without_label_shows_its_local_name() -> None:
    found = read(
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> ."
        '<https://e.org/v/a> a s:Concept . <https://e.org/v/b> a s:Concept ; s:prefLabel "b" .'
    )
    assert getattr(found["https://e.org/v/a"], "label") == "a"  # noqa: B009
    assert getattr(found["https://e.org/v/a"], "labels") == ()  # noqa: B009


def test_an_iri_under_no_prefix_is_named_after_the_ontology() -> None:
    found = loads(N_TRIPLES.encode(), id="tolls").concepts
    assert found["https://example.org/a"].curie == "tolls:a"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("   \n", "is empty"),
        ("name,age\nx,1\n", "no syntax known"),
        ("format-version: 1.2\n\n[Term]\nid: X:1\n", "has a label"),
        ("format-version: 1.2\n", "holds no concept"),
        ("<!DOCTYPE html><html></html>", "HTML"),
        ('<?xml version="1.0"?><catalogue/>', "catalogue"),
        ('{"graphs": []}', "holds no concept"),
        ('{"graphs": 1}', "expected a list"),
        ('{"a": 1}', "JSON"),
        ("PK\x03\x04rest", "zip"),
    ],
)
def test_other_files_are_named_for_what_they_are(text: str, said: str) -> None:
    with pytest.raises(OntologyError, match=said):
        read(text)


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="No such file"):
        load(tmp_path / "none.ttl", id="x")


def test_a_file_of_absurd_size_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.ttl"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(OntologyError, match="at most"):
        load(path, id="x")


@pytest.mark.parametrize("text", [SKOS_TURTLE[:-40], OWL_XML[:-60], JSON_LD[:-20]])
def test_a_file_cut_short_is_said_to_be_broken(text: str) -> None:
    with pytest.raises(OntologyError, match="cut short"):
        read(text)


def test_broken_xml_is_located() -> None:
    with pytest.raises(OntologyError, match=r"line \d+, column \d+"):
        read(OWL_XML.replace("</owl:Class>", "", 1))


def test_rdf_without_concepts_is_refused() -> None:
    with pytest.raises(OntologyError, match="holds no concept"):
        read("<urn:x:a> <urn:x:b> <urn:x:c> .")


def test_concepts_without_any_label_are_refused() -> None:
    with pytest.raises(OntologyError, match="has a label"):
        read("<urn:x:a> a <http://www.w3.org/2004/02/skos/core#Concept> .")


RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">%s</rdf:RDF>'


@pytest.mark.parametrize(
    ("doctype", "said"),
    [
        ('[<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]', "another entity"),
        ('[<!ENTITY a SYSTEM "file:///etc/passwd">]', "external"),
        ('SYSTEM "http://127.0.0.1:1/x.dtd"', "external document type"),
        ('[<!ENTITY %% p SYSTEM "http://127.0.0.1:1/x">]'.replace("%%", "%"), "external"),
        (f'[<!ENTITY a "{"a" * 2000}">]', "2,000 characters"),
        ("[" + "".join(f'<!ENTITY e{n} "x">' for n in range(400)) + "]", "more than 300"),
    ],
)
def test_dangerous_entities_are_refused_at_once(doctype: str, said: str) -> None:
    began = time.monotonic()
    with pytest.raises(OntologyError, match=said):
        read(f"<!DOCTYPE rdf:RDF {doctype}>" + RDF % "")
    assert time.monotonic() - began < 1


def test_deep_xml_is_refused() -> None:
    deep = "<rdf:Description><rdf:value>" * 5000
    with pytest.raises(OntologyError, match="deep"):
        read(RDF % deep)


def test_deep_json_is_refused() -> None:
    with pytest.raises(OntologyError, match="deep"):
        read('{"@id": "urn:x:a", "urn:x:p": ' + "[" * 5000 + "]" * 5000 + "}")


def test_a_remote_json_context_is_never_fetched() -> None:
    with pytest.raises(OntologyError, match="json-ld"):
        read('{"@context": "http://127.0.0.1:1/context.jsonld", "@id": "urn:x:a"}')


@pytest.mark.eval
@pytest.mark.parametrize(
    ("path", "concepts", "deprecated"),
    [
        ("symp/symp.owl", 1020, 125),
        ("go/go-nucleus.owl", 204, 28),
        ("doid/DO_infectious_disease_slim.owl", 536, 0),
        ("fish/FISH_Archaeological_Objects_20260204_Full.rdf", 2113, 0),
        ("fish/Building_Materials_20260209.rdf", 232, 0),
        ("yso-archaeology/yso-archaeology.ttl", 130, 0),
        ("yso-archaeology/yso-archaeology.rdf", 130, 0),
    ],
)
def test_real_vocabularies_have_their_known_counts(
    evaluation_data: Path, path: str, concepts: int, deprecated: int
) -> None:
    found = load(evaluation_data / "ontologies" / path, id="real")
    assert len(found.concepts) == concepts
    assert sum(each.deprecated for each in found.concepts.values()) == deprecated


@pytest.mark.eval
def test_two_syntaxes_of_one_vocabulary_say_the_same(evaluation_data: Path) -> None:
    folder = evaluation_data / "ontologies/yso-archaeology"
    turtle = load(folder / "yso-archaeology.ttl", id="yso").concepts
    xml = load(folder / "yso-archaeology.rdf", id="yso").concepts
    assert {
        (each.iri, each.label, frozenset(each.labels), frozenset(each.broader))
        for each in turtle.values()
    } == {
        (each.iri, each.label, frozenset(each.labels), frozenset(each.broader))
        for each in xml.values()
    }
