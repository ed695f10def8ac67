"""Annotations on the spans of one document, as lines: what results, decisions and codings share."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from ontology import terms
from ontology.named_graphs import Lines
from ontology.terms import decimal, integer, iri, text
from ontology.vocab import DATA, FLO, ITSRDF, OA, RDF

A = f" <{RDF}type> "
_SELECTOR = f" <{OA}hasSelector> "
_METHODS = frozenset(
    [
        "label",
        "spelling",
        "lemma",
        "qualifier",
        "derivation",
        "order",
        "coordination",
        "abbreviation",
        "fuzzy",
        "meaning",
        "dictionary",
        "classifier",
        "rule",
        "zero-shot",
        "person",
        "found",
        "mapped",
    ]
)


@dataclass(slots=True)
class OnDocument:
    """Writes annotations of one document to ``lines``; spans met twice are written once."""

    id: int
    lines: Lines
    document: str = ""
    _spans: dict[tuple[int, int], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.document = iri(terms.document(self.id))

    def span(self, start: int, end: int, words: str | None) -> str:
        """Return the span's IRI; write it at the first meeting, and its quote where given."""
        local = f"{self.id}-{start}-{end}"
        span = f"<{DATA}span-{local}>"
        if (start, end) not in self._spans:
            self._spans[start, end] = span
            position = f"<{DATA}position-{local}>"
            self.lines.out.append(
                f"{span}{A}<{OA}SpecificResource> .\n"
                f"{span} <{OA}hasSource> {self.document} .\n"
                f"{span}{_SELECTOR}{position} .\n"
                f"{position}{A}<{OA}TextPositionSelector> .\n"
                f"{position} <{OA}start> {integer(start)} .\n"
                f"{position} <{OA}end> {integer(end)} .\n"
            )
        if words:
            quote = f"<{DATA}quote-{local}>"
            self.lines.spoken.append(
                f"{span}{_SELECTOR}{quote} .\n"
                f"{quote}{A}<{OA}TextQuoteSelector> .\n"
                f"{quote} <{OA}exact> {text(words)} .\n"
            )
        return span

    def annotation(self, subject: str, motive: str, target: str, score: float) -> None:
        """Write what every annotation says."""
        self.lines.out.append(
            f"{subject}{A}<{OA}Annotation> .\n"
            f"{subject} <{OA}motivatedBy> <{OA}{motive}> .\n"
            f"{subject} <{OA}hasTarget> {target} .\n"
            f"{subject} <{FLO}inDocument> {self.document} .\n"
            f"{subject} <{ITSRDF}taConfidence> {decimal(score)} .\n"
        )


@lru_cache(256)
def method(name: str) -> str:
    """Return the term of a method: flo:ZeroShot for ``zero-shot``, our own of those not known."""
    if name not in _METHODS:
        return iri(f"{DATA}method-{terms.slug(name)}")
    return f"<{FLO}{''.join(word.capitalize() for word in re.split(r'[^a-z]', name))}>"
