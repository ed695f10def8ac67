"""One document: its text with tags and summary sentences pointed out, and the tables of evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from app.dashboard import highlight, naming, present, queries
from app.dashboard.filters import Filters
from app.dashboard.highlight import Span
from app.dashboard.present import Cell, counted
from app.dashboard.workspace import Workspace, show
from app.words import UNTOUCHED, facts_from_file, noticed
from db.errors import NotFound
from db.rows import DocumentDetail, ResultRow

SHOWN_TAGS = 500
SHOWN_FACTS = 3
LEGEND = {
    "tag": (
        '<span><mark class="flo-tag">boxed words<sup class="flo-number">1</sup></mark> '
        "a tag; the number is that of its concept below</span>"
    ),
    "doubted": (
        '<span><mark class="flo-tag flo-doubted">dashed box<sup class="flo-number">1 negated</sup>'
        "</mark> a tag that the text does not simply affirm</span>"
    ),
    "summary": (
        '<span><span class="flo-summary">dotted underline</span>'
        '<sup class="flo-rank">summary 1</sup> a summary sentence and its rank</span>'
    ),
}
"""What each kind of span looks like, in the order shown."""


def show_document(space: Workspace, filters: Filters) -> None:
    """Show the document the filters name, or say that there is none."""
    st.set_page_config(page_title=present.tab_title("Document"))
    back = present.link("Back to the list", filters.listed().href())
    try:
        detail = space.store.document(filters.document or 0, collection=filters.collection or None)
    except NotFound as error:
        st.title("Document")
        show(present.notice(str(error), problem=True) + f"<p>{back}</p>")
        return
    show(f"<h1>{highlight.visible(naming.detail_name(detail))}</h1><p>{back}</p>")
    first, more = facts_of(detail)
    show(present.facts(first))
    if more:
        with st.expander(
            f"{counted(len(more), 'fact')} from the file"
            + (": closed answers, dates and more" if detail.document.question else "")
        ):
            show(present.facts(more))
    if detail.result is None:
        show(present.notice("This document has not been processed yet; run its collection."))
    if detail.result and detail.result.outcome in UNTOUCHED:
        show(present.notice(UNTOUCHED[detail.result.outcome]))
        _text(detail, filters)
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        part = _text(detail, filters)
    with right:
        if detail.result:
            _summary(detail.result)
            _labels(detail)
    _tags(space, detail, filters, part)


def facts_of(detail: DocumentDetail) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return what is known of the document: what to show at once, and facts from the file.

    Up to SHOWN_FACTS of these are not worth hiding.
    """
    document = detail.document
    facts = [("Collection", detail.collection.name)]
    if document.question:
        facts.append(("Question", document.question))
    if document.respondent:
        facts.append(("Respondent", document.respondent))
    if detail.result:
        outcome = present.document_outcome(detail.result.outcome)
        if detail.result.duplicate:
            outcome += ", repeats an earlier text"
        if detail.result.reason:
            outcome += f": {detail.result.reason}"
        facts.append(("Outcome", outcome))
    elif document.aside:
        facts.append(("Kept apart", document.aside))
    if document.flags:
        facts.append(("Noticed", noticed(document.flags)))
    facts.append(("Length", counted(len(document.text), "character")))
    from_file = facts_from_file(document.metadata)
    if len(from_file) <= SHOWN_FACTS:
        return facts + from_file, []
    return facts, from_file


def legend(spans: Sequence[Span], start: int, end: int) -> str:
    """Return the legend of the kinds of span that touch ``start`` to ``end``; "" for none."""
    near = [span for span in spans if span.start < end and span.end > start]
    kinds = {span.kind for span in near} | {"doubted" for span in near if span.note}
    if not kinds:
        return ""
    shown = "".join(markup for kind, markup in LEGEND.items() if kind in kinds)
    return f'<div class="flo-legend">{shown}</div>'


def _text(detail: DocumentDetail, filters: Filters) -> tuple[int, int]:
    """Show the text, or the part of a long one that is asked for; return where it begins and ends."""
    text = detail.document.text
    st.header("Text")
    if not text.strip():
        show('<p class="flo-quiet">The document is empty.</p>')
        return 0, 0
    parts = highlight.windows(len(text))
    part = min(filters.part, parts)
    start = (part - 1) * highlight.WINDOW
    end = min(start + highlight.WINDOW, len(text))
    spans = queries.spans_of(detail)
    show(legend(spans, start, end) + highlight.document_html(text, spans, start=start, end=end))
    if parts > 1:
        show(
            f'<p class="flo-quiet">Part {present.number(part)} of {present.number(parts)}: '
            f"characters {present.number(start)} to {present.number(end)}.</p>"
        )
        chosen = st.pagination(parts, default=part, key=f"part-{filters.href()}")
        if chosen != part:
            st.query_params.from_dict(replace(filters, part=chosen).params())
            st.rerun()
    return start, end


def _summary(result: ResultRow) -> None:
    st.header("Summary")
    if not result.summary:
        show('<p class="flo-quiet">No sentence was chosen.</p>')
        return
    ranked = sorted(result.summary, key=lambda row: row.rank)
    items = "".join(f"<li>{highlight.visible(' '.join(row.text.split()))}</li>" for row in ranked)
    show(f"<ol>{items}</ol>")


def _labels(detail: DocumentDetail) -> None:
    st.header("Labels")
    cells = queries.assigned_cells(detail)
    if not cells:
        show('<p class="flo-quiet">The recipe of this collection gives no labels.</p>')
        return
    assigned = [row for row in cells if row[1].text == "Yes"]
    headings = [
        Cell("Label"),
        Cell("Score", right=True),
        Cell("Words that earned it"),
        Cell("Characters", right=True),
    ]
    if assigned:
        show(present.table("Assigned", headings, [[row[0], *row[2:]] for row in assigned]))
    else:
        show('<p class="flo-quiet">None of the labels reached its threshold.</p>')
    others = [row for row in cells if row[1].text != "Yes"]
    if others:
        with st.expander(f"{counted(len(others), 'label')} not assigned"):
            show(present.table("Not assigned", headings, [[row[0], *row[2:]] for row in others]))


def _tags(
    space: Workspace, detail: DocumentDetail, filters: Filters, part: tuple[int, int]
) -> None:
    st.header("Tags")
    concepts = queries.concepts_of(detail)
    if not concepts:
        listed = {row.id: row for row in space.store.collections()}
        told = naming.no_concept(listed.get(detail.collection.id, detail.collection))
        show(f'<p class="flo-quiet">{highlight.visible(told)}</p>')
        return
    headings = [
        Cell("No.", right=True),
        Cell("Concept"),
        Cell("Words"),
        Cell("Characters", right=True),
        Cell("Score", right=True),
        Cell("Method"),
        Cell("Said of it"),
    ]
    rows = queries.tag_cells(concepts, filters, *part)
    tags = sum(len(concept.tags) for concept in concepts)
    caption = f"{counted(tags, 'tag')} of {counted(len(concepts), 'concept')}"
    if len(rows) < tags:
        caption += f", {present.number(len(rows))} of them in this part of the text"
    if len(rows) > SHOWN_TAGS:
        caption += f", the first {SHOWN_TAGS} listed"
    caption += ". A concept opens the documents about it."
    show(present.table(caption, headings, rows[:SHOWN_TAGS]))
