"""Codebooks: themes with their history, and the statements coded with them.

Every change makes a new version of the codebook. A row that changes is not overwritten: it ends
(``until``) at the version that replaces it, so that any version can be read again.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import BIG, CASCADE, SET_NULL, Base


class Codebook(Base):
    """The themes of a collection, or of one question of it; ``version`` is the present one."""

    __tablename__ = "codebooks"
    __table_args__ = (UniqueConstraint("collection_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    name: Mapped[str]
    question: Mapped[str | None]
    version: Mapped[int]
    created_at: Mapped[datetime]


class CodebookVersion(Base):
    """What made a version: who did what, and whether it was signed off."""

    __tablename__ = "codebook_versions"

    codebook_id: Mapped[int] = mapped_column(
        ForeignKey("codebooks.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    action: Mapped[str]
    detail: Mapped[dict[str, Any]]
    author: Mapped[str]
    created_at: Mapped[datetime]
    signed_off_by: Mapped[str]


class Theme(Base):
    """A theme's lasting identity; ``kind`` is ``theme``, ``other`` or ``no-reason``."""

    __tablename__ = "themes"
    __table_args__ = (UniqueConstraint("codebook_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    codebook_id: Mapped[int] = mapped_column(ForeignKey("codebooks.id", ondelete=CASCADE))
    key: Mapped[str]
    kind: Mapped[str]


class ThemeState(Base):
    """What a theme says from version ``since`` to before version ``until`` (null: still)."""

    __tablename__ = "theme_states"
    __table_args__ = (Index(None, "parent_id"),)

    theme_id: Mapped[int] = mapped_column(
        ForeignKey("themes.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )
    since: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    until: Mapped[int | None]
    label: Mapped[str]
    description: Mapped[str]
    parent_id: Mapped[int | None] = mapped_column(ForeignKey("themes.id", ondelete=SET_NULL))
    concept: Mapped[str]
    origin: Mapped[str]
    details: Mapped[dict[str, Any]]


class ThemeAssignment(Base):
    """A statement of a document coded with a theme, by whom, and in which versions.

    ``method`` is ``found``, ``mapped`` or ``person``; ``stance`` is for, against, mixed, neither
    or empty (not assessed).
    """

    __tablename__ = "theme_assignments"
    __table_args__ = (
        Index(None, "theme_id", "until"),
        Index(None, "document_id"),
    )

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    theme_id: Mapped[int] = mapped_column(ForeignKey("themes.id", ondelete=CASCADE))
    document_id: Mapped[int] = mapped_column(BIG, ForeignKey("documents.id", ondelete=CASCADE))
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str]
    score: Mapped[float]
    stance: Mapped[str]
    method: Mapped[str]
    since: Mapped[int]
    until: Mapped[int | None]
