"""An ontology's own concepts as triples: labels, hierarchy, and the closure of what is in use."""

from __future__ import annotations

from collections.abc import Iterator, Set

from ontology import terms
from ontology.hierarchy import ancestors
from ontology.model import Concept, Ontology
from ontology.terms import boolean, iri, text
from ontology.vocab import DCT, FLO, OWL, PROV, RDF, RDFS, SKOS

_A = f" <{RDF}type> "
_LABELS = {"pref": f"{SKOS}prefLabel", "hidden": f"{SKOS}hiddenLabel"}


def ontology_triples(ontology: Ontology, used: Set[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the version's description under "", then each concept's triples under its IRI.

    ``used`` are the IRIs that occur as tags: only these get ``flo:within`` to themselves and all
    their ancestors, and a used IRI outside the ontology gets none.
    """
    yield "", _version(ontology)
    for concept in ontology.concepts.values():
        triples = _concept(concept)
        if concept.iri in used:
            triples += [
                f"{iri(concept.iri)} <{FLO}within> {iri(ancestor)}"
                for ancestor in ancestors(ontology, concept.iri)
            ]
        yield concept.iri, triples


def _version(ontology: Ontology) -> list[str]:
    subject = iri(terms.ontology_version(ontology.id, ontology.sha256))
    triples = [
        f"{subject}{_A}<{PROV}Entity>",
        f"{subject} <{DCT}title> {text(ontology.title or ontology.id)}",
        f"{subject} <{DCT}identifier> {text(ontology.id)}",
        f"{subject} <{FLO}sha256> {text(ontology.sha256)}",
    ]
    if ontology.version:
        triples.append(f"{subject} <{OWL}versionInfo> {text(ontology.version)}")
    if ontology.iri:
        kinds = {concept.kind for concept in ontology.concepts.values()}
        kind = f"{OWL}Ontology" if "class" in kinds else f"{SKOS}ConceptScheme"
        triples += [
            f"{subject} <{PROV}specializationOf> {iri(ontology.iri)}",
            f"{iri(ontology.iri)}{_A}<{kind}>",
        ]
    return triples


def _concept(concept: Concept) -> list[str]:
    subject = iri(concept.iri)
    is_class = concept.kind == "class"
    kind = f"{OWL}Class" if is_class else f"{SKOS}Concept"
    triples = [f"{subject}{_A}<{kind}>"]
    shown = [label for label in concept.labels if label.text == concept.label]
    language = shown[0].language if shown else ""
    triples += [
        f"{subject} <{FLO}displayLabel> {text(concept.label)}",
        f"{subject} <{SKOS}prefLabel> {text(concept.label, language)}",
    ]
    for label in concept.labels:
        name = text(label.text, label.language)
        if is_class and label.kind == "pref":
            triples.append(f"{subject} <{RDFS}label> {name}")
        elif label.text != concept.label or label.language != language:
            triples.append(f"{subject} <{_LABELS.get(label.kind, f'{SKOS}altLabel')}> {name}")
    broader = f"{RDFS}subClassOf" if is_class else f"{SKOS}broader"
    triples += [f"{subject} <{broader}> {iri(parent)}" for parent in concept.broader]
    triples += [f"{subject} <{SKOS}related> {iri(other)}" for other in concept.related]
    triples += [f"{subject} <{DCT}isReplacedBy> {iri(other)}" for other in concept.replaced_by]
    if concept.definition:
        triples.append(f"{subject} <{SKOS}definition> {text(concept.definition)}")
    if concept.notation:
        triples.append(f"{subject} <{SKOS}notation> {text(concept.notation)}")
    if concept.deprecated:
        triples.append(f"{subject} <{OWL}deprecated> {boolean(True)}")
    return triples
