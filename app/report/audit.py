"""The audit sheet: for every coded place what the machine said, what stands now, and who changed it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from app.codebooks.overview import detail_words
from app.report.blocks import Column, Table
from db.rows import AssignmentRow, CodebookVersionRow, DecisionRow

if TYPE_CHECKING:
    from db.rows import CodebookRow
    from db.store import Store

MACHINE = ("find", "map")
"""Actions that a machine does; everything else is a person's."""

Place = tuple[int, int, int]


def audit_table(store: Store, book: CodebookRow, keys: Mapping[int, str]) -> Table:
    """Return a row for each place that the machine coded last, a person decided, or is coded now."""
    versions = store.codebook_versions(book.id)
    machine = max((v.number for v in versions if v.action in MACHINE), default=0)
    labels_now = {t.id: t.label for t in store.themes(book.id, book.version)}
    then = _by_place(_machines(store.assignments(book.id, version=machine)))
    coded = [version.number for version in versions if version.action == "code"]
    # where a person decided, later runs only repeat it: what the machine said is what was replaced
    replaced = _by_place(_machines(store.ended_codings(book.id, coded)))
    labels_then = {
        theme.id: theme.label
        for number in sorted({machine, *(n - 1 for n in coded)})
        for theme in store.themes(book.id, number)
    }
    then |= replaced
    now = _by_place(store.assignments(book.id, version=book.version))
    decided = _decided(store.decisions(collection_id=book.collection_id))
    actions = {version.number: version for version in versions}
    rows = []
    places = then.keys() | now.keys() | decided.keys()
    for place in sorted(places, key=lambda p: (keys.get(p[0], ""), *p)):
        before, after = then.get(place, []), now.get(place, [])
        said = sorted(labels_then.get(row.theme_id, "") for row in before)
        stands = sorted(labels_now.get(row.theme_id, "") for row in after)
        changed = said != stands or place in decided or any(row.method == "person" for row in after)
        who, why = _who(place, after, decided, actions) if changed else ("", "")
        rows.append(
            (
                keys.get(place[0], str(place[0])),
                after[0].text if after else before[0].text if before else decided[place].text,
                *place[1:],
                "; ".join(said),
                "; ".join(stands),
                "yes" if changed else "no",
                who,
                why,
            )
        )
    return Table(
        "Audit",
        "What the machine said and what stands",
        (
            Column("response", "Identifier of the response"),
            Column("statement", "Words of the response, unchanged"),
            Column("start", "First character of the statement, from 0"),
            Column("end", "Character after the last one"),
            Column("machine", "Themes the machine gave, last or before a person decided"),
            Column("current", f"Themes that stand (codebook version {book.version})"),
            Column("changed", "Whether a person's change lies between the two"),
            Column("by", "Who changed it"),
            Column("why", "What was done, and the reason where one was given"),
        ),
        tuple(rows),
        wide=True,
    )


def history_table(versions: Sequence[CodebookVersionRow]) -> Table:
    """Return what was done to the codebook, oldest first."""
    return Table(
        "Codebook history",
        "What was done to the codebook",
        (
            Column("version", "Version that the change made"),
            Column("action", "What was done"),
            Column("by", "Who did it"),
            Column("at", "When, in UTC"),
            Column("detail", "What it was done to"),
            Column("signed off by", "Who signed the version off"),
        ),
        tuple(
            (
                each.number,
                each.action,
                each.author,
                f"{each.created_at:%Y-%m-%d %H:%M}",
                detail_words(each.detail),
                each.signed_off_by,
            )
            for each in versions
        ),
    )


def _machines(rows: Iterable[AssignmentRow]) -> Iterable[AssignmentRow]:
    return (row for row in rows if row.method != "person")


def _by_place(rows: Iterable[AssignmentRow]) -> dict[Place, list[AssignmentRow]]:
    found: dict[Place, list[AssignmentRow]] = defaultdict(list)
    for row in rows:
        found[row.document_id, row.start, row.end].append(row)
    return found


def _decided(decisions: Sequence[DecisionRow]) -> dict[Place, DecisionRow]:
    """Return the newest decision about a theme at each place."""
    return {(d.document_id, d.start, d.end): d for d in decisions if d.kind == "theme"}


def _who(
    place: Place,
    after: Sequence[AssignmentRow],
    decided: Mapping[Place, DecisionRow],
    actions: Mapping[int, CodebookVersionRow],
) -> tuple[str, str]:
    decision = decided.get(place)
    if decision is not None:
        reason = f": {decision.reason}" if decision.reason else ""
        return decision.reviewer, f"{decision.verdict}{reason}"
    made = max(
        (actions[row.since] for row in after if row.since in actions), default=None, key=_number
    )
    return (made.author, made.action) if made is not None else ("", "")


def _number(version: CodebookVersionRow) -> int:
    return version.number
