"""Alembic environment and revisions; run them through :mod:`db.migrate`."""
