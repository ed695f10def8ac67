"""What people do to a codebook: each change is a version, and none loses a coding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.errors import UsageError
from db.store.codebook_changes import CodebookChange, undo_target

if TYPE_CHECKING:
    from db.rows import AssignmentRow, CodebookRow, ThemeRow
    from db.store import Store

FIXED = ("other", "no-reason")
"""Kinds of theme that are neither merged away, moved nor deleted."""
PLACES = ("other", "no reason given")
"""Their labels, which no other theme may have."""


def find_theme(themes: Sequence[ThemeRow], name: str) -> ThemeRow:
    """Return the theme with the key or label ``name``; raise UsageError when there is not one."""
    found = [t for t in themes if t.key == name] or [
        t for t in themes if t.label.casefold() == name.strip().casefold()
    ]
    if len(found) == 1:
        return found[0]
    shown = ", ".join(f"{t.key} ({t.label})" for t in themes[:20]) or "none yet"
    what = f"{len(found)} themes are called {name!r}" if found else f"No theme {name!r}"
    raise UsageError(f"{what}; expected the key or label of one of: {shown}.")


def rename(
    store: Store,
    book: CodebookRow,
    theme: str,
    label: str | None,
    *,
    author: str,
    description: str | None = None,
) -> None:
    """Give a theme another label, another description, or both; its codings stay."""
    themes = store.themes(book.id, book.version)
    old = find_theme(themes, theme)
    values: dict[str, str] = {}
    if label is not None:
        values["label"] = _free_label(themes, label, old)
    if description is not None:
        values["description"] = description.strip()
    if not values:
        raise UsageError("Nothing to change: give a new label, a --description, or both.")
    detail = {"theme": old.key, "from": old.label, "to": values.get("label", old.label)}
    with store.change_codebook(
        book.id, "rename", author=author, detail=detail, expected=book.version
    ) as change:
        change.alter_theme(old.id, **values)


def add(
    store: Store,
    book: CodebookRow,
    label: str,
    *,
    author: str,
    description: str = "",
    parent: str | None = None,
) -> int:
    """Make a theme by hand, with nothing coded yet; return its id."""
    themes = store.themes(book.id, book.version)
    above = find_theme(themes, parent) if parent else None
    label = _free_label(themes, label, None)
    detail = {"label": label, "parent": above.key if above else ""}
    with store.change_codebook(
        book.id, "add", author=author, detail=detail, expected=book.version
    ) as change:
        return change.add_theme(
            label, description=description, parent_id=above.id if above else None
        )


def merge(
    store: Store, book: CodebookRow, names: Sequence[str], *, author: str, label: str | None = None
) -> int:
    """Merge themes into the first one named and return its id; no coding is lost.

    A place coded with several of them is coded once, a person's coding before a machine's. The
    labels merged away stay with the theme, so that later mapping still knows them.
    """
    themes = store.themes(book.id, book.version)
    chosen = list({t.id: t for t in (find_theme(themes, name) for name in names)}.values())
    if len(chosen) < 2:
        raise UsageError("Merging takes two or more different themes, the one to keep first.")
    target, *sources = chosen
    for theme in chosen:
        if theme.kind in FIXED:
            raise UsageError(f"{theme.label!r} cannot be merged: it holds what no theme fits.")
    gone = {theme.id for theme in sources}
    if any(above.id in gone for above in _above(themes, target)):
        raise UsageError(
            f"{target.label!r} is under a theme it would take in; name the upper one first."
        )
    values = {"label": _free_label(themes, label, target, gone)} if label else {}
    details = dict(target.details)
    details["merged"] = [*details.get("merged", []), *(t.label for t in sources)]
    details["merged_keys"] = [
        *details.get("merged_keys", []),
        *(key for t in sources for key in (t.key, *t.details.get("merged_keys", []))),
    ]
    details["examples"] = [
        *details.get("examples", []),
        *(example for t in sources for example in t.details.get("examples", [])),
    ]
    detail = {
        "into": target.key,
        "from": [t.key for t in sources],
        "labels": [t.label for t in sources],
    }
    with store.change_codebook(
        book.id, "merge", author=author, detail=detail, expected=book.version
    ) as change:
        change.alter_theme(target.id, **values, details=details)
        rows = [row for t in chosen for row in store.assignments(book.id, theme_id=t.id)]
        _recode(change, rows, target.id)
        for theme in themes:
            if theme.parent_id in gone and theme.id not in gone:
                change.alter_theme(theme.id, parent_id=target.id)
        for theme in sources:
            change.end_theme(theme.id)
    return target.id


def move(store: Store, book: CodebookRow, theme: str, parent: str | None, *, author: str) -> None:
    """Put a theme under another, or at the top for None; its codings stay."""
    themes = store.themes(book.id, book.version)
    moved = find_theme(themes, theme)
    above = find_theme(themes, parent) if parent else None
    for each in (moved, above):
        if each is not None and each.kind in FIXED:
            raise UsageError(f"{each.label!r} holds what no theme fits; it stays outside the tree.")
    if above is not None and moved in (above, *_above(themes, above)):
        raise UsageError(
            f"{moved.label!r} cannot go under {above.label!r}, which is itself or under it."
        )
    detail = {"theme": moved.key, "under": above.key if above else ""}
    with store.change_codebook(
        book.id, "move", author=author, detail=detail, expected=book.version
    ) as change:
        change.alter_theme(moved.id, parent_id=above.id if above else None)


def undo(store: Store, book: CodebookRow, *, author: str) -> int:
    """Take the last change back and return the version whose state stands again."""
    versions = store.codebook_versions(book.id)
    target = undo_target([(each.number, each.action) for each in versions])
    if target is None:
        raise UsageError(f"Nothing to undo in codebook {book.name!r}.")
    return restore(store, book, target, author=author, action="undo")


def restore(
    store: Store, book: CodebookRow, version: int, *, author: str, action: str = "restore"
) -> int:
    """Make an earlier version's themes and codings the present ones again; return its number."""
    if not 0 <= version < book.version:
        raise UsageError(
            f"Codebook {book.name!r} has no version {version} before the present one; expected 0 "
            f"to {book.version - 1}."
        )
    with store.change_codebook(
        book.id, action, author=author, detail={"to": version}, expected=book.version
    ) as change:
        change.restore(version)
    # so that no later run repeats what was taken back
    for each in store.codebook_versions(book.id):
        if version < each.number <= book.version and each.action == "code":
            for decision in each.detail.get("decisions", ()):
                store.withdraw_decision(int(decision))
    return version


