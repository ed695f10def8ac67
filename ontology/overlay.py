"""An overlay: what the user changes about a vocabulary without touching its file.

It keeps or leaves out branches, adds labels and rules which labels are matched. Its canonical text
goes into the hash of the ontology, so that every result says which overlay was in force.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ontology.errors import OntologyError
from ontology.hierarchy import descendants
from ontology.identity import identity
from ontology.model import Concept, Label, Matching, Ontology

LABEL_KINDS = ("pref", "alt", "hidden", "exact", "narrow", "broad", "related")


@dataclass(frozen=True, slots=True)
class ExtraLabel:
    """A label to add to a concept, given by IRI or CURIE."""

    concept: str
    label: Label


@dataclass(frozen=True, slots=True)
class Overlay:
    """Branches in and out (IRI or CURIE), extra labels, and rules of matching."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    extra: tuple[ExtraLabel, ...] = ()
    matching: Matching = field(default_factory=Matching)

    def __bool__(self) -> bool:
        return self != Overlay()

    def with_branches(self, branches: Iterable[str]) -> Overlay:
        """Return the overlay with more branches to keep."""
        return replace(self, include=tuple(dict.fromkeys((*self.include, *branches))))

    def canonical(self) -> str:
        """Return the overlay as one line of JSON, equal for equal overlays in any syntax."""
        matching = {
            key: sorted(value) if isinstance(value, frozenset) else value
            for key, value in asdict(self.matching).items()
        }
        document = {
            "include": sorted(self.include),
            "exclude": sorted(self.exclude),
            "extra": sorted([each.concept, *astuple_label(each.label)] for each in self.extra),
            "matching": {key: value for key, value in matching.items() if value},
        }
        return json.dumps({key: value for key, value in document.items() if value}, sort_keys=True)


def astuple_label(label: Label) -> list[str]:
    """Return the fields of a label in order."""
    return [label.text, label.language, label.kind, label.type]


def from_canonical(text: str) -> Overlay:
    """Return the overlay that ``canonical`` wrote."""
    document: dict[str, Any] = json.loads(text)
    matching = document.get("matching", {})
    sets = {key: frozenset(matching.get(key, ())) for key in ("kinds", "stop", "capitals_only")}
    return Overlay(
        include=tuple(document.get("include", ())),
        exclude=tuple(document.get("exclude", ())),
        extra=tuple(
            ExtraLabel(concept, Label(*parts)) for concept, *parts in document.get("extra", ())
        ),
        matching=Matching(
            **sets,
            languages=tuple(matching.get("languages", ())),
            min_length=matching.get("min_length", 0),
            spelling=matching.get("spelling", False),
        ),
    )


def apply(ontology: Ontology, overlay: Overlay) -> Ontology:
    """Return ``ontology`` as the overlay wants it, under the hash of both.

    Deprecated concepts stay where one that replaces them stays. Raises OntologyError that names
    every concept the ontology does not have, and when nothing is left.
    """
    if not overlay:
        return ontology
    names = {name: c.iri for c in ontology.concepts.values() for name in (c.curie, c.iri)}
    wanted = [*overlay.include, *overlay.exclude, *(each.concept for each in overlay.extra)]
    unknown = [name for name in dict.fromkeys(wanted) if name not in names]
    if unknown:
        known = next(iter(ontology.concepts.values())).curie
        raise OntologyError(
            f"the overlay names {', '.join(map(repr, unknown))}, which {ontology.id!r} does not "
            f"have; expected IRIs or CURIEs of its concepts, such as {known}. "
            "See them with: florilegium ontology check FILE --json"
        )
    kept = _branches(ontology, overlay, names)
    if not any(not concept.deprecated for concept in kept.values()):
        raise OntologyError(
            f"the overlay leaves no concept of {ontology.id!r}: it keeps "
            f"{', '.join(overlay.include) or 'everything'} and leaves out "
            f"{', '.join(overlay.exclude) or 'nothing'}; expected at least one concept to be left. "
            "Change the branches and add it again"
        )
    for each in overlay.extra:
        iri = names[each.concept]
        if iri in kept:
            kept[iri] = _with_label(kept[iri], each.label)
    return replace(
        ontology,
        concepts=kept,
        empty_labels=tuple(iri for iri in ontology.empty_labels if iri in kept),
        matching=overlay.matching,
        sha256=identity(ontology.files, overlay.canonical()),
    )


def _branches(ontology: Ontology, overlay: Overlay, names: dict[str, str]) -> dict[str, Concept]:
    concepts = ontology.concepts
    inside = _below(ontology, [names[name] for name in overlay.include])
    outside = _below(ontology, [names[name] for name in overlay.exclude])
    kept = {iri for iri in concepts if (iri in inside or not overlay.include)} - outside
    if overlay.include:
        kept |= {
            iri
            for iri, concept in concepts.items()
            if concept.deprecated and iri not in outside and kept & set(concept.replaced_by)
        }
    return {iri: _cut(concepts[iri], kept, concepts.keys()) for iri in concepts if iri in kept}


def _cut(concept: Concept, kept: Set[str], all_: Set[str]) -> Concept:
    """Return the concept without the parents that were left out; those never there stay."""
    broader = tuple(each for each in concept.broader if each in kept or each not in all_)
    return concept if broader == concept.broader else replace(concept, broader=broader)


def _below(ontology: Ontology, roots: Sequence[str]) -> set[str]:
    return {iri for root in roots for iri in descendants(ontology, root)}


def _with_label(concept: Concept, label: Label) -> Concept:
    same = (label.text.casefold(), label.language)
    if any((each.text.casefold(), each.language) == same for each in concept.labels):
        return concept
    return replace(concept, labels=(*concept.labels, label))
