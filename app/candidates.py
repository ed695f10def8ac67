"""Candidate terms of a collection: found, given their quotes, and written for a curator."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.quotes import on_one_line

if TYPE_CHECKING:
    from db.rows import CollectionRow, QuoteRow
    from db.store import Store
    from ontology.index import LabelIndex
    from pipelines.candidates import Candidate


@dataclass(frozen=True, slots=True)
class Broader:
    """A concept that the last words of a candidate name: perhaps what it is a kind of."""

    ontology: str
    iri: str
    curie: str
    label: str


@dataclass(frozen=True, slots=True)
class Term:
    """A candidate with its evidence. ``count`` and ``documents`` are where no concept covers it."""

    label: str
    forms: tuple[str, ...]
    score: float
    count: int
    documents: int
    broader: tuple[Broader, ...]
    quotes: tuple[QuoteRow, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """The candidates of a collection against ``ontologies``, best first.

    Words that occur ``lost_below`` times or less may be missing: 0 unless the collection is so
    large that rare ones had to be dropped while counting.
    """

    collection: str
    ontologies: tuple[str, ...]
    documents: int
    lost_below: int
    terms: tuple[Term, ...]


def chosen_ontologies(store: Store, collection: CollectionRow) -> tuple[str, ...]:
    """Return the ids of the ontologies that the collection's last run tagged with."""
    runs = store.runs(collection.id)
    used = runs[-1].details.get("ontologies") or () if runs else ()
    return tuple(str(entry["id"]) for entry in used if entry.get("id"))


def propose(
    store: Store,
    collection: CollectionRow,
    index: LabelIndex | None,
    *,
    ontologies: Sequence[str] = (),
    limit: int = 100,
    least: int = 2,
    names: bool = False,
) -> Proposal:
    """Return the best candidates of a collection that no concept of ``index`` covers.

    The texts are read twice, a few at a time. The same texts and index give the same proposal.
    """
    from pipelines.candidates import count, rank

    counts = count(
        lambda: store.texts(collection.id), covered=_covering(index) if index else None, least=least
    )
    found = rank(
        counts,
        least=least,
        names=names,
        limit=limit,
        accepts=lambda label: index is None or not _covers(index, label),
    )
    places = [place for candidate in found for place in candidate.places]
    quoted = {(row.document_id, row.start, row.end): row for row in store.quotes(places)}
    return Proposal(
        collection.name,
        tuple(ontologies),
        counts.documents,
        counts.lost_below,
        tuple(_term(candidate, index, quoted) for candidate in found),
    )


def _covering(index: LabelIndex) -> Callable[[str], list[tuple[int, int]]]:
    return lambda text: [(match.start, match.end) for match in index.find(text)]


def _covers(index: LabelIndex, label: str) -> bool:
    return any((match.start, match.end) == (0, len(label)) for match in index.find(label))


def _term(
    candidate: Candidate,
    index: LabelIndex | None,
    quoted: dict[tuple[int, int, int], QuoteRow],
) -> Term:
    broader = {}
    for match in index.find(candidate.label) if index else ():
        if match.end == len(candidate.label) and match.displayed:
            for each in match.concepts:
                broader[each.iri] = Broader(each.ontology, each.iri, each.curie, each.label)
    return Term(
        candidate.label,
        candidate.forms,
        candidate.score,
        candidate.count,
        candidate.documents,
        tuple(broader.values()),
        tuple(quoted[place] for place in candidate.places if place in quoted),
    )


def as_turtle(proposal: Proposal, *, base: str = "") -> str:
    """Return the proposal as SKOS in Turtle; see ``ontology.proposal``."""
    from ontology.proposal import Proposed, Quoted, to_turtle

    terms = (
        Proposed(
            label=term.label,
            alternatives=term.forms,
            score=term.score,
            count=term.count,
            documents=term.documents,
            broader=tuple(each.iri for each in term.broader),
            quotes=tuple(
                Quoted(
                    f"{row.collection}/{row.document}", row.start, row.end, str(on_one_line(row))
                )
                for row in term.quotes
            ),
        )
        for term in proposal.terms
    )
    base = base or f"urn:florilegium:candidates:{quote(proposal.collection, safe='')}"
    return to_turtle(terms, title=f"Candidate terms from {proposal.collection}", base=base)


def as_csv(proposal: Proposal) -> str:
    """Return the proposal as CSV, a term a line, for a spreadsheet.

    A cell that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(
        (
            *("term", "other forms", "C-value", "occurrences", "documents", "broader", "status"),
            *(f"{what} {n}" for n in (1, 2, 3) for what in ("quote", "document", "characters")),
        )
    )
    for term in proposal.terms:
        quotes = [
            part
            for row in term.quotes
            for part in (str(on_one_line(row)), row.document, f"{row.start}-{row.end}")
        ]
        quotes += [""] * (9 - len(quotes))
        counts = (f"{term.score:.4f}", str(term.count), str(term.documents))
        broader = "|".join(each.label for each in term.broader)
        cells = (term.label, "|".join(term.forms), *counts, broader, "draft", *quotes)
        lines.writerow(map(plain_cell, cells))
    return out.getvalue()


def plain_cell(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
