"""The tree of alike statements, and where it is cut: how many themes there are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from pipelines.themes.likeness import View
from pipelines.themes.types import Integers

MOST = 30
"""Themes at most where no number is given: more are not read."""
FEWEST = 3

_ENOUGH = 0.9  # of the best parting: as good with fewer themes is better
_JUDGED = 1_200  # rows by which the number of themes is chosen
_DEEPEST = 40  # times the number of themes asked for: groups looked at for large ones
_HAIR = 1e-6


def smallest(statements: int) -> int:
    """Return the statements of the smallest theme: five, or one in a thousand; fewer of few."""
    if statements < 300:
        return 2 if statements < 100 else 3
    return max(5, math.ceil(statements / 1000))


def group(view: View, themes: int | None, least: int) -> Integers:
    """Return the group of each row, -1 for those of groups under ``least`` rows (two, if asked).

    Without a number (``themes``), the fewest groups are taken, from log2 of the rows to their root,
    that part the rows nearly as well as any number does, by the mean silhouette.
    """
    size = len(view.meaning)
    if size == 1:
        return np.zeros(1, dtype=np.int64)
    distance = 1.0 - view.likeness(view)
    np.fill_diagonal(distance, 0.0)
    # symmetric, and equal distances equal: ties then fall by the order of the words
    distance = np.round(np.maximum((distance + distance.T) / 2.0, 0.0), 5)
    tree = linkage(squareform(distance, checks=False), "average")
    if themes is not None:
        return _cut(tree, max(1, min(themes, size)), 2)
    high = min(MOST, max(FEWEST, round(math.sqrt(size))), size)
    tries: dict[int, Integers] = {}
    for number in _numbers(min(high, max(FEWEST, round(math.log2(size)))), high):
        groups = _cut(tree, number, least)
        tries.setdefault(int(groups.max()) + 1, groups)
    parted = {number: _parted(distance, groups) for number, groups in tries.items()}
    best = max(parted.values())
    enough = best - abs(best) * (1.0 - _ENOUGH)
    return tries[min(number for number, value in parted.items() if value >= enough)]


def _numbers(low: int, high: int) -> list[int]:
    """Return the numbers of themes that are tried, closer together where they are small."""
    found = [low]
    while found[-1] < high:
        found.append(min(high, found[-1] + max(1, found[-1] // 5)))
    return found


def _cut(tree: Any, themes: int, least: int) -> Integers:
    """Cut where ``themes`` groups, or as many as there ever are, have ``least`` rows and more."""
    size = len(tree) + 1
    best: tuple[int, Any] = (0, np.ones(size, dtype=np.int64))
    for groups in range(themes, min(size, _DEEPEST * themes) + 1):
        labels = fcluster(tree, groups, "maxclust")
        large = min(themes, int((np.bincount(labels) >= least).sum()))
        if large > best[0]:
            best = large, labels
        if large == themes:
            break
    labels = best[1]
    counts = np.bincount(labels)
    kept = sorted(np.flatnonzero(counts >= min(least, counts.max())).tolist())
    kept = sorted(kept, key=lambda group: -counts[group])[:themes]
    place = np.full(len(counts), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    return np.asarray(place[labels], dtype=np.int64)


def _parted(distance: Any, groups: Integers) -> float:
    """Return the mean silhouette (Rousseeuw 1987) of what is in a group; rounded, so that ties tie."""
    rows = np.flatnonzero(groups >= 0)
    rows = rows[:: max(1, len(rows) // _JUDGED)]
    count = int(groups.max()) + 1
    if count < 2 or len(rows) <= count:
        return -1.0
    table = np.eye(count)[groups[rows]]
    sizes = table.sum(axis=0)
    sums = distance[np.ix_(rows, rows)] @ table
    own = groups[rows]
    at = np.arange(len(rows))
    inner = sums[at, own] / np.maximum(sizes[own] - 1, 1)
    means = sums / np.maximum(sizes, 1)
    means[:, sizes == 0] = np.inf
    means[at, own] = np.inf
    outer = means.min(axis=1)
    value = np.where(
        sizes[own] > 1, (outer - inner) / np.maximum(np.maximum(outer, inner), _HAIR), 0
    )
    return round(float(value.mean()), 4)
