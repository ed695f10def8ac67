"""Everything the graph is built from, as one consistent view, in bounded memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, TypeVar

from sqlalchemy import Connection, ScalarSelect, Select, func, select

from db.models import (
    Base,
    Campaign,
    CampaignMember,
    Codebook,
    CodebookVersion,
    Document,
    GroupSummary,
    GroupSummarySentence,
    Result,
    ReviewDecision,
    Source,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.rows import (
    AssignmentRow,
    CampaignRow,
    CodebookRow,
    CodebookVersionRow,
    DecisionRow,
    GroupSentenceRow,
    GroupSummaryRow,
    ResultRow,
    ThemeRow,
)
from db.rows.graph import GraphDocumentRow, GraphView
from db.store.access import Access, chunked, made
from db.store.collections import all_collections, all_runs
from db.store.ontologies import all_ontologies
from db.store.parts import RESULT, with_parts

T = TypeVar("T")
_CHUNK = 400
_DOCUMENT = (
    Document.id,
    Document.collection_id,
    Document.source_id,
    Document.key,
    Document.sha256,
    Document.question,
    Document.metadata_,
    Document.locator,
    Document.created_at,
    Document.respondent,
    Document.aside,
    Document.flags,
)


def _columns(row: type[Any], *models: type[Base]) -> tuple[Any, ...]:
    """Return the columns of the first model that has them, in the order of the row's fields."""
    found = []
    for field in fields(row):
        owner = next((model for model in models if hasattr(model, field.name)), None)
        if owner is not None:
            found.append(getattr(owner, field.name))
    return tuple(found)


_THEME = _columns(ThemeRow, Theme, ThemeState)
_ASSIGNMENT = _columns(AssignmentRow, ThemeAssignment)
_DECISION = _columns(DecisionRow, ReviewDecision)
_SENTENCE = _columns(GroupSentenceRow, GroupSummarySentence)


class GraphViews(Access):
    """The store's method that the graph builder and its check call."""

    @contextmanager
    def graph_view(
        self, documents: Sequence[int] | None = None, *, sentences: bool = True
    ) -> Iterator[GraphView]:
        """Open a view for the graph of all documents, or of some, in one read transaction.

        The small tables come whole in either case. Documents come by id, withdrawn ones left out;
        ``sentences`` are those of current results.
        """
        with self.reading() as connection:

            def all_of(row: type[T], model: type[Base], *where: Any) -> tuple[T, ...]:
                query = select(*_columns(row, model)).where(*where)
                query = query.order_by(*model.__table__.primary_key)
                return tuple(made(row, found) for found in connection.execute(query))

            themes = select(*_THEME).join(ThemeState, ThemeState.theme_id == Theme.id)
            themes = themes.where(ThemeState.until.is_(None)).order_by(Theme.id)
            yield GraphView(
                collections=tuple(all_collections(connection)),
                runs=tuple(all_runs(connection, None)),
                ontologies=tuple(all_ontologies(connection)),
                codebooks=all_of(CodebookRow, Codebook),
                versions=all_of(CodebookVersionRow, CodebookVersion),
                themes=tuple(made(ThemeRow, row) for row in connection.execute(themes)),
                campaigns=all_of(CampaignRow, Campaign, Campaign.id.in_(campaigns_of_two())),
                summaries=all_of(GroupSummaryRow, GroupSummary, GroupSummary.id.in_(_of_any())),
                dates=_dates(connection),
                documents=_documents(connection, documents, sentences),
            )


def campaigns_of_two() -> ScalarSelect[int]:
    """Return the campaigns of at least two documents that stand."""
    return (
        select(CampaignMember.campaign_id)
        .join(Document, Document.id == CampaignMember.document_id)
        .where(~Document.withdrawn)
        .group_by(CampaignMember.campaign_id)
        .having(func.count() > 1)
        .scalar_subquery()
    )


