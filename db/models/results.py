"""Runs and what they say about documents."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import BIG, CASCADE, Base


class Run(Base):
    """One run of a recipe over a collection, with everything its fingerprint was made of."""

    __tablename__ = "runs"
    __table_args__ = (Index(None, "collection_id", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=CASCADE))
    recipe: Mapped[str]
    fingerprint: Mapped[str]
    details: Mapped[dict[str, Any]]
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    state: Mapped[str]
    counts: Mapped[dict[str, Any]]


class Result(Base):
    """What one run says about one document; keyed by document, input hash and fingerprint."""

    __tablename__ = "results"
    __table_args__ = (
        UniqueConstraint("document_id", "input_hash", "fingerprint"),
        Index(
            "uq_results_current",
            "document_id",
            "recipe",
            unique=True,
            sqlite_where=text("current"),
            postgresql_where=text("current"),
        ),
        Index(None, "run_id"),
    )

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    document_id: Mapped[int] = mapped_column(BIG, ForeignKey("documents.id", ondelete=CASCADE))
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete=CASCADE))
    recipe: Mapped[str]
    input_hash: Mapped[str]
    fingerprint: Mapped[str]
    outcome: Mapped[str]
    reason: Mapped[str]
    duplicate: Mapped[bool]
    attempts: Mapped[int]
    current: Mapped[bool]
    sentences: Mapped[int]
    summary_sentences: Mapped[int]
    labels: Mapped[int]
    tags: Mapped[int]
    displayed_tags: Mapped[int]
    created_at: Mapped[datetime]


def _result_key() -> Mapped[int]:
    return mapped_column(
        BIG, ForeignKey("results.id", ondelete=CASCADE), primary_key=True, autoincrement=False
    )


class Sentence(Base):
    """The place of one sentence."""

    __tablename__ = "sentences"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    result_id: Mapped[int] = _result_key()
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    start: Mapped[int]
    end: Mapped[int]


class SummarySentence(Base):
    """A sentence of a summary, verbatim."""

    __tablename__ = "summary_sentences"
    __table_args__ = {"sqlite_with_rowid": False}  # noqa: RUF012

    result_id: Mapped[int] = _result_key()
    rank: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    start: Mapped[int]
    end: Mapped[int]
    score: Mapped[float]
    text: Mapped[str]


class Label(Base):
    """A label's score for a document and the words that earned it."""

    __tablename__ = "labels"
    __table_args__ = (
        Index(
            "ix_labels_assigned",
            "label_set",
            "label",
            "result_id",
            sqlite_where=text("assigned"),
            postgresql_where=text("assigned"),
        ),
        {"sqlite_with_rowid": False},
    )

    result_id: Mapped[int] = _result_key()
    label_set: Mapped[str] = mapped_column(primary_key=True)
    label: Mapped[str] = mapped_column(primary_key=True)
    score: Mapped[float]
    assigned: Mapped[bool]
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str]


class Tag(Base):
    """A concept found at a place; an attribute that was not assessed is null."""

    __tablename__ = "tags"
    __table_args__ = (Index(None, "result_id"), Index(None, "iri", "result_id"))

    id: Mapped[int] = mapped_column(BIG, primary_key=True)
    result_id: Mapped[int] = mapped_column(BIG, ForeignKey("results.id", ondelete=CASCADE))
    ontology: Mapped[str]
    iri: Mapped[str]
    curie: Mapped[str]
    label: Mapped[str]
    start: Mapped[int]
    end: Mapped[int]
    text: Mapped[str]
    score: Mapped[float]
    method: Mapped[str]
    displayed: Mapped[bool]
    negated: Mapped[bool | None]
    possible: Mapped[bool | None]
    historical: Mapped[bool | None]
    hypothetical: Mapped[bool | None]
    experiencer: Mapped[str | None]
    cue: Mapped[str | None]
    cue_start: Mapped[int | None]
    cue_end: Mapped[int | None]
