"""Campaigns and summaries of groups, and the documents that they are made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select

from db.models import (
    Campaign,
    CampaignMember,
    Collection,
    Document,
    GroupSummary,
    GroupSummarySentence,
    Result,
    Sentence,
)
from db.rows import (
    CampaignMemberRow,
    CampaignRow,
    GroupDocumentRow,
    GroupSentenceRow,
    GroupSummaryRow,
)
from db.store.access import Access, chunked, insert_all, made, table
from db.store.pages import has_current_result
from db.types import utc_now

COUNTED_ONCE = ("campaign", "copy")
"""Kinds of campaigns whose documents count as one; a respondent's answers stay apart."""
_UNREAD = ("other_language", "skipped", "empty")
_TEXTS = 500
_CAMPAIGN = (
    Campaign.id,
    Campaign.collection_id,
    Campaign.kind,
    Campaign.question,
    Campaign.template,
    Campaign.method,
    Campaign.details,
    Campaign.created_at,
)
_SUMMARY = (
    GroupSummary.id,
    GroupSummary.collection_id,
    GroupSummary.kind,
    GroupSummary.subject,
    GroupSummary.query,
    GroupSummary.details,
    GroupSummary.created_at,
)
_SENTENCE = (
    GroupSummarySentence.rank,
    GroupSummarySentence.document_id,
    GroupSummarySentence.start,
    GroupSummarySentence.end,
    GroupSummarySentence.text,
    GroupSummarySentence.score,
    GroupSummarySentence.stance,
    GroupSummarySentence.role,
)


def counted_as(document_id: ColumnElement[int] | Any) -> ColumnElement[int]:
    """Return SQL for what a document counts as where campaigns count once.

    ``COUNT(DISTINCT counted_as(Document.id))`` counts each campaign and each set of copies as one.
    """
    first = (
        select(-func.min(CampaignMember.campaign_id))
        .join(Campaign, Campaign.id == CampaignMember.campaign_id)
        .where(CampaignMember.document_id == document_id, Campaign.kind.in_(COUNTED_ONCE))
        .correlate_except(CampaignMember, Campaign)
        .scalar_subquery()
    )
    return func.coalesce(first, document_id)


class Groups(Access):
    """The store's methods about documents taken together."""

    def group_documents(
        self, collection_id: int, *, question: str | None = None, respondent: str | None = None
    ) -> Iterator[GroupDocumentRow]:
        """Yield documents with the places of their sentences, in order of id, a few at a time.

        Withdrawn documents, those kept apart, empty or of another language are left out. A document
        that was not processed yet has no sentences.
        """
        last = 0
        while True:
            with self.reading() as connection:
                rows = _documents(connection, collection_id, question, respondent, last)
            if not rows:
                return
            yield from rows
            last = rows[-1].id

    def save_campaigns(self, collection_id: int, rows: Iterable[CampaignRow]) -> list[CampaignRow]:
        """Put these in place of the collection's campaigns; return them as they are stored."""
        given = list(rows)
        with self.writing() as connection:
            connection.execute(
                delete(table(Campaign)).where(Campaign.collection_id == collection_id)
            )
            adding = insert(table(Campaign)).returning(
                table(Campaign).c.id, sort_by_parameter_order=True
            )
            values = [
                {
                    "collection_id": collection_id,
                    "kind": row.kind,
                    "question": row.question,
                    "template": row.template,
                    "method": row.method,
                    "details": dict(row.details),
                    "created_at": row.created_at,
                }
                for row in given
            ]
            ids = list(connection.scalars(adding, values)) if values else []
            insert_all(
                connection,
                CampaignMember,
                [
                    {
                        "campaign_id": id,
                        "document_id": member.document_id,
                        "likeness": member.likeness,
                        "exact": member.exact,
                        "own": [list(span) for span in member.own],
                    }
                    for id, row in zip(ids, given, strict=True)
                    for member in row.members
                ],
            )
        return self.campaigns(collection_id)

    def campaigns(self, collection_id: int, kind: str | None = None) -> list[CampaignRow]:
        """Return the campaigns of a collection with their members, in the order they were saved."""
        query = select(*_CAMPAIGN).where(Campaign.collection_id == collection_id)
        if kind is not None:
            query = query.where(Campaign.kind == kind)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(Campaign.id)).all()
            members = _members(connection, [row.id for row in rows])
        return [made(CampaignRow, (*row, tuple(members.get(row.id, ())))) for row in rows]

    def counted_once(self, document_ids: Iterable[int]) -> dict[int, int]:
        """Return what each document counts as where campaigns count once.

        The number of different values is the number of responses with campaigns counted once. A
        document outside campaigns is its own id; those of a campaign share one negative number.
        """
        ids = list(dict.fromkeys(document_ids))
        found = {id: id for id in ids}
        with self.reading() as connection:
            for some in chunked(ids):
                query = select(Document.id, counted_as(Document.id)).where(Document.id.in_(some))
                found.update((id, value) for id, value in connection.execute(query))
        return found

    def save_group_summary(self, row: GroupSummaryRow) -> GroupSummaryRow:
        """Put a summary in place of the one of the same kind, subject and query; return it stored."""
        values: dict[str, Any] = {
            "collection_id": row.collection_id,
            "kind": row.kind,
            "subject": row.subject,
            "query": row.query,
            "details": dict(row.details),
            "created_at": row.created_at or utc_now(),
        }
        same = [
            getattr(GroupSummary, name) == values[name]
            for name in ("collection_id", "kind", "subject", "query")
        ]
        with self.writing() as connection:
            connection.execute(delete(table(GroupSummary)).where(*same))
            adding = (
                insert(table(GroupSummary)).values(**values).returning(table(GroupSummary).c.id)
            )
            id = connection.execute(adding).scalar_one()
            insert_all(
                connection,
                GroupSummarySentence,
                [
                    {"summary_id": id}
                    | {column.key: getattr(one, column.key) for column in _SENTENCE}
                    for one in row.sentences
                ],
            )
        return self.group_summary(id)

    def group_summary(self, id: int) -> GroupSummaryRow:
        """Return a summary. Raises NoResultFound where it has gone."""
        with self.reading() as connection:
            row = connection.execute(select(*_SUMMARY).where(GroupSummary.id == id)).one()
            return made(GroupSummaryRow, (*row, _sentences(connection, id)))

    def group_summaries(
        self, collection_id: int, kind: str | None = None, subject: str | None = None
    ) -> list[GroupSummaryRow]:
        """Return the stored summaries of groups of a collection, by kind, subject and query."""
        query = select(*_SUMMARY).where(GroupSummary.collection_id == collection_id)
        if kind is not None:
            query = query.where(GroupSummary.kind == kind)
        if subject is not None:
            query = query.where(GroupSummary.subject == subject)
        query = query.order_by(GroupSummary.kind, GroupSummary.subject, GroupSummary.query)
        with self.reading() as connection:
            return [
                made(GroupSummaryRow, (*row, _sentences(connection, row.id)))
                for row in connection.execute(query).all()
            ]


