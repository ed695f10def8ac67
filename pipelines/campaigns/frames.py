"""First and last sentences that many different messages have: greetings, set phrases, mail notices.

Rules know only some of them. A sentence is taken for a frame where what comes next to it differs from
message to message, and where it is never the message itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_KEY = 2
"""First and last words by which a sentence is known again: a town may stand between them."""
_BESIDE = 2
_LEAST_DIFFERENT = 5
_MOST_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Sides:
    """How many words the first sentence and the last paragraph or sentence of a message have."""

    opening: int
    closing: int


class Frames:
    """The openings and closings of a collection that are no part of what is said.

    ``messages`` are those to count, one a campaign as far as that is known; ``whole`` all of them:
    what is a whole message anywhere is no frame.
    """

    def __init__(
        self, messages: Iterable[tuple[Sequence[str], Sides]], whole: Iterable[Sequence[str]]
    ) -> None:
        beside: dict[tuple[bool, tuple[str, ...]], Counter[tuple[str, ...]]] = {}
        alone = {_key(forms) for forms in whole}
        for forms, sides in messages:
            for first in (True, False):
                key, next_ = _edge(forms, sides, first=first)
                if key is not None:
                    beside.setdefault((first, key), Counter())[next_] += 1
        self._known = {
            place
            for place, counts in beside.items()
            if place[1] not in alone
            and len(counts) >= _LEAST_DIFFERENT
            and max(counts.values()) <= _MOST_ALIKE * counts.total()
        }

    def trim(self, forms: Sequence[str], sides: Sides) -> tuple[int, int]:
        """Return how many words at the start and at the end of a message are a frame."""
        cut = [0, 0]
        for place, first in enumerate((True, False)):
            key, _ = _edge(forms, sides, first=first)
            if key is not None and (first, key) in self._known:
                cut[place] = sides.opening if first else sides.closing
        return (cut[0], cut[1]) if sum(cut) < len(forms) else (0, 0)


def _edge(
    forms: Sequence[str], sides: Sides, *, first: bool
) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
    """Return a sentence's key and the words beside it; none where it is the whole message."""
    size = sides.opening if first else sides.closing
    if not 2 * _KEY <= size < len(forms):
        return None, ()
    start = 0 if first else len(forms) - size
    sentence = forms[start : start + size]
    beside = forms[size : size + _BESIDE] if first else forms[max(0, start - _BESIDE) : start]
    return _key(sentence), tuple(beside)


def _key(sentence: Sequence[str]) -> tuple[str, ...]:
    return (*sentence[:_KEY], *sentence[-_KEY:])
