"""Look a codebook over: what to check first, whether it is stable, saturation, cross-points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from app.codebooks.recording import versioned

if TYPE_CHECKING:
    from app.codebooks.material import Material
    from db.rows import AssignmentRow, CodebookRow, ThemeRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange
    from pipelines.stages.vectors import SentenceEncoder
    from pipelines.themes.types import Assignment


def coded_assignments(
    rows: Sequence[AssignmentRow], themes: Sequence[ThemeRow]
) -> list[Assignment]:
    """Return stored codings as the themes engine takes them."""
    from pipelines.themes.types import Assignment, Method

    keys = {theme.id: theme.kind if theme.kind != "theme" else theme.key for theme in themes}
    return [
        Assignment(
            *(row.document_id, row.start, row.end, row.text, keys[row.theme_id], row.score),
            Method(row.method),
            stance=row.stance,
        )
        for row in rows
        if row.theme_id in keys
    ]


def queue(
    store: Store, book: CodebookRow, encoder: SentenceEncoder, *, most: int = 50
) -> list[dict[str, Any]]:
    """Return the codings to look at first: the most uncertain that most others are like."""
    from pipelines.themes.queue import review_queue

    themes = store.themes(book.id, book.version)
    rows = store.assignments(book.id, version=book.version)
    assignments = coded_assignments(rows, themes)
    vectors = encoder.encode([one.text for one in assignments])
    labels = {theme.id: (theme.key, theme.label) for theme in themes}
    keys = {fact.id: fact.key for fact in store.document_facts(book.collection_id)}
    return [
        {
            "coding": f"coding-{rows[one.row].id}",
            "response": keys.get(rows[one.row].document_id, ""),
            "start": rows[one.row].start,
            "end": rows[one.row].end,
            "text": rows[one.row].text,
            "theme": labels[rows[one.row].theme_id][0],
            "label": labels[rows[one.row].theme_id][1],
            "score": rows[one.row].score,
            "uncertainty": one.uncertainty,
            "influence": one.influence,
        }
        for one in review_queue(assignments, vectors, most=most)
    ]


def saturation_of(store: Store, book: CodebookRow) -> dict[str, Any]:
    """Return how many answers one has to read to have met the themes."""
    from pipelines.themes.saturation import saturation

    themes = store.themes(book.id, book.version)
    facts = store.document_facts(book.collection_id)
    asked = [f for f in facts if not f.aside and book.question in (None, f.question)]
    found = saturation(
        coded_assignments(store.assignments(book.id, version=book.version), themes), len(asked)
    )
    return {
        "themes": found.themes,
        "answers": found.answers,
        "enough": found.enough,
        "curve": [{"read": read, "met": met} for read, met in found.curve],
    }


def cross_points_of(
    store: Store, books: Sequence[CodebookRow], encoder: SentenceEncoder
) -> list[dict[str, Any]]:
    """Return what was said under one question and belongs to a theme of another one's codebook."""
    from pipelines.themes.crosspoints import QuestionThemes, cross_points

    parts: list[QuestionThemes] = []
    labels: dict[tuple[str, str], tuple[str, str]] = {}
    for book in books:
        themes = store.themes(book.id, book.version)
        rows = coded_assignments(store.assignments(book.id, version=book.version), themes)
        if rows:
            name = book.question or book.name
            parts.append(QuestionThemes(name, rows, encoder.encode([one.text for one in rows])))
            labels |= {(name, theme.key): (book.name, theme.label) for theme in themes}
    keys = {
        fact.id: fact.key for book in books[:1] for fact in store.document_facts(book.collection_id)
    }
    return [
        {
            "response": keys.get(one.assignment.document, ""),
            "start": one.assignment.start,
            "end": one.assignment.end,
            "text": one.assignment.text,
            "belongs_to": one.question,
            "codebook": labels[one.question, one.theme][0],
            "theme": one.theme,
            "label": labels[one.question, one.theme][1],
            "likeness": one.likeness,
        }
        for one in cross_points(parts)
    ]


def check_stability(store: Store, book: CodebookRow, material: Material) -> dict[str, Any]:
    """Find the themes again from other samples; keep with each how well it survives."""
    from pipelines.themes.discover import Found
    from pipelines.themes.stability import stability

    themes = [t for t in store.themes(book.id, book.version) if t.kind == "theme"]
    number = {theme.id: place for place, theme in enumerate(themes)}
    places = {
        (row.document_id, row.start): number[row.theme_id]
        for row in store.assignments(book.id, version=book.version)
        if row.theme_id in number
    }
    statements = material.statements
    theme = np.array(
        [-2 if s.silent else places.get((s.document, s.start), -1) for s in statements],
        dtype=np.int64,
    )
    blank = np.zeros(len(statements), dtype=np.float32)
    found = stability(statements, material.vectors, Found(theme, blank, theme, len(themes)), runs=5)
    fragile = {themes[place].key for place in found.fragile}

    def write(change: CodebookChange) -> bool:
        touched = False
        for each, survival in zip(themes, found.survival, strict=True):
            details = dict(each.details) | {"survival": survival, "fragile": each.key in fragile}
            if details != dict(each.details):
                change.alter_theme(each.id, details=details)
                touched = True
        return touched

    versioned(store, book, "find", {"stability": round(found.mean_rand, 4)}, write)
    return {
        "stability": {
            "adjusted_rand": list(found.rand),
            "mean": round(found.mean_rand, 4),
            "themes": [
                {"id": t.key, "label": t.label, "survival": s, "fragile": t.key in fragile}
                for t, s in zip(themes, found.survival, strict=True)
            ],
        }
    }
