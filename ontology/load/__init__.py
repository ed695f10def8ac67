"""Read vocabulary files: the syntax is told from the content, the extension only breaks ties."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ontology.errors import OntologyError
from ontology.identity import identity
from ontology.load.catalogue import Catalogue
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

MAX_BYTES = 256 * 1024 * 1024
"""Larger files are refused; the biggest public ontologies stay below this."""

MAX_IMPORTS = 50

__all__ = ["MAX_BYTES", "load", "loads"]


def load(path: Path, *, id: str) -> Ontology:
    """Return the checked ontology in ``path`` under the user's name ``id``.

    Reads RDF/XML, Turtle, N-Triples, JSON-LD, OWL functional, OWL/XML and Manchester syntax, OBO,
    OBO Graphs and CSV term lists, with OWL classes, SKOS concepts or both. Imports are read from
    files in the same folder (``ontology.load.catalogue``); nothing is fetched, and remote contexts
    and external entities are never followed. Raises OntologyError for anything that is not a
    usable vocabulary.
    """
    return _loads(_read(path), id=id, name=path.name, folder=path.parent)


def loads(data: bytes, *, id: str, name: str = "") -> Ontology:
    """Return the ontology in ``data``; ``name`` is its file name, for messages and the syntax.

    Imports are not looked for.
    """
    return _loads(data, id=id, name=name, folder=None)


def _loads(data: bytes, *, id: str, name: str, folder: Path | None) -> Ontology:
    syntax = sniff(data, name)
    source = _parse(data, syntax, id=id, name=name or id)
    files = [SourceFile(name or id, hashlib.sha256(data).hexdigest())]
    missing: list[str] = []
    whole = _with_imports(source, id, folder, files, missing)
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


def _parse(data: bytes, syntax: str, *, id: str, name: str) -> Triples:
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
    source: Triples, id: str, folder: Path | None, files: list[SourceFile], missing: list[str]
) -> Triples:
    """Return the triples of a file and of all it imports, each file once."""
    waiting = _imports(source)
    if not waiting:
        return source
    catalogue = Catalogue(folder) if folder else None
    triples, prefixes, problems = list(source.triples), dict(source.prefixes), source.problems
    seen = {files[0].name}
    asked = set(waiting)
    while waiting:
        iri = waiting.pop(0)
        path = catalogue.find(iri) if catalogue else None
        if catalogue is None or path is None:
            missing.append(iri)
            continue
        name = path.relative_to(catalogue.folder).as_posix()
        if name in seen:
            continue
        seen.add(name)
        if len(seen) > MAX_IMPORTS:
            raise OntologyError(
                f"{files[0].name} imports more than {MAX_IMPORTS} files; expected fewer. "
                "Merge them first (for example with ROBOT) and add the merged file"
            )
        data = _read(path)
        files.append(SourceFile(name, hashlib.sha256(data).hexdigest()))
        more = _parse(data, sniff(data, name), id=id, name=name)
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


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise OntologyError(
                f"{path} has {size:,} bytes; expected at most {MAX_BYTES:,}. "
                "Cut out the branch you need and try again"
            )
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OntologyError(
            f"cannot read {path}: {reason}; expected an ontology file. Try: ls -l {path.parent}"
        ) from error
