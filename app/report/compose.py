"""The report of a consultation, put together from what the store holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.campaigns import voices
from app.codebooks.overview import theme_lines
from app.report.audit import audit_table, history_table
from app.report.blocks import Bars, Block, Column, Heading, Paragraph, Quote, Report, Table
from app.report.figures import PARTED, SIDES, Coded, coded, crosstab, theme_table
from app.report.method import method_paragraphs
from app.report.suppression import THRESHOLD
from app.words import outcome_words

if TYPE_CHECKING:
    from db.rows import CampaignRow, CodebookRow, CollectionRow, DocumentFacts, ThemeRow
    from db.store import Store

CROSSED = ("closed_single", "closed_multi", "scale", "demographic")
"""Roles of columns that themes are tabulated by."""
MOST_ANSWERS = 30
"""A column with more different answers is no closed question, and is left out with a note."""

WORDLESS = (
    "The texts of this collection are private: quotes, labels of themes, the history of the codebook "
    "and the audit sheet are left out."
)
"""What ends the description of a found theme: a statement without its place, whose writer may have
refused publication. The report has quotes in its place."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What goes into a report. ``by`` are the columns to tabulate by; None: all that are closed.

    ``version`` is the codebook's (None: the present one). Without ``words`` nothing that people wrote
    is shown, nor labels of themes, which are made of it.
    """

    version: int | None = None
    by: tuple[str, ...] | None = None
    threshold: int = THRESHOLD
    rounding: int = 0
    quotes: int = 2
    words: bool = True


def compose(
    store: Store,
    collection: CollectionRow,
    book: CodebookRow,
    wanted: Wanted,
    quotes: Mapping[int, Sequence[Quote]],
) -> Report:
    """Return the report; ``quotes`` are those chosen for each theme id.

    The same database gives the same report: no clock is read.
    """
    facts = [fact for fact in store.document_facts(collection.id) if not fact.aside]
    campaigns = store.campaigns(collection.id)
    figures = coded(store.assignments(book.id, version=wanted.version), voices(campaigns))
    themes = [(line.depth, line.theme) for line in theme_lines(store, book, wanted.version)]
    if not wanted.words:
        themes = [(at, replace(each, label=each.key, description="")) for at, each in themes]
    versions = store.codebook_versions(book.id)
    number = book.version if wanted.version is None else wanted.version
    version = next((each for each in versions if each.number == number), None)
    runs = store.runs(collection.id)
    blocks: list[Block] = [Heading("Method")]
    blocks += map(
        Paragraph,
        method_paragraphs(
            book,
            version,
            runs[-1] if runs else None,
            campaigns=[each.method for each in campaigns],
            threshold=wanted.threshold,
            rounding=wanted.rounding,
        ),
    )
    blocks += coverage(facts, figures, themes, campaigns, words=wanted.words)
    blocks += _themes(themes, figures, quotes if wanted.words else {})
    blocks += crosstabs(store, collection, facts, figures, themes, wanted)
    if wanted.words:
        blocks += [Heading("History and audit"), history_table(versions)]
        blocks.append(audit_table(store, book, {fact.id: fact.key for fact in facts}))
    else:
        blocks.append(Paragraph(WORDLESS))
    title = collection.title or collection.name
    when = f", {version.created_at:%d %B %Y}" if version else ""
    return Report(
        f"What people said: {title}",
        f"{len(facts):,} responses. Codebook {book.name}, version {number}{when}.",
        tuple(blocks),
    )


def coverage(
    facts: Sequence[DocumentFacts],
    figures: Coded,
    themes: Sequence[tuple[int, ThemeRow]],
    campaigns: Sequence[CampaignRow],
    *,
    words: bool = True,
) -> Iterator[Block]:
    """Yield what was read and how much of it is coded; of no themes, only what was read."""
    yield Heading("Coverage")
    kinds = {theme.id: theme.kind for _, theme in themes}
    outcomes = Counter(fact.outcome for fact in facts)
    rows: list[tuple[str, int]] = [("Responses", len(facts))]
    rows += [(f"of these {outcome_words(name)}", n) for name, n in sorted(outcomes.items())]
    themed = sum(any(kinds.get(t) == "theme" for t in said) for said in figures.said.values())
    if themes:
        rows += [
            ("Responses with a theme", themed),
            ("Responses with statements that no theme fits", _of_kind(figures, kinds, "other")),
            ("Responses that give no reason", _of_kind(figures, kinds, "no-reason")),
        ]
    rows += [
        ("Campaigns and sets of copies", sum(c.kind != "respondent" for c in campaigns)),
        ("Responses in them", len(voices(campaigns))),
        (
            "Responses with each campaign counted once",
            figures.size((fact.id for fact in facts), once=True),
        ),
    ]
    yield Table(
        "Coverage",
        "What was read",
        (Column("what", "What is counted"), Column("responses", "How many")),
        tuple(rows),
    )
    mine = [c for c in campaigns if c.kind != "respondent"]
    if mine:
        yield Table(
            "Campaigns",
            "Campaigns",
            (
                Column("campaign", "Number of the campaign"),
                Column("kind", "campaign (a shared text) or copy (the same words)"),
                Column("responses", "Responses that belong to it"),
                Column("with own words", "Of these, responses with words of the sender's own"),
                Column("shared text", "Text that the responses share, verbatim"),
            ),
            tuple(
                (
                    *(c.id, c.kind, len(c.members), sum(bool(m.own) for m in c.members)),
                    c.template if words else "",
                )
                for c in mine
            ),
        )


def _of_kind(figures: Coded, kinds: Mapping[int, str], kind: str) -> int:
    return sum(any(kinds.get(t) == kind for t in said) for said in figures.said.values())


def _themes(
    themes: Sequence[tuple[int, ThemeRow]], figures: Coded, quotes: Mapping[int, Sequence[Quote]]
) -> Iterator[Block]:
    yield Heading("Themes")
    table = theme_table(themes, figures)
    yield table
    yield Bars(table, "Responses by theme and stance", "theme", SIDES)
    for depth, theme in themes:
        if theme.kind == "theme":
            yield Heading(theme.label, min(4, depth + 2))
            if theme.description:
                yield Paragraph(theme.description)
            yield from quotes.get(theme.id, ())


def crosstabs(
    store: Store,
    collection: CollectionRow,
    facts: Sequence[DocumentFacts],
    figures: Coded,
    themes: Sequence[tuple[int, ThemeRow]],
    wanted: Wanted,
) -> Iterator[Block]:
    """Yield themes by closed questions and demographic columns, on both bases."""
    yield Heading("Who said what")
    columns = closed_columns(store, collection)
    chosen = list(columns) if wanted.by is None else list(wanted.by)
    told: list[str] = []
    for name in chosen:
        separator = columns.get(name, "")
        answers = {str(fact.metadata.get(name) or "") for fact in facts} - {""}
        if not answers:
            told.append(f"Nobody answered {name!r}.")
            continue
        if len(answers) > MOST_ANSWERS and not separator:
            told.append(f"{name!r} has {len(answers)} different answers and was left out.")
            continue
        for once in (False, True):
            yield crosstab(
                themes,
                figures,
                facts,
                name,
                separator=separator,
                once=once,
                threshold=wanted.threshold,
                rounding=wanted.rounding,
            )
    yield from map(
        Paragraph, told or ([] if chosen else ["There is no closed question to count by."])
    )


def closed_columns(store: Store, collection: CollectionRow) -> dict[str, str]:
    """Return the closed and demographic columns of a collection with what parts their answers."""
    found: dict[str, str] = {}
    for source in store.sources(collection.id):
        for column in source.columns:
            role = str(column.get("role", ""))
            if role in CROSSED:
                parted = str(column.get("separator") or ";") if role in PARTED else ""
                found.setdefault(str(column["name"]), parted)
    return found
