"""Broader and narrower concepts, safe on cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ontology.model import Ontology


def narrower(ontology: Ontology) -> dict[str, tuple[str, ...]]:
    """Return the direct narrower concepts of each concept that has any, in file order."""
    children: dict[str, list[str]] = {}
    for concept in ontology.concepts.values():
        for parent in concept.broader:
            if parent in ontology.concepts:
                children.setdefault(parent, []).append(concept.iri)
    return {parent: tuple(found) for parent, found in children.items()}


def ancestors(ontology: Ontology, iri: str) -> dict[str, int]:
    """Return every ancestor of ``iri`` inside the ontology with its least depth (itself: 0)."""
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    return _reach(parents, iri, ontology)


def descendants(ontology: Ontology, iri: str) -> dict[str, int]:
    """Return ``iri`` (depth 0) and everything narrower with its least depth."""
    return _reach(narrower(ontology), iri, ontology)


def closure(ontology: Ontology) -> Iterator[tuple[str, str, int]]:
    """Yield (concept, ancestor, least depth) for every concept, each its own ancestor at depth 0.

    A cycle ends where it meets a concept already seen; parents outside the ontology are left out.
    """
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    for iri in ontology.concepts:
        for ancestor, depth in _reach(parents, iri, ontology).items():
            yield iri, ancestor, depth


def _reach(edges: Mapping[str, tuple[str, ...]], start: str, ontology: Ontology) -> dict[str, int]:
    found = {start: 0}
    level = [start]
    depth = 0
    while level:
        depth += 1
        following = []
        for iri in level:
            for other in edges.get(iri, ()):
                if other not in found and other in ontology.concepts:
                    found[other] = depth
                    following.append(other)
        level = following
    return found


def cycles(ontology: Ontology) -> list[tuple[str, ...]]:
    """Return the groups of concepts that are above and below each other, in file order.

    Tarjan's strongly connected components (1972), without recursion.
    """
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    found: list[tuple[str, ...]] = []
    for start in ontology.concepts:
        if start in order:
            continue
        work = [(start, iter(ontology.concepts[start].broader))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            iri, parents = work[-1]
            for parent in parents:
                if parent not in ontology.concepts:
                    continue
                if parent not in order:
                    order[parent] = low[parent] = len(order)
                    path.append(parent)
                    on_path.add(parent)
                    work.append((parent, iter(ontology.concepts[parent].broader)))
                    break
                if parent in on_path:
                    low[iri] = min(low[iri], order[parent])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[iri])
                if low[iri] == order[iri]:
                    at = path.index(iri)
                    group, path[at:] = path[at:], []
                    on_path.difference_update(group)
                    if len(group) > 1:
                        found.append(tuple(sorted(group, key=order.__getitem__)))
    return found
