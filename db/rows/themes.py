"""Codebooks, themes and the statements coded with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class CodebookRow:
    """A codebook; ``version`` is the present one."""

    id: int
    collection_id: int
    name: str
    question: str | None
    version: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CodebookVersionRow:
    """What made a version of a codebook, and by whom it was signed off (empty: not yet)."""

    codebook_id: int
    number: int
    action: str
    detail: Mapping[str, Any]
    author: str
    created_at: datetime
    signed_off_by: str


@dataclass(frozen=True, slots=True)
class ThemeRow:
    """A theme as it is in one version. ``kind``: theme, other or no-reason."""

    id: int
    codebook_id: int
    key: str
    kind: str
    since: int
    until: int | None
    label: str
    description: str
    parent_id: int | None
    concept: str
    origin: str
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """A statement coded with a theme. ``id`` is 0 until stored.

    ``method``: found, mapped or person. ``stance``: for, against, mixed, neither or empty.
    """

    theme_id: int
    document_id: int
    start: int
    end: int
    text: str
    score: float
    stance: str
    method: str
    since: int
    until: int | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class ThemeCount:
    """How much is coded with a theme: documents, statements, and documents by their stance.

    ``unassessed`` are documents whose stance was not judged, which is not the same as neither.
    """

    documents: int
    statements: int
    supporting: int
    opposing: int
    mixed: int
    neither: int
    unassessed: int
