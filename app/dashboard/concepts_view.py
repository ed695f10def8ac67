"""The Concepts page's parts: the list of concepts, and the term card with its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from app.dashboard import present
from app.dashboard.concept_data import document_counts, opened
from app.dashboard.concept_place import Place
from app.dashboard.filters import Filters
from app.dashboard.highlight import visible
from app.dashboard.present import Cell, counted, number
from app.dashboard.workspace import Workspace, problem, show
from app.quotes import assertion, on_one_line
from app.term_card import Reference, TermCard, term_card
from app.vocabulary import Hit, Vocabulary
from db.rows import ConceptUsage, OntologyRow, QuoteRow

SHOWN = 100
"""Concepts listed at once, and references of one kind on a card."""
QUOTES = 10
ASSESSED = {
    "negated": "negated",
    "possible": "possible",
    "historical": "historical",
    "hypothetical": "hypothetical",
    "others": "of others",
    "not_assessed": "not assessed",
}


def show_list(space: Workspace, row: OntologyRow, place: Place) -> None:
    """Show what the words find, or the top of the vocabulary."""
    vocabulary = opened(row)
    if place.words:
        hits = vocabulary.search(place.words)
        told = f"{counted(len(hits), 'concept')} found"
    else:
        tops = vocabulary.tops
        told = f"{counted(len(tops), 'concept')} with nothing above"
        told += f", of {counted(row.concepts, 'concept')} in all"
        if len(tops) == 1:
            tops += vocabulary.below(tops[0])
            told += f"; {number(len(tops) - 1)} right below it"
        hits = [Hit(concept, concept.label) for concept in tops]
    if not hits:
        show("<p>No name of a concept has all these words. Try fewer or shorter ones.</p>")
        return
    if len(hits) > SHOWN:
        told += f"; the first {SHOWN} are shown"
    counts = document_counts(space.store, row.name)
    headings = [
        *(Cell("Concept"), Cell("Found by" if place.words else "Identifier"), Cell("Definition")),
        Cell("Documents", right=True),
        Cell("With narrower", right=True),
    ]
    show(
        present.table(
            f"{told}. A concept opens its card.",
            headings,
            [_line(vocabulary, hit, counts, found=bool(place.words)) for hit in hits[:SHOWN]],
        )
    )


def _line(
    vocabulary: Vocabulary, hit: Hit, counts: dict[str, tuple[int, int]], *, found: bool
) -> list[Cell]:
    concept = hit.concept
    own, within = counts.get(concept.iri, (0, 0))
    label = concept.label + (" (deprecated)" if concept.deprecated else "")
    told = hit.name if found else concept.curie
    return [
        Cell(label, href=Place(vocabulary.row.name, concept.iri).href(), heading=True),
        Cell(present.NONE if told == concept.label else told, title=concept.iri),
        Cell(present.excerpt(concept.definition) if concept.definition else present.NONE),
        Cell(number(own), right=True),
        Cell(number(within), right=True),
    ]


def show_card(space: Workspace, row: OntologyRow, place: Place) -> None:
    """Show the card of the concept that the address names, or say that there is none."""
    vocabulary = opened(row)
    concept = vocabulary.ontology.concepts.get(place.concept)
    back = present.link("Back to the list", replace(place, concept="").href())
    if concept is None:
        problem(f"{row.name} has no concept {place.concept}; it may be that of another version.")
        show(f"<p>{back}</p>")
        return
    card = term_card(space.store, vocabulary, concept, quotes=QUOTES)
    show(f"<h2>{visible(card.label)}</h2><p>{back}</p>")
    if card.deprecated:
        others = _links(row.name, card.replaced_by) or "nothing"
        show(f'<div class="flo-notice" role="status">Deprecated; replaced by: {others}</div>')
    show(f"<p>{visible(card.definition or 'The vocabulary gives no definition.')}</p>")
    left, right = st.columns([3, 2], gap="large")
    with left:
        _usage(card)
    with right:
        show("<h3>In the vocabulary</h3>" + _facts(card))
        _names(card)
        _source(card)
    with st.expander("Axioms (OWL functional syntax)"):
        st.code("\n".join(card.axioms), language=None, wrap_lines=True)


def _facts(card: TermCard) -> str:
    """Return identifiers, neighbours and notes as name–value pairs; neighbours are links."""
    pairs: list[tuple[str, str]] = [
        ("Identifier", visible(card.curie)),
        ("IRI", visible(card.iri)),
        ("Review status", visible(card.status or "not stated")),
    ]
    for name, others in (
        ("Broader", card.broader),
        ("Narrower", card.narrower),
        ("Related", card.related),
        ("Disjoint with", card.disjoint),
    ):
        if others:
            pairs.append((name, _links(card.ontology, others)))
    for name, values in (
        ("Notation", card.notations),
        ("Example", card.examples),
        ("Note", card.notes),
        ("References", card.xrefs),
    ):
        if values:
            pairs.append((name, "<br>".join(map(visible, values))))
    items = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in pairs)
    return f'<dl class="flo-facts">{items}</dl>'


def _links(ontology: str, others: Sequence[Reference]) -> str:
    shown = [
        present.link(each.label, Place(ontology, each.iri).href())
        if each.label
        else visible(each.iri)
        for each in others[:SHOWN]
    ]
    if len(others) > SHOWN:
        shown.append(f"and {number(len(others) - SHOWN)} more")
    return ", ".join(shown)


def _names(card: TermCard) -> None:
    headings = [Cell("Name"), Cell("Language"), Cell("Kind")]
    rows = [
        [
            Cell(label.text, heading=True),
            Cell(label.language or present.NONE),
            Cell(f"{label.kind}, {label.type}" if label.type else label.kind),
        ]
        for label in card.labels
    ]
    show("<h3>Names</h3>" + present.table(counted(len(rows), "name"), headings, rows))


def _source(card: TermCard) -> None:
    source = card.provenance
    facts = [
        ("Vocabulary", source.title or card.ontology),
        ("Version", source.version or "not stated"),
        ("Licence", source.licence or "not stated"),
        ("File", source.file.replace("\\", "/").rsplit("/", 1)[-1]),
        ("Syntax", source.format),
        ("SHA-256", source.sha256[:16] + " …"),
        ("Added", source.added_at[:10]),
    ]
    if source.overlay:
        facts.append(("Overlay", "one is laid over the file"))
    show("<h3>Where it comes from</h3>" + present.facts(facts))


def _usage(card: TermCard) -> None:
    show("<h3>In your documents</h3>")
    if not card.usage.collections:
        show(
            '<p class="flo-quiet">No document is tagged with it, nor with anything narrower. Tag '
            f"a collection with: <code>florilegium run PATH --ontology {visible(card.ontology)}"
            "</code></p>"
        )
        return
    show(_usage_table(card.usage, card.iri))
    if card.usage.quotes:
        many = counted(len(card.usage.quotes), "quote")
        items = "".join(f"<li>{_quote(row)}</li>" for row in card.usage.quotes)
        show(f'<h3>First {many}</h3><ul class="flo-quotes">{items}</ul>')


def _usage_table(usage: ConceptUsage, iri: str) -> str:
    told = [name for name in ASSESSED if any(getattr(row, name) for row in usage.collections)]
    headings = [
        Cell("Collection"),
        Cell("Documents", right=True),
        Cell("With narrower", right=True),
        Cell("Mentions", right=True),
        *(Cell(ASSESSED[name].capitalize(), right=True) for name in told),
    ]
    rows = []
    for row in usage.collections:
        here = Filters(collection=row.collection, concept=iri)
        own = replace(here, narrower=False).href() if row.documents else ""
        rows.append(
            [
                Cell(row.collection, heading=True),
                Cell(number(row.documents), href=own, right=True),
                Cell(number(row.documents_with_narrower), href=here.href(), right=True),
                Cell(number(row.mentions), right=True),
                *(Cell(number(getattr(row, name)), right=True) for name in told),
            ]
        )
    return present.table("A number opens its documents.", headings, rows)


def _quote(row: QuoteRow) -> str:
    """Return a quote as HTML: the words boxed in their context, and the document as a link."""
    href = Filters(collection=row.collection, document=row.document_id).href()
    note = f" ({visible(told)})" if (told := assertion(row)) else ""
    before, words, after = map(visible, on_one_line(row))
    place = present.link(row.document, href)
    span = f"{number(row.start)}–{number(row.end)}"
    return (
        f'{before}<mark class="flo-tag">{words}</mark>{after}{note}<br>{place}, characters {span}'
    )
