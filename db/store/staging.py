"""Where the documents of one file wait, in temporary tables, until they go in by set-based SQL.

Taking a file's documents can last minutes. Temporary tables are the connection's own: filling them
takes no lock, costs no memory, and nothing of them is left when the process dies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Engine, Integer, MetaData, Table, Text, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable, DropTable, Index
from sqlalchemy.types import UserDefinedType

from db.engine import driver_errors
from db.errors import UnstorableText
from db.models import Document
from db.rows import DocumentInput, Rejected
from db.store.access import table
from db.store.erasure import forgotten, is_forgotten
from db.types import check_text, to_json, visible

_PORTION = 1_000  # documents in one executemany …
_CHARACTERS = 4_000_000  # … or as many as hold this much text


class _Json(UserDefinedType[str]):
    """JSON as text on its way in: written once, not once a statement."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "JSON"


_TEMPORARY = MetaData()
STAGED = Table(
    "florilegium_staged",
    _TEMPORARY,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("key", Text, nullable=False),
    Column("length", Integer, nullable=False),
    Column("blank", Boolean, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("input_hash", Text, nullable=False),
    Column("question", Text),
    Column("metadata", _Json, nullable=False),
    Column("locator", Text, nullable=False),
    Column("respondent", Text, nullable=False),
    Column("aside", Text, nullable=False),
    Column("flags", _Json, nullable=False),
    Column("text", Text, nullable=False),
    prefixes=["TEMPORARY"],
)
"""The documents of the file, but for rejected ones; ``blank``: nothing but white space."""

KNOWN = Table(
    "florilegium_known",
    _TEMPORARY,
    Column("document_id", table(Document).c.id.type, primary_key=True, autoincrement=False),
    Column("position", Integer),
    Column("change", Text, nullable=False),
    Column("stale", Boolean, nullable=False),
    Column("old_sha256", Text),
    prefixes=["TEMPORARY"],
)
"""Documents that the collection had already: what becomes of each.

``position`` is null for one that is gone from the file; ``stale``: its current result may be
another one now; ``old_sha256`` is null where nothing changes for its duplicates.
"""
_BY_POSITION = Index("ix_florilegium_known_position", KNOWN.c.position)


@dataclass(slots=True)
class Staged:
    """How many documents wait in ``STAGED``, and those left out: unstorable or forgotten ones."""

    connection: Connection
    count: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    forgotten: list[Rejected] = field(default_factory=list)


@contextmanager
def staged(
    engine: Engine, documents: Iterable[DocumentInput], collection_id: int
) -> Iterator[Staged]:
    """Take ``documents`` into ``STAGED``, then open a write transaction on that connection.

    Those that the collection was told to forget are left out.
    """
    with driver_errors(engine), engine.connect() as connection:
        waiting = Staged(connection)
        sqlite = engine.dialect.name == "sqlite"
        with connection.begin():
            gone = forgotten(connection, collection_id)
        with connection.begin():
            if sqlite:  # or the temporary file keeps its size for as long as the connection lives
                connection.exec_driver_sql("PRAGMA temp.auto_vacuum=FULL")
            for creation in (CreateTable(STAGED), CreateTable(KNOWN), CreateIndex(_BY_POSITION)):
                connection.execute(creation)
            _fill(waiting, documents, "?" if sqlite else "%s", gone)
            if not sqlite:  # nobody else gathers statistics of a temporary table
                connection.execute(text(f"ANALYZE {STAGED.name}"))
        try:
            connection.execution_options(florilegium_write=True)
            with connection.begin():
                yield waiting
        finally:
            connection.execution_options(florilegium_write=False)
            with suppress(DBAPIError), connection.begin():  # a lost connection has lost them too
                for temporary in (KNOWN, STAGED):
                    connection.execute(DropTable(temporary))


def _fill(
    waiting: Staged,
    documents: Iterable[DocumentInput],
    mark: str,
    gone: frozenset[tuple[str, str]],
) -> None:
    names = ", ".join(f'"{column.name}"' for column in STAGED.columns)
    marks = ", ".join([mark] * len(STAGED.columns))
    # Through the driver: the statement is plain, and there may be millions of rows.
    adding = f"INSERT INTO {STAGED.name} ({names}) VALUES ({marks})"
    for portion in _portions(documents):
        rows = []
        for position, document in portion:
            if gone and is_forgotten(gone, document.key, document.sha256):
                key, locator = visible(document.key), visible(document.locator)
                waiting.forgotten.append(Rejected(key, locator, "forgotten"))
                continue
            try:
                check_text(document.text)
            except UnstorableText as error:
                key, locator = visible(document.key), visible(document.locator)
                waiting.rejected.append(Rejected(key, locator, str(error)))
            else:
                rows.append(_row(position, document))
        if rows:
            waiting.connection.exec_driver_sql(adding, rows)
            waiting.count += len(rows)


def _row(position: int, document: DocumentInput) -> tuple[object, ...]:
    """Return the values of a row in the order of ``STAGED``."""
    text = document.text
    return (
        position,
        visible(document.key),
        len(text),
        not text.strip(),
        check_text(document.sha256, "sha256"),
        check_text(document.input_hash, "input hash"),
        None if document.question is None else visible(document.question),
        to_json(document.metadata),
        visible(document.locator),
        visible(document.respondent),
        visible(document.aside),
        to_json(document.flags),
        text,
    )


def _portions(documents: Iterable[DocumentInput]) -> Iterator[list[tuple[int, DocumentInput]]]:
    """Yield documents with their positions, as many as one statement takes."""
    portion: list[tuple[int, DocumentInput]] = []
    characters = 0
    for numbered in enumerate(documents):
        portion.append(numbered)
        characters += len(numbered[1].text)
        if len(portion) >= _PORTION or characters >= _CHARACTERS:
            yield portion
            portion, characters = [], 0
    if portion:
        yield portion
