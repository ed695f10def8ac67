"""Revisions, oldest first; a new one is also added to ``db.migrate.REVISIONS``."""
