"""The figures of a report: how many responses say what, on both campaign bases.

"All responses" counts each document; "campaigns counted once" counts the documents of a campaign or
of word-for-word copies as one. A response is for a theme where it only speaks for it, against where
only against, mixed where both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.report.blocks import HIDDEN, Column, Table, Value
from app.report.suppression import protect
from db.rows import AssignmentRow, DocumentFacts, ThemeRow

UNASSESSED = "not assessed"
SIDES = ("for", "against", "mixed", "neither", UNASSESSED)
NO_ANSWER = "(not given)"
PARTED = ("closed_multi",)
"""Roles of columns whose cells hold several answers."""


@dataclass(frozen=True, slots=True)
class Coded:
    """What each document says: theme id to stances, and the voice that stands for it.

    ``voices`` maps documents of a campaign to one number; others are their own voice.
    """

    said: Mapping[int, Mapping[int, frozenset[str]]]
    voices: Mapping[int, int]

    def voice(self, document: int) -> tuple[bool, int]:
        """Return what counts as one: the campaign, or the document itself."""
        campaign = self.voices.get(document)
        return (True, campaign) if campaign is not None else (False, document)

    def documents(self, theme: int) -> list[int]:
        """Return the documents that speak of a theme, by id."""
        return sorted(document for document, themes in self.said.items() if theme in themes)

    def size(self, documents: Iterable[int], *, once: bool) -> int:
        """Return how many documents, or voices, there are."""
        return len({self.voice(document) if once else document for document in documents})

    def sides(self, theme: int, *, once: bool) -> dict[str, int]:
        """Return how many documents, or voices, are on each side of a theme."""
        stances: dict[object, set[str]] = defaultdict(set)
        for document in self.documents(theme):
            key = self.voice(document) if once else document
            stances[key] |= self.said[document][theme]
        counts = dict.fromkeys(SIDES, 0)
        for said in stances.values():
            counts[side_of(said)] += 1
        return counts


def side_of(stances: Collection[str]) -> str:
    """Return the one side that statements add up to."""
    if "mixed" in stances or {"for", "against"} <= set(stances):
        return "mixed"
    return next((side for side in ("for", "against", "neither") if side in stances), UNASSESSED)


def coded(assignments: Iterable[AssignmentRow], voices: Mapping[int, int]) -> Coded:
    """Return what the documents say."""
    said: dict[int, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in assignments:
        said[row.document_id][row.theme_id].add(row.stance)
    return Coded(
        {
            document: {theme: frozenset(stances) for theme, stances in themes.items()}
            for document, themes in said.items()
        },
        voices,
    )


def theme_table(themes: Sequence[tuple[int, ThemeRow]], figures: Coded) -> Table:
    """Return themes with responses and sides, on both bases; ``themes`` come with their depth."""
    rows: list[tuple[Value, ...]] = []
    for depth, theme in themes:
        documents = figures.documents(theme.id)
        every = figures.sides(theme.id, once=False)
        once = figures.sides(theme.id, once=True)
        rows.append(
            (
                theme.key,
                "\u2003" * depth + theme.label,
                figures.size(documents, once=False),
                *(every[side] for side in SIDES),
                figures.size(documents, once=True),
                *(once[side] for side in SIDES),
            )
        )
    return Table(
        "Themes",
        "Themes and stance",
        (
            Column("id", "Key of the theme in the codebook"),
            Column("theme", "Label of the theme; themes under another are set in"),
            Column("responses", "Responses with a statement under the theme"),
            *(Column(side, f"Of these, responses that are {side}: all counted") for side in SIDES),
            Column("counted once", "The same with each campaign counted as one response"),
            *(
                Column(f"{side}, counted once", f"Of these, {side}, each campaign counted once")
                for side in SIDES
            ),
        ),
        tuple(rows),
        (
            "A response can speak of several themes, so the rows do not add up to the responses.",
            "A theme's row counts its own statements, not those of the themes under it.",
        ),
    )


def crosstab(
    themes: Sequence[tuple[int, ThemeRow]],
    figures: Coded,
    facts: Sequence[DocumentFacts],
    column: str,
    *,
    separator: str = "",
    once: bool = False,
    threshold: int = 10,
    rounding: int = 0,
) -> Table:
    """Return themes by the answers of a closed or demographic column, small cells hidden.

    A response with several answers (``separator``) counts under each. A row's total is the sum of
    its cells. Rows are themes; a last one has the responses that speak of none.
    """
    answers = {fact.id: _answers(fact, column, separator) for fact in facts}
    heads = list(
        dict.fromkeys(sorted({a for given in answers.values() for a in given}, key=_order))
    )
    lines: list[tuple[str, list[int]]] = [
        (theme.label, [document for document in figures.documents(theme.id) if document in answers])
        for _, theme in themes
    ]
    lines.append(("(none of these)", sorted(answers.keys() - figures.said.keys())))
    counts = [
        [figures.size((d for d in documents if head in answers[d]), once=once) for head in heads]
        for _, documents in lines
    ]
    shown = protect(counts, threshold=threshold, rounding=rounding)
    basis = "campaigns counted once" if once else "all responses"
    rows = tuple(
        (label, *(HIDDEN if cell is None else cell for cell in (*cells, total)))
        for (label, _), cells, total in zip(lines, shown.cells, shown.row_totals, strict=True)
    )
    notes = [f"Basis: {basis}."]
    if threshold > 1:
        notes.append(
            f"{HIDDEN}: hidden, {shown.primary} cells because fewer than {threshold} responses are "
            f"behind them and {shown.secondary} so that those cannot be worked out."
        )
    if rounding > 1:
        notes.append(f"Numbers are rounded to the nearest {rounding}.")
    if separator:
        notes.append("A response may have given several answers and counts under each.")
    return Table(
        f"By {column}",
        f"Themes by: {column} ({basis})",
        (
            Column("theme", "Label of the theme"),
            *(Column(head, f"Responses whose answer to {column!r} is {head!r}") for head in heads),
            Column("sum", "Sum of the row"),
        ),
        rows,
        tuple(notes),
    )


def _answers(fact: DocumentFacts, column: str, separator: str) -> tuple[str, ...]:
    value = fact.metadata.get(column)
    text = "" if value is None else str(value).strip()
    if not text:
        return (NO_ANSWER,)
    parts = [part.strip() for part in text.split(separator)] if separator else [text]
    return tuple(dict.fromkeys(part for part in parts if part)) or (NO_ANSWER,)


def _order(answer: str) -> tuple[bool, str]:
    return answer == NO_ANSWER, answer.casefold()
