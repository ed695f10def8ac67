"""Concepts out of triples: SKOS and OWL alike."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ontology.load.curies import Curies, local_name, obo_iri
from ontology.load.statements import Statements, Values, gather
from ontology.load.triples import Node, Text, Triples
from ontology.model import Concept, Label
from ontology.vocab import ADMS, BIBO, DC, DCT, OBO, OIO, OWL, RDF, RDFS, SKOS, SKOSXL, VS

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
_IMPLIED = {
    *(f"{SKOS}{name}" for name in ("broader", "narrower", "topConceptOf", "prefLabel")),
    f"{SKOSXL}prefLabel",
}
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
_NOTES = (f"{SKOS}scopeNote", f"{SKOS}note", f"{SKOS}historyNote", f"{SKOS}editorialNote")
_EXAMPLES = (f"{SKOS}example", f"{OBO}IAO_0000112")
_XREFS = (f"{OIO}hasDbXref", *(f"{SKOS}{kind}Match" for kind in ("exact", "close", "narrow")))
_LICENCES = (f"{DCT}license", f"{DC}license", f"{DCT}rights", f"{DC}rights")
_STATUS = (f"{BIBO}status", f"{ADMS}status", f"{VS}term_status", f"{OBO}IAO_0000114")
_CURIE = re.compile(r"[A-Za-z][A-Za-z0-9_]*:[A-Za-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Found:
    """The concepts in order of their first mention, and what the file says about itself."""

    concepts: dict[str, Concept]
    title: str
    iri: str
    version: str
    licence: str
    empty_labels: tuple[str, ...]


def read_concepts(source: Triples, *, id: str) -> Found:
    """Return the named concepts and classes of ``source``.

    A subject is a concept when typed so, or when it has a SKOS label or place in the hierarchy and
    is no scheme or collection. Parents are named ones; restrictions are left aside.
    """
    statements = gather(source)
    curies = Curies(source.prefixes, id)
    concepts = {
        iri: _concept(iri, kind, statements, curies)
        for iri, values in statements.about.items()
        if (kind := _kind(iri, values))
    }
    head = next((iri for iri, values in statements.about.items() if _types(values) & _HEADS), "")
    own = statements.about[head] if head else {}
    return Found(
        concepts=concepts,
        title=_first_text(own, _TITLES),
        iri=head,
        version=_first_text(own, _VERSIONS),
        licence=_first_text(own, _LICENCES),
        empty_labels=tuple(iri for iri in concepts if _has_empty_label(statements.about[iri])),
    )


def _has_empty_label(values: Values) -> bool:
    return any(
        isinstance(value, Text) and not value.value.strip()
        for predicate in _LABEL_KINDS.keys() & values.keys()
        for value in values[predicate]
    )


def _reference(value: Node | Text) -> str:
    """Return the IRI meant by a node, or by a text that is an IRI or an OBO identifier."""
    if isinstance(value, Node):
        return value.value if value.is_iri else ""
    text = value.value.strip()
    if text.startswith(("http://", "https://", "urn:")):
        return text
    return obo_iri(text) if _CURIE.fullmatch(text) else ""


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


def _concept(iri: str, kind: str, statements: Statements, curies: Curies) -> Concept:
    values = statements.about[iri]
    labels = _labels(iri, statements)
    shown = _preferred([label for label in labels if label.kind == "pref"]) or _preferred(labels)
    broader = [
        *_iris(values, f"{SKOS}broader"),
        *_iris(values, f"{RDFS}subClassOf"),
    ]
    notations = _texts(values, (f"{SKOS}notation",))
    return Concept(
        iri=iri,
        curie=curies.of(iri),
        label=shown.text if shown else local_name(iri),
        labels=labels,
        definition=_definition(values),
        broader=_distinct(
            each for each in broader if each != iri and not each.startswith(_BUILT_IN)
        ),
        related=_distinct(_iris(values, f"{SKOS}related")),
        notation=next(iter(notations), ""),
        deprecated=_deprecated(values),
        replaced_by=_distinct(
            _reference(value) for key in _REPLACED for value in values.get(key, ())
        ),
        kind=kind,
        notations=notations,
        examples=_texts(values, _EXAMPLES),
        notes=_texts(values, _NOTES),
        xrefs=_distinct(value.value.strip() for key in _XREFS for value in values.get(key, ())),
        disjoint=_distinct(_iris(values, f"{OWL}disjointWith")),
        status=_status(values),
    )


def _labels(iri: str, statements: Statements) -> tuple[Label, ...]:
    """Return all labels, preferred ones first; a SKOS label goes before an rdfs:label."""
    values, types = statements.about[iri], statements.synonym_types
    found: dict[tuple[str, str], Label] = {}
    for predicate, kind in _LABEL_KINDS.items():
        for value in values.get(predicate, ()):
            if isinstance(value, Text) and (name := " ".join(value.value.split())):
                type = local_name(types.get((iri, predicate, value.value), "")) if types else ""
                found.setdefault((name, value.language), Label(name, value.language, kind, type))
    return tuple(found.values())


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, values)))


def _texts(values: Values, predicates: tuple[str, ...]) -> tuple[str, ...]:
    """Return the distinct texts under ``predicates``, English ones first."""
    texts = [
        value
        for predicate in predicates
        for value in values.get(predicate, ())
        if isinstance(value, Text)
    ]
    texts.sort(key=lambda value: _language_rank(value.language))
    return _distinct(" ".join(value.value.split()) for value in texts)


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


def _status(values: Values) -> str:
    """Return the review status that is stated first; of an IRI its last part."""
    for predicate in _STATUS:
        for value in values.get(predicate, ()):
            text = local_name(value.value) if isinstance(value, Node) else value.value.strip()
            if text:
                return text
    return ""


def _deprecated(values: Values) -> bool:
    if f"{OWL}DeprecatedClass" in _types(values):
        return True
    return any(
        value.value.strip().lower() in ("true", "1") for value in values.get(f"{OWL}deprecated", ())
    )
