"""A codebook as it is shown: themes with their counts, and the history of its versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from db.rows import ThemeCount

if TYPE_CHECKING:
    from app.codebooks.entries import Entry
    from db.rows import CodebookRow, ThemeRow
    from db.store import Store

NOTHING = ThemeCount(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class ThemeLine:
    """A theme with its counts and its depth in the hierarchy, in reading order."""

    theme: ThemeRow
    parent: str
    depth: int
    count: ThemeCount


def theme_lines(store: Store, book: CodebookRow, version: int | None = None) -> list[ThemeLine]:
    """Return the themes of a version: each before those under it, the most frequent first.

    What no theme fits comes last.
    """
    themes = store.themes(book.id, version)
    counts = store.theme_counts(book.id, version)
    by_id = {theme.id: theme for theme in themes}
    children: dict[int | None, list[ThemeRow]] = {}
    for theme in themes:
        above = theme.parent_id if theme.parent_id in by_id else None
        children.setdefault(above, []).append(theme)

    def order(theme: ThemeRow) -> tuple[bool, int, int]:
        return theme.kind != "theme", -counts.get(theme.id, NOTHING).documents, theme.id

    lines: list[ThemeLine] = []
    waiting = [(theme, 0) for theme in sorted(children.get(None, ()), key=order, reverse=True)]
    while waiting:
        theme, depth = waiting.pop()
        parent = by_id[theme.parent_id].key if theme.parent_id in by_id else ""
        lines.append(ThemeLine(theme, parent, depth, counts.get(theme.id, NOTHING)))
        under = sorted(children.get(theme.id, ()), key=order, reverse=True)
        waiting += [(child, depth + 1) for child in under]
    return lines


def as_dict(line: ThemeLine) -> dict[str, Any]:
    """Return a line as the command line's JSON has it."""
    theme, count = line.theme, line.count
    return {
        "id": theme.key,
        "label": theme.label,
        "description": theme.description,
        "parent": line.parent or None,
        "kind": theme.kind,
        "origin": theme.origin,
        "concept": theme.concept or None,
        "documents": count.documents,
        "statements": count.statements,
        "stance": {
            "for": count.supporting,
            "against": count.opposing,
            "mixed": count.mixed,
            "neither": count.neither,
            "not_assessed": count.unassessed,
        },
        "details": dict(theme.details),
    }


def as_entries(store: Store, book: CodebookRow, version: int | None = None) -> list[Entry]:
    """Return the themes of a version as a codebook outside the database, parents first."""
    from app.codebooks.entries import Entry

    lines = theme_lines(store, book, version)
    labels = {line.theme.key: line.theme.label for line in lines}
    return [
        Entry(
            label=line.theme.label,
            description=line.theme.description,
            parent=labels.get(line.parent, ""),
            examples=tuple(str(each) for each in line.theme.details.get("examples", ())),
            concept=line.theme.concept,
            key=line.theme.key,
        )
        for line in lines
        if line.theme.kind == "theme"
    ]


def detail_words(detail: Mapping[str, Any]) -> str:
    """Return what a version's change was done to, on one line."""
    return "; ".join(
        f"{key}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else value}"
        for key, value in detail.items()
    )


def history(store: Store, book: CodebookRow) -> list[dict[str, Any]]:
    """Return what was done to a codebook, oldest first, as the command line's JSON has it."""
    return [
        {
            "version": each.number,
            "action": each.action,
            "by": each.author,
            "at": each.created_at,
            "detail": dict(each.detail),
            "signed_off_by": each.signed_off_by or None,
        }
        for each in store.codebook_versions(book.id)
    ]
