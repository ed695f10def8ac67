"""Find themes: statements that are alike, from thirty answers to a hundred thousand.

Average linkage (Sokal and Michener 1958) over ``likeness``, cut where enough groups are large enough
to be a theme. Beyond ``SAMPLE`` statements a sample is clustered, chosen by a hash of the words and
so the same in whatever order they come; all others go where they are most alike on average. What is less like its theme
than nearly all its members is "other". The same statements give the same themes.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.stages.vectors import Vectors
from pipelines.themes.cutting import FEWEST, group, smallest
from pipelines.themes.likeness import WORDS, View
from pipelines.themes.types import Coverage, Floats, Integers, Statement

SAMPLE = 3_000
"""Statements clustered at most; memory grows with its square (36 MB a matrix)."""
_OUTER = 0.01  # share of the members of themes that are less alike than what counts as "other"
_LEFT = 0.08  # of all statements that is "other" at most
_BLOCK = 2_000  # rows compared with the sample at once
_HAIR = 1e-6


@dataclass(frozen=True, slots=True)
class Found:
    """Themes as numbers: of each statement its theme (-1 other, -2 silent), confidence and runner-up.

    ``second`` is the theme that comes next, for "other" the nearest. Theme 0 has most statements.
    """

    theme: Integers
    score: Floats
    second: Integers
    themes: int

    @property
    def coverage(self) -> Coverage:
        """How much of what was said is in a theme."""
        counts = Counter(np.minimum(self.theme, 0).tolist())
        return Coverage(counts[0], counts[-1], counts[-2])


def find_themes(
    statements: Sequence[Statement],
    vectors: Vectors,
    *,
    themes: int | None = None,
    seed: int = 0,
    sample: int = SAMPLE,
) -> Found:
    """Group statements; ``vectors`` are their rows, [statements, dimensions].

    ``themes`` asks for a number, which is not reached where there are not enough groups of two.
    ``seed`` and ``sample`` choose what is clustered where there are more statements.
    """
    theme = np.full(len(statements), -2, dtype=np.int64)
    score = np.ones(len(statements), dtype=np.float32)
    second = np.full(len(statements), -1, dtype=np.int64)
    said = [row for row, one in enumerate(statements) if not one.silent]
    order = sorted(said, key=lambda row: (statements[row].text.casefold(), statements[row]))
    rows = np.array(order, dtype=np.int64)
    if not order:
        return Found(theme, score, second, 0)
    texts = [statements[row].text for row in order]
    # rounded: a kernel may give a row other last bits in other company
    view = View.of(texts, np.round(vectors[rows], 5))
    chosen = _sampled(texts, sample, seed)
    inside = view.take(chosen)
    groups = group(inside, themes, smallest(len(order)))
    count = int(groups.max()) + 1
    means = _mean_likeness(view, inside, groups, count)
    found = _settled(texts, chosen, groups, means)
    own = means[np.arange(len(order)), found]
    apart = _as_in_sample(texts, chosen, _without_self(own, inside, chosen, groups))
    floor = _floor(apart, chosen, groups)
    theme[rows] = np.where(apart < floor, -1, found)
    score[rows], second[rows] = _confidence(means, found, theme[rows])
    return _renumbered(Found(theme, score, second, count))


def _sampled(texts: Sequence[str], most: int, seed: int) -> Integers:
    """Return the rows of a sample, in order: those whose words, and how often before, hash lowest."""
    if len(texts) <= most:
        return np.arange(len(texts), dtype=np.int64)
    before: Counter[str] = Counter()
    marks = []
    for row, text in enumerate(texts):
        mark = hashlib.blake2b(f"{seed} {before[text]} {text}".encode(), digest_size=8)
        marks.append((mark.digest(), row))
        before[text] += 1
    return np.array(sorted(row for _, row in sorted(marks)[:most]), dtype=np.int64)


def _mean_likeness(view: View, inside: View, groups: Integers, count: int) -> Floats:
    """Return how alike each row is to the members of each group on average, [rows, groups]."""
    members = groups >= 0
    table = np.eye(count, dtype=np.float32)[groups[members]]
    table /= table.sum(axis=0, keepdims=True)
    inside = inside.take(np.flatnonzero(members))
    means = np.zeros((len(view.meaning), count), dtype=np.float32)
    for start in range(0, len(means), _BLOCK):
        rows = np.arange(start, min(start + _BLOCK, len(means)))
        means[rows] = view.take(rows).likeness(inside) @ table
    return np.round(means, 5)


def _settled(texts: Sequence[str], chosen: Integers, groups: Integers, means: Floats) -> Integers:
    """Return the theme of each row: that of its words in the sample, else the most alike."""
    found = means.argmax(axis=1).astype(np.int64)
    known = {
        texts[row].casefold(): int(group)
        for row, group in zip(chosen.tolist(), groups.tolist(), strict=True)
        if group >= 0
    }
    for row, text in enumerate(texts):
        if (group := known.get(text.casefold())) is not None:
            found[row] = group
    return np.asarray(found, dtype=np.int64)


def _without_self(own: Floats, inside: View, chosen: Integers, groups: Integers) -> Floats:
    """Return likeness to the other members: a member is most like itself, which tells nothing."""
    sizes = np.bincount(groups[groups >= 0])[np.maximum(groups, 0)]
    members = (groups >= 0) & (sizes > 1)
    itself = np.where(inside.words.getnnz(axis=1) > 0, 1.0, 1.0 / (1.0 + WORDS))
    apart = own.copy()
    rows, size = chosen[members], sizes[members]
    apart[rows] = (own[rows] * size - itself[members]) / (size - 1)
    return np.round(apart, 4)


def _as_in_sample(texts: Sequence[str], chosen: Integers, values: Floats) -> Floats:
    """Return the values, of like words the least in the sample for all."""
    known: dict[str, float] = {}
    for row in chosen.tolist():
        plain = texts[row].casefold()
        known[plain] = min(known.get(plain, 1.0), float(values[row]))
    pairs = zip(texts, values.tolist(), strict=True)
    return np.array([known.get(text.casefold(), value) for text, value in pairs], dtype=np.float32)


def _floor(apart: Floats, chosen: Integers, groups: Integers) -> float:
    """Return the likeness that nearly all members have with their theme, and most of the rest."""
    members = apart[chosen[groups >= 0]]
    if len(members) <= FEWEST:
        return 0.0
    return float(min(np.quantile(members, _OUTER), np.quantile(apart, _LEFT)))


def _confidence(means: Floats, found: Integers, theme: Integers) -> tuple[Floats, Integers]:
    """Return own likeness by that and the best other one, and the runner-up; of "other" its lack."""
    at = np.arange(len(means))
    own = means[at, found]
    if means.shape[1] == 1:
        return np.ones(len(means), dtype=np.float32), np.where(theme < 0, found, -1)
    rest = means.copy()
    rest[at, found] = -1.0
    next_best = rest.argmax(axis=1)
    share = own / np.maximum(own + np.maximum(rest.max(axis=1), 0.0), _HAIR)
    score = np.where(theme == -1, 1.0 - share, share)
    second = np.where(theme == -1, found, next_best)
    return np.round(score, 4).astype(np.float32), second.astype(np.int64)


def _renumbered(found: Found) -> Found:
    """Return the same with the largest theme first; of equal ones the first found."""
    counts = np.bincount(found.theme[found.theme >= 0], minlength=found.themes)
    order = np.argsort(-counts, kind="stable")
    place = np.empty(found.themes + 2, dtype=np.int64)
    place[order] = np.arange(found.themes)
    place[-1], place[-2] = -1, -2
    return Found(place[found.theme], found.score, place[found.second], int((counts > 0).sum()))
