"""The nouns of summaries of several texts: what is said where, how much is wanted, what was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What a sentence was chosen for."""

    SUMMARY = "summary"
    CENTRAL = "central"  # stands for the group
    DIFFERENT = "different"  # least like the group


SIDES = ("for", "against", "mixed")
"""Stances between which a group can be divided."""


@dataclass(frozen=True, slots=True)
class Said:
    """One document of a group with the places of its statements.

    ``spans`` are (start, end) into ``text``, in its order, half-open code points; ``stances`` is
    empty or has one a span. ``key`` decides ties, and so must not depend on when the document
    came in. Documents with the same ``voice`` (the senders of one campaign letter) count as one
    where consensus is counted; "" is a voice of its own. ``time`` orders notes and letters.
    """

    document: int
    key: str
    text: str
    spans: tuple[tuple[int, int], ...]
    stances: tuple[str, ...] = ()
    voice: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Length:
    """How long a summary may be: sentences, words, or a share (0 to 1) of the words there are.

    What is given all holds; nothing given is two sentences. At least one sentence is chosen.
    """

    sentences: int | None = None
    words: int | None = None
    share: float | None = None

    def bounds(self, words: int) -> tuple[int, int]:
        """Return the most sentences and the most words for a source of so many ``words``."""
        most = words if self.words is None else min(words, self.words)
        if self.share is not None:
            most = min(most, max(1, round(words * self.share)))
        if self.sentences is not None:
            return self.sentences, most
        return (2 if self.words is None and self.share is None else words + 1), most


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence of a document, verbatim: ``text`` stands at ``start`` to ``end`` of it.

    ``rank`` 1 is the best of its kind; ``score`` is 0 to 1.
    """

    document: int
    key: str
    start: int
    end: int
    text: str
    rank: int
    score: float
    stance: str = ""
    kind: Kind = Kind.SUMMARY
    time: str = ""


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """The sentences chosen of a group, and what they were chosen from.

    ``stances`` counts statements by side. ``left_out`` counts, by reason, the statements that could
    not be quoted. ``reason`` says why there is nothing, "" otherwise.
    """

    sentences: tuple[Chosen, ...]
    documents: int
    statements: int
    words: int
    stances: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    reason: str = ""
