"""Put one file's documents into a collection: what is new, changed, gone or back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from db.errors import KeyCollision, UnstorableText
from db.models import Document, Source
from db.rows import DocumentInput, PutCounts, Rejected, SourceInput
from db.store.access import CHUNK, Access, chunked, insert_all, table
from db.store.currency import recount_duplicates, restore, retire
from db.store.sources import save_source
from db.types import check_text, utc_now, visible, visible_values

_CONTENT = ("text", "sha256", "input_hash", "question", "metadata", "locator")
_KNOWN = (
    Document.key,
    Document.id,
    Document.source_id,
    Document.sha256,
    Document.input_hash,
    Document.question,
    Document.metadata_,
    Document.locator,
    Document.position,
    Document.withdrawn,
)


class Ingest(Access):
    """The store's method that reads documents in."""

    def put_file(
        self, collection_id: int, source: SourceInput, documents: Iterable[DocumentInput]
    ) -> PutCounts:
        """Store a file and its documents in one transaction; ``documents`` is streamed.

        Same key and same content: untouched. Same key, other content: updated in place, and when
        its input hash changed its result is no longer current until done again (at once current
        again when the new input has been processed before). Keys that are gone: withdrawn. A
        document whose text a database cannot keep is left out, listed in ``rejected`` and among
        the file's warnings. The counts of the file are set to what was stored.

        On SQLite the write lock is held while ``documents`` is consumed: the iterator must not
        write to the same database. Raises KeyCollision when a key occurs twice in the file or
        belongs to a document of another file that is not withdrawn; nothing is stored then.
        """
        with self.writing() as connection:
            put = _Put(connection, collection_id, save_source(connection, collection_id, source))
            for chunk in chunked(documents):
                put.take(chunk)
            counts = put.finish()
            warnings = [
                *source.warnings,
                *(f"{r.locator or r.key}: {r.reason}" for r in counts.rejected),
            ]
            connection.execute(
                update(Source)
                .where(Source.id == counts.source_id)
                .values(documents=counts.documents, warnings=warnings)
            )
            return counts


@dataclass(frozen=True, slots=True)
class _Known:
    id: int
    source_id: int
    sha256: str
    input_hash: str
    question: str | None
    metadata: dict[str, Any]
    locator: str
    position: int
    withdrawn: bool

    def differs(self, values: dict[str, Any]) -> bool:
        """Compare everything but the text itself, for which its hash stands."""
        return any(getattr(self, name) != values[name] for name in _CONTENT[1:])


class _Put:
    def __init__(self, connection: Connection, collection_id: int, source_id: int) -> None:
        self.connection = connection
        self.collection_id = collection_id
        self.source_id = source_id
        self.position = 0
        self.counts = {"added": 0, "updated": 0, "untouched": 0, "returned": 0}
        self.rejected: list[Rejected] = []
        self.seen: set[str] = set()
        self.stale: list[int] = []  # documents whose current result may be another one now
        self.hashes: set[str] = set()  # text hashes whose duplicates may be others now
        rows = connection.execute(select(*_KNOWN).where(Document.source_id == source_id))
        self.known = {row[0]: _Known(*row[1:]) for row in rows}

    def take(self, documents: Sequence[DocumentInput]) -> None:
        values = [v for v in map(self._values, documents) if v is not None]
        self._look_up([v["key"] for v in values if v["key"] not in self.known])
        fresh, moved, changed = [], [], []
        for new in values:
            old = self.known.get(new["key"])
            if old is None:
                fresh.append(new | {"withdrawn": False, "created_at": utc_now()})
                continue
            if old.withdrawn or old.differs(new):
                self._note(old, new)
                changed.append({"row": old.id} | {f"new_{k}": v for k, v in new.items()})
            else:
                self.counts["untouched"] += 1
                if old.position != new["position"]:
                    moved.append({"row": old.id, "new_position": new["position"]})
        insert_all(self.connection, Document, fresh)
        self.counts["added"] += len(fresh)
        self._update(moved, ("position",))
        self._update(changed, (*_CONTENT, "length", "position", "source_id", "withdrawn"))

    def finish(self) -> PutCounts:
        gone = [k for key, k in self.known.items() if key not in self.seen and not k.withdrawn]
        for some in chunked(gone):
            self.connection.execute(
                update(Document).where(Document.id.in_([k.id for k in some])).values(withdrawn=True)
            )
        self.hashes.update(k.sha256 for k in gone)
        retire(self.connection, (k.id for k in gone))
        retire(self.connection, self.stale)
        restore(self.connection, self.stale)
        recount_duplicates(self.connection, self.collection_id, sorted(self.hashes))
        return PutCounts(
            self.source_id, **self.counts, withdrawn=len(gone), rejected=tuple(self.rejected)
        )

    def _values(self, document: DocumentInput) -> dict[str, Any] | None:
        key, locator = visible(document.key), visible(document.locator)
        self.position += 1
        if key in self.seen:
            raise KeyCollision(
                f"document key {key!r} occurs twice in one file; expected a key of its own for "
                "each document"
            )
        try:
            check_text(document.text)
        except UnstorableText as error:
            self.rejected.append(Rejected(key, locator, str(error)))
            return None
        self.seen.add(key)
        return {
            "collection_id": self.collection_id,
            "source_id": self.source_id,
            "key": key,
            "text": document.text,
            "sha256": document.sha256,
            "input_hash": document.input_hash,
            "length": len(document.text),
            "question": None if document.question is None else visible(document.question),
            "metadata": visible_values(document.metadata),
            "locator": locator,
            "position": self.position - 1,
            "withdrawn": False,
        }

    def _look_up(self, keys: list[str]) -> None:
        """Find these keys under other files: withdrawn documents come over, live ones collide."""
        for some in chunked(keys, CHUNK):
            query = (
                select(*_KNOWN, Source.path)
                .join(Source, Source.id == Document.source_id)
                .where(Document.collection_id == self.collection_id, Document.key.in_(some))
            )
            for row in self.connection.execute(query):
                known = _Known(*row[1:-1])
                if not known.withdrawn:
                    raise KeyCollision(
                        f"document key {row.key!r} belongs to {row.path} already; expected keys "
                        "of their own for each file: read this one into another --collection"
                    )
                self.known[row.key] = known

    def _note(self, old: _Known, new: dict[str, Any]) -> None:
        self.counts["returned" if old.withdrawn else "updated"] += 1
        if old.withdrawn or old.input_hash != new["input_hash"]:
            self.stale.append(old.id)
        if old.withdrawn or old.sha256 != new["sha256"]:
            self.hashes.update((old.sha256, new["sha256"]))

    def _update(self, rows: list[dict[str, Any]], names: tuple[str, ...]) -> None:
        if rows:
            documents = table(Document)
            self.connection.execute(
                update(documents)
                .where(documents.c.id == bindparam("row"))
                .values({name: bindparam(f"new_{name}") for name in names}),
                rows,
            )
