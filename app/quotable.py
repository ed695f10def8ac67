"""Who and what may be quoted: respondents who refused publication, statements with personal data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from db.rows import CollectionRow
    from db.store import Store

REFUSED = "the respondent refused publication"


class Described(Protocol):
    """A document with its metadata."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Its cells by column."""


def columns_of_role(store: Store, collection: CollectionRow, role: str) -> list[tuple[str, str]]:
    """Return name and format of the collection's columns of a role."""
    return [
        (str(column["name"]).rpartition("!")[2], str(column.get("format", "")))
        for source in store.sources(collection.id)
        for column in source.columns
        if column.get("role") == role
    ]


def refusing(store: Store, collection: CollectionRow, rows: Iterable[Described]) -> set[int]:
    """Return those of the documents whose respondents refused publication."""
    from pipelines.summaries import refuses_publication

    consent = {name for name, _ in columns_of_role(store, collection, "consent")}
    return {row.id for row in rows if refuses_publication(row.metadata, consent)}


def permits(refused: Collection[int], statement: Any) -> str:
    """Return why a statement may not be quoted, "" where it may."""
    from pipelines.summaries import personal

    if statement.document in refused:
        return REFUSED
    found = personal(statement.text)
    return f"{found[0]} in it" if found else ""
