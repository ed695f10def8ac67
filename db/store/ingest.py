"""Put one file's documents into a collection: what is new, changed, gone or back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import and_, select, update

from db.models import Document, Source
from db.rows import DocumentInput, PutCounts, SourceInput
from db.store.access import Access
from db.store.currency import recount_duplicates, retire
from db.store.leases import extend_leases
from db.store.placing import place
from db.store.sources import save_source
from db.store.staging import staged
from db.types import utc_now, visible


class Ingest(Access):
    """The store's methods that read documents in and take them out."""

    def put_file(
        self, collection_id: int, source: SourceInput, documents: Iterable[DocumentInput]
    ) -> PutCounts:
        """Store a file and its documents in one transaction; ``documents`` is streamed.

        Same key and same content: untouched. Same key, other content: updated in place, and when
        its input hash changed its result is no longer current until done again (at once current
        again when the new input has been processed before). Keys that are gone: withdrawn. A
        document whose text a database cannot keep is left out, listed in ``rejected`` and among
        the file's warnings; so is one that was forgotten before (``forgotten``). The counts of the file are set to what was stored.

        ``documents`` is consumed before the transaction begins, into temporary tables: it may use
        the database, and nobody waits for it. Raises KeyCollision when a key occurs twice in the
        file or belongs to a document of another file that is not withdrawn; nothing is stored then.
        """
        with staged(self.engine, documents, collection_id) as waiting:
            began = utc_now()
            connection = waiting.connection
            counts = place(waiting, collection_id, save_source(connection, collection_id, source))
            warnings = [
                *source.warnings,
                *(
                    f"{r.locator or r.key}: {r.reason}"
                    for r in (*counts.rejected, *counts.forgotten)
                ),
            ]
            connection.execute(
                update(Source)
                .where(Source.id == counts.source_id)
                .values(documents=counts.documents, warnings=warnings)
            )
            extend_leases(connection, began)
            return counts

    def withdraw_source(self, source_id: int, *, reason: str = "") -> int:
        """Withdraw every document of a file, as if all keys were gone; return how many.

        The file's row stays, without documents, and is not taken as known: should the file come
        back, it is read again. With a ``reason`` the row says that the file is skipped for it.
        """
        with self.writing() as connection:
            began = utc_now()
            live = and_(Document.source_id == source_id, ~Document.withdrawn)
            collection_id = connection.scalar(
                select(Source.collection_id).where(Source.id == source_id)
            )
            if collection_id is None:
                return 0
            hashes = connection.scalars(select(Document.sha256).where(live).distinct()).all()
            retire(connection, select(Document.id).where(live))
            gone = connection.execute(update(Document).where(live).values(withdrawn=True))
            recount_duplicates(connection, collection_id, hashes)
            values: dict[str, Any] = {"documents": 0, "mtime_ns": 0}
            if reason:
                values |= {"outcome": "skipped", "reason": visible(reason), "sha256": ""}
            connection.execute(update(Source).where(Source.id == source_id).values(**values))
            extend_leases(connection, began)
            return gone.rowcount
