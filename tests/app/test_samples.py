"""The bundled samples hold what their README says that they hold."""

from __future__ import annotations

import csv
import io
import re
from importlib.resources import files

import pytest
from rdflib import OWL, RDF, RDFS, Graph, Literal, Namespace, URIRef
from rdflib.namespace import SKOS

SAMPLES = files("app") / "samples"
OBO = Namespace("http://purl.obolibrary.org/obo/")
OBO_IN_OWL = Namespace("http://www.geneontology.org/formats/oboInOwl#")
SAMPLE_IRI = "https://w3id.org/florilegium/sample/"

ONTOLOGIES = {
    "council-services.ttl": ("turtle", SKOS.Concept, SKOS.prefLabel),
    "conditions.owl": ("xml", OWL.Class, RDFS.label),
    "places-trades.jsonld": ("json-ld", SKOS.Concept, SKOS.prefLabel),
}
CAMPAIGN_OPENING = "I am writing to object to the low-traffic neighbo"
SAYS_NOTHING = {
    "",
    "-",
    ".",
    "=",
    "n/a",
    "none",
    "no comment",
    "see above",
    "nothing",
    "no",
    "nope",
}


def read_rows(*path: str) -> list[list[str]]:
    text = SAMPLES.joinpath(*path).read_bytes().decode("utf-8")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def read_folder(name: str) -> dict[str, str]:
    return {
        entry.name: entry.read_bytes().decode("utf-8")
        for entry in (SAMPLES / name).iterdir()
        if entry.name.endswith(".txt")
    }


def consultation() -> tuple[list[str], list[list[str]]]:
    header, *rows = read_rows("consultation", "active-travel-consultation.csv")
    return header, rows


def load(name: str) -> tuple[Graph, set[URIRef]]:
    syntax, kind, _ = ONTOLOGIES[name]
    text = (SAMPLES / "ontologies" / name).read_bytes().decode("utf-8")
    graph = Graph().parse(data=text, format=syntax)
    return graph, {s for s in graph.subjects(RDF.type, kind) if isinstance(s, URIRef)}


def parents(graph: Graph, concept: URIRef) -> list[URIRef]:
    both = [*graph.objects(concept, SKOS.broader), *graph.objects(concept, RDFS.subClassOf)]
    return [parent for parent in both if isinstance(parent, URIRef)]


def depth(graph: Graph, concept: URIRef, seen: frozenset[URIRef] = frozenset()) -> int:
    assert concept not in seen, f"{concept} is its own ancestor"
    above = [depth(graph, parent, seen | {concept}) for parent in parents(graph, concept)]
    return 1 + max(above, default=0)


# Consultation


def test_consultation_has_ninety_respondents_with_distinct_identifiers() -> None:
    _, rows = consultation()
    assert len(rows) >= 90
    assert len({row[0] for row in rows}) == len(rows)


def test_consultation_rows_are_not_ragged() -> None:
    header, rows = consultation()
    assert {len(row) for row in rows} == {len(header)}


def test_consultation_has_no_byte_order_mark() -> None:
    raw = (SAMPLES / "consultation" / "active-travel-consultation.csv").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("number", [3, 4, 5])
def test_free_text_columns_are_long_and_mostly_distinct(number: int) -> None:
    header, rows = consultation()
    column = next(i for i, name in enumerate(header) if name.startswith(f"Q{number}."))
    filled = [row[column] for row in rows if row[column]]
    assert len(set(filled)) / len(filled) > 0.8
    assert sum(len(cell.split()) for cell in filled) / len(filled) > 10


@pytest.mark.parametrize("number", [1, 2])
def test_closed_columns_repeat_a_few_short_values(number: int) -> None:
    header, rows = consultation()
    column = next(i for i, name in enumerate(header) if name.startswith(f"Q{number}."))
    assert len({row[column] for row in rows}) <= 8


def test_campaign_letter_comes_exact_changed_added_to_and_under_another_question() -> None:
    _, rows = consultation()
    letters = [(i, row[i]) for row in rows for i in (7, 8) if CAMPAIGN_OPENING in row[i]]
    assert len(letters) >= 8
    texts = [text for _, text in letters]
    exact = max(set(texts), key=texts.count)
    assert texts.count(exact) >= 5
    assert any(text != exact and not text.startswith(exact) for text in texts)
    assert any(text != exact and text.startswith(exact) for text in texts)
    assert {i for i, _ in letters} == {7, 8}


def test_second_campaign_letter_has_at_least_four_copies() -> None:
    _, rows = consultation()
    assert sum("Paint is not protection" in row[8] for row in rows) >= 4


def test_some_answers_say_nothing_in_several_ways() -> None:
    _, rows = consultation()
    empty = [cell for row in rows for cell in row[7:] if cell.lower().rstrip(".") in SAYS_NOTHING]
    assert len(empty) >= 20
    assert len(set(empty)) >= 8
    assert "" in empty


