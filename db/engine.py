"""Engines and transactions for SQLite and PostgreSQL.

SQLite: WAL, foreign keys on, a busy timeout, and explicit BEGIN: plain for readers (a snapshot),
IMMEDIATE for writers, so that a transaction that reads before it writes waits its turn instead
of failing at once (https://docs.sqlalchemy.org/en/21/dialects/sqlite.html, "Transactions with
SQLite and the sqlite3 driver"; https://simonwillison.net/2025/Feb/17/sqlite-busy/).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from db.errors import DatabaseError, Locked, SchemaError, UrlError
from db.types import to_json

BUSY_SECONDS = 30.0
_EXAMPLES = "sqlite:////path/to/florilegium.db or postgresql+psycopg://user@host/name"


def create_engine_for(url: str, *, busy_seconds: float = BUSY_SECONDS) -> Engine:
    """Return an engine for a ``sqlite:///…`` or ``postgresql+psycopg://…`` URL.

    Nothing is connected yet; an unreachable database raises DatabaseError in the first
    transaction. ``busy_seconds`` is how long a writer waits for another on SQLite. Raises
    UrlError for a URL of another kind, DatabaseError when the driver is not installed.
    """
    parsed = _parse(url)
    try:
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(parsed, busy_seconds)
        return create_engine(
            parsed,
            json_serializer=to_json,
            pool_pre_ping=True,
            connect_args={"connect_timeout": 10},
        )
    except ModuleNotFoundError as error:
        raise DatabaseError(
            f"the driver {error.name} for {_shown(parsed)} is not installed; "
            "run: pip install 'florilegium[postgres]'"
        ) from error


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
        if parsed.drivername in {"postgres", "postgresql"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.drivername in {"sqlite", "sqlite+pysqlite", "postgresql+psycopg"}:
            return parsed
    except (ArgumentError, NoSuchModuleError, ValueError):
        pass
    else:
        url = _shown(parsed)
    raise UrlError(f"database URL {url!r} is not understood; expected {_EXAMPLES}")


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _sqlite(url: URL, busy_seconds: float) -> Engine:
    in_memory = url.database in {None, "", ":memory:"}
    engine = create_engine(
        url,
        json_serializer=to_json,
        connect_args={"timeout": busy_seconds, "check_same_thread": False},
        **({"poolclass": StaticPool} if in_memory else {}),
    )
    event.listen(engine, "connect", _on_sqlite_connect)
    event.listen(engine, "begin", _on_sqlite_begin)
    return engine


def _on_sqlite_connect(connection: sqlite3.Connection, record: Any) -> None:
    connection.isolation_level = None  # no implicit BEGIN: _on_sqlite_begin does it
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA cache_size=-32000")
    # SQLite's own lower() knows only A to Z, and "ÉCOLE" must find "école".
    connection.create_function("lower", 1, _lower, deterministic=True)


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _on_sqlite_begin(connection: Connection) -> None:
    write = connection.get_execution_options().get("florilegium_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def writer(engine: Engine) -> Engine:
    """Return ``engine`` with transactions that take SQLite's write lock at once."""
    return engine.execution_options(florilegium_write=True)


@contextmanager
def driver_errors(engine: Engine) -> Iterator[None]:
    """Raise DatabaseError, Locked or SchemaError for what the driver reports."""
    try:
        yield
    except DBAPIError as error:
        raise _translated(error, engine) from error


@contextmanager
def transaction(engine: Engine, *, write: bool = False) -> Iterator[Connection]:
    """Open a connection in one transaction: commit at the end, roll back on any error.

    Without ``write`` the session is for reading: it sees one consistent state and is rolled
    back. Raises DatabaseError, Locked or SchemaError for what the driver reports.
    """
    if write:
        bind = writer(engine)
    elif engine.dialect.name == "postgresql":
        bind = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    else:
        bind = engine
    with driver_errors(engine), bind.connect() as connection, connection.begin() as opened:
        yield connection
        if not write:
            opened.rollback()


def _translated(error: DBAPIError, engine: Engine) -> Exception:
    """Turn a driver's error into one of ours; unknown ones come back as they are."""
    where, said = _shown(engine.url), str(error.orig).strip().splitlines()[0:1]
    reason = said[0] if said else type(error.orig).__name__
    state = getattr(error.orig, "sqlstate", None)
    if "database is locked" in reason or state in {"55P03", "40001", "40P01"}:
        return Locked(f"database {where} is held by another writer ({reason}); try again later")
    if reason.startswith(("no such table", "no such column")) or state in {"42P01", "42703"}:
        return SchemaError(
            f"database {where} lacks a table or column ({reason}); run: florilegium db upgrade"
        )
    kind = type(error.orig).__name__
    if kind in {"OperationalError", "InterfaceError", "DatabaseError"} or state in {
        "25006",
        "42501",
        "53100",
    }:
        return DatabaseError(
            f"database {where} cannot be used ({reason}); check that it exists, is reachable and "
            "may be written, then run: florilegium doctor"
        )
    return error
