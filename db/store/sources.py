"""Input files: what is known of them, and how reading them ended."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, insert, literal, select, update

from db.models import Source
from db.rows import SourceInput, SourceRow
from db.store.access import Access, made
from db.types import utc_now, visible, visible_values

INSIDE = "!/"  # between the path of a file and that of a file inside it
_SOURCE = (
    Source.id,
    Source.collection_id,
    Source.path,
    Source.relative,
    Source.kind,
    Source.outcome,
    Source.reason,
    Source.size,
    Source.mtime_ns,
    Source.sha256,
    Source.encoding,
    Source.rows,
    Source.documents,
    Source.columns,
    Source.warnings,
    Source.options,
    Source.seen_at,
    Source.report,
)


def _source_row(row: Any) -> SourceRow:
    return made(SourceRow, (*row[:13], tuple(row[13]), tuple(row[14]), *row[15:]))


def save_source(connection: Connection, collection_id: int, source: SourceInput) -> int:
    """Insert or update the file's row (by path) and return its id."""
    values: dict[str, Any] = {
        "relative": visible(source.relative),
        "kind": source.kind,
        "outcome": str(source.outcome),
        "reason": visible(source.reason),
        "size": source.size,
        "mtime_ns": source.mtime_ns,
        "sha256": source.sha256,
        "encoding": source.encoding,
        "rows": source.rows,
        "documents": source.documents,
        "columns": visible_values(source.columns),
        "warnings": visible_values(source.warnings),
        "options": visible(source.options),
        "report": visible_values(source.report),
        "seen_at": utc_now(),
    }
    path = visible(source.path)
    found = connection.execute(
        update(Source)
        .where(Source.collection_id == collection_id, Source.path == path)
        .values(**values)
        .returning(Source.id)
    ).scalar()
    if found is not None:
        return found
    return connection.execute(
        insert(Source).values(collection_id=collection_id, path=path, **values).returning(Source.id)
    ).scalar_one()


class Sources(Access):
    """The store's methods about input files."""

    def known_source(self, collection_id: int, path: str) -> SourceRow | None:
        """Return what is stored about the file at ``path``, or None."""
        with self.reading() as connection:
            row = connection.execute(
                select(*_SOURCE).where(
                    Source.collection_id == collection_id, Source.path == visible(path)
                )
            ).first()
            return _source_row(row) if row else None

    def sources(self, collection_id: int, *, relative: str | None = None) -> list[SourceRow]:
        """Return the collection's files by path; only those called ``relative`` when given."""
        query = select(*_SOURCE).where(Source.collection_id == collection_id)
        if relative is not None:
            query = query.where(Source.relative == visible(relative))
        with self.reading() as connection:
            rows = [_source_row(row) for row in connection.execute(query)]
        return sorted(rows, key=lambda row: row.path)

    def sources_inside(self, collection_id: int, path: str) -> list[SourceRow]:
        """Return the files inside the one at ``path`` (an archive, a message), by path."""
        query = select(*_SOURCE).where(_inside(collection_id, visible(path)))
        with self.reading() as connection:
            rows = [_source_row(row) for row in connection.execute(query)]
        return sorted(rows, key=lambda row: row.path)

    def record_source(self, collection_id: int, source: SourceInput) -> int:
        """Insert or update a file's row alone and return its id.

        For files that were skipped or failed; documents read from the file before stay as they
        are. A file with documents goes through ``put_file``: one transaction for both.
        """
        with self.writing() as connection:
            return save_source(connection, collection_id, source)

    def touch_source(self, source_id: int, *, size: int, mtime_ns: int) -> None:
        """Note a new size and time for a file whose content is the same."""
        with self.writing() as connection:
            connection.execute(
                update(Source)
                .where(Source.id == source_id)
                .values(size=size, mtime_ns=mtime_ns, seen_at=utc_now())
            )

    def move_source(self, source_id: int, path: str) -> None:
        """Note that a file now lies at ``path``, and the files inside it below.

        Its documents keep their ids and results.
        """
        with self.writing() as connection:
            found = connection.execute(
                select(Source.collection_id, Source.path).where(Source.id == source_id)
            ).first()
            if found is None:
                return
            new, rest = visible(path), func.substr(Source.path, len(found.path) + 1)
            for which, where in (
                (_inside(found.collection_id, found.path), literal(new).concat(rest)),
                (Source.id == source_id, literal(new)),
            ):
                connection.execute(
                    update(Source).where(which).values(path=where, seen_at=utc_now())
                )


def _inside(collection_id: int, path: str) -> ColumnElement[bool]:
    """Match the files inside the one at ``path`` (LIKE would ignore case)."""
    start = f"{path}{INSIDE}"
    return and_(
        Source.collection_id == collection_id,
        func.substr(Source.path, 1, len(start)) == start,
    )
