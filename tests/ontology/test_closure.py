"""The closure in SQL and ``flo:within`` in the graph say the same, for classes and for concepts."""

from __future__ import annotations

import itertools
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from ontology.graph import GraphTag, TaggedRecord
from ontology.graphstore import build
from ontology.hierarchy import MAX_DEPTH, ancestors, closure
from ontology.load import loads
from ontology.model import Concept, Ontology
from ontology.vocab import FLO
from tests.ontology.snapshots import snapshot

SKOS = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix c: <urn:c:> .\n"
OWL = (
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix c: <urn:c:> .\n"
)
EDGES = [(1, 0), (2, 0), (3, 1), (3, 2), (4, 3), (5, 6), (6, 7), (7, 5), (8, 5)]
"""A diamond under 0, and a ring of 5, 6 and 7 with 8 under it."""


def written(kind: str) -> Ontology:
    """Return the hierarchy as SKOS, as OWL classes, or as classes with equivalences."""
    if kind == "skos":
        lines = [f'c:n{n} a skos:Concept ; skos:prefLabel "n{n}"@en .' for n in range(9)]
        lines += [f"c:n{low} skos:broader c:n{high} ." for low, high in EDGES]
        return loads((SKOS + "\n".join(lines)).encode(), id="h")
    lines = [f'c:n{n} a owl:Class ; rdfs:label "n{n}"@en .' for n in range(9)]
    for low, high in EDGES:
        if kind == "equivalence" and (low, high) in ((3, 1), (3, 2)):
            continue
        lines.append(f"c:n{low} rdfs:subClassOf c:n{high} .")
    if kind == "equivalence":
        lines.append(
            "c:n3 owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( c:n1 c:n2 ) ] ."
        )
    return loads((OWL + "\n".join(lines)).encode(), id="h")


def chain(length: int) -> Ontology:
    """Return concepts each narrower than the one before."""
    return replace(
        written("skos"),
        concepts={
            f"urn:c:n{n}": Concept(
                iri=f"urn:c:n{n}",
                curie="",
                label=f"n{n}",
                labels=(),
                broader=(f"urn:c:n{n - 1}",) if n else (),
            )
            for n in range(length)
        },
    )


def within(folder: Path, ontology: Ontology) -> set[tuple[str, str]]:
    """Return concept and ancestor as the default graph has them, every concept in use."""
    tags = tuple(GraphTag(iri, 0, 3, "The", 0.5, "label") for iri in ontology.concepts)
    used = TaggedRecord(12, 2, 1, "processed", tags=tags)
    built = build(folder, replace(snapshot(), results=[used], ontologies=[ontology]))
    store = ox.Store.read_only(str(built.db))
    found = store.quads_for_pattern(None, ox.NamedNode(f"{FLO}within"), None, ox.DefaultGraph())
    return {(str(quad.subject)[1:-1], str(quad.object)[1:-1]) for quad in found}


@pytest.mark.parametrize("kind", ["skos", "owl", "equivalence"])
def test_graph_and_sql_have_the_same_closure(tmp_path: Path, kind: str) -> None:
    ontology = written(kind)
    pairs = {(low, high) for low, high, _ in closure(ontology)}
    assert within(tmp_path, ontology) == pairs
    assert pairs == {(low, high) for low, high, _ in closure(written("skos"))}
    assert {high for low, high in pairs if low == "urn:c:n4"} == {
        f"urn:c:n{n}" for n in (4, 3, 2, 1, 0)
    }
    assert {high for low, high in pairs if low == "urn:c:n8"} == {
        f"urn:c:n{n}" for n in (8, 5, 6, 7)
    }


def test_a_chain_of_thousands_is_cut_alike_in_both(tmp_path: Path) -> None:
    ontology = chain(400)
    pairs = {(low, high) for low, high, _ in closure(ontology)}
    assert within(tmp_path, ontology) == pairs
    assert len(ancestors(ontology, "urn:c:n399")) == MAX_DEPTH + 1
    deep = sum(1 for _ in closure(chain(3_000)))
    assert deep == 3_000 * (MAX_DEPTH + 1) - MAX_DEPTH * (MAX_DEPTH + 1) // 2


def test_a_closure_is_streamed() -> None:
    ontology = chain(12_000)
    tracemalloc.start()
    try:
        pairs = sum(1 for _ in itertools.islice(closure(ontology), 1_000_000))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert pairs == 1_000_000
    assert most < 16 << 20
