"""Imports come from files beside the ontology, and from nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.errors import OntologyError
from ontology.load import load
from ontology.load.catalogue import CATALOGUE

TOP = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<https://example.org/top.owl> a owl:Ontology ; owl:imports <https://example.org/low.owl> .
:a a owl:Class ; rdfs:label "a" ; rdfs:subClassOf [ owl:intersectionOf ( :b :c ) ] .
"""
LOW = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<https://example.org/low.owl> a owl:Ontology ; owl:imports <https://example.org/top.owl> .
:b a owl:Class ; rdfs:label "b" ; rdfs:subClassOf [ owl:intersectionOf ( :d :c ) ] .
"""


@pytest.fixture
def top(tmp_path: Path) -> Path:
    path = tmp_path / "o" / "top.owl"
    path.parent.mkdir()
    path.write_text(TOP)
    return path


def catalogue(path: Path, target: str) -> None:
    (path.parent / CATALOGUE).write_text(
        '<?xml version="1.0"?><catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">'
        f'<uri name="https://example.org/low.owl" uri="{target}"/></catalog>'
    )


def test_a_file_named_like_the_import_is_read_and_cycles_end(top: Path) -> None:
    (top.parent / "low.ttl").write_text(LOW)
    found = load(top, id="x")
    assert set(found.concepts) == {"urn:x:a", "urn:x:b"}
    assert found.concepts["urn:x:a"].broader == ("urn:x:b", "urn:x:c")
    assert found.concepts["urn:x:b"].broader == ("urn:x:d", "urn:x:c")
    assert [file.name for file in found.files] == ["top.owl", "low.ttl"]
    assert found.missing_imports == ()


def test_the_hash_covers_what_is_imported(top: Path) -> None:
    low = top.parent / "low.ttl"
    low.write_text(LOW)
    before = load(top, id="x").sha256
    low.write_text(LOW.replace('"b"', '"bee"'))
    assert load(top, id="x").sha256 != before


def test_a_catalogue_names_the_file(top: Path) -> None:
    (top.parent / "imports").mkdir()
    (top.parent / "imports" / "other.ttl").write_text(LOW)
    catalogue(top, "imports/other.ttl")
    assert "urn:x:b" in load(top, id="x").concepts


@pytest.mark.parametrize("target", ["../low.ttl", "https://example.org/low.ttl", "none.ttl"])
def test_nothing_outside_the_folder_is_opened(top: Path, target: str) -> None:
    (top.parent.parent / "low.ttl").write_text(LOW)
    catalogue(top, target)
    found = load(top, id="x")
    assert found.missing_imports == ("https://example.org/low.owl",)
    assert set(found.concepts) == {"urn:x:a"}


def test_a_broken_import_is_named(top: Path) -> None:
    (top.parent / "low.ttl").write_text(LOW[:-20])
    with pytest.raises(OntologyError, match=r"low\.ttl"):
        load(top, id="x")
