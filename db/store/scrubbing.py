"""Overwrite what deleted rows left in a database's files."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from db.engine import driver_errors
from db.models import (
    CodebookVersion,
    Document,
    GroupSummarySentence,
    Job,
    Label,
    ReviewDecision,
    Source,
    SummarySentence,
    Tag,
    ThemeAssignment,
    ThemeState,
)
from db.store.access import table


def scrub(engine: Engine) -> list[str]:
    """Write anew what holds words; return what is out of reach (``Erasures.scrub``)."""
    if engine.dialect.name == "sqlite":
        return _scrub_sqlite(engine)
    tables = [Document, SummarySentence, Label, Tag, ReviewDecision, ThemeAssignment]
    tables += [GroupSummarySentence, Source, Job, ThemeState, CodebookVersion]
    names = ", ".join(table(model).name for model in tables)
    with driver_errors(engine), engine.connect() as connection:
        plain = connection.execution_options(isolation_level="AUTOCOMMIT")
        plain.execute(text(f"VACUUM (FULL) {names}"))
    return [
        "the database server's write-ahead log, replicas and backups, which its administrator "
        "keeps and ends"
    ]


def _scrub_sqlite(engine: Engine) -> list[str]:
    with driver_errors(engine), engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        try:
            driver.execute("VACUUM")
        except Exception as error:
            raise DBAPIError("VACUUM", None, error) from error
        busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        return [
            f"the log of the database ({engine.url.database}-wal), which another program is "
            "reading: stop it and run the same command again"
        ]
    return []
