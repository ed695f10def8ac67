"""People's codings: corrections one by one or from a table, each a decision and part of a version."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.codebooks.decided import apply_verdicts, keys_of, take_back, verdicts
from app.codebooks.operations import find_theme
from app.codebooks.recording import versioned
from app.errors import UsageError
from db.rows import DecisionInput

if TYPE_CHECKING:
    from db.rows import AssignmentRow, CodebookRow, DecisionRow, ThemeRow
    from db.store import Store
    from db.store.codebook_changes import CodebookChange

COLUMNS = ("response", "start", "end", "from", "to", "reason")
"""Columns of a table of corrections; ``reason`` and one of ``from`` and ``to`` may be empty."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A correction: the statement of a response goes ``from`` a theme ``to`` another.

    An empty ``to`` takes it out of the theme, an empty ``before`` adds it; both the same confirm it.
    """

    response: str
    start: int
    end: int
    before: str
    to: str
    reason: str = ""


def read_corrections(path: Path) -> list[Corrected]:
    """Return the corrections of a CSV table; raise UsageError with everything wrong in it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(
            f"The corrections {str(path)!r} cannot be read: {error}. Expected a CSV file in UTF-8 "
            f"with the columns {', '.join(COLUMNS)}."
        ) from error
    missing = [name for name in COLUMNS[:5] if rows and name not in rows[0]]
    problems = [f"no column {name!r}" for name in missing] or ([] if rows else ["no rows"])
    found = []
    for number, row in enumerate(rows if not problems else (), start=2):
        try:
            place = int(row["start"]), int(row["end"])
        except (TypeError, ValueError):
            problems.append(f"line {number}: start and end must be whole numbers")
            continue
        before, to = (str(row[name] or "").strip() for name in ("from", "to"))
        if not (before or to):
            problems.append(f"line {number}: neither 'from' nor 'to' names a theme")
        reason = str(row.get("reason") or "").strip()
        found.append(Corrected(str(row["response"]), *place, before, to, reason))
    if problems:
        raise UsageError(f"The corrections {path.name!r} cannot be used: {'; '.join(problems)}.")
    return found


def correct(
    store: Store, book: CodebookRow, given: Sequence[Corrected], *, author: str
) -> tuple[int, int]:
    """Store corrections as decisions and apply them; return (version, codings changed).

    All are checked before any is stored: a response, place or theme that is not there is an error.
    """
    from app.codebooks.checks import places

    themes = store.themes(book.id, book.version)
    texts = places(store, book, [(each.response, each.start, each.end) for each in given])
    inputs = [
        _decision(each, text, themes, book, author) for each, text in zip(given, texts, strict=True)
    ]
    return decide(store, book, inputs, author=author)[1:]


def decide(
    store: Store, book: CodebookRow, inputs: Sequence[DecisionInput], *, author: str
) -> tuple[list[DecisionRow], int, int]:
    """Store decisions and apply them; return them, the version that stands and codings changed.

    What an earlier decision did goes where one of these is made in its place.
    """
    before = store.decisions(collection_id=book.collection_id)
    made = [store.decide(each) for each in inputs]
    holding = {row.id for row in store.decisions(collection_id=book.collection_id)}
    retracted = [row for row in before if row.id not in holding]
    ids = [row.id for row in made]
    return made, *apply_decisions(store, book, author=author, decisions=ids, retracted=retracted)


def apply_decisions(
    store: Store,
    book: CodebookRow,
    *,
    author: str,
    decisions: Iterable[int] = (),
    retracted: Sequence[DecisionRow] = (),
) -> tuple[int, int]:
    """Make the codings what people decided; return the version that stands and how many changed.

    ``retracted`` are decisions that hold no more: what they did goes first.
    """
    themes = store.themes(book.id, book.version)
    found = verdicts(store, book, themes)
    standing: list[AssignmentRow] = store.assignments(book.id, version=book.version)
    changed = 0
    ids = list(decisions) or [each.decision for each in found]
    ours = [row for row in retracted if row.kind == "theme" and row.scheme == book.name]
    every = store.all_codings(book.id, {row.document_id for row in ours})

    def write(change: CodebookChange) -> bool:
        nonlocal changed
        changed = apply_verdicts(change, found, standing)
        changed += take_back(change, ours, keys_of(themes), found, every)
        return bool(changed)

    number, _ = versioned(store, book, "code", {"decisions": ids}, write, author=author)
    return number, changed


def _decision(
    each: Corrected,
    place: tuple[int, str],
    themes: Sequence[ThemeRow],
    book: CodebookRow,
    author: str,
) -> DecisionInput:
    document, text = place
    before = find_theme(themes, each.before) if each.before else None
    to = find_theme(themes, each.to) if each.to else None
    verdict = "corrected"
    if before is None:
        verdict = "added"
    elif to is None:
        verdict = "rejected"
    elif to.id == before.id:
        verdict = "accepted"
    item = before or to
    assert item is not None
    replacement = (
        {"scheme": book.name, "item": to.key, "start": each.start, "end": each.end, "text": text}
        if verdict == "corrected" and to is not None
        else {}
    )
    return DecisionInput(
        document,
        "theme",
        book.name,
        item.key,
        each.start,
        each.end,
        text,
        verdict,
        author,
        each.reason,
        replacement,
    )
