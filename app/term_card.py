"""The term card: all that is known of a concept, from its vocabulary and the user's documents.

The command line, its JSON and the dashboard's Concepts page all show this one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.errors import UsageError
from app.vocabulary import Vocabulary

if TYPE_CHECKING:
    from app.settings import Settings
    from db.rows import ConceptUsage, OntologyRow
    from db.store import Store
    from ontology.model import Concept, Label

SUGGESTED = 5


@dataclass(frozen=True, slots=True)
class Reference:
    """Another concept; of one that the ontology does not define, only the IRI is known."""

    iri: str
    curie: str
    label: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a concept comes from; ``overlay`` says whether one was laid over the file."""

    title: str
    iri: str
    file: str
    format: str
    version: str
    licence: str
    sha256: str
    added_at: str
    overlay: bool


@dataclass(frozen=True, slots=True)
class TermCard:
    """A concept with everything a curator asks about it.

    ``labels`` are all names with language, kind and type; ``status`` is the review status that the
    source states, ``deprecated`` for a deprecated concept, or "" where none is stated.
    """

    ontology: str
    iri: str
    curie: str
    label: str
    kind: str
    labels: tuple[Label, ...]
    definition: str
    broader: tuple[Reference, ...]
    narrower: tuple[Reference, ...]
    related: tuple[Reference, ...]
    disjoint: tuple[Reference, ...]
    notations: tuple[str, ...]
    examples: tuple[str, ...]
    notes: tuple[str, ...]
    xrefs: tuple[str, ...]
    deprecated: bool
    replaced_by: tuple[Reference, ...]
    status: str
    axioms: tuple[str, ...]
    provenance: Provenance
    usage: ConceptUsage


def open_vocabulary(row: OntologyRow) -> Vocabulary:
    """Open a registered vocabulary to be looked through; its file must be the one that was added.

    Nothing is parsed: its concepts are read from what is kept of them.
    """
    from app.kept_ontologies import check_ontologies
    from ontology.kept import open_concepts

    check_ontologies([row])
    concepts = open_concepts(Path(row.path), id=row.name, sha256=row.sha256)
    return Vocabulary(row, concepts)


def term_card(store: Store, vocabulary: Vocabulary, concept: Concept, *, quotes: int) -> TermCard:
    """Return the card of a concept with up to ``quotes`` quotes from the user's documents."""
    from ontology.export import concept_axioms

    return TermCard(
        ontology=vocabulary.row.name,
        iri=concept.iri,
        curie=concept.curie,
        label=concept.label,
        kind=concept.kind,
        labels=concept.labels,
        definition=concept.definition,
        broader=_references(vocabulary, concept.broader),
        narrower=tuple(
            Reference(each.iri, each.curie, each.label)
            for each in vocabulary.concepts.below(concept.iri)
        ),
        related=_references(vocabulary, concept.related),
        disjoint=_references(vocabulary, concept.disjoint),
        notations=concept.notations,
        examples=concept.examples,
        notes=concept.notes,
        xrefs=concept.xrefs,
        deprecated=concept.deprecated,
        replaced_by=_references(vocabulary, concept.replaced_by),
        status="deprecated" if concept.deprecated else concept.status,
        axioms=tuple(concept_axioms(concept)),
        provenance=_provenance(vocabulary),
        usage=store.concept_usage(vocabulary.row.name, concept.iri, quotes=quotes),
    )


def find_cards(
    settings: Settings,
    store: Store,
    wanted: str,
    *,
    ontologies: Sequence[str] = (),
    quotes: int = 5,
) -> list[TermCard]:
    """Return the cards of all concepts that ``wanted`` names: IRI, CURIE, label or notation.

    Where it is an IRI or a CURIE, or a preferred label, of some, concepts that have it as another
    name only are left out. Raises UsageError, with near names, where there is none.
    """
    from app.kept_ontologies import ontology_rows

    rows = ontology_rows(store, ontologies) if ontologies else store.ontologies()
    known = store.named_concepts(wanted, [row.name for row in rows])
    here = {name for name, _ in known}
    cards: list[TermCard] = []
    vocabularies = [open_vocabulary(row) for row in rows if not known or row.name in here]
    for vocabulary in vocabularies:
        for hit in vocabulary.named(wanted):
            if not known or (vocabulary.row.name, hit.concept.iri) in known:
                cards.append(term_card(store, vocabulary, hit.concept, quotes=quotes))
    if cards:
        return cards
    near = [hit for each in vocabularies for hit in each.search(wanted)][:SUGGESTED]
    if near:
        told = "; near it are: " + ", ".join(f"{h.name!r} ({h.concept.curie})" for h in near)
    else:
        told = ""
    names = ", ".join(row.name for row in rows) or "none yet"
    raise UsageError(
        f"No concept {wanted!r} in the ontologies of this workspace ({names}): expected an IRI, a "
        f"CURIE or a label{told}. See: florilegium ontology list"
    )


def _references(vocabulary: Vocabulary, iris: Iterable[str]) -> tuple[Reference, ...]:
    found = ((iri, vocabulary.concepts.get(iri)) for iri in iris)
    return tuple(
        Reference(iri, concept.curie, concept.label) if concept else Reference(iri, "", "")
        for iri, concept in found
    )


def _provenance(vocabulary: Vocabulary) -> Provenance:
    from ontology.kept import read_manifest

    row, ontology = vocabulary.row, vocabulary.ontology
    return Provenance(
        title=row.title,
        iri=ontology.iri,
        file=row.original_path,
        format=row.format,
        version=row.version,
        licence=ontology.licence,
        sha256=row.sha256,
        added_at=row.added_at.isoformat(),
        overlay=bool(read_manifest(Path(row.path)).overlay),
    )
