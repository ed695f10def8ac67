"""Stance per theme and answer: how many are for, against, mixed or neither, with a quote a side.

What an answer says within a theme is read together by the bundled stance set. It needs a question
that proposes something; without one nothing is assessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pipelines.themes.types import NO_REASON, OTHER, Assignment, Quote, Side, StanceCount

if TYPE_CHECKING:
    from pipelines.learn.labeller import Labeller

_SIDES = {
    "support": Side.FOR,
    "oppose": Side.AGAINST,
    "mixed": Side.MIXED,
    "neither": Side.NEITHER,
}
_SHORT, _LONG = 5, 45  # words of a quote that stands by itself


def with_stance(
    assignments: Sequence[Assignment],
    questions: Mapping[int, str],
    labeller: Labeller,
) -> list[Assignment]:
    """Return the assignments with the stance of their answer within their theme.

    ``questions`` are those of the documents; where it is "" the stance stays empty. ``labeller``
    is that of the bundled set ``stance``.
    """
    parts = _parts(assignments)
    asked = [pair for pair in parts if questions.get(pair[1], "").strip()]
    if not asked:
        return list(assignments)
    texts = [" ".join(one.text for one in parts[pair]) for pair in asked]
    values = labeller.probabilities(texts, [questions[document] for _, document in asked])
    labels = labeller.trained.labels
    side = {
        pair: _SIDES[labels[int(row)]]
        for pair, row in zip(asked, values.argmax(axis=1), strict=True)
    }
    return [
        replace(one, stance=str(side.get((one.theme, one.document), ""))) for one in assignments
    ]


def count_stances(assignments: Sequence[Assignment]) -> dict[str, StanceCount]:
    """Return counts of answers and quotes by theme; a theme without a stance is left out.

    Quotes are statements of a length that stands alone, the surest first.
    """
    sides: dict[str, dict[int, Side]] = {}
    best: dict[tuple[str, Side], tuple[tuple[bool, float, int, int], Quote]] = {}
    for one in assignments:
        if not one.stance or one.theme == NO_REASON:
            continue
        side = Side(one.stance)
        sides.setdefault(one.theme, {})[one.document] = side
        length = _SHORT <= len(one.text.split()) <= _LONG
        rank = (not length, -one.score, one.document, one.start)
        quote = Quote(one.document, one.start, one.end, one.text)
        held = best.get((one.theme, side))
        if held is None or rank < held[0]:
            best[one.theme, side] = rank, quote
    return {
        theme: StanceCount(
            {side: sum(1 for s in of_theme.values() if s is side) for side in Side},
            {side: best[theme, side][1] for side in Side if (theme, side) in best},
        )
        for theme, of_theme in sorted(sides.items())
    }


def _parts(assignments: Sequence[Assignment]) -> dict[tuple[str, int], list[Assignment]]:
    """Return what each answer says within each theme, in order of the text."""
    found: dict[tuple[str, int], list[Assignment]] = {}
    for one in sorted(assignments, key=lambda a: (a.theme, a.document, a.start)):
        if one.theme not in (NO_REASON, OTHER):
            found.setdefault((one.theme, one.document), []).append(one)
    return found
