"""Concepts out of triples: SKOS and OWL alike."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from ontology.load.curies import Curies, local_name
from ontology.load.rdf import Node, Text, Triples
from ontology.model import Concept, Label
from ontology.vocab import DC, DCT, OBO, OIO, OWL, RDF, RDFS, SKOS

_LABEL_KINDS = {
    f"{SKOS}prefLabel": "pref",
    f"{RDFS}label": "pref",
    f"{SKOS}altLabel": "alt",
    f"{SKOS}hiddenLabel": "hidden",
    f"{OIO}hasExactSynonym": "exact",
    f"{OIO}hasNarrowSynonym": "narrow",
    f"{OIO}hasBroadSynonym": "broad",
    f"{OIO}hasRelatedSynonym": "related",
    f"{OIO}hasSynonym": "related",
    f"{OBO}IAO_0000118": "alt",
}
_CONCEPT = {f"{SKOS}Concept"}
_CLASS = {f"{OWL}Class", f"{RDFS}Class", f"{OWL}DeprecatedClass"}
_IMPLIED = {f"{SKOS}broader", f"{SKOS}narrower", f"{SKOS}topConceptOf", f"{SKOS}prefLabel"}
_NOT_CONCEPTS = {f"{SKOS}ConceptScheme", f"{SKOS}Collection", f"{SKOS}OrderedCollection"}
_HEADS = {f"{OWL}Ontology", f"{SKOS}ConceptScheme"}
_BUILT_IN = (OWL, RDF, RDFS, SKOS)
_DEFINITIONS = (f"{SKOS}definition", f"{OBO}IAO_0000115", f"{SKOS}scopeNote", f"{RDFS}comment")
_TITLES = (f"{DCT}title", f"{DC}title", f"{RDFS}label", f"{SKOS}prefLabel")
_VERSIONS = (
    f"{OWL}versionInfo",
    f"{DCT}hasVersion",
    f"{OWL}versionIRI",
    f"{DCT}modified",
    f"{DCT}issued",
)
_REPLACED = (f"{DCT}isReplacedBy", f"{OBO}IAO_0100001")

Values = dict[str, list[Node | Text]]


@dataclass(frozen=True, slots=True)
class Found:
    """The concepts in order of their first mention, and what the file says about itself."""

    concepts: dict[str, Concept]
    title: str
    iri: str
    version: str


def read_concepts(source: Triples, *, id: str) -> Found:
    """Return the named concepts and classes of ``source``.

    A subject is a concept when typed so, or when it has a SKOS label or place in the hierarchy and
    is no scheme or collection. Parents are named ones only; restrictions are left aside.
    """
    about: dict[str, Values] = defaultdict(lambda: defaultdict(list))
    narrower: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in source.triples:
        if not subject.is_iri:
            continue
        about[subject.value][predicate].append(value)
        if predicate == f"{SKOS}narrower" and isinstance(value, Node) and value.is_iri:
            narrower[value.value].append(subject.value)
            about[value.value][f"{SKOS}broader"] += ()
        elif predicate == f"{SKOS}hasTopConcept" and isinstance(value, Node) and value.is_iri:
            about[value.value][f"{SKOS}topConceptOf"].append(subject)
    curies = Curies(source.prefixes, id)
    concepts = {
        iri: _concept(iri, kind, values, narrower.get(iri, ()), curies)
        for iri, values in about.items()
        if (kind := _kind(iri, values))
    }
    head = next((iri for iri, values in about.items() if _types(values) & _HEADS), "")
    own = about[head] if head else {}
    return Found(
        concepts=concepts,
        title=_first_text(own, _TITLES),
        iri=head,
        version=_first_text(own, _VERSIONS),
    )


def _types(values: Values) -> set[str]:
    return {value.value for value in values.get(f"{RDF}type", ()) if isinstance(value, Node)}


def _kind(iri: str, values: Values) -> str:
    if iri.startswith(_BUILT_IN):
        return ""
    types = _types(values)
    if types & _CONCEPT:
        return "concept"
    if types & _CLASS:
        return "class"
    if types & _NOT_CONCEPTS or types & _HEADS:
        return ""
    return "concept" if _IMPLIED & values.keys() else ""


def _concept(
    iri: str, kind: str, values: Values, inverse: list[str] | tuple[str, ...], curies: Curies
) -> Concept:
    labels = _labels(values)
    shown = _preferred([label for label in labels if label.kind == "pref"]) or _preferred(labels)
    broader = [
        *_iris(values, f"{SKOS}broader"),
        *inverse,
        *_iris(values, f"{RDFS}subClassOf"),
    ]
    return Concept(
        iri=iri,
        curie=curies.of(iri),
        label=shown.text if shown else local_name(iri),
        labels=labels,
        definition=_definition(values),
        broader=tuple(
            dict.fromkeys(
                each for each in broader if each != iri and not each.startswith(_BUILT_IN)
            )
        ),
        related=tuple(dict.fromkeys(_iris(values, f"{SKOS}related"))),
        notation=_first_text(values, (f"{SKOS}notation",)),
        deprecated=_deprecated(values),
        replaced_by=tuple(dict.fromkeys(each for key in _REPLACED for each in _iris(values, key))),
        kind=kind,
    )


def _labels(values: Values) -> tuple[Label, ...]:
    """Return all labels, preferred ones first; a SKOS label goes before an rdfs:label."""
    found: dict[tuple[str, str], Label] = {}
    for predicate, kind in _LABEL_KINDS.items():
        for value in values.get(predicate, ()):
            if isinstance(value, Text) and (name := " ".join(value.value.split())):
                found.setdefault((name, value.language), Label(name, value.language, kind))
    return tuple(found.values())


def _preferred(labels: list[Label] | tuple[Label, ...]) -> Label | None:
    """Return the label to show: English, then untagged, then any."""
    return min(labels, key=lambda label: _language_rank(label.language), default=None)


def _language_rank(language: str) -> int:
    if language == "en" or language.startswith("en-"):
        return 0 if language in ("en", "en-gb") else 1
    return 2 if not language else 3


def _definition(values: Values) -> str:
    for predicate in _DEFINITIONS:
        texts = [value for value in values.get(predicate, ()) if isinstance(value, Text)]
        if texts:
            chosen = min(texts, key=lambda value: _language_rank(value.language))
            return " ".join(chosen.value.split())
    return ""


def _iris(values: Values, predicate: str) -> list[str]:
    return [
        value.value
        for value in values.get(predicate, ())
        if isinstance(value, Node) and value.is_iri
    ]


def _first_text(values: Values, predicates: tuple[str, ...]) -> str:
    for predicate in predicates:
        found = values.get(predicate, ())
        texts = [value for value in found if isinstance(value, Text)]
        if texts:
            return min(texts, key=lambda value: _language_rank(value.language)).value.strip()
        nodes = [value.value for value in found if isinstance(value, Node) and value.is_iri]
        if nodes:
            return nodes[0]
    return ""


def _deprecated(values: Values) -> bool:
    if f"{OWL}DeprecatedClass" in _types(values):
        return True
    return any(
        value.value.strip().lower() in ("true", "1") for value in values.get(f"{OWL}deprecated", ())
    )
