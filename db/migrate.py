"""Bring the tables to the version this program knows, and say when they are not.

Alembic is imported only to change tables: :func:`check` is one SELECT, so that a run with
nothing to do stays quick.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, func, select, text

from db.engine import driver_errors, transaction, writer
from db.errors import DatabaseError, SchemaError

if TYPE_CHECKING:
    from alembic.config import Config

REVISIONS = ("0001", "0002", "0003", "0004")
HEAD = REVISIONS[-1]
_UPGRADE_LOCK = 0x666C6F72  # "flor": any number that other programs do not use


def current(engine: Engine) -> str | None:
    """Return the revision of the tables, or None for a database without ours."""
    try:
        with transaction(engine) as connection:
            return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    except SchemaError:
        return None


def check(engine: Engine) -> None:
    """Raise SchemaError unless the tables are those this program knows."""
    found = current(engine)
    if found == HEAD:
        return
    where = engine.url.render_as_string(hide_password=True)
    if found is None:
        raise SchemaError(f"database {where} has no tables yet; run: florilegium db upgrade")
    if found in REVISIONS:
        raise SchemaError(
            f"database {where} is at revision {found}, this program needs {HEAD}; "
            "run: florilegium db upgrade"
        )
    raise SchemaError(
        f"database {where} is at revision {found}, which this program does not know (it knows up "
        f"to {HEAD}): a newer Florilegium made it; update with: pip install -U florilegium"
    )


def upgrade(engine: Engine, revision: str = "head") -> bool:
    """Create or upgrade the tables; return whether anything changed.

    Safe to call from several processes at once. Raises SchemaError when the tables are newer than
    this program, DatabaseError when a foreign key is broken afterwards.
    """
    found = current(engine)
    if found == HEAD and revision == "head":
        return False
    if found is not None and found not in REVISIONS:
        check(engine)
    from alembic import command

    with driver_errors(engine), writer(engine).connect() as connection:
        driver = connection.connection.driver_connection
        sqlite = driver if isinstance(driver, sqlite3.Connection) else None
        if sqlite:
            # Batch mode drops and recreates tables, which must not cascade; the switch works
            # only outside a transaction, hence through the driver and before the first statement.
            sqlite.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                if sqlite is None:
                    connection.execute(select(func.pg_advisory_xact_lock(_UPGRADE_LOCK)))
                command.upgrade(config(connection), revision)
                broken = sqlite and sqlite.execute("PRAGMA foreign_key_check").fetchone()
                if broken:
                    raise DatabaseError(f"upgrade undone: a foreign key of {broken[0]} is broken")
        finally:
            if sqlite:
                sqlite.execute("PRAGMA foreign_keys=ON")
    return True


def config(connection: Connection) -> Config:
    """Return an Alembic configuration for the bundled revisions on ``connection``."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    made.set_main_option("path_separator", "os")
    made.attributes["connection"] = connection
    return made
