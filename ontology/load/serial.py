"""Concepts and ontologies as JSON values: how they pass between processes and lie on disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ontology.model import Concept, Label, Ontology, SourceFile

Row = list[Any]


def pack(concept: Concept) -> Row:
    """Return a concept as a JSON value."""
    return [
        concept.iri,
        concept.curie,
        concept.label,
        [[label.text, label.language, label.kind, label.type] for label in concept.labels],
        concept.definition,
        concept.broader,
        concept.related,
        concept.notation,
        concept.deprecated,
        concept.replaced_by,
        concept.kind,
        concept.notations,
        concept.examples,
        concept.notes,
        concept.xrefs,
        concept.disjoint,
        concept.status,
    ]


def unpack(row: Row) -> Concept:
    """Return the concept that :func:`pack` wrote; raises TypeError or ValueError for another."""
    iri, curie, label, labels, definition, broader, related, notation, deprecated = row[:9]
    replaced_by, kind, notations, examples, notes, xrefs, disjoint, status = row[9:]
    return Concept(
        iri=iri,
        curie=curie,
        label=label,
        labels=tuple([Label(*each) for each in labels]),
        definition=definition,
        broader=tuple(broader),
        related=tuple(related),
        notation=notation,
        deprecated=deprecated,
        replaced_by=tuple(replaced_by),
        kind=kind,
        notations=tuple(notations),
        examples=tuple(examples),
        notes=tuple(notes),
        xrefs=tuple(xrefs),
        disjoint=tuple(disjoint),
        status=status,
    )


def pack_head(ontology: Ontology) -> dict[str, Any]:
    """Return all of an ontology but its concepts and its rules of matching."""
    return {
        "id": ontology.id,
        "title": ontology.title,
        "iri": ontology.iri,
        "version": ontology.version,
        "format": ontology.format,
        "sha256": ontology.sha256,
        "licence": ontology.licence,
        "prefixes": dict(ontology.prefixes),
        "files": [[file.name, file.sha256] for file in ontology.files],
        "missing_imports": ontology.missing_imports,
        "problems": ontology.problems,
        "empty_labels": ontology.empty_labels,
    }


def unpack_head(head: Mapping[str, Any]) -> Ontology:
    """Return the ontology of a head, without concepts."""
    known = dict(head)
    for key in ("missing_imports", "problems", "empty_labels"):
        known[key] = tuple(known[key])
    known["files"] = tuple(SourceFile(*each) for each in known["files"])
    return Ontology(**known)


def unpack_ontology(head: Mapping[str, Any], rows: Iterable[Row]) -> Ontology:
    """Return the whole ontology, its concepts in the order of ``rows``."""
    concepts = {concept.iri: concept for concept in map(unpack, rows)}
    return replace(unpack_head(head), concepts=concepts)