def _of_any() -> ScalarSelect[int]:
    """Return the summaries of groups that have a sentence of a document that stands."""
    return (
        select(GroupSummarySentence.summary_id)
        .join(Document, Document.id == GroupSummarySentence.document_id)
        .where(~Document.withdrawn)
        .scalar_subquery()
    )


def _dates(connection: Connection) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return the date columns of each source that has any, with how they write a date."""
    found = {}
    for id, columns in connection.execute(select(Source.id, Source.columns)):
        dates = tuple(
            (str(column.get("name", "")), str(column.get("format", "")))
            for column in columns
            if column.get("role") == "date"
        )
        if dates:
            found[id] = dates
    return found


def _documents(
    connection: Connection, wanted: Sequence[int] | None, sentences: bool
) -> Iterator[GraphDocumentRow]:
    """Yield the standing documents by id, each with what hangs on it."""
    query = select(*_DOCUMENT).where(~Document.withdrawn).order_by(Document.id)
    if wanted is not None:
        for ids in chunked(sorted(set(wanted)), _CHUNK):
            rows = connection.execute(query.where(Document.id.in_(ids))).all()
            yield from _filled(connection, rows, sentences)
        return
    last = 0
    while rows := connection.execute(query.where(Document.id > last).limit(_CHUNK)).all():
        last = rows[-1].id
        yield from _filled(connection, rows, sentences)


def _filled(
    connection: Connection, rows: Sequence[Any], sentences: bool
) -> Iterator[GraphDocumentRow]:
    ids = [row.id for row in rows]
    results: dict[int, list[ResultRow]] = defaultdict(list)
    found = connection.execute(
        select(*RESULT).where(Result.document_id.in_(ids)).order_by(Result.id)
    )
    with_all = with_parts(
        connection, [made(ResultRow, row) for row in found], sentences=sentences, assigned_only=True
    )
    for result in with_all:
        results[result.document_id].append(result)
    decisions: dict[int, list[DecisionRow]] = defaultdict(list)
    for row in connection.execute(
        select(*_DECISION).where(ReviewDecision.document_id.in_(ids)).order_by(ReviewDecision.id)
    ):
        decisions[row.document_id].append(made(DecisionRow, row))
    codings: dict[int, list[tuple[int, AssignmentRow]]] = defaultdict(list)
    for row in connection.execute(_present_codings(ids)):
        codings[row.document_id].append((row.codebook_id, made(AssignmentRow, row[:-1])))
    members: dict[int, list[tuple[int, float, bool]]] = defaultdict(list)
    for row in connection.execute(
        select(
            CampaignMember.document_id,
            CampaignMember.campaign_id,
            CampaignMember.likeness,
            CampaignMember.exact,
        )
        .where(
            CampaignMember.document_id.in_(ids), CampaignMember.campaign_id.in_(campaigns_of_two())
        )
        .order_by(CampaignMember.campaign_id)
    ):
        members[row.document_id].append((row.campaign_id, row.likeness, row.exact))
    told: dict[int, list[tuple[int, GroupSentenceRow]]] = defaultdict(list)
    for row in connection.execute(
        select(GroupSummarySentence.summary_id, *_SENTENCE)
        .where(GroupSummarySentence.document_id.in_(ids))
        .order_by(GroupSummarySentence.summary_id, GroupSummarySentence.rank)
    ):
        told[row.document_id].append((row.summary_id, made(GroupSentenceRow, row[1:])))
    for row in rows:
        hanging = (results, decisions, codings, members, told)
        parts = [tuple(part.get(row.id, ())) for part in hanging]
        yield made(GraphDocumentRow, (*row[:-1], tuple(row.flags), *parts))


def _present_codings(ids: Sequence[int]) -> Select[Any]:
    return (
        select(*_ASSIGNMENT, Theme.codebook_id)
        .join(Theme, Theme.id == ThemeAssignment.theme_id)
        .join(ThemeState, ThemeState.theme_id == Theme.id)
        .where(ThemeAssignment.document_id.in_(ids))
        .where(ThemeAssignment.until.is_(None), ThemeState.until.is_(None))
        .order_by(ThemeAssignment.id)
    )
