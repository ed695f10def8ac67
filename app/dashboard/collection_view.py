"""A collection: totals, counts by concept and label, its files, and its documents."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from app.dashboard import charts, naming, present, queries
from app.dashboard.filters import Filters
from app.dashboard.highlight import visible
from app.dashboard.present import Cell, counted
from app.dashboard.workspace import Workspace, show
from db.rows import CollectionRow, ConceptCount, LabelCount

SHOWN_COUNTS = 30
TABS = ("Concepts", "Labels", "Documents", "Files")
MENTIONS = (
    "A tag means that the words occur: negated, historical and family mentions are counted too. "
    "Each document's page says which they are."
)
SUGGESTIONS = (
    "Labels of a set that only describes them, as consultation, clinical and historical do, are "
    "suggestions (zero-shot), not calibrated. Those of a trained set, as stance, sentiment and "
    "section, were learnt from coded texts: its card says how well."
)
_TEXT = "text-filter"
"""Session key of the words sought in a private collection: they stay out of the address."""


def show_collection(space: Workspace, collection: CollectionRow, filters: Filters) -> None:
    """Show one collection as the filters ask."""
    if collection.text_private:
        kept_for, words = st.session_state.get(_TEXT, (0, ""))
        filters = replace(filters, text=words if kept_for == collection.id else "")
    show(_quiet(_about(collection)))
    show(present.totals(queries.headline(space.store.totals(collection.id))))
    concepts = space.store.concept_counts(collection.id)
    labels = space.store.label_counts(collection.id)
    listing = filters.narrowing or filters.page > 1
    concept_tab, label_tab, document_tab, file_tab = st.tabs(
        TABS,
        default="Documents" if listing or not (concepts or labels) else "Concepts",
        key=f"tabs-{filters.href()}",
    )
    with concept_tab:
        _concepts(collection, concepts, filters)
    with label_tab:
        _labels(labels, filters)
    with document_tab:
        _documents(space, collection, filters, concepts, labels)
    with file_tab:
        _files(space, collection)


def _about(collection: CollectionRow) -> str:
    parts = [naming.recipe_name(collection.recipe)]
    if collection.last_run:
        run = collection.last_run
        parts.append(f"last run {present.moment(run.finished_at or run.started_at)}")
    else:
        parts.append("not run yet")
    if collection.text_private:
        parts.append("private: the SPARQL endpoint gives out none of its words")
    return " · ".join(parts)


def _concepts(collection: CollectionRow, counts: list[ConceptCount], filters: Filters) -> None:
    if not counts:
        show(f"<p>{visible(naming.no_concept(collection))}</p>")
        if collection.last_run and not naming.tagged_with(collection):
            show(
                "<p>Add one with <code>florilegium ontology add FILE --id NAME</code> if there is "
                "none yet, then run the collection again with it.</p>"
            )
        return
    show(present.notice(MENTIONS) if collection.text_private else _quiet(MENTIONS))
    ordered = sorted(counts, key=lambda row: (-row.documents_with_narrower, row.label, row.iri))
    table, chart = st.columns([3, 2], gap="large")
    with table:
        caption = (
            f"{counted(len(ordered), 'concept')} found, counted in documents. “With narrower” also "
            "counts documents about anything below the concept. A number opens its documents."
        )
        headings = [
            Cell("Concept"),
            Cell("Ontology"),
            Cell("Itself", right=True),
            Cell("With narrower", right=True),
        ]
        rows = queries.concept_cells(ordered, filters)
        show(present.table(caption, headings, rows[:SHOWN_COUNTS]))
        if others := rows[SHOWN_COUNTS:]:
            with st.expander(f"{counted(len(others), 'concept')} found less often"):
                show(present.table("Found less often", headings, others))
    with chart:
        own = sorted(counts, key=lambda row: (-row.documents, row.label, row.iri))
        bars = charts.distinct([(r.label, r.ontology, r.documents) for r in own if r.documents])
        show("<h3>Concepts named most often</h3>")
        st.altair_chart(charts.bars(bars, "Documents"), alt=charts.alternative(bars, "document"))


def _labels(counts: list[LabelCount], filters: Filters) -> None:
    if not counts:
        show(
            "<p>No document has a label. The general recipe gives none; the consultation, clinical "
            "and historical recipes do.</p>"
        )
        return
    show(_quiet(SUGGESTIONS))
    ordered = sorted(counts, key=lambda row: (-row.documents, row.set, row.label))
    table, chart = st.columns([3, 2], gap="large")
    with table:
        headings = [Cell("Label"), Cell("Label set"), Cell("Documents", right=True)]
        caption = "Labels assigned, counted in documents. A number opens its documents."
        show(present.table(caption, headings, queries.label_cells(ordered, filters)))
    with chart:
        bars = charts.distinct([(row.label, row.set, row.documents) for row in ordered])
        show("<h3>Labels assigned most often</h3>")
        st.altair_chart(charts.bars(bars, "Documents"), alt=charts.alternative(bars, "document"))


def _quiet(sentence: str) -> str:
    return f'<p class="flo-quiet">{visible(sentence)}</p>'


def _documents(
    space: Workspace,
    collection: CollectionRow,
    filters: Filters,
    concepts: list[ConceptCount],
    labels: list[LabelCount],
) -> None:
    _filter_form(collection, filters, concepts, labels)
    page = queries.documents(space.store, collection.id, filters)
    if not page.total:
        if filters.narrowing:
            show("<p>No document fits these filters. Choose “Any” to widen them.</p>")
        else:
            show("<p>This collection has no documents. See “Files” for what was read.</p>")
        return
    pages = queries.pages(page.total)
    first = (filters.page - 1) * queries.PAGE + 1
    last = first + len(page.rows) - 1
    caption = counted(page.total, "document")
    if pages > 1:
        caption += f", {present.number(first)} to {present.number(last)} shown"
    headings = [
        Cell("Document"),
        *([Cell("Respondent")] if queries.has_respondents(page.rows) else []),
        *([Cell("Question")] if queries.has_questions(page.rows) else []),
        Cell("Summary"),
        Cell("Labels"),
        Cell("Tags", right=True),
        Cell("Outcome"),
    ]
    private = collection.text_private
    show(present.table(caption, headings, queries.document_cells(page.rows, filters, private)))
    if pages > 1:
        chosen = st.pagination(
            pages, default=min(filters.page, pages), key=f"page-{filters.href()}"
        )
        if chosen != filters.page:
            _go(replace(filters, page=chosen), collection)


def _filter_form(
    collection: CollectionRow,
    filters: Filters,
    concepts: list[ConceptCount],
    labels: list[LabelCount],
) -> None:
    concept_names = {"": "Any"} | {
        row.iri: f"{row.label} ({present.number(row.documents_with_narrower)})"
        for row in sorted(concepts, key=lambda row: row.label.casefold())
    }
    if filters.concept:
        concept_names.setdefault(filters.concept, filters.concept)
    label_names = {"": "Any"} | {
        f"{row.set}/{row.label}": f"{row.label} ({present.number(row.documents)})" for row in labels
    }
    if filters.label:
        label_names.setdefault(filters.label, filters.label)
    outcome_names = {"": "Any"} | {
        name: present.document_outcome(name)
        for name in (
            *("processed", "partial", "empty", "other_language", "skipped", "failed", "pending"),
        )
    }
    if filters.outcome:
        outcome_names.setdefault(filters.outcome, filters.outcome)
    with st.form(f"filters-{filters.href()}", border=True):
        one, two, three, four = st.columns([3, 3, 2, 3])
        concept = one.selectbox(
            "Concept",
            list(concept_names),
            index=list(concept_names).index(filters.concept),
            format_func=lambda iri: concept_names[iri],
        )
        narrower = one.checkbox("Include narrower concepts", value=filters.narrower)
        label = two.selectbox(
            "Label",
            list(label_names),
            index=list(label_names).index(filters.label),
            format_func=lambda name: label_names[name],
        )
        outcome = three.selectbox(
            "Outcome",
            list(outcome_names),
            index=list(outcome_names).index(filters.outcome),
            format_func=lambda name: outcome_names[name],
        )
        words = four.text_input("Text contains", value=filters.text, max_chars=200)
        if st.form_submit_button("Filter documents"):
            wanted = Filters(
                collection=collection.name,
                concept=concept,
                narrower=narrower,
                label=label,
                outcome=outcome,
                text=words.strip(),
            )
            _go(wanted, collection)


def _go(filters: Filters, collection: CollectionRow) -> None:
    if collection.text_private:
        st.session_state[_TEXT] = (collection.id, filters.text)
    st.query_params.from_dict(filters.params(private=collection.text_private))
    st.rerun()


def _files(space: Workspace, collection: CollectionRow) -> None:
    sources = space.store.sources(collection.id)
    if not sources:
        show("<p>No file has been read into this collection yet.</p>")
        return
    headings = [
        Cell("File"),
        Cell("Kind"),
        Cell("Outcome"),
        Cell("Documents", right=True),
        Cell("Reason and warnings"),
    ]
    caption = f"{counted(len(sources), 'file')} read, skipped or failed"
    show(present.table(caption, headings, queries.source_cells(sources)))
