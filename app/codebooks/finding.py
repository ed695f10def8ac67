"""Find themes, and map a codebook to answers; what people decided stays as it is.

A codebook that only the machine made is found anew. One that people imported, changed or corrected
is mapped first, and discovery only proposes what it misses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.codebooks.decided import (
    Verdict,
    apply_verdicts,
    corrections,
    is_settled,
    settled_places,
    verdicts,
)
from app.codebooks.material import Material, Quotable, with_sides
from app.codebooks.recording import replace_machine, versioned
from app.report.audit import MACHINE
from db.rows import AssignmentRow, ThemeRow

if TYPE_CHECKING:
    from app.settings import Settings
    from db.rows import CodebookRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange
    from pipelines.themes.describe import Concept
    from pipelines.themes.types import Assignment, CodebookEntry, Coverage, FoundTheme

LABELS = {"other": "Other", "no-reason": "No reason given"}
"""Labels of the places for what no theme fits."""
LEAST_MISSED = 30
"""Statements that a codebook must miss before discovery proposes themes for them."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What finding or mapping did: the version that stands, whether it is new, and the coverage."""

    version: int
    changed: bool
    found: int
    coverage: Coverage


def is_peoples(store: Store, book: CodebookRow) -> bool:
    """Tell whether people made or changed a codebook."""
    versions = store.codebook_versions(book.id)
    return any(v.action not in MACHINE or v.signed_off_by for v in versions) or any(
        each.kind == "theme" and each.scheme == book.name
        for each in store.decisions(collection_id=book.collection_id)
    )


def find_themes_for(
    settings: Settings,
    store: Store,
    book: CodebookRow,
    material: Material,
    *,
    themes: int | None = None,
    concept: Concept | None = None,
) -> Outcome:
    """Find themes for a codebook and store them as its next version; nothing new makes none."""
    from pipelines.themes.mapping import missed

    present = store.themes(book.id, book.version)
    if is_peoples(store, book) and any(theme.kind == "theme" for theme in present):
        assignments, decided = _mapped(store, book, material, present)
        rows = missed(assignments, material.statements)
        more: list[FoundTheme] = []
        if len(rows) >= LEAST_MISSED:
            taken = [theme.label for theme in present]
            found, more = _discovered(material, rows, themes, concept, taken)
            places = {(one.document, one.start): one for one in found}
            assignments = [places.get((a.document, a.start), a) for a in assignments]
        return _store(settings, store, book, material, "find", assignments, more, present, decided)
    found, more = _discovered(material, list(range(len(material.statements))), themes, concept, ())
    fresh = [theme for theme in present if theme.kind != "theme"]
    return _store(settings, store, book, material, "find", found, more, fresh, [], old=present)


def map_codebook(
    settings: Settings, store: Store, book: CodebookRow, material: Material
) -> Outcome:
    """Map the codebook's themes to the answers and store it as the next version, if any is new."""
    present = store.themes(book.id, book.version)
    assignments, decided = _mapped(store, book, material, present)
    return _store(settings, store, book, material, "map", assignments, [], present, decided)


def entries_of(themes: Iterable[ThemeRow]) -> list[CodebookEntry]:
    """Return themes as the mapper takes them; labels merged away help to know a theme."""
    from pipelines.themes.types import CodebookEntry

    return [
        CodebookEntry(
            theme.key,
            theme.label,
            theme.description,
            tuple(
                str(each)
                for each in (*theme.details.get("examples", ()), *theme.details.get("merged", ()))
            ),
        )
        for theme in themes
        if theme.kind == "theme"
    ]


def _mapped(
    store: Store, book: CodebookRow, material: Material, present: Sequence[ThemeRow]
) -> tuple[list[Assignment], list[Verdict]]:
    from pipelines.themes.mapping import Mapper

    decided = verdicts(store, book, present)
    mapper = Mapper(entries_of(present), material.encoder, corrections(decided, present))
    return mapper.map(material.statements, material.vectors), decided


def _discovered(
    material: Material,
    rows: list[int],
    themes: int | None,
    concept: Concept | None,
    taken: Sequence[str],
) -> tuple[list[Assignment], list[FoundTheme]]:
    from pipelines.themes.assign import found_assignments
    from pipelines.themes.describe import describe_themes
    from pipelines.themes.discover import find_themes

    said, vectors = material.take(rows)
    found = find_themes(said, vectors, themes=themes)
    described = describe_themes(said, vectors, found, concept=concept, taken=taken)
    return found_assignments(said, found, described), described


def _store(
    settings: Settings,
    store: Store,
    book: CodebookRow,
    material: Material,
    action: str,
    assignments: list[Assignment],
    more: Sequence[FoundTheme],
    kept: Sequence[ThemeRow],
    decided: Sequence[Verdict],
    *,
    old: Sequence[ThemeRow] = (),
) -> Outcome:
    """Write what is new of themes and codings; ``old`` themes not among ``kept`` or found anew end."""
    from pipelines.themes.assign import coverage

    sided = with_sides(settings, assignments, material.questions)
    standing = store.assignments(book.id, version=book.version)
    by_label = {theme.label: theme for theme in old if theme.kind == "theme"}
    found = {theme.key: by_label.get(theme.label) for theme in more}
    places = settled_places(decided)

    def write(change: CodebookChange) -> bool:
        ids = {theme.key: theme.id for theme in kept}
        touched = False
        for theme in more:
            known = found[theme.key]
            details = (dict(known.details) if known else {}) | details_of(theme, material.quotable)
            if known is None:
                ids[theme.key] = change.add_theme(
                    theme.label,
                    description=theme.description,
                    concept=theme.concept,
                    origin="found",
                    details=details,
                )
                touched = True
            else:
                ids[theme.key] = known.id
                if (known.description, dict(known.details)) != (theme.description, details):
                    change.alter_theme(known.id, description=theme.description, details=details)
                    touched = True
        for kind in LABELS:
            if kind not in ids and any(one.theme == kind for one in sided):
                ids[kind] = change.add_theme(LABELS[kind], kind=kind, origin="found")
                touched = True
        stay = set(ids.values())
        for before in old:
            if before.id not in stay:
                change.end_theme(before.id)
                touched = True
        new = [_row(one, ids[one.theme], change.number) for one in sided]
        touched |= replace_machine(change, standing, new, lambda row: is_settled(row, places))
        return touched | bool(apply_verdicts(change, decided, standing))

    number, changed = versioned(store, book, action, {"themes found": len(more)}, write)
    return Outcome(number, changed, len(more), coverage(sided))


def _row(one: Assignment, theme_id: int, number: int) -> AssignmentRow:
    stance = "" if one.theme in LABELS else one.stance
    return AssignmentRow(
        *(theme_id, one.document, one.start, one.end, one.text),
        *(round(one.score, 4), stance, str(one.method), number),
    )


def details_of(theme: FoundTheme, quotable: Quotable) -> dict[str, Any]:
    """Return what is kept with a found theme: its phrases, and its medoid as an example.

    A medoid that may not be quoted is no example.
    """
    medoid = theme.medoid
    return {
        "phrases": list(theme.phrases),
        "examples": [medoid.text] if quotable(medoid.document, medoid.text) else [],
        "medoid": {"document": medoid.document, "start": medoid.start, "end": medoid.end},
    }
