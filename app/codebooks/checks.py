"""Whether what a person names is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.errors import UsageError

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store


def places(
    store: Store, book: CodebookRow, wanted: Sequence[tuple[str, int, int]]
) -> list[tuple[int, str]]:
    """Return (document id, words) of each (response, start, end); raise UsageError with all that is
    wrong.
    """
    ids = {fact.key: fact.id for fact in store.document_facts(book.collection_id)}
    known = [(ids[key], start, end) for key, start, end in wanted if key in ids]
    words = {(q.document_id, q.start, q.end): q.text for q in store.quotes(known)}
    problems: list[str] = []
    found: list[tuple[int, str]] = []
    for key, start, end in wanted:
        if key not in ids:
            problems.append(f"no response {key!r}")
            continue
        text = words.get((ids[key], start, end), "")
        if not 0 <= start < end or len(text) != end - start:
            problems.append(f"{start} to {end} is no place in response {key!r}")
        found.append((ids[key], text))
    if problems:
        raise UsageError(
            f"{'; '.join(dict.fromkeys(problems))}. Nothing was changed; correct the table and try "
            "again."
        )
    return found
