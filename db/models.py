"""The tables. ORM classes are declarations only: the store reads and writes plain rows.

Results carry their own counts so that totals never walk the sentences. Two partial unique
indexes say what "current" means: one current result for a document and recipe, one current
version for an ontology name.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from db.types import Json, UtcDateTime, Words

_BIG = BigInteger().with_variant(Integer, "sqlite")  # SQLite: only INTEGER can be the row id
_CASCADE = "CASCADE"


class Base(DeclarativeBase):
    """Declarative base with the naming convention that migrations rely on."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012
        str: Words,
        float: Double,
        datetime: UtcDateTime,
        dict[str, Any]: Json,
        list[Any]: Json,
    }


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


class CollectionLock(Base):
    """The lease of the one run that may change a collection."""

    __tablename__ = "collection_locks"

    collection_id: Mapped[int] = mapped_column(
        ForeignKey("collections.id", ondelete=_CASCADE), primary_key=True, autoincrement=False
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
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=_CASCADE))
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

    id: Mapped[int] = mapped_column(_BIG, primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=_CASCADE))
    source_id: Mapped[int] = mapped_column(ForeignKey("sources.id", ondelete=_CASCADE))
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


class Run(Base):
    """One run of a recipe over a collection, with everything its fingerprint was made of."""

    __tablename__ = "runs"
    __table_args__ = (Index(None, "collection_id", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    collection_id: Mapped[int] = mapped_column(ForeignKey("collections.id", ondelete=_CASCADE))
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

    id: Mapped[int] = mapped_column(_BIG, primary_key=True)
    document_id: Mapped[int] = mapped_column(_BIG, ForeignKey("documents.id", ondelete=_CASCADE))
    run_id: Mapped[int] = mapped_column(ForeignKey("runs.id", ondelete=_CASCADE))
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
        _BIG, ForeignKey("results.id", ondelete=_CASCADE), primary_key=True, autoincrement=False
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

    id: Mapped[int] = mapped_column(_BIG, primary_key=True)
    result_id: Mapped[int] = mapped_column(_BIG, ForeignKey("results.id", ondelete=_CASCADE))
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


class Ontology(Base):
    """A registered version of an ontology; ``name`` is the user's id for it."""

    __tablename__ = "ontologies"
    __table_args__ = (
        UniqueConstraint("name", "sha256"),
        Index(
            "uq_ontologies_current",
            "name",
            unique=True,
            sqlite_where=text("current"),
            postgresql_where=text("current"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    sha256: Mapped[str]
    path: Mapped[str]
    original_path: Mapped[str]
    format: Mapped[str]
    title: Mapped[str]
    version: Mapped[str]
    concepts: Mapped[int]
    labels: Mapped[int]
    deprecated: Mapped[int]
    current: Mapped[bool]
    added_at: Mapped[datetime]


def _ontology_key() -> Mapped[int]:
    return mapped_column(
        ForeignKey("ontologies.id", ondelete=_CASCADE), primary_key=True, autoincrement=False
    )


class Concept(Base):
    """A concept of an ontology's current version."""

    __tablename__ = "concepts"
    __table_args__ = (Index(None, "iri"), {"sqlite_with_rowid": False})

    ontology_id: Mapped[int] = _ontology_key()
    iri: Mapped[str] = mapped_column(primary_key=True)
    curie: Mapped[str]
    label: Mapped[str]
    deprecated: Mapped[bool]
    definition: Mapped[str]


class ConceptClosure(Base):
    """(concept, ancestor, depth), with (concept, concept, 0): roll-ups are one join."""

    __tablename__ = "concept_closure"
    __table_args__ = (
        Index(None, "ontology_id", "ancestor", "iri"),
        {"sqlite_with_rowid": False},
    )

    ontology_id: Mapped[int] = _ontology_key()
    iri: Mapped[str] = mapped_column(primary_key=True)
    ancestor: Mapped[str] = mapped_column(primary_key=True)
    depth: Mapped[int]


class Job(Base):
    """A piece of work for a worker, held under a lease while it runs."""

    __tablename__ = "jobs"
    __table_args__ = (Index(None, "state", "id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    collection_id: Mapped[int | None] = mapped_column(
        ForeignKey("collections.id", ondelete=_CASCADE)
    )
    payload: Mapped[dict[str, Any]]
    state: Mapped[str]
    progress: Mapped[int]
    total: Mapped[int]
    message: Mapped[str]
    result: Mapped[dict[str, Any]]
    lease_owner: Mapped[str | None]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
