"""What people decide about what the machine says, and what was taken away at their word."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import BIG, CASCADE, SET_NULL, Base


class ReviewDecision(Base):
    """One person's decision about one tag, label, theme or summary sentence of a document.

    What it is about is named in terms that outlive a run: ``scheme`` (the ontology, label set or
    codebook), ``item`` (the IRI, label or theme) and the place in the text. ``result_id`` is the
    machine's result that the person saw. Of one reviewer's decisions about one thing the newest is
    ``current``.
    """

    __tablename__ = "review_decisions"
    __table_args__ = (
        Index(None, "document_id", "kind"),
        Index(None, "collection_id", "id"),
        Index(None, "result_id"),
        Index(None, "run_id"),
    )

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    document_id: Mapped[int] = mapped_column(BIG, ForeignKey("documents.id", ondelete=CASCADE))
    kind: Mapped[str]
    scheme: Mapped[str]
    item: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str]
    verdict: Mapped[str]
    replacement: Mapped[dict[str, Any]]
    reviewer: Mapped[str]
    reason: Mapped[str]
    created_at: Mapped[datetime]
    current: Mapped[bool]
    result_id: Mapped[int | None] = mapped_column(BIG, ForeignKey("results.id", ondelete=SET_NULL))
    run_id: Mapped[int | None] = mapped_column(ForeignKey("runs.id", ondelete=SET_NULL))


class Erasure(Base):
    """What was erased: a forgotten document, or a run whose results were withdrawn.

    No text and no name of the document is kept: ``key_hash`` is the sha256 of its key and
    ``sha256`` that of its text, so that the same document is known when its file is read again.
    Both are empty for a run. ``counts`` says how many rows and files of each kind went.
    """

    __tablename__ = "erasures"
    __table_args__ = (Index(None, "collection_id", "key_hash"),)

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    kind: Mapped[str]
    key_hash: Mapped[str]
    sha256: Mapped[str]
    erased_at: Mapped[datetime]
    author: Mapped[str]
    reason: Mapped[str]
    counts: Mapped[dict[str, Any]]
