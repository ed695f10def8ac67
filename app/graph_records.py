"""Rows of the database as the records that the graph is made from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app import __version__
from app.document_dates import document_date
from app.graph_parts import graph_coding, graph_decision, graph_result
from db.rows import (
    CodebookVersionRow,
    CollectionRow,
    GraphDocumentRow,
    GraphView,
    GroupSummaryRow,
    RunRow,
    ThemeRow,
)
from ontology.graph import (
    DocumentRecord,
    GraphCampaign,
    GraphCodebook,
    GraphCodebookVersion,
    GraphCollection,
    GraphDocument,
    GraphGroupHighlight,
    GraphGroupSummary,
    GraphMembership,
    GraphModel,
    GraphRun,
    GraphTheme,
    TaggedRecord,
)
from ontology.terms import opaque

_CODE = re.compile(r"\((\w{2,3}), confidence")
"""The language's code in the reason of a document in another language."""


def graph_collection(row: CollectionRow) -> GraphCollection:
    """Return a collection."""
    return GraphCollection(
        row.id,
        row.name,
        row.title or row.name,
        row.text_private,
        row.licence,
        row.created_at,
        row.rights,
    )


def graph_run(run: RunRow) -> GraphRun:
    """Return a run with its model and the hashes of its ontologies."""
    model: Mapping[str, Any] = run.details.get("model") or {}
    return GraphRun(
        id=run.id,
        collection_id=run.collection_id,
        recipe=run.recipe,
        fingerprint=run.fingerprint,
        state=run.state,
        started=run.started_at,
        ended=run.finished_at,
        software=f"florilegium {run.details.get('software', __version__)}",
        model=(
            GraphModel(str(model["id"]), str(model["sha256"]), str(model.get("revision", "")))
            if model
            else None
        ),
        ontologies=tuple(str(entry["sha256"]) for entry in run.details.get("ontologies", ())),
    )


def graph_codebooks(view: GraphView) -> list[GraphCodebook]:
    """Return the codebooks with all their versions and their present themes."""
    versions: dict[int, list[CodebookVersionRow]] = {}
    for version in view.versions:
        versions.setdefault(version.codebook_id, []).append(version)
    themes: dict[int, list[ThemeRow]] = {}
    for theme in view.themes:
        themes.setdefault(theme.codebook_id, []).append(theme)
    return [
        GraphCodebook(
            row.id,
            row.collection_id,
            row.name,
            row.version,
            row.question,
            tuple(
                GraphCodebookVersion(v.number, v.action, v.author, v.created_at, v.signed_off_by)
                for v in versions.get(row.id, ())
            ),
            tuple(
                GraphTheme(t.id, t.key, t.label, t.kind, t.description, t.parent_id, t.concept)
                for t in themes.get(row.id, ())
            ),
        )
        for row in view.codebooks
    ]


def graph_campaigns(view: GraphView) -> list[GraphCampaign]:
    """Return the campaigns, without who belongs to them."""
    return [
        GraphCampaign(
            row.id,
            row.collection_id,
            row.kind,
            row.method,
            row.template,
            row.question,
            row.created_at,
        )
        for row in view.campaigns
    ]


def graph_summaries(view: GraphView) -> Iterator[GraphGroupSummary]:
    """Yield the summaries of groups, each with the theme, question or respondent it is of."""
    owners = {row.id: row for row in view.collections}
    books = {row.id: row.collection_id for row in view.codebooks}
    themes: dict[tuple[int, str], list[int]] = {}
    for theme in view.themes:
        themes.setdefault((books[theme.codebook_id], theme.key), []).append(theme.id)
    for row in view.summaries:
        yield _summary(row, owners[row.collection_id], themes)


def _summary(
    row: GroupSummaryRow, owner: CollectionRow, themes: Mapping[tuple[int, str], list[int]]
) -> GraphGroupSummary:
    found = themes.get((row.collection_id, row.subject), []) if row.kind == "theme" else []
    return GraphGroupSummary(
        row.id,
        row.collection_id,
        row.kind,
        row.created_at,
        theme_id=found[0] if len(found) == 1 else None,
        respondent=_respondent(owner, row.subject) if row.kind == "series" else "",
        question=row.subject if row.kind == "question" else "",
        query=row.query,
    )


def graph_documents(view: GraphView) -> Iterator[DocumentRecord]:
    """Yield the documents, each with everything that hangs on it.

    As on every page, only what the collection's present recipe found is current: what another one
    found in the same document is kept apart, so that nothing is counted twice.
    """
    owners = {row.id: row for row in view.collections}
    kinds = {row.id: row.kind for row in view.campaigns}
    for row in view.documents:
        owner = owners[row.collection_id]
        results = tuple(
            graph_result(each, current=each.current and each.recipe == owner.recipe)
            for each in row.results
        )
        yield DocumentRecord(
            _document(row, owner, view.dates.get(row.source_id, ()), results),
            results,
            tuple(map(graph_decision, row.decisions)),
            tuple(graph_coding(book, each) for book, each in row.codings),
            tuple(
                GraphMembership(campaign, kinds[campaign], likeness, exact)
                for campaign, likeness, exact in row.members
            ),
            tuple(
                GraphGroupHighlight(
                    summary, s.rank, s.start, s.end, s.text, s.score, s.role, s.stance
                )
                for summary, s in row.sentences
            ),
        )


def _document(
    row: GraphDocumentRow,
    owner: CollectionRow,
    dates: tuple[tuple[str, str], ...],
    results: Iterable[TaggedRecord],
) -> GraphDocument:
    return GraphDocument(
        id=row.id,
        collection_id=row.collection_id,
        key=row.key,
        sha256=row.sha256,
        question=row.question,
        locator=row.locator,
        language=_language(row, results),
        created=document_date(row.metadata, dates),
        read=row.created_at,
        respondent=_respondent(owner, row.respondent),
        aside=row.aside,
        flags=row.flags,
    )


def _respondent(owner: CollectionRow, name: str) -> str:
    return opaque(owner.id, name, owner.created_at.isoformat()) if name else ""


def _language(row: GraphDocumentRow, results: Iterable[TaggedRecord]) -> str:
    """Return the code that the reader gave, or that a result found the document to be written in."""
    given = str(row.metadata.get("language", ""))
    if re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", given):
        return given
    for each in results:
        if each.current and each.outcome == "other_language" and (at := _CODE.search(each.reason)):
            return at[1]
    return ""
