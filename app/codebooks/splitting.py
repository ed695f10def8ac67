"""Split and delete themes: only their own statements are placed anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.codebooks.finding import LABELS, entries_of
from app.codebooks.operations import FIXED, find_theme
from app.errors import UsageError
from pipelines.themes.types import NO_REASON, OTHER, CodebookEntry, Statement

if TYPE_CHECKING:
    from db.rows import AssignmentRow, CodebookRow, ThemeRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange
    from pipelines.stages.vectors import SentenceEncoder
    from pipelines.themes.types import Assignment

PARTS = 2
LEAST = 4
"""Statements that a theme must have to be split."""


def split(
    store: Store,
    book: CodebookRow,
    name: str,
    encoder: SentenceEncoder,
    *,
    author: str,
    labels: Sequence[str] = (),
    parts: int = PARTS,
) -> list[int]:
    """Split a theme and return the ids of its parts.

    With ``labels`` each statement goes to the part whose label fits it best; without, the statements
    are grouped into ``parts`` by what they say, and named from their words. Every statement goes
    somewhere; a person's coding stays a person's.
    """
    themes = store.themes(book.id, book.version)
    theme = _splittable(themes, name)
    rows = store.assignments(book.id, version=book.version, theme_id=theme.id)
    if len(rows) < LEAST:
        raise UsageError(
            f"{theme.label!r} has {len(rows)} statements; expected {LEAST} or more to split."
        )
    described: list[tuple[str, str, dict[str, object]]]
    if labels:
        named = {label.strip().casefold(): label.strip() for label in labels if label.strip()}
        chosen = list(named.values())
        if len(chosen) < PARTS:
            raise UsageError("Splitting takes two or more different labels.")
        described = [(label, "", {}) for label in chosen]
        parted = _by_label(rows, chosen, encoder)
    else:
        described, parted = _by_words(store, book, rows, themes, encoder, parts)
    _free(themes, [label for label, _, _ in described], theme)
    detail = {"theme": theme.key, "from": theme.label, "into": [each[0] for each in described]}
    with store.change_codebook(
        book.id, "split", author=author, detail=detail, expected=book.version
    ) as change:
        ids = [
            change.add_theme(
                label,
                description=description,
                parent_id=theme.parent_id,
                origin="person",
                details=details,
            )
            for label, description, details in described
        ]
        for child in themes:
            if child.parent_id == theme.id:
                change.alter_theme(child.id, parent_id=theme.parent_id)
        change.end_assignments(row.id for row in rows)
        change.assign(
            replace(row, theme_id=ids[part]) for row, part in zip(rows, parted, strict=True)
        )
        change.end_theme(theme.id)
    return ids


def delete(
    store: Store, book: CodebookRow, name: str, encoder: SentenceEncoder, *, author: str
) -> int:
    """Delete a theme and return how many of its statements went to another theme.

    Its statements are mapped to the themes that are left; what fits none goes to "other".
    """
    from pipelines.themes.mapping import Mapper

    themes = store.themes(book.id, book.version)
    theme = _splittable(themes, name)
    rows = store.assignments(book.id, version=book.version, theme_id=theme.id)
    left = [each for each in themes if each.id != theme.id]
    ids = {each.key: each.id for each in left}
    coded = {
        (row.document_id, row.start, row.end)
        for row in store.assignments(book.id, version=book.version)
        if row.theme_id != theme.id
    }
    alone = [row for row in rows if (row.document_id, row.start, row.end) not in coded]
    entries = entries_of(left)
    placed: dict[tuple[int, int, int], Assignment] = {}
    if entries and alone:
        said = [Statement(row.document_id, row.start, row.end, row.text) for row in alone]
        vectors = encoder.encode([one.text for one in said])
        for one in Mapper(entries, encoder).map(said, vectors):
            placed.setdefault((one.document, one.start, one.end), one)
    with store.change_codebook(
        book.id,
        "delete",
        author=author,
        detail={"theme": theme.key, "label": theme.label},
        expected=book.version,
    ) as change:
        new: list[AssignmentRow] = []
        for row in alone:
            fit = placed.get((row.document_id, row.start, row.end))
            key = fit.theme if fit is not None and fit.theme != NO_REASON else OTHER
            score = fit.score if fit is not None else 0.0
            new.append(
                replace(
                    row,
                    theme_id=_id_of(change, ids, key),
                    score=score,
                    method="mapped",
                    stance="" if key == OTHER else row.stance,
                )
            )
        change.end_assignments(row.id for row in rows)
        change.assign(new)
        for child in themes:
            if child.parent_id == theme.id:
                change.alter_theme(child.id, parent_id=theme.parent_id)
        change.end_theme(theme.id)
        return sum(row.theme_id != ids.get(OTHER) for row in new)


def _id_of(change: CodebookChange, ids: dict[str, int], key: str) -> int:
    """Return the id of a theme; the place for what fits none is made where it is missing."""
    if key not in ids:
        ids[key] = change.add_theme(LABELS[key], kind=key, origin="found")
    return ids[key]


def _splittable(themes: Sequence[ThemeRow], name: str) -> ThemeRow:
    theme = find_theme(themes, name)
    if theme.kind in FIXED:
        raise UsageError(f"{theme.label!r} stays: it holds what no theme fits.")
    return theme


def _free(themes: Sequence[ThemeRow], labels: Sequence[str], own: ThemeRow) -> None:
    taken = {each.label.casefold() for each in themes if each.id != own.id}
    for label in labels:
        if label.casefold() in taken:
            raise UsageError(
                f"The label {label!r} is another theme's already; choose another for the part."
            )


def _by_label(
    rows: Sequence[AssignmentRow], labels: Sequence[str], encoder: SentenceEncoder
) -> list[int]:
    """Return for each row the part whose label fits its words best."""
    from pipelines.themes.mapping import Mapper

    texts = [row.text for row in rows]
    mapper = Mapper([CodebookEntry(label, label) for label in labels], encoder)
    table = mapper.probabilities(texts, [""] * len(texts), encoder.encode(texts))
    return [int(part) for part in table.argmax(axis=1)]


def _by_words(
    store: Store,
    book: CodebookRow,
    rows: Sequence[AssignmentRow],
    themes: Sequence[ThemeRow],
    encoder: SentenceEncoder,
    parts: int,
) -> tuple[list[tuple[str, str, dict[str, object]]], list[int]]:
    """Return the parts that the words fall into, described, and the part of each row."""
    from app.codebooks.finding import details_of
    from app.codebooks.material import quotable_in
    from pipelines.themes.describe import describe_themes
    from pipelines.themes.discover import find_themes

    said = [Statement(row.document_id, row.start, row.end, row.text) for row in rows]
    vectors = encoder.encode([one.text for one in said])
    found = find_themes(said, vectors, themes=parts)
    if found.themes < PARTS:
        raise UsageError(
            "Its statements do not fall into parts; name the parts: --into LABEL --into LABEL"
        )
    described = describe_themes(said, vectors, found, taken=[each.label for each in themes])
    part = [
        int(theme) if theme >= 0 else max(0, int(second))
        for theme, second in zip(found.theme, found.second, strict=True)
    ]
    home = next(each for each in store.collections() if each.id == book.collection_id)
    quotable = quotable_in(store, home)
    return [(each.label, each.description, details_of(each, quotable)) for each in described], part
