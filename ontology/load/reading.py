"""A vocabulary's bytes, and those of what it imports, into one checked ontology.

All of it runs in a process of its own (``ontology.load.child``): this is the code that meets what
strangers wrote. It opens no file; imported ones are handed to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from ontology.errors import OntologyError
from ontology.identity import identity
from ontology.load.catalogue import CATALOGUE, Catalogue
from ontology.load.concepts import read_concepts
from ontology.load.obo import parse_obo
from ontology.load.obographs import parse_obographs
from ontology.load.owl import parse_owl
from ontology.load.rdf import parse
from ontology.load.sniff import CSV, FUNCTIONAL, MANCHESTER, OBO, OBO_GRAPHS, OWL_XML, sniff
from ontology.load.termlist import parse_terms
from ontology.load.triples import Node, Text, Triples
from ontology.model import Ontology, SourceFile
from ontology.vocab import OWL

MAX_IMPORTS = 50

Beside = Callable[[Sequence[str]], tuple[str, bytes] | None]
"""Gives the first of the named files that lies beside the vocabulary: its name and its bytes."""


def nothing_beside(names: Sequence[str]) -> None:
    """Give no file."""


def read(data: bytes, *, id: str, name: str, beside: Beside) -> Ontology:
    """Return the ontology in ``data``; ``beside`` gives what it imports.

    Raises OntologyError for anything that is not a usable vocabulary.
    """
    syntax = sniff(data, name)
    source = parse_as(data, syntax, id=id, name=name or id)
    files = [SourceFile(name or id, hashlib.sha256(data).hexdigest())]
    missing: list[str] = []
    whole = _with_imports(source, id, beside, files, missing)
    found = read_concepts(whole, id=id)
    if not found.concepts:
        raise OntologyError(
            f"{name or id} holds no concept; expected skos:Concept or owl:Class with labels "
            f"(read {len(whole.triples):,} triples as {syntax}). "
            "Check that it is the vocabulary itself and not a file that only imports it"
        )
    if not any(concept.labels for concept in found.concepts.values()):
        raise OntologyError(
            f"{name or id}: none of its {len(found.concepts):,} concepts has a label; expected "
            "skos:prefLabel or rdfs:label. Add labels and load it again"
        )
    return Ontology(
        id=id,
        title=found.title or id,
        iri=found.iri,
        version=found.version,
        format=syntax,
        sha256=identity(files),
        concepts=found.concepts,
        licence=found.licence,
        prefixes=whole.prefixes,
        files=tuple(files),
        missing_imports=tuple(missing),
        problems=whole.problems,
        empty_labels=found.empty_labels,
    )


def parse_as(data: bytes, syntax: str, *, id: str, name: str) -> Triples:
    """Return the triples of ``data`` in one of the syntaxes of ``ontology.load.sniff``."""
    if syntax == OBO:
        return parse_obo(data, name=name)
    if syntax == OBO_GRAPHS:
        return parse_obographs(data, name=name)
    if syntax == CSV:
        return parse_terms(data, id=id, name=name)
    if syntax in (FUNCTIONAL, OWL_XML, MANCHESTER):
        return parse_owl(data, syntax, name=name)
    return parse(data, syntax, name=name)


def _with_imports(
    source: Triples, id: str, beside: Beside, files: list[SourceFile], missing: list[str]
) -> Triples:
    """Return the triples of a file and of all it imports, each file once."""
    waiting = _imports(source)
    if not waiting:
        return source
    mapped = beside([CATALOGUE])
    catalogue = Catalogue(mapped[1] if mapped else b"")
    triples, prefixes, problems = list(source.triples), dict(source.prefixes), source.problems
    seen = {files[0].name}
    asked = set(waiting)
    while waiting:
        iri = waiting.pop(0)
        found = beside(catalogue.names(iri))
        if found is None:
            missing.append(iri)
            continue
        name, data = found
        if name in seen:
            continue
        seen.add(name)
        if len(seen) > MAX_IMPORTS:
            raise OntologyError(
                f"{files[0].name} imports more than {MAX_IMPORTS} files; expected fewer. "
                "Merge them first (for example with ROBOT) and add the merged file"
            )
        files.append(SourceFile(name, hashlib.sha256(data).hexdigest()))
        more = parse_as(data, sniff(data, name), id=id, name=name)
        triples += _apart(more, f"{len(files)} ")
        prefixes = {**more.prefixes, **prefixes}
        problems += tuple(f"{name}: {each}" for each in more.problems)
        fresh = [each for each in _imports(more) if each not in asked]
        asked.update(fresh)
        waiting += fresh
    return Triples(triples, prefixes, problems)


def _imports(source: Triples) -> list[str]:
    return list(
        dict.fromkeys(
            value.value for _, predicate, value in source.triples if predicate == f"{OWL}imports"
        )
    )


def _apart(source: Triples, mark: str) -> list[tuple[Node, str, Node | Text]]:
    """Rename blank nodes, so that those of two files never meet."""

    def renamed(value: Node | Text) -> Node | Text:
        if isinstance(value, Node) and not value.is_iri:
            return Node(mark + value.value, False)
        return value

    return [
        (
            Node(mark + subject.value, False) if not subject.is_iri else subject,
            predicate,
            renamed(value),
        )
        for subject, predicate, value in source.triples
    ]