def _above(themes: Sequence[ThemeRow], theme: ThemeRow) -> Iterator[ThemeRow]:
    """Yield the themes above a theme, the nearest first."""
    by_id = {each.id: each for each in themes}
    step = by_id.get(theme.parent_id) if theme.parent_id else None
    while step is not None:
        yield step
        step = by_id.get(step.parent_id) if step.parent_id else None


def _recode(change: CodebookChange, rows: Sequence[AssignmentRow], theme_id: int) -> None:
    """Let ``rows`` be coded with one theme, each place once."""
    best: dict[tuple[int, int, int], AssignmentRow] = {}
    for row in rows:
        place = (row.document_id, row.start, row.end)
        held = best.get(place)
        if held is None or _rank(row) > _rank(held):
            best[place] = row
    kept = {row.id for row in best.values() if row.theme_id == theme_id}
    change.end_assignments(row.id for row in rows if row.id not in kept)
    change.assign(replace(row, theme_id=theme_id) for row in best.values() if row.id not in kept)


def _rank(row: AssignmentRow) -> tuple[bool, float, int]:
    return row.method == "person", row.score, -row.id


def _free_label(
    themes: Sequence[ThemeRow],
    label: str,
    own: ThemeRow | None,
    gone: Iterable[int] = (),
) -> str:
    """Return the label, trimmed; raise UsageError when it is empty or another theme's."""
    label = label.strip()
    if not label:
        raise UsageError("A theme's label cannot be empty.")
    if label.casefold() in PLACES:
        raise UsageError(f"{label!r} is the place for what no theme fits; choose another label.")
    others = {own.id if own else 0, *gone}
    for theme in themes:
        if theme.label.casefold() == label.casefold() and theme.id not in others:
            raise UsageError(
                f"The label {label!r} is theme {theme.key}'s already; choose another, or merge the "
                "two: florilegium themes merge"
            )
    return label
