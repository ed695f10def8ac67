"""Rows that must not stand on both sides of a split: of one group, or with the same words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.types import Codes, Example, Integers

Marks = NDArray[np.uint32]

_WORDS = re.compile(r"\w+")


def normalised(text: str) -> str:
    """Return the words of a text in lower case, which is what makes two texts the same."""
    return " ".join(_WORDS.findall(text.lower()))


def text_marks(texts: Sequence[str]) -> Marks:
    """Return a 32-bit mark a text, [texts]: equal words give equal marks, and no word comes back."""
    digests = [
        hashlib.blake2b(normalised(text).encode("utf-8", "replace"), digest_size=4).digest()
        for text in texts
    ]
    return np.frombuffer(b"".join(digests), dtype="<u4").copy()


def group_rows(rows: Sequence[Example]) -> Integers:
    """Return a group number a row, [rows]; rows that share a group or a text share it.

    Sharing is handed on: where A has B's group and B has C's text, all three are one.
    """
    parents: dict[tuple[str, str], tuple[str, str]] = {}

    def root(key: tuple[str, str]) -> tuple[str, str]:
        while parents.setdefault(key, key) != key:
            parents[key] = parents[parents[key]]
            key = parents[key]
        return key

    keys: list[tuple[str, str]] = []
    for place, row in enumerate(rows):
        words = normalised(row.text)
        key = ("text", words) if words else ("row", str(place))
        if row.group:
            parents[root(("group", row.group))] = root(key)
        keys.append(key)
    numbers: dict[tuple[str, str], int] = {}
    return np.array([numbers.setdefault(root(key), len(numbers)) for key in keys], dtype=np.int64)


def assign_folds(groups: Integers, codes: Codes, folds: int, seed: int) -> Integers:
    """Return a fold number a row, [rows]: whole groups, sizes and labels spread evenly.

    Groups with the rarest labels are placed first, each where its labels are fewest (iterative
    stratification; Sechidis et al. 2011), ties by size of the fold and then by lot.
    """
    count = int(groups.max()) + 1
    lot = np.random.default_rng(seed).permutation(count)
    members = np.zeros((count, codes.shape[1]), dtype=np.float64)
    np.add.at(members, groups, codes.astype(np.float64))
    sizes = np.bincount(groups, minlength=count).astype(np.float64)
    totals = members.sum(axis=0)
    weights = 1.0 / np.maximum(totals, 1.0)
    rarest = np.where(members > 0, totals, np.inf).min(axis=1, initial=np.inf)
    order = np.lexsort((lot, -sizes, rarest))
    held = np.zeros((folds, codes.shape[1]))
    filled = np.zeros(folds)
    fold = np.zeros(count, dtype=np.int64)
    share = sizes.sum() / folds
    for group in order:
        cost = held @ (members[group] * weights) + filled / max(share, 1.0) * 0.5
        best = int(np.argmin(cost + np.roll(np.arange(folds), int(lot[group])) * 1e-9))
        fold[group] = best
        held[best] += members[group]
        filled[best] += sizes[group]
    return fold[groups]
