"""Overlays: what they change, how they are written, and that results can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontology.check import check
from ontology.errors import OntologyError
from ontology.index import LabelIndex
from ontology.load import loads
from ontology.model import Label, Ontology
from ontology.overlay import Overlay, apply, from_canonical
from ontology.overlay_file import read_overlay

VOCABULARY = """format-version: 1.2
ontology: d

[Term]
id: D:1
name: symptom

[Term]
id: D:2
name: haemorrhage
alt_id: D:8
synonym: "HM" RELATED []
synonym: "all" EXACT []
is_a: D:1

[Term]
id: D:3
name: nosebleed
is_a: D:2

[Term]
id: D:4
name: acquired immunodeficiency
synonym: "aids" EXACT []
is_a: D:1
"""

TOML = """
[branches]
include = ["D:2", "D:4"]
exclude = ["D:3"]

[labels]
kinds = ["pref", "exact", "alt"]
languages = ["en"]
stop = ["All"]
capitals_only = ["aids"]
min_length = 4
spelling = true

[[extra]]
concept = "D:2"
text = "bleeding"
language = "en"
"""

TURTLE = """
@prefix flo: <https://w3id.org/florilegium/ns#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
[] a flo:Overlay ; flo:include "D:2", "D:4" ; flo:exclude "D:3" ;
   flo:labelKind "pref", "exact", "alt" ; flo:labelLanguage "en" ; flo:stopLabel "All" ;
   flo:capitalsOnly "aids" ; flo:minimumLength 4 ; flo:spellingVariants true .
<D:2> skos:altLabel "bleeding"@en .
"""


@pytest.fixture
def vocabulary() -> Ontology:
    return loads(VOCABULARY.encode(), id="d")


def overlay(tmp_path: Path, text: str, name: str = "o.toml") -> Overlay:
    path = tmp_path / name
    path.write_text(text)
    return read_overlay(path)


def words(ontology: Ontology, text: str) -> list[str]:
    return [text[m.start : m.end] for m in LabelIndex.build([ontology]).find(text)]


def test_branches_in_and_out_by_curie_or_iri(vocabulary: Ontology) -> None:
    changes = Overlay(
        include=("http://purl.obolibrary.org/obo/D_2",),
        exclude=("D:3",),
    )
    assert [each.curie for each in apply(vocabulary, changes).concepts.values()] == ["D:2", "D:8"]


def test_the_top_of_a_branch_has_no_parent(vocabulary: Ontology) -> None:
    found = apply(vocabulary, Overlay(include=("D:2",)))
    assert [each.broader for each in found.concepts.values() if each.curie == "D:2"] == [()]
    assert not [each for each in check(found) if each.kind == "missing-parent"]


def test_every_rule_takes_part_in_matching(tmp_path: Path, vocabulary: Ontology) -> None:
    text = "hemorrhage haemorrhage HM all bleeding nosebleed aids AIDS symptom"
    assert words(apply(vocabulary, overlay(tmp_path, TOML)), text) == [
        "hemorrhage",
        "haemorrhage",
        "bleeding",
        "AIDS",
    ]


def test_the_vocabulary_itself_is_left_alone(vocabulary: Ontology) -> None:
    apply(vocabulary, Overlay(include=("D:2",)))
    assert len(vocabulary.concepts) == 5


def test_turtle_says_the_same_as_toml(tmp_path: Path, vocabulary: Ontology) -> None:
    toml, turtle = overlay(tmp_path, TOML), overlay(tmp_path, TURTLE, "o.ttl")
    assert toml.canonical() == turtle.canonical()
    assert from_canonical(toml.canonical()).matching == toml.matching
    assert from_canonical(toml.canonical()).extra == toml.extra
    assert apply(vocabulary, toml).sha256 == apply(vocabulary, turtle).sha256


def test_the_hash_tells_which_overlay_was_used(vocabulary: Ontology) -> None:
    hashes = {
        apply(vocabulary, each).sha256
        for each in (Overlay(), Overlay(include=("D:2",)), Overlay(exclude=("D:2",)))
    }
    assert len(hashes) == 3
    assert vocabulary.sha256 in hashes


def test_extra_labels_are_added_once(tmp_path: Path, vocabulary: Ontology) -> None:
    text = '[[extra]]\nconcept = "D:3"\ntext = "epistaxis"\nkind = "exact"\n'
    (found,) = (
        each
        for each in apply(vocabulary, overlay(tmp_path, text * 2)).concepts.values()
        if each.curie == "D:3"
    )
    assert found.labels == (Label("nosebleed", "", "pref"), Label("epistaxis", "", "exact"))


def test_unknown_concepts_are_named_at_once(vocabulary: Ontology) -> None:
    with pytest.raises(OntologyError, match=r"'D:77', 'D:78'.*such as D:1"):
        apply(vocabulary, Overlay(include=("D:77",), exclude=("D:78",)))


def test_an_overlay_that_leaves_nothing_is_refused(vocabulary: Ontology) -> None:
    with pytest.raises(OntologyError, match="leaves no concept"):
        apply(vocabulary, Overlay(include=("D:3",), exclude=("D:2",)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[labels", "no TOML"),
        ("[labels]\nstop = 1\nmin_length = 'x'", r"labels.stop is 1.*labels.min_length"),
        ("[label]\nstop = []", "unknown part 'label'"),
        ("[labels]\nstops = []", "unknown key labels.stops"),
        ("[labels]\nkinds = ['best']", "unknown kinds best"),
        ("[labels]\nmin_length = 1000", "0 to 100"),
        ("[[extra]]\nconcept = 'D:1'", "expected concept and text"),
        ("[[extra]]\nconcept = 'D:1'\ntext = ' '", "not empty"),
        ("[[extra]]\nconcept = 'D:1'\ntext = 'x'\nkind = 'y'", "has the kind 'y'"),
    ],
)
def test_faults_of_an_overlay_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(OntologyError, match=said):
        overlay(tmp_path, text)


def test_faults_of_a_turtle_overlay_are_named(tmp_path: Path) -> None:
    text = TURTLE.replace("flo:stopLabel", "flo:stop").replace("Length 4", "Length 4, 5")
    with pytest.raises(OntologyError, match=r"flo:stop.*expected one value"):
        overlay(tmp_path, text, "o.ttl")


def test_a_missing_overlay_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(OntologyError, match="cannot read the overlay"):
        read_overlay(tmp_path / "none.toml")
