"""Decisions, codebooks, campaigns and summaries of groups as quads; the vocabulary; private words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

import ontology
from ontology import terms
from ontology.annotations import method
from ontology.errors import OntologyError
from ontology.graph import DocumentRecord, GraphCoding, GraphMembership, GraphSnapshot, GraphTag
from ontology.quads import GraphNames, nquads
from ontology.vocab import DATA, FLO, PREFIXES
from tests.ontology.people_snapshots import LETTER, people
from tests.ontology.snapshots import TEXT
from tests.ontology.vocabularies import EX


def load(snapshot: GraphSnapshot) -> ox.Store:
    """Return a snapshot in memory."""
    store = ox.Store()
    store.load("".join(nquads(snapshot)).encode(), format=ox.RdfFormat.N_QUADS)
    return store


@pytest.fixture(scope="module")
def store() -> ox.Store:
    """A snapshot with records of every kind."""
    return load(people())


def yes(store: ox.Store, pattern: str) -> bool:
    return bool(store.query(f"ASK {{ {pattern} }}", prefixes=PREFIXES))


def values(store: ox.Store, query: str) -> set[str]:
    solutions = store.query(query, prefixes=PREFIXES)
    assert isinstance(solutions, ox.QuerySolutions)
    return {str(getattr(solution[0], "value", "")).rsplit("/", 1)[-1] for solution in solutions}


# --- decisions ------------------------------------------------------------------------------


def test_a_decision_says_who_decided_what_about_which_tag_and_when(store: ox.Store) -> None:
    assert yes(
        store,
        "data:review-2 a oa:Annotation, flo:ReviewDecision ; oa:motivatedBy oa:assessing ; "
        "oa:hasTarget tag:12-2 ; oa:hasBody flo:Rejected ; flo:inDocument document:1 ; "
        "dct:creator 'B. Mason' ; dct:created '2026-04-01T09:30:00Z'^^xsd:dateTime ; "
        "flo:reason 'part of a name'",
    )


@pytest.mark.parametrize(
    ("review", "target"),
    [
        (1, "tag-12-1"),
        (4, "labelling-12-1"),
        (5, "coding-1"),
        (6, "highlight-12-1"),
        (7, "span-1-19-24"),
        (9, "document-1"),
        (11, "span-1-0-3"),
    ],
)
def test_decisions_target_what_they_are_about(store: ox.Store, review: int, target: str) -> None:
    assert values(store, f"SELECT ?t {{ data:review-{review} oa:hasTarget ?t }}") == {target}


def test_a_decision_about_what_only_an_older_result_said_targets_that() -> None:
    base = people()
    (first, *others) = (each for each in base.documents if isinstance(each, DocumentRecord))
    bus = f"{EX}bus"
    newer = replace(first.results[1], tags=())
    seen = replace(first.decisions[1], result_id=11)
    assert any(tag.iri == bus for tag in first.results[0].tags)
    changed = replace(first, results=(first.results[0], newer), decisions=(seen,))
    store = load(replace(base, documents=[changed, *others]))
    assert yes(store, "data:review-2 oa:hasTarget tag:11-1")


def test_a_correction_is_a_tag_of_its_own_that_revises_the_machines(store: ox.Store) -> None:
    assert yes(
        store,
        f"data:decided-3 a oa:Annotation ; oa:hasBody <{EX}stop> ; flo:method flo:Person ; "
        "oa:motivatedBy oa:identifying ; itsrdf:taConfidence 1.0 ; flo:displayed true ; "
        "dct:creator 'C. Weaver' ; flo:inDocument document:1 ; prov:wasRevisionOf tag:12-1 ; "
        "oa:hasTarget data:span-1-19-24",
    )
    assert yes(store, f"<{EX}stop> flo:within <{EX}stop>")


def test_what_a_person_added_stands_beside_the_machines(store: ox.Store) -> None:
    assert yes(store, "data:decided-9 oa:hasBody ?l . ?l skos:prefLabel 'Later buses'")
    assert yes(store, "data:decided-10 oa:hasBody data:theme-12")
    assert not yes(store, "data:decided-1 ?p ?o")


def test_earlier_decisions_are_reachable_by_name_only(store: ox.Store) -> None:
    assert not yes(store, "data:review-8 ?p ?o")
    assert yes(store, f"GRAPH <{DATA}reviews/superseded> {{ data:review-8 oa:hasBody ?v }}")
    assert yes(store, "GRAPH data:reviews { data:review-1 oa:hasBody ?v }")


# --- codebooks ------------------------------------------------------------------------------


def test_a_codebook_has_its_versions_in_a_chain(store: ox.Store) -> None:
    assert yes(
        store,
        "data:codebook-1 a skos:ConceptScheme ; dct:title 'matters' ; dct:isPartOf collection:1 ; "
        "flo:codebookVersion data:codebook-1-v2 . data:codebook-1-v2 a prov:Entity ; "
        "owl:versionInfo '2' ; prov:specializationOf data:codebook-1 ; flo:action 'renamed' ; "
        "prov:wasRevisionOf data:codebook-1-v1 ; flo:signedOffBy 'C. Weaver'",
    )
    assert not yes(store, "data:codebook-1-v1 prov:wasRevisionOf ?any")


def test_a_theme_lies_within_itself_and_what_is_above(store: ox.Store) -> None:
    assert yes(
        store,
        "data:theme-12 a flo:Theme, skos:Concept ; skos:prefLabel 'night' ; "
        "flo:displayLabel 'night' ; skos:inScheme data:codebook-1 ; skos:broader data:theme-11 ; "
        f"skos:closeMatch <{EX}nightbus> ; flo:themeKind 'theme'",
    )
    assert values(store, "SELECT ?t { data:theme-12 flo:within ?t }") == {"theme-11", "theme-12"}


def test_themes_above_each_other_do_not_hang() -> None:
    base = people()
    book = base.codebooks[0]
    themes = (replace(book.themes[0], parent_id=12), *book.themes[1:])
    store = load(replace(base, codebooks=[replace(book, themes=themes), base.codebooks[1]]))
    assert values(store, "SELECT ?t { data:theme-11 flo:within ?t }") == {"theme-11", "theme-12"}


def test_a_coded_statement_has_theme_stance_score_and_version(store: ox.Store) -> None:
    assert yes(
        store,
        "data:coding-1 a oa:Annotation ; oa:motivatedBy oa:classifying ; "
        "oa:hasBody data:theme-11 ; flo:stance 'against' ; itsrdf:taConfidence 0.8 ; "
        "flo:method flo:Found ; flo:codebookVersion data:codebook-1-v1 ; flo:inDocument document:1",
    )
    assert not yes(store, "data:coding-2 flo:stance ?any")


# --- campaigns and groups -------------------------------------------------------------------


def test_a_campaign_counts_once_and_a_respondents_documents_do_not(store: ox.Store) -> None:
    assert yes(
        store,
        "data:campaign-1 a flo:Campaign ; flo:campaignKind 'campaign' ; dct:isPartOf collection:1 ; "
        "dct:hasPart document:1, document:2 . data:membership-1-2 a flo:Membership ; "
        "flo:campaign data:campaign-1 ; flo:inDocument document:2 ; flo:likeness 0.9 ; "
        "flo:exact false",
    )
    assert values(store, "SELECT ?c { ?d flo:inCampaign ?c }") == {"campaign-1"}


def test_a_template_stands_with_the_quotes(store: ox.Store) -> None:
    assert yes(store, f"GRAPH <{DATA}campaigns-1/quotes> {{ data:campaign-1 flo:template ?words }}")
    assert not yes(store, "GRAPH data:campaigns-1 { ?c flo:template ?words }")


def test_a_summary_of_a_group_is_ranked_sentences_of_documents(store: ox.Store) -> None:
    assert yes(
        store,
        "data:groupsummary-1 a flo:Summary ; prov:wasDerivedFrom data:theme-11 ; "
        "flo:summaryKind 'theme' ; dct:hasPart data:grouphighlight-1-1 . "
        "data:grouphighlight-1-1 oa:motivatedBy oa:highlighting ; flo:rank 1 ; "
        "flo:role 'central' ; flo:stance 'against' ; flo:inDocument document:1",
    )
    assert yes(store, "data:groupsummary-3 flo:respondent ?who . document:1 flo:respondent ?who")


# --- documents and runs ---------------------------------------------------------------------


def test_documents_have_their_own_dates_as_far_as_known(store: ox.Store) -> None:
    assert yes(store, "document:1 dct:created '2025-03-04'^^xsd:date ; flo:year 2025")
    assert yes(
        store, "document:2 dct:created '1654'^^xsd:gYear ; flo:year 1654 ; dct:language 'de'"
    )
    assert yes(store, "document:1 dct:dateSubmitted '2026-03-02T01:00:00Z'^^xsd:dateTime")
    assert yes(store, "document:2 flo:flag 'garbled'")


def test_a_run_names_the_plan_it_followed(store: ox.Store) -> None:
    assert yes(
        store,
        "run:1 prov:qualifiedAssociation ?a . ?a a prov:Association ; prov:agent ?software ; "
        "prov:hadPlan data:plan-010101010101 . data:plan-010101010101 a prov:Plan ; "
        f"dct:title 'consultation' ; flo:sha256 '{'01' * 32}'",
    )


def test_a_respondents_name_cannot_be_read_back() -> None:
    name = terms.opaque(1, "R-0001", "salt")
    assert re.fullmatch(r"respondent-1-[0-9a-f]{16}", name)
    assert len({name, terms.opaque(2, "R-0001", "salt"), terms.opaque(1, "R-0001", "other")}) == 3


def test_what_is_not_listed_is_an_error() -> None:
    base = people()
    first, *others = (each for each in base.documents if isinstance(each, DocumentRecord))
    for wrong, says in (
        (replace(first, codings=(GraphCoding(1, 9, 91, 0, 3, "The", 1, 1),)), "codebook 9"),
        (replace(first, memberships=(GraphMembership(9, "copy", 1),)), "campaign 9"),
        (replace(first, document=replace(first.document, collection_id=9)), "collection 9"),
    ):
        with pytest.raises(OntologyError, match=says):
            list(nquads(replace(base, documents=[wrong, *others])))


# --- a document's own part ------------------------------------------------------------------

OF_ONE = """SELECT DISTINCT ?node {{
  {{ BIND(document:{id} AS ?node) }}
  UNION {{ GRAPH ?g {{ ?node flo:inDocument|prov:wasDerivedFrom|oa:hasSource document:{id} }} }}
  UNION {{ GRAPH ?g {{ ?span oa:hasSource document:{id} . ?h oa:hasSource document:{id} }}
           GRAPH ?k {{ ?span oa:hasSelector ?node }} }}
}}"""


@pytest.mark.parametrize("id", [1, 2, 3])
def test_everything_of_a_document_can_be_found_and_taken_out(id: int) -> None:
    base = people()
    whole = load(base)
    found = whole.query(OF_ONE.format(id=id), prefixes=PREFIXES)
    assert isinstance(found, ox.QuerySolutions)
    nodes = {solution["node"] for solution in found}
    rest = [each for each in base.documents if isinstance(each, DocumentRecord)]
    without = load(replace(base, documents=[each for each in rest if each.document.id != id]))
    gone = {quad for quad in whole if quad not in without}
    shared = (f"{FLO}within", "skos/core#", f"{DATA}labels-")  # of concepts and labels in use
    for quad in gone:
        of_vocabulary = any(each in str(quad) for each in shared)
        assert of_vocabulary or quad.subject in nodes or quad.object in nodes, quad
    for quad in without:
        assert quad.subject not in nodes, quad


def test_a_partial_snapshot_has_the_same_quads_of_its_documents() -> None:
    base = people()
    whole = set(load(base))
    for record in base.documents:
        part = replace(base, documents=[record], partial=True)
        quads = set(load(part))
        assert quads <= whole
        assert len(quads) < len(whole)
    assert not any("skos/core#altLabel" in str(quad) for quad in quads)
    assert any(f"{FLO}within" in str(quad) for quad in quads)


# --- private words --------------------------------------------------------------------------


def runs_of_words(text: str, length: int = 4) -> set[str]:
    """Return every run of ``length`` words, in lower case."""
    words = re.findall(r"\w+", text.lower())
    return {" ".join(words[n : n + length]) for n in range(len(words) - length + 1)}


def test_no_words_of_a_private_document_are_outside_the_private_graphs() -> None:
    names = GraphNames()
    lines = [line.replace("\\n", " ") for line in "".join(nquads(people(), names)).splitlines()]
    private = tuple(f"<{graph}> ." for graph in names.private)
    open_, closed = [], []
    for line in lines:
        (closed if line.endswith(private) else open_).append(line)
    told = runs_of_words("\n".join(open_))
    said = runs_of_words(LETTER)
    assert len(said) > 10
    assert said & told == set()
    assert runs_of_words(LETTER.split(". Ring")[0]) <= runs_of_words("\n".join(closed))
    assert runs_of_words(TEXT) <= told


def test_a_private_theme_shows_its_number_and_its_label_with_text_only(store: ox.Store) -> None:
    assert yes(store, "data:theme-21 flo:displayLabel 'Theme 21'")
    assert not yes(store, "data:theme-21 skos:prefLabel|skos:definition ?any")
    assert yes(store, f"GRAPH <{terms.PRIVATE_TEXT}> {{ data:theme-21 skos:prefLabel ?label }}")


def test_graphs_of_words_of_a_private_collection_are_marked_private() -> None:
    names = GraphNames()
    list(nquads(people(), names))
    assert {each.removeprefix(DATA) for each in names.private} == {
        "private-text",
        "collection-2/quotes",
        "codebook-2/quotes",
        "run-3/quotes",
        "run-3/superseded/quotes",
        "reviews/quotes-2",
        "reviews/superseded/quotes-2",
    }


# --- the vocabulary -------------------------------------------------------------------------

VOCABULARY = Path(ontology.__file__).parent / "data/flo.ttl"


def test_terms_of_the_vocabulary_are_those_in_use() -> None:
    """What the mapping, overlays and proposals write; and a class and its values for each range."""
    graph = rdflib.Graph().parse(VOCABULARY)
    defined = {str(term)[len(FLO) :] for term in graph.subjects(rdflib.RDF.type) if FLO in term}
    cues = dict.fromkeys(("possible", "hypothetical", "historical"), True)
    tags = (
        GraphTag(f"{EX}bus", 0, 3, "The", 1, "dictionary", negated=False),
        GraphTag(f"{EX}bus", 0, 3, "The", 1, "dictionary", negated=True, experiencer="family", **cues),
    )  # fmt: skip
    base = people()
    first, *others = (each for each in base.documents if isinstance(each, DocumentRecord))
    first = replace(first, results=(first.results[0], replace(first.results[1], tags=tags)))
    written = "".join(nquads(replace(base, documents=[first, *others])))
    used = set(re.findall(rf"<{re.escape(FLO)}(\w+)>", written))
    code = Path(ontology.__file__).parent
    for module in ("overlay_file.py", "proposal.py"):
        used |= set(re.findall(r"(?:flo:|FLO\})(\w+)", (code / module).read_text("utf-8")))
    assert used - defined == set()
    methods = {str(term)[len(FLO) :] for term in graph.subjects(rdflib.RDF.type, rdflib.URIRef(f"{FLO}Method"))}  # fmt: skip
    assert defined - used - methods == {"Assertion", "Method", "Verdict"}


def test_every_known_method_is_described_and_others_are_our_own_names() -> None:
    graph = rdflib.Graph().parse(VOCABULARY)
    kind = rdflib.URIRef(f"{FLO}Method")
    for found in graph.subjects(rdflib.RDF.type, kind):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", str(found)[len(FLO) :]).lower()
        assert method(name) == f"<{found}>"
    assert method("by hand & eye").startswith(f"<{DATA}method-by-hand-eye-")


def test_properties_say_what_they_join_and_classes_what_they_are() -> None:
    graph = rdflib.Graph().parse(VOCABULARY)
    for kind in (rdflib.OWL.ObjectProperty, rdflib.OWL.DatatypeProperty):
        for term in graph.subjects(rdflib.RDF.type, kind):
            for needed in (rdflib.RDFS.domain, rdflib.RDFS.range, rdflib.RDFS.label):
                assert graph.value(term, needed) is not None, (term, needed)
