"""Save what the pipeline says about a batch of documents, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from db.models import Document, Label, Result, Sentence, SummarySentence, Tag
from db.rows import DocumentRow, ResultInput, SavedCounts, TagRow
from db.store.access import Access, chunked, insert_all, table
from db.store.currency import duplicate_ids, retire
from db.types import utc_now, visible

Batch = Sequence[tuple[DocumentRow, ResultInput]]
_TAG_FIELDS = tuple(f.name for f in fields(TagRow) if f.name != "id")


class Results(Access):
    """The store's method that saves results."""

    def save_results(
        self, run_id: int, *, recipe: str, fingerprint: str, batch: Batch
    ) -> SavedCounts:
        """Save a batch of results in one transaction and make them current.

        A completed result replaces the current one of its document and recipe; a failed one does
        only where there is no current completed one. A result with the same key that failed
        before is replaced and its attempts go up by one; a completed one with the same key stays.
        A document that changed or was withdrawn meanwhile keeps the result without it being
        current; one that has gone is counted as ``unknown``. Raises UnstorableText, storing
        nothing, when a part holds a character that no database can keep.
        """
        with self.writing() as connection:
            now = utc_now()
            ids = [document.id for document, _ in batch]
            present = _present(connection, ids)
            earlier = _earlier(connection, ids, fingerprint)
            completed = _completed(connection, ids, recipe)
            repeated = duplicate_ids(connection, ids)
            rows, parts, replaced, promoted, unknown = [], [], [], [], 0
            for document, result in batch:
                old = earlier.get((document.id, document.input_hash))
                if document.id not in present:
                    unknown += 1
                    continue
                if old and old.outcome != "failed":
                    continue
                if old:
                    replaced.append(old.id)
                failed = result.outcome == "failed"
                current = present[document.id] == document.input_hash and not (
                    failed and document.id in completed
                )
                if current:
                    promoted.append(document.id)
                rows.append(
                    _result_values(result)
                    | {
                        "document_id": document.id,
                        "run_id": run_id,
                        "recipe": recipe,
                        "input_hash": document.input_hash,
                        "fingerprint": fingerprint,
                        "duplicate": result.outcome == "processed" and document.id in repeated,
                        "attempts": old.attempts + 1 if old else 1,
                        "current": current,
                        "created_at": now,
                    }
                )
                parts.append(result)
            for some in chunked(replaced):
                connection.execute(delete(Result).where(Result.id.in_(some)))
            retire(connection, promoted, recipe=recipe)
            _insert_parts(connection, _insert_results(connection, rows), parts)
            return SavedCounts(len(rows), sum(row["duplicate"] for row in rows), unknown)


def _present(connection: Connection, ids: Sequence[int]) -> dict[int, str | None]:
    """Return the input hash each document has now; None for a withdrawn one."""
    found: dict[int, str | None] = {}
    for some in chunked(ids):
        query = select(Document.id, Document.input_hash, Document.withdrawn)
        # PostgreSQL: nobody changes these documents before this transaction ends.
        held = query.where(Document.id.in_(some)).with_for_update(key_share=True)
        for row in connection.execute(held):
            found[row.id] = None if row.withdrawn else row.input_hash
    return found


def _earlier(
    connection: Connection, ids: Sequence[int], fingerprint: str
) -> dict[tuple[int, str], Any]:
    found: dict[tuple[int, str], Any] = {}
    for some in chunked(ids):
        query = select(
            Result.id, Result.document_id, Result.input_hash, Result.outcome, Result.attempts
        ).where(Result.document_id.in_(some), Result.fingerprint == fingerprint)
        for row in connection.execute(query):
            found[row.document_id, row.input_hash] = row
    return found


def _completed(connection: Connection, ids: Sequence[int], recipe: str) -> set[int]:
    """Return the documents with a current completed result of the recipe."""
    found: set[int] = set()
    for some in chunked(ids):
        query = select(Result.document_id).where(
            Result.document_id.in_(some),
            Result.recipe == recipe,
            Result.current,
            Result.outcome != "failed",
        )
        found.update(connection.scalars(query))
    return found


def _result_values(result: ResultInput) -> dict[str, Any]:
    return {
        "outcome": str(result.outcome),
        "reason": visible(result.reason),
        "sentences": len(result.sentences),
        "summary_sentences": len(result.summary),
        "labels": sum(label.assigned for label in result.labels),
        "tags": len(result.tags),
        "displayed_tags": sum(tag.displayed for tag in result.tags),
    }


def _insert_results(connection: Connection, rows: list[dict[str, Any]]) -> list[int]:
    if not rows:
        return []
    results = table(Result)
    made = insert(results).returning(results.c.id, sort_by_parameter_order=True)
    return list(connection.scalars(made, rows))


def _insert_parts(
    connection: Connection, ids: Sequence[int], results: Sequence[ResultInput]
) -> None:
    pairs = list(zip(ids, results, strict=True))
    insert_all(
        connection,
        Sentence,
        [
            {"result_id": id, "position": s.position, "start": s.start, "end": s.end}
            for id, result in pairs
            for s in result.sentences
        ],
    )
    insert_all(
        connection,
        SummarySentence,
        [
            {
                "result_id": id,
                "rank": s.rank,
                "start": s.start,
                "end": s.end,
                "text": s.text,
                "score": s.score,
            }
            for id, result in pairs
            for s in result.summary
        ],
    )
    insert_all(
        connection,
        Label,
        [
            {
                "result_id": id,
                "label_set": label.set,
                "label": label.label,
                "score": label.score,
                "assigned": label.assigned,
                "start": label.start,
                "end": label.end,
                "text": label.text,
            }
            for id, result in pairs
            for label in result.labels
        ],
    )
    insert_all(
        connection,
        Tag,
        [
            {"result_id": id} | {name: getattr(tag, name) for name in _TAG_FIELDS}
            for id, result in pairs
            for tag in result.tags
        ],
    )
