"""Which result is current, and which document is a duplicate: two rules, kept in one place.

A result is *current* for its document and recipe when it is the newest completed one whose input
hash is the document's; a failed one only where there is no completed one. Results of withdrawn
or changed documents are not current.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, select, update
from sqlalchemy.orm import aliased

from db.models import Document, Result
from db.store.access import chunked

T = TypeVar("T")


def retire(
    connection: Connection,
    document_ids: Iterable[int] | Select[Any],
    *,
    recipe: str | None = None,
) -> None:
    """Make no result of the documents current (of ``recipe`` only, when given)."""
    for ids in _portions(document_ids):
        change = update(Result).where(Result.document_id.in_(ids), Result.current)
        if recipe is not None:
            change = change.where(Result.recipe == recipe)
        connection.execute(change.values(current=False))


def restore(connection: Connection, document_ids: Iterable[int] | Select[Any]) -> None:
    """Make the newest completed result for each document's present input current, if any.

    Where there is none, the newest failed one. The documents must have no current result:
    :func:`retire` them first.
    """
    other = aliased(Result)
    has_current = exists().where(
        other.document_id == Result.document_id, other.recipe == Result.recipe, other.current
    )
    for ids in _portions(document_ids):
        newest = (
            select(func.max(Result.id))
            .join(Document, Document.id == Result.document_id)
            .where(Document.id.in_(ids), ~Document.withdrawn)
            .where(Result.input_hash == Document.input_hash)
            .group_by(Result.document_id, Result.recipe)
        )
        for wanted in (Result.outcome != "failed", ~has_current):
            connection.execute(
                update(Result).where(Result.id.in_(newest.where(wanted))).values(current=True)
            )


def duplicate_ids(connection: Connection, document_ids: Iterable[int]) -> set[int]:
    """Return those documents whose text an earlier one of the collection has already."""
    found: set[int] = set()
    for ids in chunked(document_ids):
        query = select(Document.id).where(Document.id.in_(ids), _repeats_an_earlier_one())
        found.update(connection.scalars(query))
    return found


def recount_duplicates(
    connection: Connection, collection_id: int, hashes: Iterable[str] | Select[Any]
) -> None:
    """Set the duplicate flag anew on the results of documents with one of these text hashes."""
    for some in _portions(hashes):
        touched = select(Document.id).where(
            Document.collection_id == collection_id, Document.sha256.in_(some)
        )
        repeats = exists().where(Document.id == Result.document_id, _repeats_an_earlier_one())
        connection.execute(
            update(Result)
            .where(Result.document_id.in_(touched), Result.outcome == "processed")
            .values(duplicate=repeats)
        )


def _portions(values: Iterable[T] | Select[Any]) -> Iterator[list[T] | Select[Any]]:
    """Yield what one ``IN (…)`` takes: a query as it is, values in chunks."""
    if isinstance(values, Select):
        yield values
    else:
        yield from chunked(values)


def _repeats_an_earlier_one() -> ColumnElement[bool]:
    earlier = aliased(Document)
    return and_(
        Document.length > 0,
        exists().where(
            earlier.collection_id == Document.collection_id,
            earlier.sha256 == Document.sha256,
            earlier.id < Document.id,
            ~earlier.withdrawn,
        ),
    )
