"""Registered ontologies and their concepts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ConceptInput:
    """A concept as the store needs it for names and counts."""

    iri: str
    curie: str
    label: str
    definition: str = ""
    deprecated: bool = False


@dataclass(frozen=True, slots=True)
class OntologyInput:
    """An ontology to register. ``closure`` yields (iri, ancestor, depth); depth 0 is itself.

    ``labels`` and ``deprecated`` are counts for listings. Self rows of the closure may be left
    out: the store adds them.
    """

    name: str
    sha256: str
    path: str
    format: str
    original_path: str = ""
    title: str = ""
    version: str = ""
    labels: int = 0
    deprecated: int = 0
    concepts: Iterable[ConceptInput] = ()
    closure: Iterable[tuple[str, str, int]] = ()


@dataclass(frozen=True, slots=True)
class OntologyRow:
    """A registered version of an ontology; ``concepts``, ``labels``, ``deprecated`` are counts."""

    id: int
    name: str
    sha256: str
    path: str
    original_path: str
    format: str
    title: str
    version: str
    concepts: int
    labels: int
    deprecated: int
    current: bool
    added_at: datetime


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """A concept of the current version of an ontology."""

    ontology: str
    iri: str
    curie: str
    label: str
    definition: str
    deprecated: bool
