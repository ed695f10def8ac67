"""OBO files: what each clause says, and a bad line that costs only itself."""

from __future__ import annotations

import pytest

from ontology.errors import OntologyError
from ontology.load import loads
from ontology.model import Concept, Label, Ontology

OBO = "http://purl.obolibrary.org/obo/"
FILE = r"""format-version: 1.4
ontology: demo
data-version: 2026-01-01
idspace: MINE https://example.org/mine/
synonymtypedef: layperson "plain words" EXACT
property_value: dc:title "Demo" xsd:string

[Term]
id: DEMO:1
name: symptom ! not a comment mark in a \"name\"? yes, one

[Term]
id: DEMO:2 ! breath
name: shortness of breath {source="x"}
alt_id: DEMO:9
def: "Difficult \"breathing\"." [url:http\://example.org/a, x:y]
comment: A note.
synonym: "dyspnoea" EXACT []
synonym: "winded" EXACT layperson [a:b]
synonym: "SOB" RELATED abbreviation []
synonym: "bare" []
narrow_synonym: "orthopnoea" []
xref: MESH:D004417 "Dyspnea"
xref: ICD:R06.0
is_a: DEMO:1 {source="y"} ! symptom
intersection_of: DEMO:5 ! genus
intersection_of: part_of DEMO:6
relationship: part_of DEMO:7
disjoint_from: DEMO:3
property_value: skos:exactMatch https://example.org/same
property_value: IAO:0000112 "as in: she had SOB" xsd:string

[Term]
id: DEMO:3
name: vapours
is_obsolete: true
replaced_by: DEMO:2
consider: DEMO:1

[Term]
id: MINE:x
name: mine

[Typedef]
id: part_of
name: part of
"""


@pytest.fixture(scope="module")
def demo() -> Ontology:
    return loads(FILE.encode(), id="demo")


def breath(ontology: Ontology) -> Concept:
    return ontology.concepts[f"{OBO}DEMO_2"]


def test_the_header_gives_title_version_and_iri(demo: Ontology) -> None:
    assert (demo.format, demo.title, demo.version) == ("obo", "Demo", "2026-01-01")
    assert demo.iri == f"{OBO}demo.owl"
    assert demo.problems == ()


def test_synonyms_have_scope_and_type(demo: Ontology) -> None:
    assert set(breath(demo).labels) == {
        Label("shortness of breath", "", "pref"),
        Label("dyspnoea", "", "exact"),
        Label("winded", "", "exact", "layperson"),
        Label("SOB", "", "related", "abbreviation"),
        Label("bare", "", "related"),
        Label("orthopnoea", "", "narrow"),
    }


def test_definition_example_and_references_are_unescaped(demo: Ontology) -> None:
    concept = breath(demo)
    assert concept.definition == 'Difficult "breathing".'
    assert concept.examples == ("as in: she had SOB",)
    assert set(concept.xrefs) == {"MESH:D004417", "ICD:R06.0", "https://example.org/same"}


def test_parents_are_is_a_and_genus_but_no_relationship(demo: Ontology) -> None:
    assert set(breath(demo).broader) == {f"{OBO}DEMO_1", f"{OBO}DEMO_5"}


def test_an_alternative_id_is_a_deprecated_concept_replaced_by_its_term(demo: Ontology) -> None:
    former = demo.concepts[f"{OBO}DEMO_9"]
    assert former.deprecated
    assert former.replaced_by == (f"{OBO}DEMO_2",)
    assert former.labels == ()


def test_obsolete_terms_name_their_successor(demo: Ontology) -> None:
    gone = demo.concepts[f"{OBO}DEMO_3"]
    assert (gone.deprecated, gone.replaced_by) == (True, (f"{OBO}DEMO_2",))


def test_idspaces_and_typedefs(demo: Ontology) -> None:
    assert demo.concepts["https://example.org/mine/x"].curie == "MINE:x"
    assert f"{OBO}part_of" not in demo.concepts
    assert len(demo.concepts) == 5


def test_disjointness_is_kept_on_both_sides(demo: Ontology) -> None:
    assert breath(demo).disjoint == (f"{OBO}DEMO_3",)
    assert demo.concepts[f"{OBO}DEMO_3"].disjoint == (f"{OBO}DEMO_2",)


def test_a_bad_line_is_named_and_costs_only_itself() -> None:
    text = FILE.replace("comment: A note.", "no tag here").replace(
        'synonym: "dyspnoea" EXACT []', "synonym: dyspnoea EXACT []"
    )
    found = loads(text.encode(), id="demo")
    assert [each.split(":")[0] for each in found.problems] == ["line 17", "line 18"]
    assert "a quoted text was expected" in found.problems[1]
    assert len(breath(found).labels) == 5
    assert breath(found).broader


def test_a_file_of_bad_lines_is_refused() -> None:
    with pytest.raises(OntologyError, match="lines are no OBO"):
        loads(("format-version: 1.2\n" + "rubbish\n" * 50).encode(), id="x")


def test_long_labels_and_long_runs_of_spaces_take_no_time() -> None:
    name = "a" + " " * 20_000 + "b {" * 3_000
    text = f"format-version: 1.2\n\n[Term]\nid: X:1\nname: {name}\n"
    assert len(loads(text.encode(), id="x").concepts) == 1


def test_a_header_in_any_order_is_known_for_obo() -> None:
    text = "date: 01:01:2026\nsaved-by: x\n\n[Term]\nid: X:1\nname: aa\n"
    assert loads(text.encode(), id="x").format == "obo"


def test_identifiers_with_odd_characters_become_iris() -> None:
    text = 'format-version: 1.2\n\n[Term]\nid: X:a[1]%\nname: aa\nproperty_value: a<b "x"\n'
    (concept,) = loads(text.encode(), id="x").concepts
    assert concept == f"{OBO}X_a%5B1%5D%25"
