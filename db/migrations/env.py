"""Alembic environment: always runs on the connection that :mod:`db.migrate` hands in."""

from __future__ import annotations

from alembic import context

from db.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite cannot alter most things in place
    transactional_ddl=True,  # SQLite can, once BEGIN is ours
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
