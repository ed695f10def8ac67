"""The nouns of campaigns: an answer, a campaign and its members, and the thresholds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A text that may be a copy. ``key`` is unique and decides ties; ``respondent`` "": unknown."""

    document: int
    key: str
    text: str
    question: str = ""
    respondent: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a campaign.

    ``likeness`` is the share (0 to 1) of the shared text's weight that it holds, ``exact`` that it
    has the same words as the text the template was taken from, ``own`` the (start, end) of the
    sender's own words in its text.
    """

    document: int
    key: str
    likeness: float
    exact: bool
    own: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Campaign:
    """Documents that belong together.

    ``kind`` is ``campaign`` (a shared template), ``copy`` (the same words) or ``respondent`` (one
    person under one question several times). ``template`` is the text that more than half of the
    members share, verbatim from one of them, with an ellipsis where their own words stand; "" for
    a respondent. ``likely_one_person`` says that a few long copies outside any campaign may be one
    person's answer sent again. Members are in order of their keys.
    """

    kind: str
    template: str
    members: tuple[Member, ...]
    respondent: str = ""
    question: str = ""
    likely_one_person: bool = False


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The numbers of ``rules.toml``, which explains them."""

    least_words: int
    shingle: int
    permutations: int
    rows: int
    common: int
    shared: float
    short_words: int
    short_shared: float
    short_longer: float
    same_answer_words: int
    same_answer_members: int
