"""A table with a row a document, as CSV that spreadsheets open as it is meant."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.candidates import plain_cell
from app.exports.material import Item, material, themes_of
from app.exports.types import Asked, Written, whole

if TYPE_CHECKING:
    from db.rows import ThemeRow

PARTS = "; "
"""Between the values of a cell that holds several."""
UNSAID = "none"
"""Stance of a statement that was not assessed for one."""
_COLUMNS = (
    *("document", "question", "respondent", "outcome", "reason", "kept apart", "noticed"),
    *("repeats", "campaign", "characters", "themes", "stances", "codings"),
)
_CONCEPTS = ("concepts", "tags")


def write_csv(asked: Asked) -> Written:
    """Write a row a document: UTF-8 with a mark, no cell that a spreadsheet takes for a formula.

    What came with the documents in their file follows in columns of the same names, then the text;
    both are words, and so left out of a private collection's table unless asked for.
    """
    sets = sorted({count.set for count in asked.store.label_counts(asked.collection.id)})
    given = _given(asked) if asked.words else []
    themes = themes_of(asked)
    taken = {*_COLUMNS, *_CONCEPTS, "text"}
    head = [
        *_COLUMNS,
        *(f"labels: {name}" for name in sets),
        *_CONCEPTS,
        *(f"{name} (file)" if name in taken else name for name in given),
        *(["text"] if asked.words else []),
    ]
    count = 0
    with (
        whole(asked.path) as part,
        part.open("w", encoding="utf-8-sig", newline="", errors="backslashreplace") as file,
        material(asked) as items,
    ):
        out = csv.writer(file, lineterminator="\r\n")
        out.writerow([plain_cell(name) for name in head])
        for item in items:
            row = [*_row(item, sets, themes, words=asked.words)]
            if asked.words:
                row += [item.document.metadata.get(name) for name in given]
                row.append(item.document.text)
            out.writerow([_cell(value) for value in row])
            count += 1
    return Written(count, "documents")


def _given(asked: Asked) -> list[str]:
    """Return the names of what came with the documents in their files, in order of appearance."""
    facts = asked.store.document_facts(asked.collection.id)
    return list(dict.fromkeys(name for fact in facts for name in fact.metadata))


def _row(
    item: Item, sets: Sequence[str], themes: Mapping[int, ThemeRow], *, words: bool
) -> list[Any]:
    document, result = item.document, item.result
    said: dict[str, dict[str, None]] = {}
    for coding in item.codings:
        said.setdefault(themes[coding.theme_id].label, {})[coding.stance or UNSAID] = None
    labels = result.labels if result else ()
    tags = [tag for tag in result.tags if tag.displayed] if result else []
    return [
        document.key,
        document.question,
        document.respondent if words else None,
        result.outcome if result else "pending",
        result.reason if result and words else None,
        document.aside if words else ("yes" if document.aside else None),
        PARTS.join(document.flags),
        "yes" if result and result.duplicate else None,
        item.campaign,
        len(document.text),
        PARTS.join(said),
        PARTS.join("/".join(stances) for stances in said.values()),
        len(item.codings),
        *(PARTS.join(dict.fromkeys(x.label for x in labels if x.set == name)) for name in sets),
        PARTS.join(dict.fromkeys(tag.label for tag in tags)),
        len(tags),
    ]


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return value if isinstance(value, int | float) else plain_cell(str(value))
