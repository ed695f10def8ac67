"""What the pages read, as plain rows and table cells; the database only through ``db.Store``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from app.dashboard import naming
from app.dashboard.concept_place import Place
from app.dashboard.filters import Filters
from app.dashboard.highlight import Span
from app.dashboard.present import (
    NONE,
    Cell,
    document_outcome,
    excerpt,
    number,
    outcome_name,
    reason,
)
from app.words import assertion_words, noticed
from db.rows import (
    ConceptCount,
    DocumentDetail,
    DocumentsPage,
    DocumentSummary,
    LabelCount,
    SourceRow,
    TagRow,
    Totals,
)
from db.store import Store

PAGE = 25
LONGEST_QUESTION = 60


@dataclass(frozen=True, slots=True)
class TaggedConcept:
    """A concept of one document, its number in the text and its tags in text order."""

    number: int
    ontology: str
    iri: str
    curie: str
    label: str
    tags: tuple[TagRow, ...]


def headline(totals: Totals) -> list[tuple[str, int]]:
    """Return the totals to show first; outcomes that never happened are left out."""
    always = [
        ("documents", totals.documents),
        ("processed", totals.processed),
        ("sentences", totals.sentences),
        ("summary sentences", totals.summary_sentences),
        ("labels", totals.labels),
        ("tags", totals.displayed_tags),
    ]
    sometimes = [
        ("repeat an earlier text", totals.duplicate),
        ("partly processed", totals.partial),
        ("say nothing", totals.empty),
        ("other language", totals.other_language),
        ("kept apart", totals.skipped),
        ("failed", totals.failed),
        ("not processed yet", totals.pending),
    ]
    return always + [(name, value) for name, value in sometimes if value]


def documents(store: Store, collection_id: int, filters: Filters) -> DocumentsPage:
    """Return the page of documents the filters ask for, cut in SQL."""
    label_set, label = filters.label_parts()
    return store.documents_page(
        collection_id,
        offset=(filters.page - 1) * PAGE,
        limit=PAGE,
        concept_iri=filters.concept or None,
        narrower=filters.narrower,
        label_set=label_set,
        label=label,
        outcome=filters.outcome or None,
        text_like=filters.text or None,
    )


def pages(total: int) -> int:
    """Return how many pages ``total`` documents make, at least 1."""
    return max(1, -(-total // PAGE))


def document_cells(
    rows: Sequence[DocumentSummary], filters: Filters, private: bool
) -> list[list[Cell]]:
    """Return the list of documents; the name of each opens it.

    Respondent and question have cells of their own where ``has_respondents``, ``has_questions``.
    """
    asked, named = has_questions(rows), has_respondents(rows)
    return [
        [
            Cell(
                naming.document_name(row),
                href=filters.opened(row.id).href(private=private),
                title=row.locator,
            ),
            *([Cell(row.respondent or NONE)] if named else []),
            *([_question_cell(row.question)] if asked else []),
            Cell(first_words(row)),
            Cell(", ".join(row.labels) or NONE),
            Cell(number(row.tags), right=True),
            _outcome_cell(row),
        ]
        for row in rows
    ]


def has_questions(rows: Sequence[DocumentSummary]) -> bool:
    """Return whether any of the documents answers a question."""
    return any(row.question for row in rows)


def has_respondents(rows: Sequence[DocumentSummary]) -> bool:
    """Return whether it is known of any of the documents who wrote it."""
    return any(row.respondent for row in rows)


def first_words(row: DocumentSummary) -> str:
    """Return the best summary sentence, else how the text begins."""
    return excerpt(row.summary or row.excerpt, 200)


def concept_cells(counts: Sequence[ConceptCount], filters: Filters) -> list[list[Cell]]:
    """Return concepts with their counts; a name opens its card, a number the documents."""
    base = replace(filters.listed(), label="", outcome="", text="", page=1)
    return [
        [
            Cell(
                row.label or row.curie,
                href=Place(row.ontology, row.iri).href(),
                title=row.iri,
                heading=True,
            ),
            Cell(row.ontology),
            _opening(row.documents, replace(base, concept=row.iri, narrower=False)),
            _opening(row.documents_with_narrower, replace(base, concept=row.iri, narrower=True)),
        ]
        for row in counts
    ]


def label_cells(counts: Sequence[LabelCount], filters: Filters) -> list[list[Cell]]:
    """Return labels with their counts; each number opens the documents behind it."""
    base = replace(filters.listed(), concept="", narrower=True, outcome="", text="", page=1)
    return [
        [
            Cell(row.label, heading=True),
            Cell(row.set),
            _opening(row.documents, replace(base, label=f"{row.set}/{row.label}")),
        ]
        for row in counts
    ]


def found_concepts(store: Store) -> dict[str, str]:
    """Return the concepts found in any collection, by IRI, in order of name."""
    found = {
        row.iri: f"{row.label} ({row.ontology})"
        for collection in store.collections()
        for row in store.concept_counts(collection.id)
    }
    return dict(sorted(found.items(), key=lambda each: each[1].casefold()))


def source_cells(sources: Sequence[SourceRow]) -> list[list[Cell]]:
    """Return the import report by name: every file, how it ended and why."""
    names = naming.file_names(sources)
    return [
        [
            Cell(names[row.id], heading=True),
            Cell(row.kind),
            Cell(outcome_name(row.outcome)),
            Cell(number(row.documents), right=True),
            Cell("; ".join(filter(None, (reason(row.reason), *row.warnings)))),
        ]
        for row in sorted(sources, key=lambda row: names[row.id])
    ]


def concepts_of(detail: DocumentDetail) -> tuple[TaggedConcept, ...]:
    """Group a document's displayed tags by concept, numbered by first appearance."""
    if detail.result is None:
        return ()
    grouped: dict[tuple[str, str], list[TagRow]] = {}
    for tag in sorted(detail.result.tags, key=lambda tag: (tag.start, -tag.end, tag.iri)):
        if tag.displayed:
            grouped.setdefault((tag.ontology, tag.iri), []).append(tag)
    return tuple(
        TaggedConcept(index, ontology, iri, tags[0].curie, tags[0].label, tuple(tags))
        for index, ((ontology, iri), tags) in enumerate(grouped.items(), start=1)
    )


