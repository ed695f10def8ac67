"""The documents of a collection with everything said of them, one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.campaigns import voices
from app.exports.types import Asked

if TYPE_CHECKING:
    from db.rows import AssignmentRow, DocumentRow, ResultRow, ThemeRow


@dataclass(frozen=True, slots=True)
class Item:
    """A standing document with its current result, codings and campaign, where it has any."""

    document: DocumentRow
    result: ResultRow | None
    codings: tuple[AssignmentRow, ...]
    campaign: int | None


@contextmanager
def material(asked: Asked) -> Iterator[Iterator[Item]]:
    """Open the collection's documents by number, in one consistent view; they stream past."""
    codings: dict[int, list[AssignmentRow]] = defaultdict(list)
    if asked.book is not None:
        known = {theme.id for theme in asked.store.themes(asked.book.id, asked.wanted.version)}
        for row in asked.store.assignments(asked.book.id, version=asked.wanted.version):
            if row.theme_id in known:
                codings[row.document_id].append(row)
    campaigns = voices(asked.store.campaigns(asked.collection.id))
    with asked.store.export(asked.collection.id, superseded=False) as view:

        def items() -> Iterator[Item]:
            for each in view.documents:
                if each.document.withdrawn:
                    continue
                id = each.document.id
                results = [r for r in each.results if r.recipe == asked.collection.recipe]
                yield Item(
                    each.document,
                    results[-1] if results else None,
                    tuple(codings.get(id, ())),
                    campaigns.get(id),
                )

        yield items()


def themes_of(asked: Asked) -> dict[int, ThemeRow]:
    """Return the themes of the codebook's version by id.

    Their labels are made of what documents say: without words a theme has its key in place of one.
    """
    from dataclasses import replace

    if asked.book is None:
        return {}
    themes = asked.store.themes(asked.book.id, asked.wanted.version)
    if not asked.words:
        themes = [replace(theme, label=theme.key, description="") for theme in themes]
    return {theme.id: theme for theme in themes}
