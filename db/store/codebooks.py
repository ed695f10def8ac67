"""Codebooks: their versions, and their themes as of any version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, insert, select, update

from db.errors import Locked, NotFound
from db.models import (
    Codebook,
    CodebookVersion,
    Collection,
    Theme,
    ThemeState,
)
from db.rows import CodebookRow, CodebookVersionRow, ThemeRow
from db.store.access import Access, made, table
from db.store.codebook_changes import CodebookChange
from db.store.codings import stands_at
from db.types import utc_now

_CODEBOOK = (
    Codebook.id,
    Codebook.collection_id,
    Codebook.name,
    Codebook.question,
    Codebook.version,
    Codebook.created_at,
)
_VERSION = (
    CodebookVersion.codebook_id,
    CodebookVersion.number,
    CodebookVersion.action,
    CodebookVersion.detail,
    CodebookVersion.author,
    CodebookVersion.created_at,
    CodebookVersion.signed_off_by,
)
_THEME = (
    Theme.id,
    Theme.codebook_id,
    Theme.key,
    Theme.kind,
    ThemeState.since,
    ThemeState.until,
    ThemeState.label,
    ThemeState.description,
    ThemeState.parent_id,
    ThemeState.concept,
    ThemeState.origin,
    ThemeState.details,
)


class Codebooks(Access):
    """The store's methods about codebooks."""

    def create_codebook(
        self, collection_id: int, name: str, *, question: str | None = None
    ) -> CodebookRow:
        """Return the collection's codebook called ``name``, made at version 0 where there is none.

        The question of one that exists is left as it is.
        """
        with self.writing() as connection:
            found = connection.execute(
                select(*_CODEBOOK).where(
                    Codebook.collection_id == collection_id, Codebook.name == name
                )
            ).first()
            if found is None:
                adding = insert(table(Codebook)).values(
                    collection_id=collection_id,
                    name=name,
                    question=question,
                    version=0,
                    created_at=utc_now(),
                )
                found = connection.execute(adding.returning(*_CODEBOOK)).one()
            return made(CodebookRow, found)

    def codebooks(self, collection_id: int | None = None) -> list[CodebookRow]:
        """Return the codebooks of a collection, or all, by collection and name."""
        query = select(*_CODEBOOK).order_by(Codebook.collection_id, Codebook.name)
        if collection_id is not None:
            query = query.where(Codebook.collection_id == collection_id)
        with self.reading() as connection:
            return [made(CodebookRow, row) for row in connection.execute(query)]

    def codebook(self, collection_id: int, name: str | None = None) -> CodebookRow:
        """Return the collection's codebook called ``name``, or its only one.

        Raises NotFound when there is none, or several and no name.
        """
        found = self.codebooks(collection_id)
        chosen = [each for each in found if name is None or each.name == name]
        if len(chosen) == 1:
            return chosen[0]
        with self.reading() as connection:
            collection = connection.scalar(
                select(Collection.name).where(Collection.id == collection_id)
            )
        names = ", ".join(repr(each.name) for each in found) or "none yet"
        wanted = f"no codebook {name!r}" if name is not None else f"{len(found)} codebooks"
        raise NotFound(
            f"{wanted} in collection {collection!r}; there are: {names}. "
            + (
                f"Name one: --codebook {found[0].name!r}"
                if found
                else f"Find themes with: florilegium themes find {collection}"
            )
        )

    def codebook_versions(self, codebook_id: int) -> list[CodebookVersionRow]:
        """Return what was done to a codebook, oldest first."""
        query = (
            select(*_VERSION)
            .where(CodebookVersion.codebook_id == codebook_id)
            .order_by(CodebookVersion.number)
        )
        with self.reading() as connection:
            return [made(CodebookVersionRow, row) for row in connection.execute(query)]

    def themes(self, codebook_id: int, version: int | None = None) -> list[ThemeRow]:
        """Return the themes of a version (None: the present one) in the order they were made."""
        with self.reading() as connection:
            return themes_at(connection, codebook_id, version)

    @contextmanager
    def change_codebook(
        self,
        codebook_id: int,
        action: str,
        *,
        author: str,
        detail: Mapping[str, Any] | None = None,
        expected: int | None = None,
    ) -> Iterator[CodebookChange]:
        """Open a change that makes the codebook's next version, all or nothing.

        Raises Locked when ``expected`` is given and another change has come in between.
        """
        with self.writing() as connection:
            moved = connection.execute(
                update(Codebook)
                .where(Codebook.id == codebook_id)
                .values(version=Codebook.version + 1)
                .returning(Codebook.version, Codebook.name)
            ).one_or_none()
            if moved is None:
                raise NotFound(f"no codebook number {codebook_id}")
            number, name = moved
            if expected is not None and number != expected + 1:
                raise Locked(
                    f"codebook {name!r} is at version {number - 1}, not {expected}: someone changed "
                    "it meanwhile. Look at it again, then repeat the change",
                    owner=name,
                )
            change = CodebookChange(connection, codebook_id, number)
            yield change
            connection.execute(
                insert(table(CodebookVersion)).values(
                    codebook_id=codebook_id,
                    number=number,
                    action=action,
                    detail=dict(detail or {}) | change.notes,
                    author=author,
                    created_at=utc_now(),
                    signed_off_by="",
                )
            )

    def sign_off(self, codebook_id: int, author: str) -> CodebookVersionRow:
        """Sign the present version off; raises NotFound for a codebook without a version."""
        with self.writing() as connection:
            present = select(Codebook.version).where(Codebook.id == codebook_id).scalar_subquery()
            signed = connection.execute(
                update(CodebookVersion)
                .where(CodebookVersion.codebook_id == codebook_id)
                .where(CodebookVersion.number == present)
                .values(signed_off_by=author)
                .returning(*_VERSION)
            ).first()
        if signed is None:
            raise NotFound("the codebook has no version yet; find or import themes first")
        return made(CodebookVersionRow, signed)


def themes_at(connection: Connection, codebook_id: int, version: int | None) -> list[ThemeRow]:
    """Return the themes of a version of a codebook in the order they were made."""
    query = (
        select(*_THEME)
        .join(ThemeState, ThemeState.theme_id == Theme.id)
        .where(Theme.codebook_id == codebook_id, stands_at(ThemeState, version))
        .order_by(Theme.id)
    )
    return [made(ThemeRow, row) for row in connection.execute(query)]
