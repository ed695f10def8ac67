"""Collections, the files they were read from, and their documents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import BIG, CASCADE, Base


class Collection(Base):
    """A named set of documents read with one recipe."""

    __tablename__ = "collections"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    recipe: Mapped[str]
    text_private: Mapped[bool]
    title: Mapped[str]
    created_at: Mapped[datetime]
    reading: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    licence: Mapped[str] = mapped_column(server_default="")
    rights: Mapped[str] = mapped_column(server_default="")


class CollectionLock(Base):
    """The lease of the one run that may change a collection."""

    __tablename__ = "collection_locks"

    collection_id: Mapped[int] = mapped_column(
        ForeignKey("collections.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )
    owner: Mapped[str]
    lease_until: Mapped[datetime]


class Source(Base):
    """An input file of a collection and how reading it ended."""

    __tablename__ = "sources"
    __table_args__ = (
        UniqueConstraint("collection_id", "path"),
        Index(None, "collection_id", "relative"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    path: Mapped[str]
    relative: Mapped[str]
    kind: Mapped[str]
    outcome: Mapped[str]
    reason: Mapped[str]
    size: Mapped[int] = mapped_column(BigInteger)
    mtime_ns: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str]
    encoding: Mapped[str | None]
    rows: Mapped[int]
    documents: Mapped[int]
    columns: Mapped[list[Any]]
    warnings: Mapped[list[Any]]
    options: Mapped[str]
    seen_at: Mapped[datetime]
    report: Mapped[dict[str, Any]] = mapped_column(server_default="{}")


class Document(Base):
    """One text as the person wrote it. ``length`` is in code points."""

    __tablename__ = "documents"
    __table_args__ = (
        UniqueConstraint("collection_id", "key"),
        Index(None, "collection_id", "sha256", "id"),
        Index("ix_documents_listing", "collection_id", "withdrawn", "source_id", "position", "id"),
        Index(None, "source_id"),
    )

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id", ondelete=CASCADE))
    key: Mapped[str]
    sha256: Mapped[str]
    input_hash: Mapped[str]
    length: Mapped[int]
    position: Mapped[int]
    withdrawn: Mapped[bool]
    created_at: Mapped[datetime]
    locator: Mapped[str]
    question: Mapped[str | None]
    metadata_: Mapped[dict[str, Any]] = mapped_column("metadata")
    respondent: Mapped[str] = mapped_column(server_default="")
    aside: Mapped[str] = mapped_column(server_default="")
    flags: Mapped[list[Any]] = mapped_column(server_default="[]")
    text: Mapped[str]  # last: SQLite reads a row from the left, long texts overflow
