"""Campaigns, and summaries of groups of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class CampaignMemberRow:
    """A document of a campaign; ``own`` are (start, end) of the sender's own words."""

    document_id: int
    likeness: float
    exact: bool
    own: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CampaignRow:
    """A campaign with its members. ``kind``: campaign, copy or respondent. ``id`` 0: not stored."""

    id: int
    collection_id: int
    kind: str
    question: str | None
    template: str
    method: str
    details: Mapping[str, Any]
    created_at: datetime
    members: tuple[CampaignMemberRow, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupDocumentRow:
    """A document of a group, with (start, end) of its sentences; none until it is processed."""

    id: int
    key: str
    text: str
    question: str | None
    respondent: str
    metadata: Mapping[str, Any]
    sentences: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class GroupSentenceRow:
    """A sentence of a group's summary. ``role``: summary, central or different."""

    rank: int
    document_id: int
    start: int
    end: int
    text: str
    score: float
    stance: str
    role: str


@dataclass(frozen=True, slots=True)
class GroupSummaryRow:
    """A summary of a group. ``kind``: theme, question, collection, series or query.

    ``subject`` names the theme key, question or respondent; ``id`` 0: not stored.
    """

    id: int
    collection_id: int
    kind: str
    subject: str
    query: str
    details: Mapping[str, Any]
    created_at: datetime
    sentences: tuple[GroupSentenceRow, ...] = ()
