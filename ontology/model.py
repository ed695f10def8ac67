"""Concepts, labels and ontologies as plain frozen values; no rdflib type leaves the package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Label:
    """A name of a concept: its text, language tag ("" when untagged) and kind.

    ``kind`` is ``pref``, ``alt``, ``hidden`` or ``exact``/``narrow``/``broad``/``related`` (OBO
    synonym scopes).
    """

    text: str
    language: str
    kind: str


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept or class with its names, definition and parents.

    ``kind`` is ``concept`` (SKOS) or ``class`` (OWL). ``broader`` may name parents that the file
    does not define.
    """

    iri: str
    curie: str
    label: str
    labels: tuple[Label, ...] = ()
    definition: str = ""
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    notation: str = ""
    deprecated: bool = False
    replaced_by: tuple[str, ...] = ()
    kind: str = "concept"


@dataclass(frozen=True, slots=True)
class Ontology:
    """A checked, versioned vocabulary. ``sha256`` is that of the source file's bytes."""

    id: str
    title: str
    iri: str
    version: str
    format: str
    sha256: str
    concepts: Mapping[str, Concept] = field(default_factory=dict)
