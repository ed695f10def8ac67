"""What is said about several documents together: campaigns, and summaries of groups."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import BIG, CASCADE, Base


class Campaign(Base):
    """Documents that share a text, or come from one respondent.

    ``kind`` is ``campaign`` (a shared template), ``copy`` (the same words) or ``respondent`` (one
    person several times). ``template`` is the shared text.
    """

    __tablename__ = "campaigns"
    __table_args__ = (Index(None, "collection_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    kind: Mapped[str]
    question: Mapped[str | None]
    template: Mapped[str]
    method: Mapped[str]
    details: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class CampaignMember(Base):
    """A document of a campaign; ``own`` are the places of the sender's own words."""

    __tablename__ = "campaign_members"
    __table_args__ = (Index(None, "document_id"),)

    campaign_id: Mapped[int] = mapped_column(
        ForeignKey("campaigns.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )
    document_id: Mapped[int] = mapped_column(
        BIG,
        ForeignKey("documents.id", ondelete=CASCADE),
        primary_key=True,
        autoincrement=False,
    )
    likeness: Mapped[float]
    exact: Mapped[bool]
    own: Mapped[list[Any]]


class GroupSummary(Base):
    """A summary of a theme, a question, a collection, a series of notes, or for a query."""

    __tablename__ = "group_summaries"
    __table_args__ = (Index(None, "collection_id", "kind", "subject"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    kind: Mapped[str]
    subject: Mapped[str]
    query: Mapped[str]
    details: Mapped[dict[str, Any]]
    created_at: Mapped[datetime]


class GroupSummarySentence(Base):
    """A sentence of a group's summary, verbatim.

    ``role`` is ``summary``, ``central`` (stands for the group) or ``different`` (least like it).
    """

    __tablename__ = "group_summary_sentences"
    __table_args__ = (Index(None, "document_id"),)

    summary_id: Mapped[int] = mapped_column(
        ForeignKey("group_summaries.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )
    rank: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    document_id: Mapped[int] = mapped_column(BIG, ForeignKey("documents.id", ondelete=CASCADE))
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str]
    score: Mapped[float]
    stance: Mapped[str]
    role: Mapped[str]
