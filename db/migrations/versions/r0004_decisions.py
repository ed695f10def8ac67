"""Decisions and erasures, codebooks with their history, campaigns, and summaries of groups."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.types import Json, UtcDateTime, Words

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Go to this revision."""
    for name in ("licence", "rights"):
        op.add_column("collections", sa.Column(name, Words(), server_default="", nullable=False))
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("question", Words(), nullable=True),
        sa.Column("template", Words(), nullable=False),
        sa.Column("method", Words(), nullable=False),
        sa.Column("details", Json(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_campaigns_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
    )
    op.create_index(
        op.f("ix_campaigns_collection_id"), "campaigns", ["collection_id"], unique=False
    )
    op.create_table(
        "codebooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("name", Words(), nullable=False),
        sa.Column("question", Words(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_codebooks_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_codebooks")),
        sa.UniqueConstraint("collection_id", "name", name=op.f("uq_codebooks_collection_id_name")),
    )
    op.create_table(
        "group_summaries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("subject", Words(), nullable=False),
        sa.Column("query", Words(), nullable=False),
        sa.Column("details", Json(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_group_summaries_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_summaries")),
    )
    op.create_index(
        op.f("ix_group_summaries_collection_id_kind_subject"),
        "group_summaries",
        ["collection_id", "kind", "subject"],
        unique=False,
    )
    op.create_table(
        "codebook_versions",
        sa.Column("codebook_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("action", Words(), nullable=False),
        sa.Column("detail", Json(), nullable=False),
        sa.Column("author", Words(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("signed_off_by", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["codebook_id"],
            ["codebooks.id"],
            name=op.f("fk_codebook_versions_codebook_id_codebooks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("codebook_id", "number", name=op.f("pk_codebook_versions")),
    )
    op.create_table(
        "themes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("codebook_id", sa.Integer(), nullable=False),
        sa.Column("key", Words(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["codebook_id"],
            ["codebooks.id"],
            name=op.f("fk_themes_codebook_id_codebooks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_themes")),
        sa.UniqueConstraint("codebook_id", "key", name=op.f("uq_themes_codebook_id_key")),
    )
    op.create_table(
        "campaign_members",
        sa.Column("campaign_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document_id", _BIG, autoincrement=False, nullable=False),
        sa.Column("likeness", sa.Double(), nullable=False),
        sa.Column("exact", sa.Boolean(), nullable=False),
        sa.Column("own", Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaigns.id"],
            name=op.f("fk_campaign_members_campaign_id_campaigns"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_campaign_members_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "document_id", name=op.f("pk_campaign_members")),
    )
    op.create_index(
        op.f("ix_campaign_members_document_id"), "campaign_members", ["document_id"], unique=False
    )
    op.create_table(
        "group_summary_sentences",
        sa.Column("summary_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("rank", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("document_id", _BIG, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("stance", Words(), nullable=False),
        sa.Column("role", Words(), nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_group_summary_sentences_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["summary_id"],
            ["group_summaries.id"],
            name=op.f("fk_group_summary_sentences_summary_id_group_summaries"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("summary_id", "rank", name=op.f("pk_group_summary_sentences")),
    )
    op.create_index(
        op.f("ix_group_summary_sentences_document_id"),
        "group_summary_sentences",
        ["document_id"],
        unique=False,
    )
    op.create_table(
        "theme_assignments",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("theme_id", sa.Integer(), nullable=False),
        sa.Column("document_id", _BIG, nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("stance", Words(), nullable=False),
        sa.Column("method", Words(), nullable=False),
        sa.Column("since", sa.Integer(), nullable=False),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_theme_assignments_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["theme_id"],
            ["themes.id"],
            name=op.f("fk_theme_assignments_theme_id_themes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_theme_assignments")),
    )
    op.create_index(
        op.f("ix_theme_assignments_document_id"), "theme_assignments", ["document_id"], unique=False
    )
    op.create_index(
        op.f("ix_theme_assignments_theme_id_until"),
        "theme_assignments",
        ["theme_id", "until"],
        unique=False,
    )
    op.create_table(
        "theme_states",
        sa.Column("theme_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.Integer(), nullable=True),
        sa.Column("label", Words(), nullable=False),
        sa.Column("description", Words(), nullable=False),
        sa.Column("parent_id", sa.Integer(), nullable=True),
        sa.Column("concept", Words(), nullable=False),
        sa.Column("origin", Words(), nullable=False),
        sa.Column("details", Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["themes.id"],
            name=op.f("fk_theme_states_parent_id_themes"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["theme_id"],
            ["themes.id"],
            name=op.f("fk_theme_states_theme_id_themes"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("theme_id", "since", name=op.f("pk_theme_states")),
    )
    op.create_index(op.f("ix_theme_states_parent_id"), "theme_states", ["parent_id"], unique=False)
    op.create_table(
        "review_decisions",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("document_id", _BIG, nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("scheme", Words(), nullable=False),
        sa.Column("item", Words(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("end", sa.Integer(), nullable=False),
        sa.Column("text", Words(), nullable=False),
        sa.Column("verdict", Words(), nullable=False),
        sa.Column("replacement", Json(), nullable=False),
        sa.Column("reviewer", Words(), nullable=False),
        sa.Column("reason", Words(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.Column("result_id", _BIG, nullable=True),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_review_decisions_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["document_id"],
            ["documents.id"],
            name=op.f("fk_review_decisions_document_id_documents"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["result_id"],
            ["results.id"],
            name=op.f("fk_review_decisions_result_id_results"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["runs.id"],
            name=op.f("fk_review_decisions_run_id_runs"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_decisions")),
    )
    op.create_index(
        op.f("ix_review_decisions_collection_id_id"),
        "review_decisions",
        ["collection_id", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_review_decisions_document_id_kind"),
        "review_decisions",
        ["document_id", "kind"],
        unique=False,
    )
    op.create_index(
        op.f("ix_review_decisions_result_id"), "review_decisions", ["result_id"], unique=False
    )
    op.create_index(
        op.f("ix_review_decisions_run_id"), "review_decisions", ["run_id"], unique=False
    )
    op.create_table(
        "erasures",
        sa.Column("id", _BIG, nullable=False),
        sa.Column("collection_id", sa.Integer(), nullable=False),
        sa.Column("kind", Words(), nullable=False),
        sa.Column("key_hash", Words(), nullable=False),
        sa.Column("sha256", Words(), nullable=False),
        sa.Column("erased_at", UtcDateTime(), nullable=False),
        sa.Column("author", Words(), nullable=False),
        sa.Column("reason", Words(), nullable=False),
        sa.Column("counts", Json(), nullable=False),
        sa.ForeignKeyConstraint(
            ["collection_id"],
            ["collections.id"],
            name=op.f("fk_erasures_collection_id_collections"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasures")),
    )
    op.create_index(
        op.f("ix_erasures_collection_id_key_hash"),
        "erasures",
        ["collection_id", "key_hash"],
        unique=False,
    )


def downgrade() -> None:
    """Go back to the revision before."""
    op.drop_index(op.f("ix_erasures_collection_id_key_hash"), table_name="erasures")
    op.drop_table("erasures")
    op.drop_index(op.f("ix_review_decisions_run_id"), table_name="review_decisions")
    op.drop_index(op.f("ix_review_decisions_result_id"), table_name="review_decisions")
    op.drop_index(op.f("ix_review_decisions_document_id_kind"), table_name="review_decisions")
    op.drop_index(op.f("ix_review_decisions_collection_id_id"), table_name="review_decisions")
    op.drop_table("review_decisions")
    op.drop_index(op.f("ix_theme_states_parent_id"), table_name="theme_states")
    op.drop_table("theme_states")
    op.drop_index(op.f("ix_theme_assignments_theme_id_until"), table_name="theme_assignments")
    op.drop_index(op.f("ix_theme_assignments_document_id"), table_name="theme_assignments")
    op.drop_table("theme_assignments")
    op.drop_index(
        op.f("ix_group_summary_sentences_document_id"), table_name="group_summary_sentences"
    )
    op.drop_table("group_summary_sentences")
    op.drop_index(op.f("ix_campaign_members_document_id"), table_name="campaign_members")
    op.drop_table("campaign_members")
    op.drop_table("themes")
    op.drop_table("codebook_versions")
    op.drop_index(
        op.f("ix_group_summaries_collection_id_kind_subject"), table_name="group_summaries"
    )
    op.drop_table("group_summaries")
    op.drop_table("codebooks")
    op.drop_index(op.f("ix_campaigns_collection_id"), table_name="campaigns")
    op.drop_table("campaigns")
    for name in ("rights", "licence"):
        op.drop_column("collections", name)