def spans_of(detail: DocumentDetail) -> tuple[Span, ...]:
    """Return the spans to highlight: displayed tags and summary sentences."""
    tags = [
        Span(
            tag.start,
            tag.end,
            "tag",
            tag_title(tag),
            concept.number,
            assertion_words(asdict(tag), cue=False),
        )
        for concept in concepts_of(detail)
        for tag in concept.tags
    ]
    summary = [
        Span(row.start, row.end, "summary", f"Summary sentence {row.rank}", row.rank)
        for row in (detail.result.summary if detail.result else ())
    ]
    return (*summary, *tags)


def tag_title(tag: TagRow) -> str:
    """Return what a highlighted tag says when pointed at."""
    told = assertion_words(asdict(tag))
    said = f"{tag.label} ({tag.curie}), score {tag.score:.2f}, {tag.method}"
    return f"{said}; {told}" if told else said


def tag_cells(
    concepts: Sequence[TaggedConcept], filters: Filters, start: int, end: int
) -> list[list[Cell]]:
    """Return the tags that touch ``start`` to ``end``, with words, place, score and method.

    The concept opens its documents.
    """
    base = Filters(collection=filters.collection)
    return [
        [
            Cell(str(concept.number), right=True),
            Cell(concept.label, href=replace(base, concept=concept.iri).href(), title=concept.iri),
            Cell(tag.text),
            Cell(f"{number(tag.start)}–{number(tag.end)}", right=True),
            Cell(f"{tag.score:.2f}", right=True),
            Cell(tag.method),
            Cell(assertion_words(asdict(tag)) or NONE),
        ]
        for concept in concepts
        for tag in concept.tags
        if tag.start < end and tag.end > start
    ]


def assigned_cells(detail: DocumentDetail) -> list[list[Cell]]:
    """Return the document's labels, assigned ones first, with the words that earned them."""
    rows = detail.result.labels if detail.result else ()
    ordered = sorted(rows, key=lambda row: (not row.assigned, -row.score, row.set, row.label))
    return [
        [
            Cell(row.label, heading=True),
            Cell("Yes" if row.assigned else "No"),
            Cell(f"{row.score:.2f}", right=True),
            Cell(excerpt(row.text, 300)),
            Cell(f"{number(row.start)}–{number(row.end)}", right=True),
        ]
        for row in ordered
    ]


def _outcome_cell(row: DocumentSummary) -> Cell:
    """Return how the document ended, why it is kept apart, and what was noticed.

    Pointed at, it gives the whole reason; the document's own page has it too.
    """
    told = document_outcome(row.outcome)
    if row.outcome == "skipped" and row.reason:
        told += f": {row.reason.split(':')[0]}"
    parts = filter(None, (told, noticed(row.flags, short=True)))
    return Cell(", ".join(parts), title=row.reason, nowrap=told == document_outcome(row.outcome))


def _question_cell(question: str | None) -> Cell:
    if not question:
        return Cell(NONE)
    short = excerpt(question, LONGEST_QUESTION)
    return Cell(short, title=question if question != short else "")


def _opening(count: int, filters: Filters) -> Cell:
    return Cell(number(count), href=filters.href() if count else "", right=True)
