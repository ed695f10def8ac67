"""What the parts of the store share: transactions, chunks, bulk inserts, the database's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Table, func, insert, literal

from db.engine import transaction
from db.models import Base
from db.types import UtcDateTime, utc_now

CHUNK = 500  # parameters in one IN (…): SQLite before 3.32 takes 999
T = TypeVar("T")


class Access:
    """An engine and its two kinds of transaction."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def reading(self) -> AbstractContextManager[Connection]:
        """Open a read transaction: one consistent state, never waits for a writer."""
        return transaction(self.engine)

    def writing(self) -> AbstractContextManager[Connection]:
        """Open a write transaction: all or nothing."""
        return transaction(self.engine, write=True)

    def now(self) -> ColumnElement[Any]:
        """Return the present time as SQL: the server's clock, so that hosts agree on leases."""
        if self.engine.dialect.name == "postgresql":
            return func.clock_timestamp(type_=UtcDateTime())
        return literal(utc_now(), UtcDateTime())

    def after(self, seconds: float) -> ColumnElement[Any]:
        """Return the time ``seconds`` from now as SQL."""
        if self.engine.dialect.name == "postgresql":
            return func.clock_timestamp(type_=UtcDateTime()) + literal(timedelta(seconds=seconds))
        return literal(utc_now() + timedelta(seconds=seconds), UtcDateTime())


def chunked(items: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Yield lists of at most ``size`` items."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def table(model: type[Base]) -> Table:
    """Return the table behind an ORM class."""
    found = model.__table__
    assert isinstance(found, Table)
    return found


def insert_all(
    connection: Connection, model: type[Base], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert ``rows`` (column name → value) with one executemany."""
    if rows:
        connection.execute(insert(table(model)), list(rows))


def made(kind: Callable[..., T], row: Sequence[Any]) -> T:
    """Build ``kind`` from a result row whose columns are in the order of its fields."""
    return kind(*row)
