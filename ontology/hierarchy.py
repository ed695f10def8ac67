"""Broader and narrower concepts, safe on cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from ontology.errors import OntologyError
from ontology.model import Ontology

MAX_DEPTH = 100
"""Levels that are followed upwards: real hierarchies have under 50, a long cycle has thousands."""

MAX_ABOVE, SPARE_PAIRS = 200, 1_000_000
"""A closure has at most so many pairs a concept, and so many more; real ones have about 10."""

Key = TypeVar("Key", str, int)


def narrower(ontology: Ontology) -> dict[str, tuple[str, ...]]:
    """Return the direct narrower concepts of each concept that has any, in file order."""
    children: dict[str, list[str]] = {}
    for concept in ontology.concepts.values():
        for parent in concept.broader:
            if parent in ontology.concepts:
                children.setdefault(parent, []).append(concept.iri)
    return {parent: tuple(found) for parent, found in children.items()}


def ancestors(ontology: Ontology, iri: str) -> dict[str, int]:
    """Return every ancestor of ``iri`` inside the ontology with its least depth (itself: 0).

    Ancestors more than ``MAX_DEPTH`` levels up are left out.
    """
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    return _reach(parents, iri, ontology, MAX_DEPTH)


def upwards(parents: Mapping[Key, Sequence[Key]], start: Key) -> Iterator[Key]:
    """Yield ``start`` and everything above it that ``parents`` knows, nearest first, each once.

    As in a closure, what is more than ``MAX_DEPTH`` levels up is left out.
    """
    found = {start}
    level = [start]
    for _ in range(MAX_DEPTH + 1):
        yield from level
        level = list(
            dict.fromkeys(
                above
                for each in level
                for above in parents[each]
                if above in parents and above not in found
            )
        )
        found.update(level)


def descendants(ontology: Ontology, iri: str) -> dict[str, int]:
    """Return ``iri`` (depth 0) and everything narrower with its least depth."""
    return _reach(narrower(ontology), iri, ontology)


def closure(ontology: Ontology) -> Iterator[tuple[str, str, int]]:
    """Yield (concept, ancestor, least depth) for every concept, each its own ancestor at depth 0.

    A cycle ends where it meets a concept already seen; parents outside the ontology are left out,
    and so are ancestors more than ``MAX_DEPTH`` levels up. Raises OntologyError for a hierarchy
    so dense that it was made to fill the disk.
    """
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    most = MAX_ABOVE * len(parents) + SPARE_PAIRS
    for iri in parents:
        above = _reach(parents, iri, ontology, MAX_DEPTH)
        most -= len(above)
        if most < 0:
            raise OntologyError(
                f"the hierarchy of {ontology.id} puts its {len(parents):,} concepts under more "
                f"than {MAX_ABOVE} others each on average; expected about 10. Look for parents "
                "that are no parents with: florilegium ontology check FILE"
            )
        for ancestor, depth in above.items():
            yield iri, ancestor, depth


def deep(ontology: Ontology) -> list[str]:
    """Return the concepts with ancestors more than ``MAX_DEPTH`` levels up, in file order."""
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    return [
        iri
        for iri in parents
        if max(_reach(parents, iri, ontology, MAX_DEPTH + 1).values()) > MAX_DEPTH
    ]


def _reach(
    edges: Mapping[str, tuple[str, ...]], start: str, ontology: Ontology, most: int | None = None
) -> dict[str, int]:
    found = {start: 0}
    level = [start]
    depth = 0
    while level and depth != most:
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
