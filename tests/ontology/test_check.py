"""All problems of a vocabulary at once."""

from __future__ import annotations

from ontology.check import Problem, check
from ontology.load import loads

HEAD = """@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <urn:x:> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def problems(text: str) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for each in check(loads((HEAD + text).encode(), id="x")):
        found.setdefault(each.kind, []).append(each)
    return found


def test_a_sound_vocabulary_has_none() -> None:
    assert problems(':a a s:Concept ; s:prefLabel "windmill"@en .') == {}


def test_labels_shared_common_empty_missing_and_several() -> None:
    found = problems(
        ':a a s:Concept ; s:prefLabel "mill"@en, "grinder"@en . '
        ':b a s:Concept ; s:prefLabel "Mill"@en ; s:altLabel "cold"@en, " " . :c a s:Concept .'
    )
    assert [(each.subject, each.detail) for each in found["duplicate-label"]] == [
        ("mill", "x:a, x:b")
    ]
    assert [each.subject for each in found["common-word"]] == ["cold"]
    assert [each.subject for each in found["empty-label"]] == ["urn:x:b"]
    assert [each.subject for each in found["no-label"]] == ["urn:x:c"]
    assert [each.subject for each in found["several-preferred"]] == ["urn:x:a"]


def test_an_abbreviation_in_capitals_is_no_common_word() -> None:
    assert "common-word" not in problems(':a a s:Concept ; s:prefLabel "AGE" .')


def test_cycles_missing_and_deprecated_parents() -> None:
    found = problems(
        ':a a s:Concept ; s:prefLabel "aa" ; s:broader :b . '
        ':b a s:Concept ; s:prefLabel "bb" ; s:broader :c . '
        ':c a s:Concept ; s:prefLabel "cc" ; s:broader :a, :gone . '
        ':d a s:Concept ; s:prefLabel "dd" ; s:broader :none . '
        ':gone a s:Concept ; s:prefLabel "gone" ; owl:deprecated true .'
    )
    assert [each.detail for each in found["cycle"]] == ["each is under the other: x:a, x:b, x:c"]
    assert [each.subject for each in found["missing-parent"]] == ["urn:x:none"]
    assert [each.subject for each in found["deprecated-parent"]] == ["urn:x:c"]


def test_disjointness_asserted_and_violated() -> None:
    found = problems(
        ':a a owl:Class ; rdfs:label "aa" ; owl:disjointWith :b . :b a owl:Class ; rdfs:label "bb" .'
        ':c a owl:Class ; rdfs:label "cc" ; rdfs:subClassOf :a . '
        ':d a owl:Class ; rdfs:label "dd" ; rdfs:subClassOf :c, :b . '
        "[] a owl:AllDisjointClasses ; owl:members ( :c :e ) ."
        ':e a owl:Class ; rdfs:label "ee" ; rdfs:subClassOf :b .'
    )
    assert [each.detail for each in found["disjointness"]] == [
        "x:a and x:b are disjoint, yet share x:d"
    ]


def test_missing_imports_and_unread_lines() -> None:
    found = problems(
        "<urn:o> a owl:Ontology ; owl:imports <urn:other> . :a a owl:Class ; rdfs:label 'aa' ."
    )
    assert [each.subject for each in found["missing-import"]] == ["urn:other"]
    obo = b"format-version: 1.2\n\n[Term]\nid: X:1\nname: aa\nrubbish\n"
    assert [each.kind for each in check(loads(obo, id="x"))] == ["unread"]


def test_a_long_chain_and_a_long_cycle_end() -> None:
    chain = "".join(
        f':n{n} a s:Concept ; s:prefLabel "label {n}" ; s:broader :n{(n + 1) % 5000} .\n'
        for n in range(5000)
    )
    assert len(problems(chain)["cycle"]) == 1
