"""What is kept of a vocabulary answers as the vocabulary does, and is made again when damaged."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ontology import kept
from ontology.concept_file import ConceptFile, InvalidConcepts, concept_file, write_concepts
from ontology.errors import OntologyError
from ontology.hierarchy import narrower
from ontology.kept import keep, open_concepts, reopen
from ontology.load import loads
from ontology.model import Label, Ontology
from ontology.overlay import Overlay, apply
from ontology.overlay_file import read_overlay
from tests.ontology.vocabularies import EX, OWL_XML, SKOS_TURTLE


@pytest.fixture
def ontology() -> Ontology:
    return loads(SKOS_TURTLE.encode(), id="t", name="a.ttl")


@pytest.fixture
def opened(tmp_path: Path, ontology: Ontology) -> ConceptFile:
    path = concept_file(tmp_path, ontology.sha256)
    write_concepts(path, ontology)
    return ConceptFile(path)


def test_it_is_the_ontology(opened: ConceptFile, ontology: Ontology) -> None:
    assert opened.whole() == ontology
    assert opened.ontology == ontology
    assert list(opened) == list(ontology.concepts)
    assert len(opened) == len(ontology.concepts)
    assert opened[f"{EX}bus"] == ontology.concepts[f"{EX}bus"]
    assert opened.get("urn:nothing") is None


def test_hierarchy_and_names_are_those_of_the_ontology(
    opened: ConceptFile, ontology: Ontology
) -> None:
    for iri, low in narrower(ontology).items():
        assert [each.iri for each in opened.below(iri)] == list(low)
    assert opened.below("urn:nothing") == []
    tops = {each.iri for each in opened.tops()}
    assert f"{EX}transport" in tops
    assert f"{EX}bus" not in tops
    (found,) = opened.named("OMNIBUS")
    assert (found.name, found.label, found.deprecated) == ("omnibus", "bus", False)
    assert opened.at(found.number).iri == f"{EX}bus"
    assert {each.name for each in opened.containing(["motor", "co"])} == {"motor coach"}


def test_matching_rules_of_an_overlay_are_kept(tmp_path: Path, ontology: Ontology) -> None:
    rules = tmp_path / "o.toml"
    rules.write_text(
        '[labels]\nkinds = ["pref"]\nlanguages = ["en"]\nstop = ["bus"]\n'
        'capitals_only = ["stop"]\nmin_length = 3\nspelling = true\n'
    )
    changed = apply(ontology, read_overlay(rules))
    path = concept_file(tmp_path, changed.sha256)
    write_concepts(path, changed)
    assert ConceptFile(path).whole() == changed


def test_half_a_surrogate_pair_in_a_label_is_no_obstacle(
    tmp_path: Path, ontology: Ontology
) -> None:
    bus = ontology.concepts[f"{EX}bus"]
    odd = replace(bus, label="b\ud800s", labels=(Label("b\ud800s", "", "pref"),))
    changed = replace(ontology, concepts={bus.iri: odd})
    path = tmp_path / "odd.concepts"
    write_concepts(path, changed)
    assert ConceptFile(path)[bus.iri] == odd


@pytest.fixture
def copy(tmp_path: Path, ontology: Ontology) -> Path:
    file = tmp_path / "in" / "a.ttl"
    file.parent.mkdir()
    file.write_text(SKOS_TURTLE)
    return keep(ontology, file, Overlay(), tmp_path / "kept")


def test_a_kept_vocabulary_is_opened_without_parsing(
    copy: Path, ontology: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "load", None)
    wanted = {"id": "t", "sha256": ontology.sha256}
    assert reopen(copy, **wanted).concepts == ontology.concepts
    assert open_concepts(copy, **wanted)[f"{EX}bus"].label == "bus"


@pytest.mark.parametrize("damage", ["gone", "empty", "cut", "other", "version", "rows"])
def test_a_damaged_file_is_made_again(copy: Path, ontology: Ontology, damage: str) -> None:
    place = concept_file(copy.parent, ontology.sha256)
    data = place.read_bytes()
    place.unlink()
    if damage == "rows":
        place.write_bytes(data.replace(b'["http', b'<"http'))
    elif damage != "gone":
        spoilt = {"empty": b"", "cut": data[:1000], "other": b"x" * 5000, "version": data}[damage]
        place.write_bytes(spoilt)
    if damage == "version":
        with closing(sqlite3.connect(place)) as connection:
            connection.execute("UPDATE about SET version = 0")
            connection.commit()
    again = reopen(copy, id="t", sha256=ontology.sha256)
    assert again.concepts == ontology.concepts
    assert ConceptFile(place).whole().concepts == ontology.concepts


def test_a_file_that_is_none_says_so(tmp_path: Path) -> None:
    with pytest.raises(InvalidConcepts, match="is missing"):
        ConceptFile(tmp_path / "none.concepts")


def test_a_folder_that_cannot_be_written_is_named(
    copy: Path, ontology: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    concept_file(copy.parent, ontology.sha256).unlink()

    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(kept, "write_concepts", full)
    with pytest.raises(OntologyError, match=r"No space left .* --home DIR"):
        open_concepts(copy, id="t", sha256=ontology.sha256)


def test_owl_classes_are_kept_as_they_are(tmp_path: Path) -> None:
    ontology = loads(OWL_XML.encode(), id="d")
    path = tmp_path / "d.concepts"
    write_concepts(path, ontology)
    assert ConceptFile(path).whole() == ontology
