"""Read vocabulary files: the syntax is told from the content, the extension only breaks ties."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ontology.errors import OntologyError
from ontology.load.concepts import read_concepts
from ontology.load.rdf import parse
from ontology.load.sniff import sniff
from ontology.model import Ontology

MAX_BYTES = 256 * 1024 * 1024
"""Larger files are refused; the biggest public ontologies stay below this."""

__all__ = ["MAX_BYTES", "load", "loads"]


def load(path: Path, *, id: str) -> Ontology:
    """Return the checked ontology in ``path`` under the user's name ``id``.

    Reads RDF/XML, Turtle, N-Triples and JSON-LD with OWL classes, SKOS concepts or both. Nothing
    is fetched: imports, remote contexts and external entities are never followed. Raises
    OntologyError for anything that is not a usable vocabulary.
    """
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise OntologyError(
                f"{path} has {size:,} bytes; expected at most {MAX_BYTES:,}. "
                "Cut out the branch you need and try again"
            )
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OntologyError(
            f"cannot read {path}: {reason}; expected an ontology file. Try: ls -l {path.parent}"
        ) from error
    return loads(data, id=id, name=path.name)


def loads(data: bytes, *, id: str, name: str = "") -> Ontology:
    """Return the ontology in ``data``; ``name`` is its file name, for messages and the syntax."""
    syntax = sniff(data, name)
    triples = parse(data, syntax, name=name or id)
    found = read_concepts(triples, id=id)
    if not found.concepts:
        raise OntologyError(
            f"{name or id} holds no concept; expected skos:Concept or owl:Class with labels "
            f"(read {len(triples.triples):,} triples as {syntax}). "
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
        sha256=hashlib.sha256(data).hexdigest(),
        concepts=found.concepts,
    )
