"""Concepts, labels and ontologies as plain frozen values; no parser's type leaves the package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Label:
    """A name of a concept: its text, language tag ("" when untagged) and kind.

    ``kind`` is ``pref``, ``alt``, ``hidden`` or ``exact``/``narrow``/``broad``/``related`` (OBO
    synonym scopes); ``type`` is the ontology's own synonym type, ``abbreviation`` for example.
    """

    text: str
    language: str
    kind: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class Concept:
    """One concept or class with its names, definition and parents.

    ``kind`` is ``concept`` (SKOS) or ``class`` (OWL). ``broader`` may name parents that the file
    does not define; so may ``disjoint``, the concepts asserted to share nothing with this one.
    ``notation`` is the first of ``notations``; ``xrefs`` are identifiers in other vocabularies.
    ``status`` is the review status that the source states, ``draft`` for example, or "".
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
    notations: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    disjoint: tuple[str, ...] = ()
    status: str = ""


@dataclass(frozen=True, slots=True)
class Matching:
    """Which labels of an ontology are matched in texts, and how; set by an overlay.

    ``kinds`` and ``languages`` are all those allowed; empty means the matcher's own choice.
    ``stop`` and ``capitals_only`` hold case-folded labels. ``min_length`` counts letters and
    digits; 0 means the matcher's own. With ``spelling`` British and American forms of every label
    are matched too.
    """

    kinds: frozenset[str] = frozenset()
    languages: tuple[str, ...] = ()
    stop: frozenset[str] = frozenset()
    capitals_only: frozenset[str] = frozenset()
    min_length: int = 0
    spelling: bool = False


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file an ontology was read from: its name relative to the first file's folder."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Ontology:
    """A checked, versioned vocabulary.

    ``sha256`` is that of the source file's bytes; with imports or an overlay, that of all of them
    together (``ontology.identity``). ``problems`` are lines that could not be read;
    ``empty_labels`` the concepts with a label of no characters.
    """

    id: str
    title: str
    iri: str
    version: str
    format: str
    sha256: str
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    licence: str = ""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()
    missing_imports: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    empty_labels: tuple[str, ...] = ()
    matching: Matching = Matching()
