"""``florilegium ontology show``: the term card of a concept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from app.cli.options import global_options, json_option, settings
from app.cli.output import plain, print_json, print_table

if TYPE_CHECKING:
    from app.term_card import Reference, TermCard
    from db.rows import ConceptUsage, QuoteRow
    from ontology.model import Label

SHOWN = 20
"""Narrower concepts listed; --json has all."""


@click.command("show")
@click.argument("wanted", metavar="IRI|CURIE|LABEL")
@click.option("--ontology", "ontologies", multiple=True, metavar="ID", help="Look in ID only.")
@click.option(
    "--quotes",
    default=5,
    show_default=True,
    type=click.IntRange(0, 1000),
    help="Most quotes from your documents, one a document.",
)
@json_option
@global_options
def show(wanted: str, ontologies: tuple[str, ...], quotes: int, as_json: bool) -> None:
    """Show the term card of a concept, by IRI, CURIE or any of its labels.

    Names, definition, broader, narrower and related concepts, references, where it comes from, its
    review status, its axioms in OWL functional syntax, and how your own documents use it.

    Example: florilegium ontology show "blue badge"
    """
    from app.term_card import find_cards
    from app.workspace import open_store

    here = settings()
    cards = find_cards(here, open_store(here), wanted, ontologies=ontologies, quotes=quotes)
    if as_json:
        print_json({"concepts": cards})
        return
    for number, card in enumerate(cards):
        if number:
            click.echo("\n" + "=" * 60)
        for line in card_lines(card):
            click.echo(plain(line))
        show_usage(card.usage)


def card_lines(card: TermCard) -> Iterator[str]:
    """Yield what the vocabulary says of a concept, a line each."""
    yield f"{card.label}  ({card.curie}, {card.ontology})"
    yield card.iri
    if card.deprecated:
        replaced = ", ".join(map(referred, card.replaced_by)) or "nothing"
        yield f"Deprecated; replaced by: {replaced}"
    yield ""
    yield card.definition or "No definition."
    yield ""
    lists: tuple[tuple[str, Sequence[str]], ...] = (
        ("name", [name(label) for label in card.labels]),
        ("broader", [referred(each) for each in card.broader]),
        ("narrower", [referred(each) for each in card.narrower[:SHOWN]]),
        ("related", [referred(each) for each in card.related]),
        ("disjoint", [referred(each) for each in card.disjoint]),
        ("notation", card.notations),
        ("example", card.examples),
        ("note", card.notes),
        ("reference", card.xrefs),
        ("axiom", card.axioms),
        ("status", [card.status or "not stated"]),
    )
    for title, values in lists:
        for value in values:
            yield f"{title:10} {value}"
        if title == "narrower" and (more := len(card.narrower) - SHOWN) > 0:
            yield f"{title:10} … and {more:,} more; --json lists all"
    source = card.provenance
    about = [source.title or "no title", f"version {source.version or 'not stated'}"]
    about += [f"licence {source.licence or 'not stated'}", source.format]
    yield f"{'source':10} {', '.join(about)}"
    yield f"{'file':10} {source.file}"
    yield f"{'sha256':10} {source.sha256}" + (" (with an overlay)" if source.overlay else "")
    yield ""


def show_usage(usage: ConceptUsage) -> None:
    """Print how the user's documents use a concept: counts by collection and quotes."""
    if not usage.collections:
        click.echo("No document of this workspace is tagged with it or anything narrower.")
        return
    columns = ["collection", "documents", "with narrower", "mentions"]
    told = ("negated", "possible", "historical", "hypothetical", "others", "not_assessed")
    shown = [each for each in told if any(getattr(row, each) for row in usage.collections)]
    print_table(
        [*columns, *(each.replace("_", " ") for each in shown)],
        [
            [
                *(row.collection, row.documents, row.documents_with_narrower, row.mentions),
                *(getattr(row, each) for each in shown),
            ]
            for row in usage.collections
        ],
    )
    if usage.quotes:
        click.echo("")
    for quote in usage.quotes:
        click.echo(plain(quote_line(quote)))


def quote_line(quote: QuoteRow) -> str:
    """Return a quote on one line: where it stands, then the words, marked, in their context."""
    from app.quotes import assertion, on_one_line

    before, words, after = on_one_line(quote)
    place = f"{quote.document} {quote.start}–{quote.end}"
    told = assertion(quote)
    note = f" ({told})" if told else ""
    return f"{quote.collection}  {place}{note}: {before}[{words}]{after}"


def name(label: Label) -> str:
    """Return a label with its language, kind and type."""
    language = f"@{label.language}" if label.language else ""
    kind = f"{label.kind}, {label.type}" if label.type else label.kind
    return f"{label.text}{language} ({kind})"


def referred(other: Reference) -> str:
    """Return another concept by its label and CURIE, or by its IRI alone."""
    return f"{other.label} ({other.curie})" if other.label else other.iri