def _documents(
    connection: Connection,
    collection_id: int,
    question: str | None,
    respondent: str | None,
    last: int,
) -> list[GroupDocumentRow]:
    recipe = connection.scalar(select(Collection.recipe).where(Collection.id == collection_id))
    query = (
        select(
            *(Document.id, Document.key, Document.text, Document.question, Document.respondent),
            *(Document.metadata_, Result.id.label("result")),
        )
        .outerjoin(Result, has_current_result(recipe))
        .where(Document.collection_id == collection_id, ~Document.withdrawn)
        .where(Document.aside == "", func.coalesce(Result.outcome, "").not_in(_UNREAD))
        .where(Document.id > last)
        .order_by(Document.id)
        .limit(_TEXTS)
    )
    if question is not None:
        query = query.where(Document.question == question)
    if respondent is not None:
        query = query.where(Document.respondent == respondent)
    rows = connection.execute(query).all()
    spans: dict[int, list[tuple[int, int]]] = {}
    for some in chunked(row.result for row in rows if row.result is not None):
        places = (
            select(Sentence.result_id, Sentence.start, Sentence.end)
            .where(Sentence.result_id.in_(some))
            .order_by(Sentence.result_id, Sentence.position)
        )
        for result, start, end in connection.execute(places):
            spans.setdefault(result, []).append((start, end))
    return [made(GroupDocumentRow, (*row[:6], tuple(spans.get(row.result, ())))) for row in rows]


def _members(connection: Connection, ids: Sequence[int]) -> dict[int, list[CampaignMemberRow]]:
    found: dict[int, list[CampaignMemberRow]] = {}
    for some in chunked(ids):
        query = (
            select(CampaignMember)
            .where(CampaignMember.campaign_id.in_(some))
            .order_by(CampaignMember.campaign_id, CampaignMember.document_id)
            .with_only_columns(
                CampaignMember.campaign_id,
                CampaignMember.document_id,
                CampaignMember.likeness,
                CampaignMember.exact,
                CampaignMember.own,
            )
        )
        for id, document, likeness, exact, own in connection.execute(query):
            spans = tuple((start, end) for start, end in own)
            found.setdefault(id, []).append(CampaignMemberRow(document, likeness, exact, spans))
    return found


def _sentences(connection: Connection, id: int) -> tuple[GroupSentenceRow, ...]:
    query = (
        select(*_SENTENCE)
        .where(GroupSummarySentence.summary_id == id)
        .order_by(GroupSummarySentence.rank)
    )
    return tuple(made(GroupSentenceRow, row) for row in connection.execute(query))
