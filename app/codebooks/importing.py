"""Take a codebook's themes over from a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.codebooks.entries import Entry
from app.codebooks.finding import LABELS
from app.codebooks.recording import versioned

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange


def take_over(
    store: Store, book: CodebookRow, entries: Sequence[Entry], *, author: str, source: str
) -> tuple[int, bool]:
    """Add the entries as themes and return (version, whether it is new).

    A theme whose label is there already (in any case) takes the entry's description, examples and
    parent; the same file again changes nothing. A theme called as a place for what no theme fits
    ("Other") is that place, which mapping makes. ``entries`` stand after their parents.
    """
    themes = store.themes(book.id, book.version)
    by_label = {theme.label.casefold(): theme for theme in themes if theme.kind == "theme"}
    kept = {label.casefold() for label in LABELS.values()}
    entries = [entry for entry in entries if entry.label.casefold() not in kept]

    def write(change: CodebookChange) -> bool:
        ids = {label: theme.id for label, theme in by_label.items()}
        touched = False
        for entry in entries:
            known = by_label.get(entry.label.casefold())
            parent = ids.get(entry.parent.casefold()) if entry.parent else None
            details = dict(known.details) if known else {}
            if entry.examples:
                details["examples"] = list(entry.examples)
            if known is None:
                ids[entry.label.casefold()] = change.add_theme(
                    entry.label,
                    description=entry.description,
                    parent_id=parent,
                    concept=entry.concept,
                    origin="imported",
                    details=details,
                )
                touched = True
                continue
            values = {
                "description": entry.description or known.description,
                "parent_id": parent if entry.parent else known.parent_id,
                "concept": entry.concept or known.concept,
                "details": details,
            }
            if any(getattr(known, name) != value for name, value in values.items()):
                change.alter_theme(known.id, **values)
                touched = True
        return touched

    detail = {"file": source, "themes": len(entries)}
    return versioned(store, book, "import", detail, write, author=author)
