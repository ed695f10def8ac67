"""What people decided about codings: it overrides what any later run finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from db.rows import AssignmentRow, DecisionRow, ThemeRow

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange
    from pipelines.themes.mapping import Correction

Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A theme that a person gave (``stands``) or took away at a place of a document."""

    document_id: int
    start: int
    end: int
    text: str
    theme_id: int
    stands: bool
    decision: int


def verdicts(store: Store, book: CodebookRow, themes: Sequence[ThemeRow]) -> list[Verdict]:
    """Return what stands of the decisions about a codebook, in the order they were made.

    A decision about a theme that was merged away counts for the theme that took it in; one about a
    deleted theme no more.
    """
    by_key = keys_of(themes)
    found: list[Verdict] = []
    for each in store.decisions(collection_id=book.collection_id):
        if each.kind == "theme" and each.scheme == book.name:
            found += _of(each, by_key)
    return found


def keys_of(themes: Iterable[ThemeRow]) -> dict[str, int]:
    """Return theme ids by key, those merged away included."""
    found: dict[str, int] = {}
    for theme in themes:
        found.update(dict.fromkeys(theme.details.get("merged_keys", ()), theme.id))
    return found | {theme.key: theme.id for theme in themes}


def _of(decision: DecisionRow, by_key: Mapping[str, int]) -> Iterable[Verdict]:
    place = (decision.document_id, decision.start, decision.end, decision.text)
    theme = by_key.get(decision.item)
    if theme is not None:
        stands = decision.verdict in ("accepted", "added")
        yield Verdict(*place, theme, stands, decision.id)
    if decision.verdict == "corrected":
        wanted = decision.replacement
        other = by_key.get(str(wanted.get("item", "")))
        if other is not None:
            span = (
                int(wanted.get("start", decision.start)),
                int(wanted.get("end", decision.end)),
                str(wanted.get("text", decision.text)),
            )
            yield Verdict(decision.document_id, *span, other, True, decision.id)


def corrections(verdicts: Iterable[Verdict], themes: Iterable[ThemeRow]) -> list[Correction]:
    """Return the verdicts as the mapper learns from them."""
    from pipelines.themes.mapping import Correction

    keys = {theme.id: theme.key for theme in themes}
    return [Correction(v.text, keys[v.theme_id], v.stands) for v in verdicts if v.theme_id in keys]


def apply_verdicts(
    change: CodebookChange, found: Sequence[Verdict], present: Sequence[AssignmentRow]
) -> int:
    """Make the codings what people decided and return how many changed; theirs become ``person``.

    ``present`` are the codings that stand.
    """
    held = {(row.document_id, row.start, row.end, row.theme_id): row for row in present}
    ended: dict[int, None] = {}
    added: dict[tuple[int, int, int, int], AssignmentRow] = {}
    for one in found:
        at = (one.document_id, one.start, one.end, one.theme_id)
        row = held.get(at)
        if not one.stands:
            added.pop(at, None)
            if row is not None:
                ended[row.id] = None
        elif row is None or row.id in ended or row.method != "person":
            stance = row.stance if row is not None else ""
            added[at] = AssignmentRow(
                *(one.theme_id, one.document_id, one.start, one.end, one.text, 1.0, stance),
                *("person", change.number),
            )
            if row is not None:
                ended[row.id] = None
    change.end_assignments(ended)
    change.assign(added.values())
    return len(ended) + len(added)


def take_back(
    change: CodebookChange,
    retracted: Iterable[DecisionRow],
    by_key: Mapping[str, int],
    found: Iterable[Verdict],
    codings: Sequence[AssignmentRow],
) -> int:
    """Undo what decisions that hold no more did to the codings; return how many changed.

    ``found`` are those that hold: what they speak of is left to them. ``codings`` are those of all
    versions. What a person gave goes; what a person took away comes back as it was.
    """
    spoken = {(v.document_id, v.start, v.end, v.theme_id) for v in found}
    last: dict[tuple[int, int, int, int], AssignmentRow] = {}
    for old in sorted(codings, key=lambda each: (each.until is None, each.until or 0, each.id)):
        last[old.document_id, old.start, old.end, old.theme_id] = old
    gone: dict[int, None] = {}
    back: dict[tuple[int, int, int, int], AssignmentRow] = {}
    for each in retracted:
        for one in _of(each, by_key):
            at = (one.document_id, one.start, one.end, one.theme_id)
            row = last.get(at)
            if at in spoken or row is None or each.verdict == "accepted":
                continue
            if one.stands and row.until is None and row.method == "person":
                gone[row.id] = None
            elif not one.stands and row.until is not None:
                back[at] = row
    change.end_assignments(gone)
    change.assign(back.values())
    return len(gone) + len(back)


def settled_places(found: Iterable[Verdict]) -> dict[int, list[tuple[int, int]]]:
    """Return the places that people decided about, by document."""
    places: dict[int, list[tuple[int, int]]] = {}
    for one in found:
        places.setdefault(one.document_id, []).append((one.start, one.end))
    return places


def is_settled(row: AssignmentRow, places: Mapping[int, Sequence[tuple[int, int]]]) -> bool:
    """Tell whether a coding lies where people decided: what stands there stays as it is."""
    return any(
        start < row.end and row.start < end for start, end in places.get(row.document_id, ())
    )
