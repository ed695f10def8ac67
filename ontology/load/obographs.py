"""OBO Graphs JSON (https://github.com/geneontology/obographs): nodes, edges, definitions."""

from __future__ import annotations

from typing import Any

from ontology.errors import OntologyError
from ontology.load.curies import obo_iri, safe_iri
from ontology.load.jsonguard import read_json
from ontology.load.triples import Node, Text, Triple, Triples
from ontology.vocab import OBO, OIO, OWL, RDF, RDFS

_IS_A = {"is_a", f"{RDFS}subClassOf"}


def parse_obographs(data: bytes, *, name: str) -> Triples:
    """Return the triples of an OBO Graphs document; odd nodes are named in ``problems``."""
    document = read_json(data, name, "obo-graphs")
    graphs = document.get("graphs") if isinstance(document, dict) else None
    if not isinstance(graphs, list) or not all(isinstance(each, dict) for each in graphs):
        raise OntologyError(
            f"{name} could not be read as obo-graphs: 'graphs' is {type(graphs).__name__}; "
            "expected a list of objects. Save it again with ROBOT or OAK"
        )
    triples: list[Triple] = []
    problems: list[str] = []
    for graph in graphs:
        _graph(graph, triples, problems)
    return Triples(triples, {}, tuple(problems[:100]))


def _graph(graph: dict[str, Any], triples: list[Triple], problems: list[str]) -> None:
    head = graph.get("id")
    meta = _dict(graph.get("meta"))
    if isinstance(head, str) and head:
        head = _iri(head)
        triples.append((_node(head), f"{RDF}type", _node(f"{OWL}Ontology")))
        if isinstance(version := meta.get("version"), str):
            triples.append((_node(head), f"{OWL}versionInfo", Text(version, "")))
        _properties(head, meta, triples)
    for number, node in enumerate(_list(graph.get("nodes")), 1):
        if not isinstance(node, dict) or not isinstance(node.get("id"), str):
            problems.append(f"node {number} has no id")
        elif node.get("type", "CLASS") == "CLASS":
            _class(node, triples)
    for number, edge in enumerate(_list(graph.get("edges")), 1):
        parts = [_dict(edge).get(key) for key in ("sub", "pred", "obj")]
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) < 3:
            problems.append(f"edge {number} has no sub, pred or obj")
        elif texts[1] in _IS_A:
            triples.append((_node(texts[0]), f"{RDFS}subClassOf", _node(texts[2])))
    for axiom in _list(graph.get("logicalDefinitionAxioms")):
        defined = _dict(axiom).get("definedClassId")
        for genus in _list(_dict(axiom).get("genusIds")):
            if isinstance(defined, str) and isinstance(genus, str):
                triples.append((_node(defined), f"{RDFS}subClassOf", _node(genus)))
    for axiom in _list(graph.get("disjointClassExpressionsAxioms")):
        classes = [each for each in _list(_dict(axiom).get("classIds")) if isinstance(each, str)]
        triples += [
            (_node(one), f"{OWL}disjointWith", _node(other))
            for place, one in enumerate(classes)
            for other in classes[place + 1 :]
        ]


def _class(node: dict[str, Any], triples: list[Triple]) -> None:
    iri = _iri(node["id"])
    subject, meta = Node(iri, True), _dict(node.get("meta"))
    triples.append((subject, f"{RDF}type", _node(f"{OWL}Class")))
    _text(subject, f"{RDFS}label", node.get("lbl"), triples)
    _text(subject, f"{OBO}IAO_0000115", _dict(meta.get("definition")).get("val"), triples)
    for comment in _list(meta.get("comments")):
        _text(subject, f"{RDFS}comment", comment, triples)
    for xref in _list(meta.get("xrefs")):
        _text(subject, f"{OIO}hasDbXref", _dict(xref).get("val"), triples)
    if meta.get("deprecated") is True:
        triples.append((subject, f"{OWL}deprecated", Text("true", "")))
    for place, synonym in enumerate(_list(meta.get("synonyms"))):
        synonym = _dict(synonym)
        predicate, value = f"{OIO}{synonym.get('pred', 'hasSynonym')}", synonym.get("val")
        _text(subject, predicate, value, triples)
        if isinstance(kind := synonym.get("synonymType"), str) and isinstance(value, str):
            axiom = Node(f"{iri} {place}", False)
            triples += [
                (axiom, f"{OWL}annotatedSource", subject),
                (axiom, f"{OWL}annotatedProperty", Node(predicate, True)),
                (axiom, f"{OWL}annotatedTarget", Text(value, "")),
                (axiom, f"{OIO}hasSynonymType", _node(kind)),
            ]
    _properties(iri, meta, triples)


def _properties(iri: str, meta: dict[str, Any], triples: list[Triple]) -> None:
    for each in _list(meta.get("basicPropertyValues")):
        predicate, value = _dict(each).get("pred"), _dict(each).get("val")
        if isinstance(predicate, str) and isinstance(value, str):
            is_iri = value.startswith(("http://", "https://"))
            triples.append(
                (Node(iri, True), _iri(predicate), _node(value) if is_iri else Text(value, ""))
            )


def _text(subject: Node, predicate: str, value: object, triples: list[Triple]) -> None:
    if isinstance(value, str):
        triples.append((subject, predicate, Text(value, "")))


def _iri(id: str) -> str:
    if "://" in id or id.startswith("urn:"):
        return safe_iri(id)
    return safe_iri(obo_iri(id) if ":" in id else f"{OBO}{id}")


def _node(id: str) -> Node:
    return Node(_iri(id), True)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
