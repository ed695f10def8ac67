"""What each document's part of the graph depends on, as a short mark: equal marks, equal parts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Text, cast, select

from db.models import (
    CampaignMember,
    Codebook,
    Collection,
    Document,
    GroupSummarySentence,
    Result,
    ReviewDecision,
    Source,
    Theme,
    ThemeAssignment,
    ThemeState,
)
from db.store.access import Access, chunked
from db.store.graph_view import campaigns_of_two

_SPAN = 5_000
"""Document ids in one portion."""
_DOCUMENT = (
    Document.id,
    Document.collection_id,
    Document.source_id,
    Document.key,
    Document.sha256,
    Document.question,
    Document.locator,
    Document.created_at,
    Document.respondent,
    Document.aside,
    cast(Document.metadata_, Text),
    cast(Document.flags, Text),
)
_RESULT = (
    Result.document_id,
    Result.id,
    Result.run_id,
    Result.recipe,
    Result.outcome,
    Result.reason,
    Result.current,
    Result.created_at,
)
_DECISION = (
    ReviewDecision.document_id,
    ReviewDecision.id,
    ReviewDecision.kind,
    ReviewDecision.scheme,
    ReviewDecision.item,
    ReviewDecision.start,
    ReviewDecision.end,
    ReviewDecision.text,
    ReviewDecision.verdict,
    cast(ReviewDecision.replacement, Text),
    ReviewDecision.reviewer,
    ReviewDecision.reason,
    ReviewDecision.created_at,
    ReviewDecision.current,
    ReviewDecision.result_id,
)
_CODING = (
    ThemeAssignment.document_id,
    ThemeAssignment.id,
    ThemeAssignment.theme_id,
    ThemeAssignment.start,
    ThemeAssignment.end,
    ThemeAssignment.text,
    ThemeAssignment.score,
    ThemeAssignment.stance,
    ThemeAssignment.method,
    ThemeAssignment.since,
)
_MEMBER = (
    CampaignMember.document_id,
    CampaignMember.campaign_id,
    CampaignMember.likeness,
    CampaignMember.exact,
)
_SENTENCE = (
    GroupSummarySentence.document_id,
    GroupSummarySentence.summary_id,
    GroupSummarySentence.rank,
    GroupSummarySentence.start,
    GroupSummarySentence.end,
    GroupSummarySentence.text,
    GroupSummarySentence.score,
    GroupSummarySentence.role,
    GroupSummarySentence.stance,
)


class GraphStates(Access):
    """The store's method that tells which documents the graph has to be told about."""

    def graph_states(self, documents: Sequence[int] | None = None) -> dict[int, str]:
        """Return a mark for each document that stands, or for those of ``documents`` that do.

        It covers the document, its results (not their parts, which never change), decisions,
        codings, memberships and sentences in summaries of groups, and what its source, collection
        and themes lend it.
        """
        with self.reading() as connection:
            lent = _Lent(connection)
            if documents is not None:
                found: dict[int, str] = {}
                for ids in chunked(sorted(set(documents))):
                    found |= _states(connection, lent, lambda column, ids=ids: column.in_(ids))
                return found
            found, first = {}, 0
            last = connection.scalar(select(Document.id).order_by(Document.id.desc()).limit(1)) or 0
            while first < last:
                until = first + _SPAN
                found |= _states(
                    connection,
                    lent,
                    lambda column, a=first, b=until: column.between(a + 1, b),
                )
                first = until
            return found


class _Lent:
    """What documents take from their source, collection and themes."""

    def __init__(self, connection: Connection) -> None:
        columns = (Collection.id, Collection.recipe, Collection.text_private, Collection.created_at)
        self.owners = {row.id: tuple(row) for row in connection.execute(select(*columns))}
        self.columns = {
            id: [(c.get("name"), c.get("format")) for c in found if c.get("role") == "date"]
            for id, found in connection.execute(select(Source.id, Source.columns))
        }
        self.themes: dict[int, list[Any]] = defaultdict(list)
        themes = (
            select(Codebook.collection_id, Codebook.name, Theme.key, Theme.id)
            .join(Theme, Theme.codebook_id == Codebook.id)
            .join(ThemeState, ThemeState.theme_id == Theme.id)
            .where(ThemeState.until.is_(None))
            .order_by(Theme.id)
        )
        for row in connection.execute(themes):
            self.themes[row.collection_id].append(tuple(row))


def _states(connection: Connection, lent: _Lent, among: Any) -> dict[int, str]:
    """Return the marks of the documents whose id column is ``among`` those wanted."""
    wanted = select(*_DOCUMENT).where(~Document.withdrawn, among(Document.id))
    rows = connection.execute(wanted.order_by(Document.id)).all()
    themed: set[int] = set()
    parts: dict[int, list[Any]] = {row.id: [tuple(row)] for row in rows}
    for name, found in _hanging(connection, among):
        for row in found:
            mine = parts.get(row[0])
            if mine is not None:
                mine.append((name, *row[1:]))
                if name == "decision" and row.kind == "theme":
                    themed.add(row[0])
    for row in rows:
        mine = parts[row.id]
        mine.append(lent.owners[row.collection_id])
        mine.append(lent.columns.get(row.source_id, ()))
        if row.id in themed:
            mine.append(lent.themes[row.collection_id])
    return {
        id: hashlib.blake2b(repr(mine).encode("utf-8", "replace"), digest_size=12).hexdigest()
        for id, mine in parts.items()
    }


def _hanging(connection: Connection, among: Any) -> Iterator[tuple[str, Sequence[Any]]]:
    def of(*columns: Any, order: ColumnElement[Any]) -> Any:
        return select(*columns).where(among(columns[0])).order_by(order)

    codings = (
        of(*_CODING, order=ThemeAssignment.id.expression)
        .join(Theme, Theme.id == ThemeAssignment.theme_id)
        .join(ThemeState, ThemeState.theme_id == Theme.id)
        .where(ThemeAssignment.until.is_(None), ThemeState.until.is_(None))
    )
    members = of(*_MEMBER, order=CampaignMember.campaign_id.expression).where(
        CampaignMember.campaign_id.in_(campaigns_of_two())
    )
    told = of(*_SENTENCE, order=GroupSummarySentence.summary_id.expression)
    queries = {
        "result": of(*_RESULT, order=Result.id.expression),
        "decision": of(*_DECISION, order=ReviewDecision.id.expression),
        "coding": codings,
        "member": members,
        "sentence": told.order_by(GroupSummarySentence.rank),
    }
    for name, query in queries.items():
        yield name, connection.execute(query).all()
