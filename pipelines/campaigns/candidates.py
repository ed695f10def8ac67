"""Which texts may be copies: MinHash with banding first, then rare shingles that groups share.

MinHash (Broder 1997, https://doi.org/10.1109/SEQUEN.1997.666900) by datasketch gathers what is plainly
alike and so takes large campaigns together; what is left are few enough texts to compare them by every
shingle that is not a common turn of phrase, which finds copies with many edits too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from pipelines.campaigns.types import Thresholds

Shingles = NDArray[np.uint64]
_BLOCK = 2_000
_PAIRS = 4_000_000
"""Pairs of texts that are counted at a time."""


def shingles(forms: Sequence[str], length: int) -> Shingles:
    """Return the distinct hashes of ``length`` words in a row, sorted; of all of a shorter text."""
    last = max(1, len(forms) - length + 1)
    found = {_hash(" ".join(forms[i : i + length])) for i in range(last)}
    return np.array(sorted(found), dtype=np.uint64)


def _hash(words: str) -> int:
    data = words.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


class Bands:
    """MinHash values of texts in bands: texts that agree in a whole band are near."""

    def __init__(self, sets: Sequence[Shingles], thresholds: Thresholds) -> None:
        from datasketch import MinHashLSH

        self._sets = sets
        self._values = thresholds.permutations
        bands = thresholds.permutations // thresholds.rows
        self._lsh = MinHashLSH(params=(bands, thresholds.rows), num_perm=self._values)
        self._minhashes: list[object] = []
        self._first = 0

    def near(self, place: int) -> list[int]:
        """Return the texts added so far that are near ``place``; places are asked for in order."""
        return sorted(self._lsh.query(self._minhash(place)))

    def add(self, place: int) -> None:
        """Let later texts find ``place``."""
        self._lsh.insert(place, self._minhash(place), check_duplication=False)

    def _minhash(self, place: int) -> object:
        from datasketch import MinHash

        if not self._first <= place < self._first + len(self._minhashes):
            self._first = place - place % _BLOCK
            block = self._sets[self._first : self._first + _BLOCK]
            self._minhashes = MinHash.bulk(
                [one.tolist() for one in block], num_perm=self._values, hashfunc=_lower_half
            )
        return self._minhashes[place - self._first]


def _lower_half(value: int) -> int:
    return value & 0xFFFFFFFF


def sharing(sets: Sequence[Shingles], common: int, least: float) -> Iterator[tuple[int, int]]:
    """Yield pairs (earlier, later) that share ``least`` of the smaller one's rare shingles.

    A rare shingle stands in no more than ``common`` of the texts.
    """
    sizes = np.array([len(one) for one in sets], dtype=np.int64)
    if not sizes.sum():
        return
    values = np.concatenate(list(sets))
    owners = np.repeat(np.arange(len(sets), dtype=np.int64), sizes)
    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    edges = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1], [True])))
    spread = np.diff(edges)
    dropped = np.repeat(spread > common, spread)
    rare = np.maximum(1, sizes - np.bincount(owners[dropped], minlength=len(sets)))
    counted = _Counted()
    for size in range(2, common + 1):
        starts = edges[:-1][spread == size]
        rows = owners[starts[:, None] + np.arange(size)] if len(starts) else owners[:0, None]
        for one, other in combinations(range(size if len(rows) else 0), 2):
            counted.add(rows[:, one] * len(sets) + rows[:, other])
    codes, counts = counted.all()
    first, second = codes // len(sets), codes % len(sets)
    enough = counts >= np.maximum(2.0, least * np.minimum(rare[first], rare[second]))
    yield from zip(first[enough].tolist(), second[enough].tolist(), strict=True)


class _Counted:
    """How often each number was added; what has come is put together from time to time."""

    def __init__(self) -> None:
        self._new: list[NDArray[np.int64]] = []
        self._held = 0
        self._codes = np.zeros(0, dtype=np.int64)
        self._counts = np.zeros(0, dtype=np.int64)

    def add(self, codes: NDArray[np.int64]) -> None:
        """Count each of ``codes`` once more."""
        self._new.append(codes)
        self._held += len(codes)
        if self._held >= _PAIRS:
            self._settle()

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the distinct numbers in order, and their counts."""
        self._settle()
        return self._codes, self._counts

    def _settle(self) -> None:
        codes = np.concatenate([self._codes, *self._new])
        counts = np.concatenate([self._counts, np.ones(self._held, dtype=np.int64)])
        self._codes, places = np.unique(codes, return_inverse=True)
        self._counts = np.bincount(places, weights=counts).astype(np.int64)
        self._new, self._held = [], 0
