"""Who wrote a document, why it is kept apart, what was noticed; how files were and are to be read."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.types import Json, Words

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    op.add_column("collections", sa.Column("reading", Json(), server_default="{}", nullable=False))
    op.add_column("sources", sa.Column("report", Json(), server_default="{}", nullable=False))
    # SQLite adds columns at the end, behind the text, and reads a row from the left.
    sqlite = op.get_bind().dialect.name == "sqlite"
    place = "text" if sqlite else None
    with op.batch_alter_table("documents", recreate="always" if sqlite else "never") as documents:
        added: tuple[sa.Column[Any], ...] = (
            sa.Column("respondent", Words(), server_default="", nullable=False),
            sa.Column("aside", Words(), server_default="", nullable=False),
            sa.Column("flags", Json(), server_default="[]", nullable=False),
        )
        for column in added:
            documents.add_column(column, insert_before=place)


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("documents") as documents:
        for name in ("flags", "aside", "respondent"):
            documents.drop_column(name)
    for table, name in (("sources", "report"), ("collections", "reading")):
        with op.batch_alter_table(table) as changed:
            changed.drop_column(name)
