"""Collections, the runs over them, and the lease that keeps two runs apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from db.errors import Locked, NotFound
from db.models import Collection, CollectionLock, Document, Run
from db.rows import CollectionRow, RunRow
from db.store.access import Access, made, table
from db.types import utc_now, visible, visible_values

COLLECTION = (
    Collection.id,
    Collection.name,
    Collection.recipe,
    Collection.text_private,
    Collection.title,
    Collection.created_at,
    Collection.reading,
    Collection.licence,
    Collection.rights,
)
RUN = (
    Run.id,
    Run.collection_id,
    Run.recipe,
    Run.fingerprint,
    Run.details,
    Run.started_at,
    Run.finished_at,
    Run.state,
    Run.counts,
)


def all_collections(connection: Connection) -> list[CollectionRow]:
    """Return every collection by name, with its document count and last run."""
    rows = [made(CollectionRow, row) for row in connection.execute(select(*COLLECTION))]
    sizes = (
        select(Document.collection_id, func.count())
        .where(~Document.withdrawn)
        .group_by(Document.collection_id)
    )
    counts: dict[int, int] = {row[0]: row[1] for row in connection.execute(sizes)}
    newest = select(func.max(Run.id)).group_by(Run.collection_id)
    last = {
        run.collection_id: run
        for run in (
            made(RunRow, r) for r in connection.execute(select(*RUN).where(Run.id.in_(newest)))
        )
    }
    return sorted(
        (replace(r, documents=counts.get(r.id, 0), last_run=last.get(r.id)) for r in rows),
        key=lambda r: r.name,
    )


def all_runs(connection: Connection, collection_id: int | None) -> list[RunRow]:
    """Return the runs, oldest first; of every collection when ``collection_id`` is None."""
    query = select(*RUN).order_by(Run.id)
    if collection_id is not None:
        query = query.where(Run.collection_id == collection_id)
    return [made(RunRow, row) for row in connection.execute(query)]


class Collections(Access):
    """The store's methods about collections, runs and the run lease."""

    def ensure_collection(
        self,
        name: str,
        *,
        recipe: str,
        text_private: bool | None = None,
        title: str | None = None,
        reading: Mapping[str, Any] | None = None,
    ) -> CollectionRow:
        """Return the collection called ``name``, made or brought to ``recipe``.

        ``text_private``, ``title`` and ``reading`` change only when given. A new collection is not
        private.
        """
        wanted: dict[str, Any] = {"recipe": recipe}
        if text_private is not None:
            wanted["text_private"] = text_private
        if title is not None:
            wanted["title"] = visible(title)
        if reading is not None:
            wanted["reading"] = visible_values(reading)
        with self.reading() as connection:
            row = connection.execute(select(*COLLECTION).where(Collection.name == name)).first()
        if row and all(getattr(row, key) == value for key, value in wanted.items()):
            return made(CollectionRow, row)
        with self.writing() as connection:
            fresh = {
                "name": name,
                "title": "",
                "text_private": False,
                "reading": {},
                "created_at": utc_now(),
            }
            adding = self._insert()(table(Collection)).values(**(fresh | wanted))
            upsert = adding.on_conflict_do_update(index_elements=["name"], set_=wanted)
            return made(CollectionRow, connection.execute(upsert.returning(*COLLECTION)).one())

    def describe_collection(
        self,
        collection_id: int,
        *,
        title: str | None = None,
        licence: str | None = None,
        rights: str | None = None,
        text_private: bool | None = None,
    ) -> CollectionRow:
        """Change what is given of a collection's description; return the collection.

        Raises NoResultFound where it has gone.
        """
        words = {"title": title, "licence": licence, "rights": rights}
        wanted: dict[str, Any] = {k: visible(v) for k, v in words.items() if v is not None}
        if text_private is not None:
            wanted["text_private"] = text_private
        here = Collection.id == collection_id
        with self.writing() as connection:
            if wanted:
                connection.execute(update(Collection).where(here).values(**wanted))
            return made(CollectionRow, connection.execute(select(*COLLECTION).where(here)).one())

    def collection(self, name: str) -> CollectionRow:
        """Return the collection called ``name``; raises NotFound."""
        with self.reading() as connection:
            row = connection.execute(select(*COLLECTION).where(Collection.name == name)).first()
            if row:
                return made(CollectionRow, row)
            known = connection.scalars(select(Collection.name).order_by(Collection.name)).all()
        raise NotFound(
            f"no collection {name!r}; there are: {', '.join(known) or 'none yet'}; "
            "list them with: florilegium collections"
        )

    def collections(self) -> list[CollectionRow]:
        """Return every collection by name, with its document count and last run."""
        with self.reading() as connection:
            return all_collections(connection)

    # --- runs ----------------------------------------------------------------------------------
    def start_run(
        self, collection_id: int, *, recipe: str, fingerprint: str, details: Mapping[str, Any]
    ) -> int:
        """Record a run and return its id; earlier ones still "running" become interrupted.

        Hold the collection's lease: only then is an earlier "running" one certainly dead.
        """
        with self.writing() as connection:
            connection.execute(
                update(Run)
                .where(Run.collection_id == collection_id, Run.state == "running")
                .values(state="interrupted", finished_at=utc_now())
            )
            return connection.execute(
                insert(Run)
                .values(
                    collection_id=collection_id,
                    recipe=recipe,
                    fingerprint=fingerprint,
                    details=visible_values(details),
                    started_at=utc_now(),
                    state="running",
                    counts={},
                )
                .returning(Run.id)
            ).scalar_one()

    def finish_run(self, run_id: int, state: str, counts: Mapping[str, Any]) -> None:
        """Close a run as finished, interrupted or failed, with its counts."""
        if state not in {"finished", "interrupted", "failed"}:
            raise ValueError(f"run state {state!r}: expected finished, interrupted or failed")
        with self.writing() as connection:
            connection.execute(
                update(Run)
                .where(Run.id == run_id)
                .values(state=state, counts=dict(counts), finished_at=utc_now())
            )

    def runs(self, collection_id: int | None = None) -> list[RunRow]:
        """Return the runs of a collection (of all without an id), oldest first."""
        with self.reading() as connection:
            return all_runs(connection, collection_id)

    # --- the run lease -------------------------------------------------------------------------
    def lock_collection(self, collection_id: int, owner: str, seconds: float = 120.0) -> None:
        """Take (or renew) the collection's lease for ``owner``; raises Locked.

        One statement: the row is inserted, or taken over when it is ours or has expired.
        """
        with self.writing() as connection:
            lock = self._insert()(table(CollectionLock)).values(
                collection_id=collection_id, owner=owner, lease_until=self.after(seconds)
            )
            taken = lock.on_conflict_do_update(
                index_elements=["collection_id"],
                set_={"owner": lock.excluded.owner, "lease_until": lock.excluded.lease_until},
                where=or_(CollectionLock.owner == owner, CollectionLock.lease_until <= self.now()),
            )
            if connection.execute(taken.returning(CollectionLock.owner)).first():
                return
            held = connection.execute(
                select(CollectionLock.owner, CollectionLock.lease_until, Collection.name)
                .join(Collection)
                .where(CollectionLock.collection_id == collection_id)
            ).one()
        raise Locked(
            f"collection {held.name!r} is being run by {held.owner} (lease until "
            f"{held.lease_until:%Y-%m-%d %H:%M:%S} UTC); try again later",
            owner=held.owner,
        )

    def renew_collection(self, collection_id: int, owner: str, seconds: float = 120.0) -> bool:
        """Extend the lease; False when another owner has taken it since."""
        with self.writing() as connection:
            renewed = connection.execute(
                update(CollectionLock)
                .where(CollectionLock.collection_id == collection_id, CollectionLock.owner == owner)
                .values(lease_until=self.after(seconds))
                .returning(CollectionLock.owner)
            )
            return renewed.first() is not None

    def unlock_collection(self, collection_id: int, owner: str) -> None:
        """Give the lease back, if it is still ours."""
        with self.writing() as connection:
            connection.execute(
                delete(CollectionLock).where(
                    CollectionLock.collection_id == collection_id, CollectionLock.owner == owner
                )
            )

    def _insert(self) -> Any:
        if self.engine.dialect.name != "postgresql":
            return sqlite_insert
        from sqlalchemy.dialects.postgresql import insert as postgresql_insert

        return postgresql_insert
