"""Proposed terms as a SKOS vocabulary in Turtle, for a curator to accept, change or reject.

Every concept is a draft (``bibo:status``) and brings its evidence: how often and in how many
documents it occurs, and quotes with the document and the offsets they come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from ontology.vocab import BIBO, DCT, FLO, RDF, SKOS, XSD

if TYPE_CHECKING:
    import pyoxigraph as ox

DRAFT = "draft"
"""Review status of a proposed term."""
_DECIMAL = f"{XSD}decimal"


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a document as evidence: ``document.text[start:end]``, with their context."""

    document: str
    start: int
    end: int
    context: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposed term; ``broader`` are concepts of the vocabulary that its last words name."""

    label: str
    alternatives: tuple[str, ...]
    score: float
    count: int
    documents: int
    broader: tuple[str, ...]
    quotes: tuple[Quoted, ...]


def to_turtle(terms: Iterable[Proposed], *, title: str, base: str, language: str = "en") -> str:
    """Return the proposal; the scheme is ``base``, its concepts ``base:label``.

    Loading reads it back as any SKOS vocabulary, so that it can be tried before it is taken over.
    """
    import pyoxigraph as ox

    written = ox.serialize(
        _triples(terms, title, base, language),
        format=ox.RdfFormat.TURTLE,
        prefixes={"skos": SKOS, "dct": DCT, "bibo": BIBO, "flo": FLO, "xsd": XSD},
    )
    assert written is not None
    return written.decode()


def _triples(
    terms: Iterable[Proposed], title: str, base: str, language: str
) -> Iterator[ox.Triple]:
    import pyoxigraph as ox

    scheme, draft = ox.NamedNode(base), ox.NamedNode(f"{BIBO}status/{DRAFT}")
    yield ox.Triple(scheme, ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{SKOS}ConceptScheme"))
    yield ox.Triple(scheme, ox.NamedNode(f"{DCT}title"), ox.Literal(title, language="en"))
    yield ox.Triple(scheme, ox.NamedNode(f"{BIBO}status"), draft)
    for term in terms:
        node = ox.NamedNode(f"{base}:{quote('-'.join(term.label.split()), safe='-')}")
        values: list[tuple[str, ox.NamedNode | ox.Literal]] = [
            (f"{RDF}type", ox.NamedNode(f"{SKOS}Concept")),
            (f"{SKOS}inScheme", scheme),
            (f"{SKOS}prefLabel", ox.Literal(term.label, language=language)),
            *((f"{SKOS}altLabel", ox.Literal(x, language=language)) for x in term.alternatives),
            *((f"{SKOS}broadMatch", ox.NamedNode(iri)) for iri in term.broader),
            (f"{BIBO}status", draft),
            (f"{SKOS}editorialNote", ox.Literal(_evidence(term), language="en")),
            (f"{FLO}occurrences", ox.Literal(term.count)),
            (f"{FLO}documents", ox.Literal(term.documents)),
            (f"{FLO}cValue", ox.Literal(f"{term.score:.4f}", datatype=ox.NamedNode(_DECIMAL))),
            *(
                (f"{SKOS}example", ox.Literal(_example(words), language=language))
                for words in term.quotes
            ),
        ]
        for predicate, value in values:
            yield ox.Triple(node, ox.NamedNode(predicate), value)


def _evidence(term: Proposed) -> str:
    times = "once" if term.count == 1 else f"{term.count:,} times"
    documents = "1 document" if term.documents == 1 else f"{term.documents:,} documents"
    return f"Draft: occurs {times} in {documents}; C-value {term.score:.2f}."


def _example(words: Quoted) -> str:
    return f"{words.context} ({words.document}, characters {words.start} to {words.end})"
