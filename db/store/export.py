"""Everything the graph is built from, as one consistent view."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, select

from db.models import Document, Result, Source
from db.rows import Export, ExportedDocument, ResultRow
from db.store.access import Access, made
from db.store.collections import all_collections, all_runs
from db.store.documents import DOCUMENT, document_row
from db.store.ontologies import all_ontologies
from db.store.parts import RESULT, with_parts

_CHUNK = 400


class Exports(Access):
    """The store's methods that exports call."""

    def document_ids(self, collection_id: int) -> list[int]:
        """Return the ids of a collection's documents, withdrawn ones left out, in order."""
        query = select(Document.id).where(
            Document.collection_id == collection_id, ~Document.withdrawn
        )
        with self.reading() as connection:
            return list(connection.scalars(query.order_by(Document.id)))

    @contextmanager
    def export(
        self,
        collection_id: int | None = None,
        *,
        sentences: bool = False,
        superseded: bool = True,
    ) -> Iterator[Export]:
        """Open a view of one collection or of all, in one read transaction.

        Collections, runs and ontology versions come whole; documents are streamed by id,
        withdrawn ones too, each with its results oldest first (the current ones alone without
        ``superseded``), assigned labels only, and sentences only when asked for.
        """
        with self.reading() as connection:
            collections = all_collections(connection)
            if collection_id is not None:
                collections = [row for row in collections if row.id == collection_id]
            yield Export(
                tuple(collections),
                tuple(all_runs(connection, collection_id)),
                tuple(all_ontologies(connection)),
                _documents(connection, collection_id, sentences, superseded),
            )


def _documents(
    connection: Connection, collection_id: int | None, sentences: bool, superseded: bool
) -> Iterator[ExportedDocument]:
    last = 0
    while True:
        query = (
            select(Source.path, *DOCUMENT)
            .select_from(Document)
            .join(Source, Source.id == Document.source_id)
            .where(Document.id > last)
            .order_by(Document.id)
            .limit(_CHUNK)
        )
        if collection_id is not None:
            query = query.where(Document.collection_id == collection_id)
        rows = connection.execute(query).all()
        if not rows:
            return
        last = rows[-1].id
        wanted = select(*RESULT).where(Result.document_id.in_([row.id for row in rows]))
        if not superseded:
            wanted = wanted.where(Result.current)
        found = [made(ResultRow, row) for row in connection.execute(wanted.order_by(Result.id))]
        results: dict[int, list[ResultRow]] = defaultdict(list)
        for result in with_parts(connection, found, sentences=sentences, assigned_only=True):
            results[result.document_id].append(result)
        for row in rows:
            yield ExportedDocument(document_row(row[1:]), row[0], tuple(results.get(row.id, ())))
