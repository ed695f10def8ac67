"""One change of a codebook: rows end where others begin, so that every version can be read again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from db.models import Theme, ThemeAssignment, ThemeState
from db.rows import AssignmentRow
from db.store.access import chunked, insert_all, table

_STATE = (
    "theme_id",
    "since",
    "until",
    "label",
    "description",
    "parent_id",
    "concept",
    "origin",
    "details",
)


class CodebookChange:
    """What is done in one version; opened by ``Store.change_codebook``.

    ``notes`` are added to the version's detail. What is made and ended in the same version leaves
    no row.
    """

    def __init__(self, connection: Connection, codebook_id: int, number: int) -> None:
        self.connection = connection
        self.codebook_id = codebook_id
        self.number = number
        self.notes: dict[str, Any] = {}

    def add_theme(
        self,
        label: str,
        *,
        description: str = "",
        kind: str = "theme",
        parent_id: int | None = None,
        concept: str = "",
        origin: str = "person",
        details: Mapping[str, Any] | None = None,
    ) -> int:
        """Make a theme and return its id; its key is the codebook's next, as ``t12``."""
        made = self.connection.scalar(
            select(func.count()).select_from(Theme).where(Theme.codebook_id == self.codebook_id)
        )
        key = kind if kind != "theme" else f"t{(made or 0) + 1}"
        theme = self.connection.scalar(
            insert(table(Theme))
            .values(codebook_id=self.codebook_id, key=key, kind=kind)
            .returning(table(Theme).c.id)
        )
        assert theme is not None
        self._state(
            theme_id=theme,
            label=label,
            description=description,
            parent_id=parent_id,
            concept=concept,
            origin=origin,
            details=dict(details or {}),
        )
        return int(theme)

    def alter_theme(self, theme_id: int, **values: Any) -> None:
        """Change label, description, parent_id, concept or details of a theme from here on."""
        before = self._present(theme_id)
        self.end_theme(theme_id)
        self._state(**({key: before[key] for key in _STATE} | values))

    def end_theme(self, theme_id: int) -> None:
        """Let a theme stand no longer; what is coded with it is left to the caller."""
        mine = and_(ThemeState.theme_id == theme_id, ThemeState.until.is_(None))
        self.connection.execute(delete(ThemeState).where(mine, ThemeState.since == self.number))
        self.connection.execute(update(ThemeState).where(mine).values(until=self.number))

    def assign(self, rows: Iterable[AssignmentRow]) -> None:
        """Code statements; ``since``, ``until`` and ``id`` of the rows are not read."""
        for some in chunked(rows):
            insert_all(
                self.connection,
                ThemeAssignment,
                [
                    {
                        "theme_id": row.theme_id,
                        "document_id": row.document_id,
                        "start": row.start,
                        "end": row.end,
                        "text": row.text,
                        "score": round(row.score, 4),
                        "stance": row.stance,
                        "method": row.method,
                        "since": self.number,
                        "until": None,
                    }
                    for row in some
                ],
            )

    def end_assignments(self, ids: Iterable[int]) -> None:
        """Let codings stand no longer."""
        for some in chunked(ids):
            mine = and_(ThemeAssignment.id.in_(some), ThemeAssignment.until.is_(None))
            made_now = ThemeAssignment.since == self.number
            self.connection.execute(delete(ThemeAssignment).where(mine, made_now))
            self.connection.execute(update(ThemeAssignment).where(mine).values(until=self.number))

    def restore(self, version: int) -> None:
        """Make themes and codings what they were in ``version``."""
        self._restore_states(version)
        self._restore_assignments(version)

    def _restore_states(self, version: int) -> None:
        columns = table(ThemeState).c
        ours = select(Theme.id).where(Theme.codebook_id == self.codebook_id)
        rows = self.connection.execute(
            select(*columns)
            .where(columns.theme_id.in_(ours))
            .where(or_(columns.until.is_(None), _at(columns, version)))
        )
        now: dict[int, dict[str, Any]] = {}
        then: dict[int, dict[str, Any]] = {}
        for found_row in rows.mappings():
            row: dict[str, Any] = {str(key): value for key, value in found_row.items()}
            if row["until"] is None:
                now[row["theme_id"]] = row
            if row["since"] <= version and (row["until"] is None or row["until"] > version):
                then[row["theme_id"]] = row
        for theme in now.keys() | then.keys():
            wanted, found = then.get(theme), now.get(theme)
            if wanted is found:
                continue
            if found is not None:
                self.end_theme(theme)
            if wanted is not None:
                self._state(**wanted)

    def _restore_assignments(self, version: int) -> None:
        columns = table(ThemeAssignment).c
        ours = columns.theme_id.in_(select(Theme.id).where(Theme.codebook_id == self.codebook_id))
        later = select(columns.id).where(ours, columns.until.is_(None), columns.since > version)
        self.end_assignments(list(self.connection.scalars(later)))
        copied = [each for each in columns if each.name not in ("id", "since", "until")]
        gone = select(*copied).where(ours, columns.until.is_not(None), _at(columns, version))
        rows = self.connection.execute(gone).mappings().all()
        for some in chunked(rows):
            insert_all(
                self.connection,
                ThemeAssignment,
                [dict(row) | {"since": self.number, "until": None} for row in some],
            )

    def _present(self, theme_id: int) -> dict[str, Any]:
        columns = table(ThemeState).c
        query = select(*columns).where(columns.theme_id == theme_id, columns.until.is_(None))
        return {
            str(key): value
            for key, value in self.connection.execute(query).mappings().one().items()
        }

    def _state(self, **values: Any) -> None:
        row = values | {"since": self.number, "until": None}
        self.connection.execute(insert(table(ThemeState)).values(**row))


def _at(columns: Any, version: int) -> Any:
    return and_(columns.since <= version, or_(columns.until.is_(None), columns.until > version))


def undo_target(actions: Sequence[tuple[int, str]]) -> int | None:
    """Return the version to go back to: the one before the last change not undone yet.

    ``actions`` are (number, action) of every version, oldest first. None: nothing to undo.
    """
    standing = [0]
    for number, action in actions:
        if action == "undo":
            standing.pop()
        else:
            standing.append(number)
    return standing[-2] if len(standing) > 1 else None
