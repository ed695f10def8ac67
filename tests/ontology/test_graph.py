"""Results as quads: the mapping, the named graphs, and what stays out of the default graph."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

import ontology
from ontology import terms
from ontology.errors import OntologyError
from ontology.graph import GraphTag, TaggedRecord
from ontology.quads import GraphNames, nquads
from ontology.vocab import DATA, FLO, OA, PREFIXES
from tests.ontology.snapshots import NOTE, TEXT, TRANSPORT, snapshot
from tests.ontology.vocabularies import EX


@pytest.fixture(scope="module")
def store() -> ox.Store:
    """The shared snapshot in memory."""
    found = ox.Store()
    found.load("".join(nquads(snapshot())).encode(), format=ox.RdfFormat.N_QUADS)
    return found


def rows(store: ox.Store, query: str) -> list[tuple[str, ...]]:
    solutions = store.query(query, prefixes=PREFIXES)
    assert isinstance(solutions, ox.QuerySolutions)
    return [
        tuple("" if term is None else str(getattr(term, "value", term)) for term in solution)
        for solution in solutions
    ]


def yes(store: ox.Store, pattern: str) -> bool:
    return bool(store.query(f"ASK {{ {pattern} }}", prefixes=PREFIXES))


def test_a_tag_has_target_body_document_score_method_and_run(store: ox.Store) -> None:
    assert yes(
        store,
        f"tag:12-1 a oa:Annotation ; oa:motivatedBy oa:identifying ; oa:hasBody <{EX}nightbus> ; "
        "flo:inDocument document:1 ; itsrdf:taConfidence 0.9 ; flo:method flo:Dictionary ; "
        "flo:displayed true ; prov:wasGeneratedBy run:2 ; oa:hasTarget ?span . "
        "?span a oa:SpecificResource ; oa:hasSource document:1",
    )


def test_a_span_has_its_offsets_and_its_exact_words(store: ox.Store) -> None:
    found = rows(
        store,
        "SELECT ?start ?end ?quote { tag:12-1 oa:hasTarget ?s . ?s oa:hasSelector ?p, ?q . "
        "?p oa:start ?start ; oa:end ?end . ?q oa:exact ?quote }",
    )
    assert found == [("4", "13", "night bus")]
    assert TEXT[4:13] == "night bus"


def test_quotes_keep_newlines_and_quotation_marks(store: ox.Store) -> None:
    query = "SELECT ?quote { ?h flo:rank 1 ; oa:hasTarget/oa:hasSelector/oa:exact ?quote }"
    assert rows(store, query) == [(TEXT,)]


def test_attributes_not_assessed_are_not_stated(store: ox.Store) -> None:
    assert not yes(store, "tag:12-1 flo:assertion ?any")
    assert not yes(store, "tag:12-1 flo:experiencer ?any")


def test_assessed_attributes_are_stated_with_their_cue(store: ox.Store) -> None:
    assert yes(store, "tag:14-1 flo:assertion flo:Negated ; flo:experiencer 'patient'")
    assert yes(store, f"GRAPH <{DATA}run-3/quotes> {{ tag:14-1 flo:cue 'No' }}")
    assert not yes(store, "tag:14-1 flo:cue ?words")  # the collection is private
    assert rows(store, "SELECT ?a { tag:14-1 flo:assertion ?a }") == [(f"{FLO}Negated",)]


def test_cue_stands_on_its_characters(store: ox.Store) -> None:
    assert yes(
        store,
        "tag:14-1 flo:cueSpan ?span . ?span oa:hasSelector [ oa:start 0 ; oa:end 2 ] ; "
        "oa:hasSource document:3",
    )
    assert not yes(store, "tag:12-1 flo:cueSpan ?any")


@pytest.mark.parametrize(
    ("attributes", "stated"),
    [
        ({"negated": False}, ["Affirmed"]),
        ({"negated": True, "possible": True}, ["Negated", "Uncertain"]),
        ({"hypothetical": True, "negated": False}, ["Hypothetical"]),
        ({"historical": True}, ["Historical"]),
        ({}, []),
    ],
)
def test_assertions_follow_the_attributes(attributes: dict[str, bool], stated: list[str]) -> None:
    tag = GraphTag(f"{EX}bus", 0, 3, "bus", 1, "dictionary", **attributes)  # type: ignore[arg-type]
    base = snapshot()
    only = replace(base, results=[TaggedRecord(1, 1, 1, "processed", tags=(tag,))])
    text = "".join(nquads(only))
    found = re.findall(rf"<{FLO}assertion> <{FLO}(\w+)> <", text)
    assert found == stated


def test_nested_tags_are_there_and_marked(store: ox.Store) -> None:
    assert yes(store, f"tag:12-2 oa:hasBody <{EX}bus> ; flo:displayed false")


def test_a_label_is_a_concept_of_its_set(store: ox.Store) -> None:
    found = rows(
        store,
        "SELECT ?set ?label ?score { ?a oa:motivatedBy oa:classifying ; oa:hasBody ?b ; "
        "itsrdf:taConfidence ?score . ?b skos:prefLabel ?label ; skos:inScheme ?s . "
        "?s dct:title ?set }",
    )
    assert found == [("consultation", "Buses & trains", "0.6")]


def test_a_summary_is_ranked_highlights_derived_from_the_document(store: ox.Store) -> None:
    assert yes(
        store,
        "?s a flo:Summary ; prov:wasDerivedFrom document:1 ; dct:hasPart ?h . "
        "?h oa:motivatedBy oa:highlighting ; flo:rank 1 ; itsrdf:taConfidence 0.75",
    )


def test_a_summary_sentence_and_its_sentence_are_one_span(store: ox.Store) -> None:
    assert yes(store, "?h flo:rank 1 ; oa:hasTarget ?s . ?s a flo:Sentence ; flo:order 0")


def test_a_run_names_collection_model_ontology_and_software(store: ox.Store) -> None:
    version = terms.ontology_version("transport", TRANSPORT.sha256)
    assert yes(
        store,
        f"run:1 a prov:Activity ; prov:used collection:1, <{version}>, ?model ; "
        "prov:startedAtTime '2026-03-02T01:00:00Z'^^xsd:dateTime ; prov:wasAssociatedWith ?w . "
        "?w dct:title 'florilegium 0.1.0' . ?model flo:sha256 ?hash ; owl:versionInfo '1'",
    )


def test_a_document_that_gave_nothing_says_why(store: ox.Store) -> None:
    assert yes(store, "document:2 flo:status 'empty' ; flo:reason 'no text'")


def test_a_superseded_result_is_reachable_by_name_only(store: ox.Store) -> None:
    assert not yes(store, "tag:11-1 ?p ?o")
    assert yes(
        store, "GRAPH <https://w3id.org/florilegium/data/run-1/superseded> { tag:11-1 ?p ?o }"
    )


def test_what_two_graphs_share_counts_once(store: ox.Store) -> None:
    query = "SELECT (COUNT(*) AS ?n) { ?model dct:title 'embedded' }"
    assert rows(store, query) == [("1",)]


def test_a_run_can_be_asked_by_its_graph(store: ox.Store) -> None:
    assert yes(store, "GRAPH run:2 { tag:12-1 ?p ?o }")
    assert not yes(store, "GRAPH run:1 { tag:12-1 ?p ?o }")


def test_used_concepts_lie_within_themselves_and_everything_broader(store: ox.Store) -> None:
    found = rows(store, f"SELECT ?a {{ <{EX}nightbus> flo:within ?a }}")
    assert {row[0] for row in found} == {f"{EX}nightbus", f"{EX}bus", f"{EX}transport"}
    assert not yes(store, f"<{EX}stop> flo:within ?any")


def test_concepts_keep_their_iris_labels_and_hierarchy(store: ox.Store) -> None:
    assert yes(
        store,
        f"<{EX}bus> a skos:Concept ; skos:prefLabel 'bus'@en ; skos:altLabel 'omnibus'@en ; "
        f"skos:broader <{EX}transport>",
    )
    assert yes(store, f"<{EX}gone> owl:deprecated true ; dct:isReplacedBy <{EX}bus>")


def test_of_two_versions_the_first_shows_in_the_default_graph() -> None:
    old = replace(
        TRANSPORT,
        sha256="0" * 64,
        concepts={
            iri: replace(concept, label="OLD", labels=())
            for iri, concept in TRANSPORT.concepts.items()
        },
    )
    found = ox.Store()
    base = replace(snapshot(), ontologies=[TRANSPORT, old])
    found.load("".join(nquads(base)).encode(), format=ox.RdfFormat.N_QUADS)
    assert not yes(found, "?c skos:prefLabel 'OLD'")
    assert yes(found, "GRAPH ?g { ?c skos:prefLabel 'OLD' }")


def test_private_words_are_only_in_graphs_marked_private() -> None:
    names = GraphNames()
    lines = "".join(nquads(snapshot(), names)).splitlines()
    holding = {line.rsplit(" <", 1)[1][:-3] for line in lines if f'"{NOTE[3:6]}" ' in line}
    private = {graph for graph in holding if "run-3" in graph or "private" in graph}
    assert private == names.private == {f"{DATA}run-3/quotes", terms.PRIVATE_TEXT}
    assert not any(line.endswith(f'"{NOTE[3:6]}" .') and "3-3-6" in line for line in lines)


def test_results_may_stand_between_documents() -> None:
    base = snapshot()
    mixed: list[object] = [*base.results, *base.documents]
    again = replace(base, documents=mixed, results=())  # type: ignore[arg-type]
    assert sorted(_lines(nquads(again))) == sorted(_lines(nquads(base)))


def _lines(chunks: Iterable[str]) -> set[str]:
    return set("".join(chunks).splitlines())


def test_the_same_records_give_the_same_lines() -> None:
    assert list(nquads(snapshot())) == list(nquads(snapshot()))


def test_a_result_of_an_unknown_run_is_an_error() -> None:
    with pytest.raises(OntologyError, match="run 9"):
        list(nquads(replace(snapshot(), results=[TaggedRecord(1, 9, 1, "processed")])))


def test_rdflib_reads_the_same_triples(store: ox.Store) -> None:
    import rdflib

    triples = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    assert triples is not None
    graph = rdflib.Graph().parse(data=triples, format="nt")
    assert len(graph) == len(set(triples.splitlines())) > 100


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.9, '"0.9"'),
        (1, '"1.0"'),
        (0, '"0.0"'),
        (0.12345, '"0.1235"'),
    ],
)
def test_scores_have_at_most_four_decimals(value: float, written: str) -> None:
    assert terms.decimal(value).split("^^")[0] == written


@pytest.mark.parametrize("value", ['"', "\\", "\x00", "\n\r\t", "é", "\U0001f600", "\ud800"])
def test_any_text_survives_as_a_literal(value: str) -> None:
    line = f"<urn:a> <urn:b> {terms.text(value)} ."
    (quad,) = ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES)
    assert isinstance(quad.object, ox.Literal)
    assert quad.object.value == value.replace("\ud800", "\ufffd")


def test_iris_are_made_safe_and_absolute() -> None:
    assert terms.iri("http://x/a b>c") == "<http://x/a%20b%3Ec>"
    assert terms.iri("loose name") == f"<{DATA}loose%20name>"


def test_local_names_are_flat_and_differ() -> None:
    names = {terms.slug(name) for name in ("Buses & trains", "buses-trains", "Buses/trains", "")}
    assert len(names) == 4
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


def test_every_flo_term_in_a_ready_question_is_described() -> None:
    package = Path(ontology.__file__).parent
    described = set(
        re.findall(r"^flo:(\w+) a ", (package / "data/flo.ttl").read_text("utf-8"), re.M)
    )
    used: set[str] = set()
    for query in (package / "data/queries").glob("*.rq"):
        used |= set(re.findall(r"\bflo:(\w+)", query.read_text("utf-8")))
    assert used
    assert used <= described


def test_the_vocabulary_file_has_a_label_and_definition_for_each_term() -> None:
    path = Path(ontology.__file__).parent / "data/flo.ttl"
    store = ox.Store()
    store.load(path.read_bytes(), format=ox.RdfFormat.TURTLE)
    bare = store.query(
        "SELECT ?t { ?t a ?any FILTER(STRSTARTS(STR(?t), STR(flo:))) "
        "FILTER(NOT EXISTS { ?t rdfs:label ?l } || NOT EXISTS { ?t skos:definition ?d }) }",
        prefixes=PREFIXES,
    )
    assert isinstance(bare, ox.QuerySolutions)
    assert list(bare) == []
    assert len(list(store.quads_for_pattern(None, None, None))) > 100
    assert OA in PREFIXES.values()
