"""Take documents and runs out for good, and remember without words that it was done."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select, update

from db.errors import Locked, NotFound
from db.models import (
    Campaign,
    CampaignMember,
    Document,
    Erasure,
    GroupSummary,
    GroupSummarySentence,
    Label,
    Result,
    ReviewDecision,
    Run,
    Sentence,
    Source,
    SummarySentence,
    Tag,
    ThemeAssignment,
)
from db.rows import ErasureRow, RunRow
from db.store.access import Access, chunked, made, table
from db.store.collections import all_runs
from db.store.currency import recount_duplicates, restore, retire
from db.store.quoted import blank
from db.store.scrubbing import scrub
from db.types import utc_now, visible

_ERASURE = (
    Erasure.id,
    Erasure.collection_id,
    Erasure.kind,
    Erasure.key_hash,
    Erasure.sha256,
    Erasure.erased_at,
    Erasure.author,
    Erasure.reason,
    Erasure.counts,
)
_PARTS = {
    "sentences": Sentence,
    "summary_sentences": SummarySentence,
    "labels": Label,
    "tags": Tag,
}
_OWN = {
    "results": Result,
    "decisions": ReviewDecision,
    "codings": ThemeAssignment,
    "campaign_memberships": CampaignMember,
}


def key_hash(key: str) -> str:
    """Return what stands for a document's key once the document is forgotten."""
    return hashlib.sha256(visible(key).encode()).hexdigest()


class Erasures(Access):
    """The store's methods that forget documents and withdraw runs."""

    def documents_of(self, respondent: str, collection_id: int | None = None) -> list[int]:
        """Return the ids of all documents of one person, withdrawn ones too."""
        query = select(Document.id).where(Document.respondent == visible(respondent))
        if collection_id is not None:
            query = query.where(Document.collection_id == collection_id)
        with self.reading() as connection:
            return list(connection.scalars(query.order_by(Document.id)))

    def forget(
        self, document_ids: Sequence[int], *, author: str, reason: str = ""
    ) -> list[ErasureRow]:
        """Erase documents with all that was made of them; return what stands for each.

        Their results, decisions, codings and memberships go; so do summaries of groups that quote
        them and campaigns that are left with one document. Where their words stand in reports of
        reading, jobs and codebooks, ``FORGOTTEN`` stands instead. Raises NotFound.
        """
        with self.writing() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA secure_delete=ON")
            return [
                _forget(connection, id, visible(author), visible(reason)) for id in document_ids
            ]

    def scrub(self) -> list[str]:
        """Overwrite what deleted rows left in the database's files; return what could not be.

        SQLite: the file is written anew and the log emptied. PostgreSQL: the tables that hold
        words are written anew; what is in its log and its backups is out of reach.
        """
        return scrub(self.engine)

    def withdraw_run(
        self, collection_id: int, run_id: int, *, author: str, reason: str = ""
    ) -> ErasureRow:
        """Remove a run's results; those that they replaced are current again.

        The run stays listed, as withdrawn. Raises NotFound, and Locked for one that is running.
        """
        with self.writing() as connection:
            run = _run(connection, collection_id, run_id)
            touched = select(Result.document_id).where(Result.run_id == run_id)
            ids = list(connection.scalars(touched))
            gone = connection.execute(delete(Result).where(Result.run_id == run_id)).rowcount
            retire(connection, ids)
            restore(connection, ids)
            back = 0
            for some in chunked(ids):
                current = select(func.count()).where(Result.document_id.in_(some), Result.current)
                back += connection.scalar(current.where(Result.recipe == run.recipe)) or 0
            for some in chunked(ids):
                hashes = select(Document.sha256).where(Document.id.in_(some)).distinct()
                recount_duplicates(connection, collection_id, connection.scalars(hashes).all())
            connection.execute(update(Run).where(Run.id == run_id).values(state="withdrawn"))
            counts = {"run": run_id, "results": gone, "current_again": back}
            return _note(
                connection,
                *("run", collection_id, "", "", visible(author), visible(reason), counts),
            )

    def erasures(self, collection_id: int | None = None) -> list[ErasureRow]:
        """Return what was erased, oldest first."""
        query = select(*_ERASURE).order_by(Erasure.id)
        if collection_id is not None:
            query = query.where(Erasure.collection_id == collection_id)
        with self.reading() as connection:
            return [made(ErasureRow, row) for row in connection.execute(query)]


