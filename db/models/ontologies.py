"""Registered versions of vocabularies and their concepts."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.models.base import CASCADE, Base


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
        ForeignKey("ontologies.id", ondelete=CASCADE), primary_key=True, autoincrement=False
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
