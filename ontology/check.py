"""Everything that is odd about a vocabulary, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ontology.hierarchy import MAX_DEPTH, cycles, deep, narrower
from ontology.model import Concept, Ontology


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: its kind, what it is about (an IRI, a label or a file), and the details.

    ``kind`` is one of ``duplicate-label``, ``common-word``, ``cycle``, ``deep-hierarchy``,
    ``missing-parent``, ``empty-label``, ``no-label``, ``several-preferred``, ``deprecated-parent``,
    ``missing-import``, ``disjointness`` and ``unread``.
    """

    kind: str
    subject: str
    detail: str


def check(ontology: Ontology) -> list[Problem]:
    """Return every problem of ``ontology``, in the order of the kinds above.

    Nothing is inferred: disjointness is that asserted between named classes, against the
    asserted hierarchy. Deprecated concepts are looked at only as parents.
    """
    live = [each for each in ontology.concepts.values() if not each.deprecated]
    return [
        *_labels(live),
        *_hierarchy(ontology, live),
        *(Problem("empty-label", iri, "a label without text") for iri in ontology.empty_labels),
        *(Problem("no-label", c.iri, "nothing to match") for c in live if not c.labels),
        *_preferred(live),
        *_deprecated_parents(ontology, live),
        *(Problem("missing-import", i, "no such file here") for i in ontology.missing_imports),
        *_disjointness(ontology),
        *(Problem("unread", ontology.id, each) for each in ontology.problems),
    ]


def _labels(live: list[Concept]) -> Iterator[Problem]:
    owners: dict[str, list[str]] = {}
    common: dict[str, list[str]] = {}
    words = common_words()
    for concept in live:
        for label in {each.text.casefold(): each for each in concept.labels}.values():
            folded = label.text.casefold()
            owners.setdefault(folded, []).append(concept.curie)
            if folded in words and not (label.text.isupper() and len(label.text) > 1):
                common.setdefault(folded, []).append(concept.curie)
    for text, curies in sorted(owners.items()):
        if len(curies) > 1:
            yield Problem("duplicate-label", text, _some(curies))
    for text, curies in sorted(common.items()):
        yield Problem("common-word", text, _some(curies))


def _hierarchy(ontology: Ontology, live: list[Concept]) -> Iterator[Problem]:
    for cycle in cycles(ontology):
        curies = [ontology.concepts[iri].curie for iri in cycle]
        yield Problem("cycle", cycle[0], f"each is under the other: {_some(curies)}")
    if far := deep(ontology):
        curies = [ontology.concepts[iri].curie for iri in far]
        told = (
            f"more than {MAX_DEPTH} levels are above {_some(curies)}; those further up are left out"
        )
        yield Problem("deep-hierarchy", far[0], told)
    missing: dict[str, list[str]] = {}
    for concept in live:
        for parent in concept.broader:
            if parent not in ontology.concepts:
                missing.setdefault(parent, []).append(concept.curie)
    for parent, curies in sorted(missing.items()):
        yield Problem("missing-parent", parent, f"parent of {_some(curies)}")


def _preferred(live: list[Concept]) -> Iterator[Problem]:
    for concept in live:
        languages = [label.language for label in concept.labels if label.kind == "pref"]
        for language in sorted({each for each in languages if languages.count(each) > 1}):
            names = [x.text for x in concept.labels if (x.kind, x.language) == ("pref", language)]
            yield Problem(
                "several-preferred", concept.iri, f"{language or 'untagged'}: {_some(names)}"
            )


def _deprecated_parents(ontology: Ontology, live: list[Concept]) -> Iterator[Problem]:
    for concept in live:
        for parent in concept.broader:
            above = ontology.concepts.get(parent)
            if above is not None and above.deprecated:
                yield Problem("deprecated-parent", concept.iri, f"under {above.curie}")


def _disjointness(ontology: Ontology) -> Iterator[Problem]:
    """Find classes under two that are asserted to share nothing."""
    children = narrower(ontology)
    reached: dict[str, frozenset[str]] = {}
    pairs = {
        tuple(sorted((concept.iri, other)))
        for concept in ontology.concepts.values()
        for other in concept.disjoint
        if other in ontology.concepts
    }
    for one, other in sorted(pairs):
        both = _below(children, one, reached) & _below(children, other, reached)
        if both:
            curies = sorted(ontology.concepts[iri].curie for iri in both)
            names = " and ".join(ontology.concepts[iri].curie for iri in (one, other))
            yield Problem("disjointness", one, f"{names} are disjoint, yet share {_some(curies)}")


def _below(
    children: Mapping[str, tuple[str, ...]], top: str, reached: dict[str, frozenset[str]]
) -> frozenset[str]:
    if top not in reached:
        seen, waiting = {top}, [top]
        while waiting:
            fresh = [each for each in children.get(waiting.pop(), ()) if each not in seen]
            seen.update(fresh)
            waiting += fresh
        reached[top] = frozenset(seen)
    return reached[top]


def _some(names: list[str]) -> str:
    rest = len(names) - 5
    return ", ".join(names[:5]) + (f" and {rest:,} more" if rest > 0 else "")


@cache
def common_words() -> frozenset[str]:
    """Return the words that are no good as labels by themselves (``data/common_words.txt``)."""
    text = (resources.files("ontology") / "data" / "common_words.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return frozenset(" ".join(lines).split())
