"""Write a codebook's next version, and only where something is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from db.rows import AssignmentRow

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange


class _Unchanged(Exception):
    """Nothing is new: the version that was begun is not made."""


def versioned(
    store: Store,
    book: CodebookRow,
    action: str,
    detail: dict[str, Any],
    write: Callable[[CodebookChange], bool],
    *,
    author: str = "florilegium",
) -> tuple[int, bool]:
    """Make a version by ``write`` unless that says that nothing changed.

    Return the number of the version that stands, and whether it is new.
    """
    try:
        with store.change_codebook(
            book.id, action, author=author, detail=detail, expected=book.version
        ) as change:
            if not write(change):
                raise _Unchanged
            return change.number, True
    except _Unchanged:
        return book.version, False


def replace_machine(
    change: CodebookChange,
    standing: Sequence[AssignmentRow],
    new: Sequence[AssignmentRow],
    settled: Callable[[AssignmentRow], bool],
) -> bool:
    """Put ``new`` codings in place of the machine's; equal ones and settled places are left alone."""
    old = {same_coding(row): row for row in standing if row.method != "person" and not settled(row)}
    wanted = {same_coding(row): row for row in new if not settled(row)}
    gone = [row.id for key, row in old.items() if key not in wanted]
    come = [row for key, row in wanted.items() if key not in old]
    change.end_assignments(gone)
    change.assign(come)
    return bool(gone or come)


def same_coding(row: AssignmentRow) -> tuple[Any, ...]:
    return (
        *(row.theme_id, row.document_id, row.start, row.end),
        *(round(row.score, 4), row.stance, row.method),
    )
