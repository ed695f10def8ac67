"""The shapes: nothing found in graphs that are right, every planted error found."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib

import ontology
from ontology import terms
from ontology.graph import DocumentRecord, TaggedRecord
from ontology.quads import nquads
from ontology.vocab import PREFIXES
from tests.ontology.people_snapshots import people
from tests.ontology.snapshots import TEXT, tag

pyshacl = pytest.importorskip("pyshacl")
SHAPES = Path(ontology.__file__).parent / "data/shapes.ttl"


@cache
def shapes() -> rdflib.Graph:
    """Return the shapes."""
    return rdflib.Graph().parse(SHAPES)


def violations(triples: bytes) -> set[tuple[str, str]]:
    """Return the local names of focus nodes and of the shapes they violate."""
    graph = rdflib.Graph().parse(data=triples, format="nt")
    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes(), inference="none")
    sh = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    found = set()
    for result in report.subjects(rdflib.RDF.type, sh.ValidationResult):
        focus, shape = report.value(result, sh.focusNode), report.value(result, sh.sourceShape)
        while isinstance(shape, rdflib.BNode):
            shape = next(shapes().subjects(None, shape))
        found.add((_local(focus), _local(shape)))
    return found


def _local(node: object) -> str:
    return str(node).rsplit("#", 1)[-1].rsplit("/", 1)[-1]


@pytest.fixture(scope="module")
def quads() -> bytes:
    """A snapshot with every kind of record, as N-Quads."""
    return "".join(nquads(people())).encode()


def load(quads: bytes, *, with_text: bool = False) -> ox.Store:
    """Return the default graph, and the private words in it where they are asked for."""
    store = ox.Store()
    store.load(quads, format=ox.RdfFormat.N_QUADS)
    kept = ox.Store()
    graphs = [ox.DefaultGraph()] + [ox.NamedNode(terms.PRIVATE_TEXT)] * with_text
    for graph in graphs:
        kept.extend(
            ox.Quad(quad.subject, quad.predicate, quad.object)
            for quad in store.quads_for_pattern(None, None, None, graph)
        )
    return kept


def dump(store: ox.Store) -> bytes:
    """Return the default graph as N-Triples."""
    found = store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    assert found is not None
    return found


@pytest.mark.parametrize("with_text", [False, True])
def test_graphs_with_records_of_every_kind_conform(quads: bytes, with_text: bool) -> None:
    assert violations(dump(load(quads, with_text=with_text))) == set()


PLANTED = {
    "a tag without a target": (
        "DELETE { tag:30-1 oa:hasTarget ?t } WHERE { tag:30-1 oa:hasTarget ?t }",
        ("tag-30-1", "Annotation"),
    ),
    "a tag that targets what is not there": (
        "DELETE { tag:30-2 oa:hasTarget ?t } INSERT { tag:30-2 oa:hasTarget data:span-1-900-901 } "
        "WHERE { tag:30-2 oa:hasTarget ?t }",
        ("tag-30-2", "Annotation"),
    ),
    "a tag in another document than its place": (
        "DELETE { tag:30-3 flo:inDocument ?d } INSERT { tag:30-3 flo:inDocument document:1 } "
        "WHERE { tag:30-3 flo:inDocument ?d }",
        ("tag-30-3", "Annotation"),
    ),
    "a place that ends where it starts": (
        "DELETE { data:position-2-20-21 oa:end 21 } INSERT { data:position-2-20-21 oa:end 20 } WHERE {}",
        ("position-2-20-21", "Position"),
    ),
    "a span with two positions": (
        "INSERT DATA { data:span-2-21-22 oa:hasSelector data:position-1-10-13 }",
        ("span-2-21-22", "Span"),
    ),
    "a span with two quotes": (
        "INSERT DATA { data:span-2-22-23 oa:hasSelector data:quote-1-10-13 }",
        ("span-2-22-23", "Span"),
    ),
    "a span of no document": (
        "DELETE WHERE { data:span-2-23-24 oa:hasSource ?d }",
        ("span-2-23-24", "Span"),
    ),
    "a score above one": (
        "DELETE { tag:30-4 itsrdf:taConfidence ?s } INSERT { tag:30-4 itsrdf:taConfidence 1.01 } "
        "WHERE { tag:30-4 itsrdf:taConfidence ?s }",
        ("tag-30-4", "Annotation"),
    ),
    "two scores": (
        "INSERT DATA { tag:30-5 itsrdf:taConfidence 0.1 }",
        ("tag-30-5", "Annotation"),
    ),
    "a tag without a body": (
        "DELETE WHERE { tag:30-6 oa:hasBody ?b }",
        ("tag-30-6", "Annotation"),
    ),
    "an assertion that nobody knows": (
        "INSERT DATA { tag:30-7 flo:assertion flo:Denied }",
        ("tag-30-7", "Annotation"),
    ),
    "affirmed and negated at once": (
        "INSERT DATA { tag:30-8 flo:assertion flo:Affirmed, flo:Negated }",
        ("tag-30-8", "Annotation"),
    ),
    "a tag by nobody and nothing": (
        "DELETE WHERE { tag:30-9 prov:wasGeneratedBy ?r }",
        ("tag-30-9", "Annotation"),
    ),
    "a property that does not exist": (
        "INSERT DATA { tag:30-10 flo:assertoin flo:Negated }",
        ("tag-30-10", "Annotation"),
    ),
    "a decision without a creator": (
        "DELETE WHERE { data:review-1 dct:creator ?c }",
        ("review-1", "Decision"),
    ),
    "a verdict that is none": (
        "DELETE { data:review-2 oa:hasBody ?v } INSERT { data:review-2 oa:hasBody flo:Perhaps } "
        "WHERE { data:review-2 oa:hasBody ?v }",
        ("review-2", "Decision"),
    ),
    "a theme without a label": (
        "DELETE WHERE { data:theme-11 flo:displayLabel ?l }",
        ("theme-11", "Theme"),
    ),
    "a theme of no codebook": (
        "DELETE WHERE { data:theme-13 skos:inScheme ?s }",
        ("theme-13", "Theme"),
    ),
    "themes above each other": (
        "INSERT DATA { data:theme-11 skos:broader data:theme-12 }",
        ("theme-11", "Hierarchy"),
    ),
    "a coding without a codebook version": (
        "DELETE WHERE { data:coding-1 flo:codebookVersion ?v }",
        ("coding-1", "Coding"),
    ),
    "a coding of a version that is not there": (
        "DELETE { data:coding-2 flo:codebookVersion ?v } "
        "INSERT { data:coding-2 flo:codebookVersion data:codebook-1-v9 } "
        "WHERE { data:coding-2 flo:codebookVersion ?v }",
        ("codebook-1-v9", "CodebookVersion"),
    ),
    "a stance that is none": (
        "INSERT DATA { data:labelling-12-1 flo:stance 'keen' }",
        ("labelling-12-1", "Annotation"),
    ),
    "a campaign of one": (
        "DELETE WHERE { data:campaign-1 dct:hasPart document:2 }",
        ("campaign-1", "Campaign"),
    ),
    "a membership of no campaign": (
        "DELETE WHERE { data:membership-1-2 flo:campaign ?c }",
        ("membership-1-2", "Membership"),
    ),
    "a run without a plan": (
        "DELETE WHERE { data:association-1 prov:hadPlan ?p }",
        ("run-1", "Run"),
    ),
    "a run that ended before it began": (
        "DELETE { run:1 prov:endedAtTime ?t } "
        "INSERT { run:1 prov:endedAtTime '2001-01-01T00:00:00Z'^^xsd:dateTime } "
        "WHERE { run:1 prov:endedAtTime ?t }",
        ("run-1", "Run"),
    ),
    "a document in no collection": (
        "DELETE WHERE { document:3 dct:isPartOf ?c }",
        ("document-3", "Document"),
    ),
    "a collection that does not say who may read it": (
        "DELETE WHERE { collection:1 dct:accessRights ?r }",
        ("collection-1", "Collection"),
    ),
    "a summary of nothing": (
        "DELETE WHERE { data:groupsummary-1 prov:wasDerivedFrom ?s }",
        ("groupsummary-1", "Summary"),
    ),
    "a sentence without its place in the document": (
        "DELETE WHERE { ?s flo:order 0 }",
        ("span-3-0-68", "Sentence"),
    ),
    "a quote without words": (
        "DELETE WHERE { data:quote-2-24-25 oa:exact ?w }",
        ("quote-2-24-25", "Quote"),
    ),
}


@pytest.fixture(scope="module")
def planted() -> set[tuple[str, str]]:
    """The violations of a graph with all planted errors, each on a thing of its own."""
    many = TaggedRecord(
        30, 1, 2, "processed", tags=tuple(tag(n, n + 1, "bus") for n in range(len(TEXT)))
    )
    base = people()
    documents = [
        replace(each, results=(*each.results, many)) if each.document.id == 2 else each
        for each in base.documents
        if isinstance(each, DocumentRecord)
    ]
    quads = "".join(nquads(replace(base, documents=documents))).encode()
    store = load(quads)
    assert violations(dump(store)) <= {("document-2", "Document")}  # two results are current
    for update, _ in PLANTED.values():
        before = dump(store)
        store.update(update, prefixes=PREFIXES)
        changed = dump(store) != before
        assert changed, update
    return violations(dump(store))


@pytest.mark.parametrize("error", PLANTED)
def test_planted_errors_are_found(planted: set[tuple[str, str]], error: str) -> None:
    assert PLANTED[error][1] in planted
