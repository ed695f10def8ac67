"""Where the words stand that an assertion about a tag rests on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this revision."""
    for name in ("cue_start", "cue_end"):
        op.add_column("tags", sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    """Go back to the revision before."""
    with op.batch_alter_table("tags") as tags:
        for name in ("cue_end", "cue_start"):
            tags.drop_column(name)
