"""A vocabulary in OWL 2 functional syntax (https://www.w3.org/TR/owl2-syntax/)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import count

from ontology.export.facts import concept_facts, facts
from ontology.load.triples import Node, Text, Triple
from ontology.model import Concept, Ontology
from ontology.vocab import DCT, OBO, OIO, OWL, RDF, RDFS, SKOS, XSD

PREFIXES = {
    "obo": OBO,
    "oboInOwl": OIO,
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "terms": DCT,
    "xsd": XSD,
}
_LOCAL = re.compile(r"[A-Za-z_][\w-]*")
_SPACE = re.compile(r"[a-z][a-z0-9+.-]*:[^\s<>\"{}|\\^`]*")
_CLASS_AXIOMS = {f"{RDFS}subClassOf": "SubClassOf", f"{OWL}disjointWith": "DisjointClasses"}
_AXIOM_PARTS = tuple(f"{OWL}annotated{part}" for part in ("Source", "Property", "Target"))


def prefixes(ontology: Ontology) -> dict[str, str]:
    """Return the prefixes to declare: the usual ones, and those of the source beside them."""
    own = {
        name: space
        for name, space in ontology.prefixes.items()
        if _LOCAL.fullmatch(name) and _SPACE.fullmatch(space) and space not in PREFIXES.values()
    }
    return {**own, **PREFIXES}


def to_functional(ontology: Ontology) -> str:
    """Return the ontology in functional syntax; SKOS concepts are named individuals in it."""
    triples = list(facts(ontology))
    head, _, kind = triples[0]
    about = [(p, o) for s, p, o in triples if s == head and p != f"{RDF}type"]
    lines = [f"Prefix({name}:=<{space}>)" for name, space in prefixes(ontology).items()]
    lines += ["", f"Ontology({iri(head.value)}"]
    lines += [f"Annotation({iri(p)} {_value(o)})" for p, o in about]
    if kind.value != f"{OWL}Ontology":
        lines.append(f"ClassAssertion({iri(kind.value)} {iri(head.value)})")
    lines += axioms(t for t in triples if t[0] != head)
    return "\n".join([*lines, ")", ""])


def concept_axioms(concept: Concept) -> list[str]:
    """Return the axioms of one concept, one a line, for its card."""
    return list(axioms(concept_facts(concept, count(1))))


def axioms(triples: Iterable[Triple]) -> Iterator[str]:
    """Yield one axiom a line."""
    rows = list(triples)
    notes = _notes(rows)
    disjoint: set[frozenset[str]] = set()
    for subject, predicate, value in rows:
        if not subject.is_iri:
            continue
        name = iri(subject.value)
        if predicate == f"{RDF}type":
            if value.value == f"{OWL}Class":
                yield f"Declaration(Class({name}))"
            else:
                yield f"Declaration(NamedIndividual({name}))"
                yield f"ClassAssertion({iri(value.value)} {name})"
        elif predicate in _CLASS_AXIOMS and isinstance(value, Node):
            pair = frozenset((subject.value, value.value))
            if predicate == f"{OWL}disjointWith":
                if pair in disjoint:
                    continue
                disjoint.add(pair)
            yield f"{_CLASS_AXIOMS[predicate]}({name} {iri(value.value)})"
        else:
            note = notes.get((subject.value, predicate, value), "")
            yield f"AnnotationAssertion({note}{iri(predicate)} {name} {_value(value)})"


def _notes(rows: list[Triple]) -> dict[tuple[str, str, Node | Text], str]:
    """Return the annotations of annotations, by what they annotate."""
    blank: dict[str, dict[str, Node | Text]] = defaultdict(dict)
    for subject, predicate, value in rows:
        if not subject.is_iri:
            blank[subject.value][predicate] = value
    found = {}
    for values in blank.values():
        source, property_, target = (values[part] for part in _AXIOM_PARTS)
        kind = values[f"{OIO}hasSynonymType"]
        note = f"Annotation({iri(f'{OIO}hasSynonymType')} {iri(kind.value)}) "
        found[source.value, property_.value, target] = note
    return found


def iri(value: str) -> str:
    """Return an IRI, short where a prefix fits."""
    for name, space in PREFIXES.items():
        local = value[len(space) :]
        if value.startswith(space) and _LOCAL.fullmatch(local):
            return f"{name}:{local}"
    return f"<{value}>"


def _value(value: Node | Text) -> str:
    if isinstance(value, Node):
        return iri(value.value)
    text = value.value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"@{value.language}' if value.language else f'"{text}"'
