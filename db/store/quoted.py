"""Where a document's words are quoted in what is told about its collection, and how they go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select, update

from db.models import (
    Base,
    Campaign,
    Codebook,
    CodebookVersion,
    GroupSummary,
    Job,
    Run,
    Source,
    Theme,
    ThemeState,
)
from db.store.access import table

FORGOTTEN = "(forgotten)"
LEAST_QUOTE = 12
"""Characters of a passage that counts as the document's own words when found elsewhere."""

_PASSAGE = re.compile(r"[^\n.!?]+[.!?]*")
_MAY_QUOTE: tuple[tuple[type[Base], tuple[str, ...]], ...] = (
    (Source, ("columns", "warnings", "report", "reason")),
    (Job, ("payload", "result", "message")),
    (Run, ("details", "counts")),
    (Campaign, ("details",)),
    (GroupSummary, ("details",)),
    (CodebookVersion, ("detail",)),
    (ThemeState, ("label", "description", "details")),
)


def blank(connection: Connection, collection_id: int, words: str, key: str) -> int:
    """Put ``FORGOTTEN`` where words or key stand in what is told about the collection."""
    passages = _passages(words)
    changed = 0
    for model, names in _MAY_QUOTE:
        columns = table(model).c
        keys = list(table(model).primary_key.columns)
        query = select(*keys, *(columns[name] for name in names))
        for row in connection.execute(query.where(_belongs(model, collection_id))).all():
            old = dict(zip(names, row[len(keys) :], strict=True))
            new = {name: _without(value, words, passages, key) for name, value in old.items()}
            if new != old:
                changed += 1
                which = [key == value for key, value in zip(keys, row, strict=False)]
                connection.execute(update(table(model)).where(*which).values(**new))
    return changed


def _belongs(model: type[Base], collection_id: int) -> Any:
    books = select(Codebook.id).where(Codebook.collection_id == collection_id)
    if model is CodebookVersion:
        return CodebookVersion.codebook_id.in_(books)
    if model is ThemeState:
        return ThemeState.theme_id.in_(select(Theme.id).where(Theme.codebook_id.in_(books)))
    return table(model).c.collection_id == collection_id


def _passages(words: str) -> list[str]:
    """Return the text and its sentences, the longest first; short ones are anybody's words."""
    found = {words.strip(), *(each.group().strip() for each in _PASSAGE.finditer(words))}
    return sorted((each for each in found if len(each) >= LEAST_QUOTE), key=len, reverse=True)


def _without(value: Any, words: str, passages: Sequence[str], key: str) -> Any:
    """Return a JSON value without the passages, the key, and texts that stand in the words."""
    if isinstance(value, str):
        if value == key:
            return FORGOTTEN
        if len(value.strip()) >= LEAST_QUOTE and value.strip() in words:
            return FORGOTTEN
        for passage in passages:
            value = value.replace(passage, FORGOTTEN)
        return value
    if isinstance(value, dict):
        return {
            _without(name, words, passages, key): _without(each, words, passages, key)
            for name, each in value.items()
        }
    if isinstance(value, list):
        return [_without(each, words, passages, key) for each in value]
    return value
