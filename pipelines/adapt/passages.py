"""A collection's documents as passages: which are trained on, which are kept apart to judge by."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pipelines.adapt.errors import AdaptError
from pipelines.segment import segment_all
from pipelines.views import decoded

FEWEST = 60
"""Different documents with two passages below which nothing can be learnt or judged."""

CHARACTERS = 12_000_000
"""Most characters that are kept in memory; of a larger collection a sample, chosen by hash."""

_HELD_SHARE, _HELD_MOST = 0.2, 500
_SHORTEST = 3  # words of a passage
_HALVED = 8  # words from which a single sentence has two halves

Passages = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages of the documents to train on and of those kept apart; ``sha256`` is of both.

    ``documents`` counts the different ones that were read, of which all or a sample are here.
    """

    train: tuple[Passages, ...]
    held: tuple[Passages, ...]
    documents: int
    sha256: str

    @property
    def passages(self) -> int:
        """How many passages there are to train on."""
        return sum(map(len, self.train))


def corpus(texts: Iterable[str], *, seed: int, characters: int = CHARACTERS) -> Corpus:
    """Return the passages of ``texts``, the same for any order; repeated texts count once.

    A fifth of the documents that have two passages, 500 at most, is kept apart. Raises
    ``AdaptError`` for too few.
    """
    kept: dict[bytes, Passages] = {}
    size = count = 0
    seen: set[bytes] = set()
    for text, found in _read(texts):
        mark = _mark(text, seed)
        if mark in seen or not found:
            continue
        seen.add(mark)
        count += 1
        kept[mark] = found
        size += sum(map(len, found))
        while size > 2 * characters:
            size = _thin(kept, characters)
    _thin(kept, characters)
    ordered = [kept[mark] for mark in sorted(kept)]
    paired = [number for number, found in enumerate(ordered) if len(found) > 1]
    if len(paired) < FEWEST:
        raise AdaptError(
            f"{len(paired)} different documents with two sentences or a long one, expected "
            f"{FEWEST} or more: nothing can be learnt from so few, nor judged. Read more with: "
            "florilegium run PATH --collection NAME"
        )
    apart = set(paired[: min(_HELD_MOST, int(_HELD_SHARE * len(paired)))])
    digest = hashlib.sha256()
    for mark in sorted(kept):
        digest.update(mark)
    return Corpus(
        tuple(found for number, found in enumerate(ordered) if number not in apart),
        tuple(ordered[number] for number in sorted(apart)),
        count,
        digest.hexdigest(),
    )


def passages(text: str, sentences: Sequence[str]) -> Passages:
    """Return the sentences of three words or more; a single long one as its two halves."""
    found = tuple(one for one in sentences if len(one.split()) >= _SHORTEST)
    if len(found) == 1 and len(words := found[0].split()) >= _HALVED:
        middle = len(words) // 2
        return (" ".join(words[:middle]), " ".join(words[middle:]))
    return found


def _read(texts: Iterable[str]) -> Iterator[tuple[str, Passages]]:
    def readable() -> Iterator[str]:
        for text in texts:
            view = decoded(text)
            yield text if view is None else view.text

    for batch in _batched(readable()):
        for text, segments in zip(batch, segment_all(batch), strict=True):
            yield text, passages(text, [text[s.start : s.end] for s in segments])


def _batched(texts: Iterator[str], size: int = 256) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _mark(text: str, seed: int) -> bytes:
    """Return what a document is known and ordered by: letter case and white space do not count."""
    return hashlib.sha256(f"{seed}\n{' '.join(text.split()).casefold()}".encode()).digest()


def _thin(kept: dict[bytes, Passages], characters: int) -> int:
    """Leave the documents of the smallest marks, at most ``characters``; return their size."""
    size = 0
    full = False
    for mark in sorted(kept):
        size += 0 if full else sum(map(len, kept[mark]))
        full = full or size > characters
        if full:
            del kept[mark]
    return sum(sum(map(len, found)) for found in kept.values())
