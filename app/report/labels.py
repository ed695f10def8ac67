"""The report of a collection without a codebook: labels by set, and concepts by vocabulary."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from app.campaigns import voices
from app.report.blocks import Bars, Block, Column, Heading, Paragraph, Quote, Report, Table, Value
from app.report.compose import Wanted, coverage, crosstabs
from app.report.figures import Coded, coded
from app.report.method import method_paragraphs
from app.report.quotes import Place
from db.rows import AssignmentRow, ThemeRow

if TYPE_CHECKING:
    from db.rows import CollectionRow
    from db.store import Store

Key = tuple[str, str]
"""A label set and a label of it."""
MOST_CONCEPTS = 50
"""Concepts in a document; the workbook has all."""
_PRIVATE = "The texts of this collection are private: quotes are left out."


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels assigned in a collection: by document, and the places that earned them."""

    documents: Mapping[int, frozenset[Key]]
    places: Mapping[Key, Sequence[Place]] = field(default_factory=dict)


def labelled(store: Store, collection: CollectionRow) -> Labelled:
    """Read which documents have which labels, and why."""
    documents: dict[int, frozenset[Key]] = {}
    places: dict[Key, list[Place]] = defaultdict(list)
    with store.export(collection.id, superseded=False) as view:
        for each in view.documents:
            results = [r for r in each.results if r.recipe == collection.recipe]
            if each.document.withdrawn or each.document.aside or not results:
                continue
            id = each.document.id
            labels = results[-1].labels
            documents[id] = frozenset((label.set, label.label) for label in labels)
            for label in labels:
                if label.end > label.start:
                    place = Place(id, label.start, label.end)
                    places[label.set, label.label].append(place)
    return Labelled(documents, places)


def compose_labels(
    store: Store,
    collection: CollectionRow,
    found: Labelled,
    wanted: Wanted,
    quotes: Mapping[Key, Sequence[Quote]],
) -> Report:
    """Return the report; ``quotes`` are those chosen for each label. No clock is read."""
    facts = [fact for fact in store.document_facts(collection.id) if not fact.aside]
    campaigns = store.campaigns(collection.id)
    runs = store.runs(collection.id)
    voiced = voices(campaigns)
    blocks: list[Block] = [Heading("Method")]
    blocks += map(
        Paragraph,
        method_paragraphs(
            None,
            None,
            runs[-1] if runs else None,
            campaigns=[each.method for each in campaigns],
            threshold=wanted.threshold,
            rounding=wanted.rounding,
        ),
    )
    if not wanted.words:
        blocks.append(Paragraph(_PRIVATE))
    blocks += coverage(facts, Coded({}, voiced), (), campaigns, words=wanted.words)
    keys = sorted({key for labels in found.documents.values() for key in labels})
    for name in dict.fromkeys(key[0] for key in keys):
        mine = [key for key in keys if key[0] == name]
        labels, figures = _as_themes(mine, found, voiced)
        blocks += _labels(name, labels, figures, quotes if wanted.words else {})
        for block in crosstabs(store, collection, facts, figures, labels, wanted):
            blocks.append(_of_labels(block, name))
    blocks += _concepts(store, collection)
    title = collection.title or collection.name
    when = f" Run of {runs[-1].started_at:%d %B %Y}." if runs else ""
    return Report(f"What documents say: {title}", f"{len(facts):,} documents.{when}", tuple(blocks))


def _as_themes(
    keys: Sequence[Key], found: Labelled, voiced: Mapping[int, int]
) -> tuple[list[tuple[int, ThemeRow]], Coded]:
    """Return labels, the most frequent first, as the figures of a report have themes."""
    sizes = {key: sum(key in labels for labels in found.documents.values()) for key in keys}
    order = sorted(keys, key=lambda key: (-sizes[key], key))
    numbers = {key: number for number, key in enumerate(order, 1)}
    themes = [
        (0, ThemeRow(number, 0, key[1], "theme", 0, None, key[1], "", None, "", "label", {}))
        for key, number in numbers.items()
    ]
    said = [
        AssignmentRow(numbers[key], document, 0, 0, "", 0.0, "", "", 0)
        for document, labels in found.documents.items()
        for key in labels
        if key in numbers
    ]
    return themes, coded(said, voiced)


def _labels(
    name: str,
    labels: Sequence[tuple[int, ThemeRow]],
    figures: Coded,
    quotes: Mapping[Key, Sequence[Quote]],
) -> Iterator[Block]:
    rows: list[tuple[Value, ...]] = []
    for _, label in labels:
        documents = figures.documents(label.id)
        sizes = [figures.size(documents, once=once) for once in (False, True)]
        rows.append((label.label, *sizes))
    table = Table(
        f"Labels {name}",
        f"Labels of the set {name}",
        (
            Column("label", "Label of the set"),
            Column("responses", "Documents that have the label"),
            Column("counted once", "The same with each campaign counted as one document"),
        ),
        tuple(rows),
        ("A document can have several labels, so the rows do not add up to the documents.",),
    )
    yield Heading(f"Labels: {name}")
    yield table
    yield Bars(table, f"Documents by label of {name}", "label", ("responses",))
    for _, label in labels:
        chosen = quotes.get((name, label.label), ())
        if chosen:
            yield Heading(label.label, 2)
            yield from chosen


def _of_labels(block: Block, name: str) -> Block:
    """Return a crosstab as one of labels."""
    if isinstance(block, Heading):
        return Heading(f"Who has which label of {name}", 2)
    if isinstance(block, Table):
        title = block.title.replace("Themes by", f"Labels of {name} by", 1)
        first = Column("label", "Label of the set")
        return replace(block, title=title, columns=(first, *block.columns[1:]))
    return block


def _concepts(store: Store, collection: CollectionRow) -> Iterator[Block]:
    counts = store.concept_counts(collection.id)
    if not counts:
        return
    columns = (
        Column("vocabulary", "Vocabulary of the concept"),
        Column("concept", "Short name of the concept"),
        Column("label", "Label of the concept"),
        Column("documents", "Documents that name the concept"),
        Column("with narrower", "Documents that name it or anything narrower"),
    )
    rows = tuple(
        (c.ontology, c.curie, c.label, c.documents, c.documents_with_narrower) for c in counts
    )
    yield Heading("Concepts")
    notes = ("What a text denies or doubts counts too: the concept is named in it.",)
    most = rows[:MOST_CONCEPTS]
    yield Table("Concepts", "Concepts named most", columns, most, notes)
    if len(rows) > len(most):
        yield Table("All concepts", "All concepts named", columns, rows, notes, wide=True)
