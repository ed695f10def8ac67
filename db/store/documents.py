"""Documents that wait to be processed, and those that failed too often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.orm import aliased

from db.models import Document, Result, Source
from db.rows import DocumentRow, ParkedRow, Pending
from db.store.access import Access, chunked, made
from db.store.currency import retire
from db.types import visible

DOCUMENT = (
    Document.id,
    Document.collection_id,
    Document.source_id,
    Document.key,
    Document.text,
    Document.sha256,
    Document.input_hash,
    Document.question,
    Document.metadata_,
    Document.locator,
    Document.position,
    Document.withdrawn,
    Document.created_at,
    Document.respondent,
    Document.aside,
    Document.flags,
)
MAX_ATTEMPTS = 3


def document_row(row: Sequence[Any]) -> DocumentRow:
    """Build the row of a document from the columns ``DOCUMENT``."""
    return made(DocumentRow, (*row[:-1], tuple(row[-1])))


class Documents(Access):
    """The store's methods about documents as work to be done."""

    def pending(
        self,
        collection_id: int,
        *,
        fingerprint: str,
        max_attempts: int = MAX_ATTEMPTS,
        retry_failed: bool = False,
        paths: Sequence[str] | None = None,
        batch_size: int = 256,
        batch_characters: int = 1_000_000,
    ) -> Pending:
        """Return the documents without a result for their input hash and ``fingerprint``.

        One that failed fewer than ``max_attempts`` times is pending again; ``retry_failed`` takes
        up those that failed more often too. ``paths`` keeps to these files and folders. Batches
        come longest text first, then by id, as many documents as fit into ``batch_size`` and
        ``batch_characters``. The list is drawn up at once: nothing comes twice in one run.
        """
        query = (
            select(Document.id, Document.length)
            .where(Document.collection_id == collection_id, ~Document.withdrawn)
            .where(~_done(fingerprint, None if retry_failed else max_attempts))
            .order_by(Document.length.desc(), Document.id)
        )
        if paths is not None:
            query = query.join(Source, Source.id == Document.source_id).where(_under(paths))
        with self.reading() as connection:
            todo = [(id, length) for id, length in connection.execute(query)]
        return Pending(len(todo), self._batches(todo, batch_size, batch_characters))

    def parked(
        self, collection_id: int, *, fingerprint: str, max_attempts: int = MAX_ATTEMPTS
    ) -> list[ParkedRow]:
        """Return the documents that failed ``max_attempts`` times or more, by id."""
        query = (
            select(
                Document.id,
                Document.key,
                Source.path,
                Document.locator,
                Result.reason,
                Result.attempts,
            )
            .join(Source, Source.id == Document.source_id)
            .join(Result, _has_key(fingerprint))
            .where(Document.collection_id == collection_id, ~Document.withdrawn)
            .where(Result.outcome == "failed", Result.attempts >= max_attempts)
            .order_by(Document.id)
        )
        with self.reading() as connection:
            return [made(ParkedRow, row) for row in connection.execute(query)]

    def reinstate(self, collection_id: int, *, recipe: str, fingerprint: str) -> int:
        """Make existing results with this fingerprint current again; return how many.

        For a run whose fingerprint was used before (an ontology put back, say): its documents are
        not pending, but a later fingerprint's results are the current ones. Results that another
        recipe left under the same fingerprint (its file was moved or renamed) become ``recipe``'s.
        """
        query = (
            select(Result.id, Result.document_id, Result.outcome)
            .join(Document, and_(Document.id == Result.document_id, _has_key(fingerprint)))
            .where(Document.collection_id == collection_id, ~Document.withdrawn)
            .where(or_(Result.recipe != recipe, and_(Result.outcome != "failed", ~Result.current)))
        )
        with self.reading() as connection:
            if connection.execute(query.limit(1)).first() is None:
                return 0
        with self.writing() as connection:
            found = connection.execute(query).all()
            completed = [row for row in found if row.outcome != "failed"]
            retire(connection, (row.document_id for row in completed), recipe=recipe)
            for ids in chunked(row.id for row in completed):
                change = update(Result).where(Result.id.in_(ids))
                connection.execute(change.values(current=True, recipe=recipe))
            other = aliased(Result)
            has_current = exists().where(
                other.document_id == Result.document_id, other.recipe == recipe, other.current
            )
            for ids in chunked(row.id for row in found if row.outcome == "failed"):
                change = update(Result).where(Result.id.in_(ids))
                connection.execute(change.values(current=~has_current, recipe=recipe))
            return len(found)

    def _batches(
        self, todo: Sequence[tuple[int, int]], size: int, characters: int
    ) -> Iterator[tuple[DocumentRow, ...]]:
        for ids in _cut(todo, size, characters):
            found: dict[int, DocumentRow] = {}
            with self.reading() as connection:
                for some in chunked(ids):
                    rows = connection.execute(
                        select(*DOCUMENT).where(Document.id.in_(some), ~Document.withdrawn)
                    )
                    found.update((row.id, document_row(row)) for row in rows)
            yield tuple(found[id] for id in ids if id in found)


def _cut(todo: Sequence[tuple[int, int]], size: int, characters: int) -> Iterator[list[int]]:
    batch: list[int] = []
    used = 0
    for id, length in todo:
        if batch and (len(batch) >= size or used + length > characters):
            yield batch
            batch, used = [], 0
        batch.append(id)
        used += length
    if batch:
        yield batch


def _has_key(fingerprint: str) -> ColumnElement[bool]:
    return and_(
        Result.document_id == Document.id,
        Result.input_hash == Document.input_hash,
        Result.fingerprint == fingerprint,
    )


def _done(fingerprint: str, max_attempts: int | None) -> ColumnElement[bool]:
    ended: ColumnElement[bool] = Result.outcome != "failed"
    if max_attempts is not None:
        ended = or_(ended, Result.attempts >= max_attempts)
    return exists().where(_has_key(fingerprint), ended)


def _under(paths: Sequence[str]) -> ColumnElement[bool]:
    """Match files that are one of ``paths`` or lie below one (LIKE would ignore case)."""
    tests: list[ColumnElement[bool]] = []
    for path in (visible(p) for p in paths):
        folder = path if path.endswith("/") else f"{path}/"
        tests += [Source.path == path, func.substr(Source.path, 1, len(folder)) == folder]
    return or_(*tests) if tests else Source.id.is_(None)