def forgotten(connection: Connection, collection_id: int) -> frozenset[tuple[str, str]]:
    """Return (key hash, text hash) of the collection's forgotten documents."""
    rows = connection.execute(
        select(Erasure.key_hash, Erasure.sha256).where(
            Erasure.collection_id == collection_id, Erasure.kind == "document"
        )
    )
    return frozenset((row[0], row[1]) for row in rows)


def _forget(connection: Connection, id: int, author: str, reason: str) -> ErasureRow:
    row = connection.execute(
        select(
            Document.collection_id,
            Document.source_id,
            Document.key,
            Document.sha256,
            Document.withdrawn,
            Document.text,
        ).where(Document.id == id)
    ).first()
    if row is None:
        raise NotFound(f"no document {id}; it may be forgotten already")
    counts = _count(connection, id)
    quoting = select(GroupSummarySentence.summary_id).where(GroupSummarySentence.document_id == id)
    counts["group_summaries"] = connection.execute(
        delete(GroupSummary).where(GroupSummary.id.in_(quoting))
    ).rowcount
    campaigns = list(
        connection.scalars(
            select(CampaignMember.campaign_id).where(CampaignMember.document_id == id)
        )
    )
    connection.execute(delete(Document).where(Document.id == id))
    counts["campaigns"] = _drop_lone_campaigns(connection, campaigns)
    if not row.withdrawn:
        connection.execute(
            update(Source)
            .where(Source.id == row.source_id, Source.documents > 0)
            .values(documents=Source.documents - 1)
        )
    counts["quoted_elsewhere"] = blank(connection, row.collection_id, row.text, row.key)
    recount_duplicates(connection, row.collection_id, [row.sha256])
    counts = {name: count for name, count in counts.items() if count}
    hashes = (key_hash(row.key), row.sha256)
    return _note(connection, "document", row.collection_id, *hashes, author, reason, counts)


def _count(connection: Connection, id: int) -> dict[str, int]:
    counts = {
        name: connection.scalar(select(func.count()).where(table(model).c.document_id == id)) or 0
        for name, model in _OWN.items()
    }
    results = select(Result.id).where(Result.document_id == id)
    for name, model in _PARTS.items():
        where = table(model).c.result_id.in_(results)
        counts[name] = connection.scalar(select(func.count()).where(where)) or 0
    return counts


def _drop_lone_campaigns(connection: Connection, ids: Sequence[int]) -> int:
    """Delete those of the campaigns that are left with fewer than two documents."""
    gone = 0
    for id in ids:
        left = connection.scalar(select(func.count()).where(CampaignMember.campaign_id == id)) or 0
        if left < 2:
            gone += connection.execute(delete(Campaign).where(Campaign.id == id)).rowcount
    return gone


def _run(connection: Connection, collection_id: int, run_id: int) -> RunRow:
    runs = {run.id: run for run in all_runs(connection, collection_id)}
    run = runs.get(run_id)
    if run is None:
        known = ", ".join(map(str, runs)) or "none yet"
        raise NotFound(
            f"no run {run_id} of this collection; there are: {known}; list them with: "
            "florilegium runs list COLLECTION"
        )
    if run.state == "running":
        raise Locked(f"run {run_id} is running; wait for its end, or stop it, and try again")
    return run


def _note(
    connection: Connection,
    kind: str,
    collection_id: int,
    key: str,
    sha256: str,
    author: str,
    reason: str,
    counts: dict[str, int],
) -> ErasureRow:
    row = connection.execute(
        insert(Erasure)
        .values(
            collection_id=collection_id,
            kind=kind,
            key_hash=key,
            sha256=sha256,
            erased_at=utc_now(),
            author=author,
            reason=reason,
            counts=counts,
        )
        .returning(*_ERASURE)
    ).one()
    return made(ErasureRow, row)


def is_forgotten(known: frozenset[tuple[str, str]], key: str, sha256: str) -> bool:
    """Tell whether a document is one of the forgotten."""
    return bool(known) and (key_hash(key), sha256) in known
