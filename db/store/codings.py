"""What is coded with the themes of a codebook, in any version, and the counts made from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from db.models import Document, Theme, ThemeAssignment, ThemeState
from db.rows import AssignmentRow, ThemeCount
from db.store.access import Access, chunked, made

ASSIGNMENT: tuple[Any, ...] = (
    ThemeAssignment.theme_id,
    ThemeAssignment.document_id,
    ThemeAssignment.start,
    ThemeAssignment.end,
    ThemeAssignment.text,
    ThemeAssignment.score,
    ThemeAssignment.stance,
    ThemeAssignment.method,
    ThemeAssignment.since,
    ThemeAssignment.until,
    ThemeAssignment.id,
)


def stands_at(
    model: type[ThemeState] | type[ThemeAssignment], version: int | None
) -> ColumnElement[bool]:
    """Return the condition that a row holds in ``version``; in the present one for None."""
    if version is None:
        return model.until.is_(None)
    return and_(model.since <= version, or_(model.until.is_(None), model.until > version))


class Codings(Access):
    """The store's methods about what is coded with themes."""

    def assignments(
        self,
        codebook_id: int,
        *,
        version: int | None = None,
        theme_id: int | None = None,
        document_ids: Sequence[int] | None = None,
    ) -> list[AssignmentRow]:
        """Return what is coded in a version, by document, place and theme."""
        query = _assignments(codebook_id, version)
        if theme_id is not None:
            query = query.where(ThemeAssignment.theme_id == theme_id)
        queries = (
            [query]
            if document_ids is None
            else [
                query.where(ThemeAssignment.document_id.in_(ids)) for ids in chunked(document_ids)
            ]
        )
        with self.reading() as connection:
            found = [
                made(AssignmentRow, row) for each in queries for row in connection.execute(each)
            ]
        if len(queries) > 1:
            found.sort(key=lambda row: (row.document_id, row.start, row.end, row.theme_id))
        return found

    def all_codings(self, codebook_id: int, document_ids: Iterable[int]) -> list[AssignmentRow]:
        """Return what was ever coded in some documents, by document, place and theme."""
        query = _coded(codebook_id)
        with self.reading() as connection:
            return [
                made(AssignmentRow, row)
                for some in chunked(sorted(document_ids))
                for row in connection.execute(query.where(ThemeAssignment.document_id.in_(some)))
            ]

    def ended_codings(self, codebook_id: int, versions: Sequence[int]) -> list[AssignmentRow]:
        """Return the codings that one of ``versions`` put an end to, by document, place and theme."""
        query = _coded(codebook_id)
        with self.reading() as connection:
            found = [
                made(AssignmentRow, row)
                for some in chunked(versions)
                for row in connection.execute(query.where(ThemeAssignment.until.in_(some)))
            ]
        return sorted(found, key=lambda row: (row.document_id, row.start, row.end, row.theme_id))

    def theme_counts(self, codebook_id: int, version: int | None = None) -> dict[int, ThemeCount]:
        """Return for each theme id how many documents and statements are coded with it.

        A document whose statements under a theme are for as well as against counts as mixed.
        """
        query = (
            select(
                ThemeAssignment.theme_id,
                ThemeAssignment.document_id,
                ThemeAssignment.stance,
                func.count(),
            )
            .join(Theme, Theme.id == ThemeAssignment.theme_id)
            .join(Document, Document.id == ThemeAssignment.document_id)
            .where(Theme.codebook_id == codebook_id, ~Document.withdrawn)
            .where(stands_at(ThemeAssignment, version))
            .group_by(ThemeAssignment.theme_id, ThemeAssignment.document_id, ThemeAssignment.stance)
        )
        stances: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        statements: dict[int, int] = defaultdict(int)
        with self.reading() as connection:
            for theme, document, stance, count in connection.execute(query):
                stances[theme][document].add(stance)
                statements[theme] += count
        return {
            theme: ThemeCount(len(documents), statements[theme], *_sides(documents))
            for theme, documents in stances.items()
        }


def _assignments(codebook_id: int, version: int | None) -> Select[Any]:
    return _coded(codebook_id).where(stands_at(ThemeAssignment, version))


def _coded(codebook_id: int) -> Select[Any]:
    """Select the codings of a codebook, of all versions, by document, place and theme."""
    return (
        select(*ASSIGNMENT)
        .join(Theme, Theme.id == ThemeAssignment.theme_id)
        .join(Document, Document.id == ThemeAssignment.document_id)
        .where(Theme.codebook_id == codebook_id, ~Document.withdrawn)
        .order_by(
            ThemeAssignment.document_id,
            ThemeAssignment.start,
            ThemeAssignment.end,
            ThemeAssignment.theme_id,
        )
    )


def _sides(documents: Mapping[int, set[str]]) -> tuple[int, int, int, int, int]:
    """Count documents for, against, mixed, neither and not assessed."""
    counts = {"for": 0, "against": 0, "mixed": 0, "neither": 0, "": 0}
    for stances in documents.values():
        both = "mixed" in stances or {"for", "against"} <= stances
        side = (
            "mixed"
            if both
            else next((s for s in ("for", "against", "neither") if s in stances), "")
        )
        counts[side] += 1
    return counts["for"], counts["against"], counts["mixed"], counts["neither"], counts[""]
