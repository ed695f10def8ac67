"""What the copies of a letter share, and what in each of them is the sender's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby

from pipelines.campaigns.candidates import Shingles
from pipelines.campaigns.verify import Forms, Weights, blocks
from pipelines.campaigns.words import Word

Ranges = tuple[tuple[int, int], ...]
_SHORT = 3
"""Letters of a word that can be told again with one of them misread."""
GAP = " … "
"""Stands in a template where senders put words of their own."""


def medoid(sets: Sequence[Shingles], sizes: Sequence[int]) -> int:
    """Return the place of the text that holds most of what is shared and least of what is not.

    ``sizes`` says how many documents have each text. Ties go to the text with fewer shingles, then
    to the earlier one.
    """
    counts: Counter[int] = Counter()
    for one, size in zip(sets, sizes, strict=True):
        for shingle in one.tolist():
            counts[shingle] += size
    half = sum(sizes) / 2
    value = [sum(counts[shingle] - half for shingle in one.tolist()) for one in sets]
    return min(range(len(sets)), key=lambda place: (-value[place], len(sets[place]), place))


def shared_words(
    base: Forms, size: int, others: Sequence[tuple[Forms, int]], weights: Weights
) -> tuple[list[bool], list[list[tuple[int, int, int]]]]:
    """Return which words of ``base`` more than half of the documents have, and the blocks of each
    other text with it.

    ``size`` documents have the words of ``base``; ``others`` are texts with their numbers of documents.
    """
    found = [blocks(base, forms, weights) for forms, _ in others]
    counts = [size] * len(base)
    for of_one, (_, number) in zip(found, others, strict=True):
        for i, _, n in of_one:
            for place in range(i, i + n):
                counts[place] += number
    half = (size + sum(number for _, number in others)) / 2
    return [count > half for count in counts], found


def misread(
    base: Forms, other: Forms, found: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int]]:
    """Return (place in base, place in other) of words that are the same but for a few letters.

    They stand between the same words of both, as many in the one as in the other: errors of reading
    and typing, which are nobody's own words.
    """
    pairs = []
    ends = [*found, (len(base), len(other), 0)]
    i = j = 0
    for start, at, n in ends:
        if start - i == at - j:
            pairs += [
                (i + step, j + step)
                for step in range(start - i)
                if _nearly(base[i + step], other[j + step])
            ]
        i, j = start + n, at + n
    return pairs


def _nearly(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _SHORT:
        return one == other
    same = sum(
        n for _, _, n in SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    )
    return same >= max(len(one), len(other)) - max(1, max(len(one), len(other)) // 4)


def runs(words: Sequence[Word], which: Sequence[bool]) -> Ranges:
    """Return (start, end) in the text of every run of words for which ``which`` holds."""
    found = []
    for held, group in groupby(zip(which, words, strict=True), key=lambda pair: pair[0]):
        if held:
            run = [word for _, word in group]
            found.append((run[0].start, run[-1].end))
    return tuple(found)


def template_text(text: str, words: Sequence[Word], shared: Sequence[bool]) -> str:
    """Return the shared words as they stand in ``text``, with an ellipsis for others' places."""
    return GAP.join(text[start:end] for start, end in runs(words, shared))
