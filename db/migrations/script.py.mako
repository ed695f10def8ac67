"""${message}"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from db.types import Json, UtcDateTime, Words

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    """Go to this revision."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Go back to the revision before."""
    ${downgrades if downgrades else "pass"}
