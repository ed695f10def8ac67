"""Ontology versions, concepts and closure."""

from __future__ import annotations

import pytest

from db.errors import NotFound
from db.rows import ConceptInput, OntologyInput
from db.store import Store
from tests.db.samples import vocabulary


def test_an_ontology_comes_back_with_its_counts(store: Store) -> None:
    row = store.add_ontology(vocabulary())
    assert (row.name, row.concepts, row.labels, row.current) == ("places", 3, 3, True)
    assert store.ontology("places") == row
    assert [c.iri for c in store.concepts("places")] == [
        "urn:c:park",
        "urn:c:place",
        "urn:c:playground",
    ]


def test_a_new_version_replaces_the_current_one(store: Store) -> None:
    store.add_ontology(vocabulary(sha256="v1"))
    new = store.add_ontology(vocabulary(["urn:c:place", "urn:c:wood"], sha256="v2"))
    assert store.ontologies() == [new]
    assert [(o.sha256, o.current) for o in store.ontologies(all_versions=True)] == [
        ("v1", False),
        ("v2", True),
    ]
    assert [c.iri for c in store.concepts()] == ["urn:c:place", "urn:c:wood"]


def test_the_same_file_again_keeps_its_id(store: Store) -> None:
    first = store.add_ontology(vocabulary(sha256="v1"))
    store.add_ontology(vocabulary(sha256="v2"))
    again = store.add_ontology(vocabulary(sha256="v1"))
    assert again.id == first.id
    assert [o.sha256 for o in store.ontologies()] == ["v1"]


def test_the_closure_holds_each_concept_itself_once(store: Store) -> None:
    cycle = OntologyInput(
        name="c",
        sha256="v1",
        path="c.ttl",
        format="turtle",
        concepts=[ConceptInput("urn:1", "1", "one"), ConceptInput("urn:2", "2", "two")],
        closure=[
            ("urn:1", "urn:1", 0),
            ("urn:1", "urn:2", 1),
            ("urn:2", "urn:1", 1),
            ("urn:2", "urn:2", 2),
        ],
    )
    store.add_ontology(cycle)
    assert list(store.closure("c")) == [
        ("urn:1", "urn:1", 0),
        ("urn:1", "urn:2", 1),
        ("urn:2", "urn:2", 0),
        ("urn:2", "urn:1", 1),
    ]


def test_a_concept_is_found_by_its_iri_in_every_ontology(store: Store) -> None:
    store.add_ontology(vocabulary(name="a"))
    store.add_ontology(vocabulary(name="b"))
    found = list(store.concepts(iri="urn:c:park"))
    assert [(c.ontology, c.label) for c in found] == [("a", "park"), ("b", "park")]


def test_an_unknown_ontology_is_not_found_and_names_the_known(store: Store) -> None:
    store.add_ontology(vocabulary())
    with pytest.raises(NotFound, match="places"):
        store.ontology("place")
