"""Ancestors and descendants, cycles included."""

from __future__ import annotations

from ontology.hierarchy import ancestors, closure, descendants, narrower, upwards
from ontology.model import Concept, Ontology


def ontology(**broader: str) -> Ontology:
    concepts = {
        iri: Concept(iri, iri, iri, broader=tuple(parents.split()))
        for iri, parents in broader.items()
    }
    return Ontology("t", "t", "", "", "turtle", "0", concepts)


DIAMOND = ontology(top="", left="top", right="top", low="left right")


def test_closure_holds_each_concept_itself_at_depth_zero() -> None:
    pairs = set(closure(DIAMOND))
    assert {(iri, iri, 0) for iri in DIAMOND.concepts} <= pairs


def test_closure_gives_the_least_depth() -> None:
    both = ontology(top="", mid="top", low="mid top")
    assert ("low", "top", 1) in set(closure(both))
    assert ("low", "top", 2) not in set(closure(both))


def test_a_concept_with_two_parents_reaches_the_top_once() -> None:
    assert [pair for pair in closure(DIAMOND) if pair[:2] == ("low", "top")] == [("low", "top", 2)]


def test_cycles_end() -> None:
    ring = ontology(a="c", b="a", c="b")
    assert ancestors(ring, "a") == {"a": 0, "c": 1, "b": 2}
    assert len(list(closure(ring))) == 9


def test_parents_outside_the_ontology_are_left_out() -> None:
    assert ancestors(ontology(a="elsewhere"), "a") == {"a": 0}


def test_descendants_mirror_ancestors() -> None:
    assert descendants(DIAMOND, "top") == {"top": 0, "left": 1, "right": 1, "low": 2}
    assert narrower(DIAMOND) == {"top": ("left", "right"), "left": ("low",), "right": ("low",)}


def test_upwards_gives_the_nearest_first_each_once_and_nothing_unknown() -> None:
    parents = {"low": ("left", "right"), "left": ("top",), "right": ("top", "gone"), "top": ()}
    assert list(upwards(parents, "low")) == ["low", "left", "right", "top"]


def test_upwards_ends_on_a_cycle() -> None:
    assert sorted(upwards({1: (2,), 2: (3,), 3: (1,)}, 2)) == [1, 2, 3]
