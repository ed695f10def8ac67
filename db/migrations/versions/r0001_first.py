"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.types import Json, UtcDateTime, Words

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    op.create_table(
        "collections",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", Words(), nullable=False),
        sa.Column("recipe", Words(), nullable=False),
        sa.Column("text_private", sa.Boolean(), nullable=False),
        sa.Column("title", Words(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collections")),
        sa.UniqueConstraint("name", name=op.f("uq_collections_name")),
    )
    op.create_table(
        "ontologies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", Words(), nullable=False),
        sa.Column("sha256", Words(), nullable=False),
        sa.Column("path", Words(), nullable=False),
        sa.Column("original_path", Words(), nullable=False),
        sa.Column("format", Words(), nullable=False),
        sa.Column("title", Words(), nullable=False),
        sa.Column("version", Words(), nullable=False),
        sa.Column("concepts", sa.Integer(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("deprecated", sa.Integer(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("added_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ontologies")),
        sa.UniqueConstraint("name", "sha256", name=op.f("uq_ontologies_name_sha256")),
    )
    op.create_index(
        "uq_ontologies_current",
        "ontologies",
        ["name"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_table(
        "collection_locks",
        sa.Column("collection_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("owner", Words(), nullable=False),
        sa.Column("lease_until", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_collection_locks_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("collection_id", name=op.f("pk_collection_locks")),
    )
    op.create_table(
        "concept_closure",
        sa.Column("ontology_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("iri", Words(), nullable=False),
        sa.Column("ancestor", Words(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ontology_id"],
            ["ontologies.id"],
            name=op.f("fk_concept_closure_ontology_id_ontologies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("ontology_id", "iri", "ancestor", name=op.f("pk_concept_closure")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_concept_closure_ontology_id_ancestor_iri"),
        "concept_closure",
        ["ontology_id", "ancestor", "iri"],
        unique=False,
    )
    op.create_table(
        "concepts",
        sa.Column("ontology_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("iri", Words(), nullable=False),
        sa.Column("curie", Words(), nullable=False),
        sa.Column("label", Words(), nullable=False),
        sa.Column("deprecated", sa.Boolean(), nullable=False),
        sa.Column("definition", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ontology_id"],
            ["ontologies.id"],
            name=op.f("fk_concepts_ontology_id_ontologies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("ontology_id", "iri", name=op.f("pk_concepts")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_concepts_iri"), "concepts", ["iri"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=True),
        sa.Column("payload", Json(), nullable=False),
        sa.Column("state", Words(), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", Words(), nullable=False),
        sa.Column("result", Json(), nullable=False),
        sa.Column("lease_owner", Words(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_jobs_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(op.f("ix_jobs_state_id"), "jobs", ["state", "id"], unique=False)
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("recipe", Words(), nullable=False),
        sa.Column("fingerprint", Words(), nullable=False),
        sa.Column("details", Json(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("state", Words(), nullable=False),
        sa.Column("counts", Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_runs_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_index(op.f("ix_runs_collection_id_id"), "runs", ["collection_id", "id"], unique=False)
    op.create_table(
        "sources",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("path", Words(), nullable=False),
        sa.Column("relative", Words(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("outcome", Words(), nullable=False),
        sa.Column("reason", Words(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("mtime_ns", sa.BigInteger(), nullable=False),
        sa.Column("sha256", Words(), nullable=False),
        sa.Column("encoding", Words(), nullable=True),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.Column("columns", Json(), nullable=False),
        sa.Column("warnings", Json(), nullable=False),
        sa.Column("options", Words(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_sources_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sources")),
        sa.UniqueConstraint("collection_id", "path", name=op.f("uq_sources_collection_id_path")),
    )
    op.create_index(
        op.f("ix_sources_collection_id_relative"),
        "sources",
        ["collection_id", "relative"],
        unique=False,
    )
    op.create_table(
        "documents",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Integer(), nullable=False),
        sa.Column("key", Words(), nullable=False),
        sa.Column("sha256", Words(), nullable=False),
        sa.Column("input_hash", Words(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("withdrawn", sa.Boolean(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("locator", Words(), nullable=False),
        sa.Column("question", Words(), nullable=True),
        sa.Column("metadata", Json(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_documents_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["source_id"],
            ["sources.id"],
            name=op.f("fk_documents_source_id_sources"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
        sa.UniqueConstraint("collection_id", "key", name=op.f("uq_documents_collection_id_key")),
    )
    op.create_index(
        op.f("ix_documents_collection_id_sha256_id"),
        "documents",
        ["collection_id", "sha256", "id"],
        unique=False,
    )
    op.create_index(
        "ix_documents_listing",
        "documents",
        ["collection_id", "withdrawn", "source_id", "position", "id"],
        unique=False,
    )
    op.create_index(op.f("ix_documents_source_id"), "documents", ["source_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("document_id", _BIG, nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("recipe", Words(), nullable=False),
        sa.Column("input_hash", Words(), nullable=False),
        sa.Column("fingerprint", Words(), nullable=False),
        sa.Column("outcome", Words(), nullable=False),
        sa.Column("reason", Words(), nullable=False),
        sa.Column("duplicate", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("sentences", sa.Integer(), nullable=False),
        sa.Column("summary_sentences", sa.Integer(), nullable=False),
        sa.Column("labels", sa.Integer(), nullable=False),
        sa.Column("tags", sa.Integer(), nullable=False),
        sa.Column("displayed_tags", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_results_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["runs.id"], name=op.f("fk_results_run_id_runs"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
        sa.UniqueConstraint(
            "document_id",
            "input_hash",
            "fingerprint",
            name=op.f("uq_results_document_id_input_hash_fingerprint"),
        ),
    )
    op.create_index(op.f("ix_results_run_id"), "results", ["run_id"], unique=False)
    op.create_index(
        "uq_results_current",
        "results",
        ["document_id", "recipe"],
        unique=True,
        sqlite_where=sa.text("current"),
        postgresql_where=sa.text("current"),
    )
    op.create_table(
        "labels",
        sa.Column("result_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("label_set", Words(), nullable=False),
        sa.Column("label", Words(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("assigned", sa.Boolean(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["results.id"],
            name=op.f("fk_labels_result_id_results"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("result_id", "label_set", "label", name=op.f("pk_labels")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_labels_assigned",
        "labels",
        ["label_set", "label", "result_id"],
        unique=False,
        sqlite_where=sa.text("assigned"),
        postgresql_where=sa.text("assigned"),
    )
    op.create_table(
        "sentences",
        sa.Column("result_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["results.id"],
            name=op.f("fk_sentences_result_id_results"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("result_id", "position", name=op.f("pk_sentences")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "summary_sentences",
        sa.Column("result_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("rank", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["results.id"],
            name=op.f("fk_summary_sentences_result_id_results"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("result_id", "rank", name=op.f("pk_summary_sentences")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tags",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("result_id", _BIG, nullable=False),
        sa.Column("ontology", Words(), nullable=False),
        sa.Column("iri", Words(), nullable=False),
        sa.Column("curie", Words(), nullable=False),
        sa.Column("label", Words(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("method", Words(), nullable=False),
        sa.Column("displayed", sa.Boolean(), nullable=False),
        sa.Column("negated", sa.Boolean(), nullable=True),
        sa.Column("possible", sa.Boolean(), nullable=True),
        sa.Column("historical", sa.Boolean(), nullable=True),
        sa.Column("hypothetical", sa.Boolean(), nullable=True),
        sa.Column("experiencer", Words(), nullable=True),
        sa.Column("cue", Words(), nullable=True),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["results.id"],
            name=op.f("fk_tags_result_id_results"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tags")),
    )
    op.create_index(op.f("ix_tags_iri_result_id"), "tags", ["iri", "result_id"], unique=False)
    op.create_index(op.f("ix_tags_result_id"), "tags", ["result_id"], unique=False)


def downgrade() -> None:
    """Drop every table."""
    for name in (
        "tags",
        "summary_sentences",
        "sentences",
        "labels",
        "results",
        "documents",
        "sources",
        "runs",
        "jobs",
        "concepts",
        "concept_closure",
        "collection_locks",
        "ontologies",
        "collections",
    ):
        op.drop_table(name)