def test_awkward_cells_are_present() -> None:
    _, rows = consultation()
    cells = [cell for row in rows for cell in row[7:]]
    assert any(len(cell.split()) >= 200 and "\n\n" in cell for cell in cells)
    for mark in ("\n", '"', ",", "\u2019", "\u201c", "\u2022", "£", "\U0001f6b2", "St. Mary's"):
        assert any(mark in cell for cell in cells), mark
    for start in "=+-":
        assert any(cell.startswith(start) for cell in cells), start


# Clinical and historical


def test_there_are_at_least_twenty_clinical_notes() -> None:
    assert len(read_folder("clinical")) >= 20


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bdenies chest pain\b",
        r"\bno SOB\b",
        r"\bnil fever\b",
        r"\bfever: no\b",
        r"\bruled out PE\b",
        r"\bmother had breast cancer\b",
        r"\breturn if fever\b",
        r"\?DVT\b",
        r"\bBP 130/85\b",
        r"(?m)^PMH:",
        r"(?m)^Family history:",
        r"(?m)^O/E",
        r"(?m)^Plan",
    ],
)
def test_clinical_notes_hold_denials_relatives_conditions_and_headings(pattern: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for text in read_folder("clinical").values())


def test_there_are_at_least_fifteen_historical_passages() -> None:
    assert len(read_folder("historical")) >= 15


@pytest.mark.parametrize(
    "pattern",
    [
        "ſ",
        r"\bye\b",
        "vv",
        r"\btbe\b",
        "rn[oe]",
        r"[a-z]-\n[a-z]",
        "ſhewn|shewn|shewed",
        "1etters",
        "muſick",
    ],
)
def test_historical_passages_hold_old_spelling_and_scanning_errors(pattern: str) -> None:
    found = re.compile(pattern, re.IGNORECASE)
    assert any(found.search(text) for text in read_folder("historical").values())


def test_every_historical_passage_names_a_year() -> None:
    undated = [
        name
        for name, text in read_folder("historical").items()
        if not re.search(r"1[678]\d\d", name + text)
    ]
    assert undated == []


# Ontologies


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_ontology_has_sixty_concepts_each_with_a_label_and_a_definition(name: str) -> None:
    graph, concepts = load(name)
    label = ONTOLOGIES[name][2]
    assert len(concepts) >= 60
    for concept in concepts:
        assert concept.startswith(SAMPLE_IRI)
        preferred = list(graph.objects(concept, label))
        assert len(preferred) == 1, concept
        assert isinstance(preferred[0], Literal)
        assert preferred[0].language == "en"
        assert graph.value(concept, SKOS.definition) or graph.value(concept, OBO.IAO_0000115), (
            concept
        )


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_ontology_is_a_hierarchy_of_three_levels_without_cycles(name: str) -> None:
    graph, concepts = load(name)
    assert all(set(parents(graph, concept)) <= concepts for concept in concepts)
    assert max(depth(graph, concept) for concept in concepts) >= 3


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_ontology_has_deprecated_concepts_that_name_a_live_successor(name: str) -> None:
    graph, concepts = load(name)
    dead = {s for s in concepts if Literal(True) in set(graph.objects(s, OWL.deprecated))}
    assert dead
    replaced_by = (URIRef("http://purl.org/dc/terms/isReplacedBy"), OBO.IAO_0100001)
    for concept in dead:
        successors = {o for p in replaced_by for o in graph.objects(concept, p)}
        assert successors
        assert successors <= concepts - dead


@pytest.mark.parametrize("name", ONTOLOGIES)
def test_no_two_concepts_of_an_ontology_share_a_label(name: str) -> None:
    graph, concepts = load(name)
    owners: dict[str, set[URIRef]] = {}
    for predicate in (SKOS.prefLabel, RDFS.label, SKOS.altLabel, OBO_IN_OWL.hasExactSynonym):
        for subject, text in graph.subject_objects(predicate):
            if isinstance(subject, URIRef) and subject in concepts:
                owners.setdefault(str(text).casefold(), set()).add(subject)
    assert {text: who for text, who in owners.items() if len(who) > 1} == {}


@pytest.mark.parametrize(
    ("name", "abbreviations"),
    [
        ("council-services.ttl", {"LTN", "RPZ", "ANPR"}),
        ("conditions.owl", {"COPD", "DVT", "SOB"}),
        ("places-trades.jsonld", {"JP"}),
    ],
)
def test_ontology_has_labels_in_capitals(name: str, abbreviations: set[str]) -> None:
    graph, _ = load(name)
    literals = {str(o) for o in graph.objects() if isinstance(o, Literal)}
    assert abbreviations <= literals
