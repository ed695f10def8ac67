"""Triples gathered by subject, with the structures behind blank nodes resolved.

Three are read: the annotations of an annotation (``owl:Axiom``: the type of a synonym), the named
classes of an intersection (a genus is a parent) and reified SKOS-XL labels. Restrictions and
unions are left aside: no reasoner runs here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ontology.load.triples import Node, Text, Triples
from ontology.vocab import OIO, OWL, RDF, RDFS, SKOS, SKOSXL

MAX_DISJOINT = 500
"""Longer lists of disjoint classes are left aside: pairs grow with the square."""

Values = dict[str, list[Node | Text]]

_FIRST, _REST = f"{RDF}first", f"{RDF}rest"
_XL = {f"{SKOSXL}{kind}": f"{SKOS}{kind}" for kind in ("prefLabel", "altLabel", "hiddenLabel")}
_AXIOM = (f"{OWL}annotatedSource", f"{OWL}annotatedProperty", f"{OWL}annotatedTarget")
MAX_LIST = 10_000


@dataclass(slots=True)
class Statements:
    """What is said ``about`` each IRI, in order of first mention, and the types of synonyms."""

    about: dict[str, Values]
    synonym_types: dict[tuple[str, str, str], str] = field(default_factory=dict)


def gather(source: Triples) -> Statements:
    """Return the statements of ``source`` by subject."""
    about: dict[str, Values] = defaultdict(lambda: defaultdict(list))
    blank: dict[str, Values] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in source.triples:
        (about if subject.is_iri else blank)[subject.value][predicate].append(value)
    found = Statements(about)
    for iri in list(about):
        _inverse(iri, about)
        _genus(iri, about[iri], blank)
        _extended_labels(about[iri], about, blank)
        for predicate in (f"{OWL}disjointUnionOf",):
            for head in about[iri].get(predicate, ()):
                _disjoint(_list(head, blank), about)
    for values in blank.values():
        _axiom(values, found)
        for predicate in (f"{OWL}members", f"{OWL}distinctMembers"):
            if predicate in values and _is(values, f"{OWL}AllDisjointClasses"):
                for head in values[predicate]:
                    _disjoint(_list(head, blank), about)
    return found


def _inverse(iri: str, about: dict[str, Values]) -> None:
    """Read narrower, top concepts and both sides of related and disjoint backwards."""
    for predicate, other_way in (
        (f"{SKOS}narrower", f"{SKOS}broader"),
        (f"{SKOS}hasTopConcept", f"{SKOS}topConceptOf"),
        (f"{SKOS}related", f"{SKOS}related"),
        (f"{OWL}disjointWith", f"{OWL}disjointWith"),
    ):
        for value in list(about[iri].get(predicate, ())):
            if isinstance(value, Node) and value.is_iri:
                if predicate == f"{OWL}disjointWith" and value.value not in about:
                    continue
                back = about[value.value][other_way]
                if (here := Node(iri, True)) not in back:
                    back.append(here)


def _genus(iri: str, values: Values, blank: dict[str, Values]) -> None:
    """Add the named classes of intersections that the class equals or is under as its parents."""
    for predicate in (f"{OWL}equivalentClass", f"{RDFS}subClassOf", f"{OWL}intersectionOf"):
        for value in list(values.get(predicate, ())):
            if predicate == f"{OWL}intersectionOf":
                named = _conjuncts(value, blank, as_list=True)
            elif isinstance(value, Node) and not value.is_iri:
                named = _conjuncts(value, blank)
            else:
                continue
            values[f"{RDFS}subClassOf"].extend(each for each in named if each.value != iri)


def _conjuncts(
    start: Node | Text, blank: dict[str, Values], *, as_list: bool = False
) -> Iterator[Node]:
    """Yield the named classes of an intersection, nested ones included."""
    waiting: list[tuple[Node | Text, bool]] = [(start, as_list)]
    seen: set[str] = set()
    while waiting:
        value, is_list = waiting.pop(0)
        if is_list:
            for item in _list(value, blank):
                if item.is_iri:
                    yield item
                elif item.value not in seen:
                    seen.add(item.value)
                    waiting.append((item, False))
        elif isinstance(value, Node) and value.value in blank:
            lists = blank[value.value].get(f"{OWL}intersectionOf", ())
            waiting.extend((each, True) for each in lists)


def _list(head: Node | Text, blank: dict[str, Values]) -> list[Node]:
    """Return the nodes of an RDF list; a list that bites its tail or is endless ends."""
    items: list[Node] = []
    seen: set[str] = set()
    while isinstance(head, Node) and head.value in blank and head.value not in seen:
        seen.add(head.value)
        values = blank[head.value]
        items.extend(value for value in values.get(_FIRST, ()) if isinstance(value, Node))
        head = next(iter(values.get(_REST, ())), Text("", ""))
        if len(items) > MAX_LIST:
            break
    return items


def _extended_labels(values: Values, about: dict[str, Values], blank: dict[str, Values]) -> None:
    """Copy the literal forms of SKOS-XL labels to the plain label properties."""
    for extended, plain in _XL.items():
        for value in values.get(extended, ()):
            if isinstance(value, Node):
                forms = (about if value.is_iri else blank).get(value.value, {})
                values[plain].extend(forms.get(f"{SKOSXL}literalForm", ()))


def _disjoint(nodes: list[Node], about: dict[str, Values]) -> None:
    named = [node for node in nodes if node.is_iri and node.value in about]
    if len(named) > MAX_DISJOINT:
        return
    for node in named:
        about[node.value][f"{OWL}disjointWith"].extend(each for each in named if each != node)


def _axiom(values: Values, found: Statements) -> None:
    types = values.get(f"{OIO}hasSynonymType")
    if not types:
        return
    source, predicate, target = (next(iter(values.get(each, ())), None) for each in _AXIOM)
    if isinstance(source, Node) and isinstance(predicate, Node) and isinstance(target, Text):
        found.synonym_types[source.value, predicate.value, target.value] = types[0].value


def _is(values: Values, kind: str) -> bool:
    return Node(kind, True) in values.get(f"{RDF}type", ())
