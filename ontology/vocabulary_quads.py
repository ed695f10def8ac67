"""Vocabularies as lines: concepts with labels and hierarchy, the closure in use, label sets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set

from ontology import terms
from ontology.hierarchy import upwards
from ontology.model import Concept, Ontology
from ontology.named_graphs import GraphNames
from ontology.terms import boolean, iri, text
from ontology.vocab import DCT, FLO, OWL, PROV, RDF, RDFS, SKOS

_A = f" <{RDF}type> "
_LABELS = {"pref": f"{SKOS}prefLabel", "hidden": f"{SKOS}hiddenLabel"}


def ontology_quads(
    ontologies: Sequence[Ontology], used: Set[str], names: GraphNames, *, partial: bool = False
) -> Iterator[str]:
    """Yield each version in its own graph; a concept is shown as the first version that has it.

    ``used`` are the IRIs that occur in results or decisions: only these get ``flo:within`` to
    themselves and all their ancestors, and a used IRI outside the ontologies gets none. With
    ``partial`` nothing else is given.
    """
    shown: dict[str, set[str]] = {}
    for ontology in ontologies:
        graph = terms.ontology_version(ontology.id, ontology.sha256)
        before = shown.setdefault(ontology.id, set())
        for concept, lines in _concepts(ontology, used, partial=partial):
            yield names.place(lines, graph, shown=concept not in before)
        before.update(ontology.concepts)


def _concepts(ontology: Ontology, used: Set[str], *, partial: bool) -> Iterator[tuple[str, str]]:
    """Yield the version's description under "", then each concept's lines under its IRI."""
    if not partial:
        yield "", "".join(f"{triple} .\n" for triple in _version(ontology))
    parents = {key: concept.broader for key, concept in ontology.concepts.items()}
    for key, concept in ontology.concepts.items():
        subject = iri(key)
        lines = "" if partial else "".join(f"{triple} .\n" for triple in _concept(concept))
        if key in used:
            lines += "".join(
                f"{subject} <{FLO}within> {iri(above)} .\n" for above in upwards(parents, key)
            )
        if lines:
            yield key, lines


def label_set_quads(labels: Collection[tuple[str, str]], names: GraphNames) -> Iterator[str]:
    """Yield the label sets in use, each in its own graph, with those labels that are in use."""
    for name, label in sorted(labels):
        scheme, concept = terms.label_set(name), iri(terms.label(name, label))
        subject = iri(scheme)
        yield names.place(
            f"{subject}{_A}<{SKOS}ConceptScheme> .\n"
            f"{subject} <{DCT}title> {text(name)} .\n"
            f"{concept}{_A}<{SKOS}Concept> .\n"
            f"{concept} <{SKOS}prefLabel> {text(label)} .\n"
            f"{concept} <{SKOS}inScheme> {subject} .\n",
            scheme,
        )


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
