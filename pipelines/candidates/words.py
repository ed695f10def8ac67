"""Runs of words that no stop word or mark interrupts, with the words on either side of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import NamedTuple

LONGEST = 5
"""Words of the longest candidate."""
OF = "of"
"""The one stop word that may stand inside a candidate: "loss of consciousness"."""

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_NUMBER = re.compile(
    r"\d+(?:st|nd|rd|th|s|d|l|am|pm|g|kg|mg|ml|mcg|cm|mm|yr|yrs|min|mins|hr|hrs|p)?"
)
_GAP = re.compile(r"[ \t\u00a0]+|[ \t]*\r?\n[ \t]*")
_SENTENCE_END = re.compile(r"[.!?:;\n\r\u2022*]")


class Token(NamedTuple):
    """A word of a text: ``text[start:end]``, its form, and whether a capital there says nothing."""

    start: int
    end: int
    form: str
    opening: bool


class Run(NamedTuple):
    """Words in a row that may be part of a term; ``before`` and ``after`` delimit it ("" a mark)."""

    tokens: tuple[Token, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Words:
    """The classes of ``words.toml`` by what they tell of their neighbours."""

    stop: frozenset[str]
    noun_follows: frozenset[str]
    determiners: frozenset[str]
    verb_follows: frozenset[str]
    adjective_follows: frozenset[str]
    noun_before: frozenset[str]
    not_alone: frozenset[str]
    last_only: frozenset[str]
    numbered: frozenset[str]


@cache
def words() -> Words:
    """Read ``words.toml``."""
    text = (resources.files("pipelines.candidates") / "words.toml").read_text("utf-8")
    data = tomllib.loads(text)
    tables = {name: frozenset(" ".join(kinds.values()).split()) for name, kinds in data.items()}
    return Words(
        stop=frozenset().union(
            *(tables[name] for name in tables if name not in ("not_alone", "last_only", "numbered"))
        ),
        noun_follows=tables["noun_follows"],
        determiners=frozenset(data["noun_follows"]["determiners"].split()),
        verb_follows=tables["verb_follows"],
        adjective_follows=tables["adjective_follows"],
        noun_before=tables["noun_before"],
        not_alone=tables["not_alone"],
        last_only=tables["last_only"] - tables["not_alone"],
        numbered=tables["numbered"],
    )


def runs(text: str) -> Iterator[Run]:
    """Yield the runs of ``text`` in order.

    White space, one line end included, joins two words; any other character parts them, and so do
    stop words, single letters and numbers but those of ``numbered`` words. "Of" between two words
    is part of their run.
    """
    stop, numbered = words().stop, words().numbered
    plain = text.replace("\u2019", "'").replace("\u2010", "-").replace("\u2011", "-")
    waiting: list[Token] = []
    before = ""
    at = 0
    for match in _WORD.finditer(plain):
        start, end = match.span()
        form = match.group().casefold()
        gap = plain[at:start]
        if gap == " " and at:
            opening = False
        else:
            opening = at == 0 or _SENTENCE_END.search(gap) is not None
            if not _GAP.fullmatch(gap):
                if waiting:
                    yield _run(waiting, before, "")
                waiting, before = [], ""
        at = end
        if form == OF and waiting and waiting[-1].form != OF:
            waiting.append(Token(start, end, form, opening))
        elif form in stop or _parts(form, waiting, numbered):
            if waiting:
                yield _run(waiting, before, form)
            waiting, before = [], form
        else:
            waiting.append(Token(start, end, form, opening))
    if waiting:
        yield _run(waiting, before, "")


def _run(tokens: list[Token], before: str, after: str) -> Run:
    if tokens[-1].form == OF:
        return Run(tuple(tokens[:-1]), before, OF)
    return Run(tuple(tokens), before, after)


def _parts(form: str, waiting: list[Token], numbered: frozenset[str]) -> bool:
    """Return whether a word that is no stop word parts its neighbours: a letter, a number."""
    if is_number(form):
        return not (waiting and waiting[-1].form in numbered)
    return len(form) == 1


def is_number(form: str) -> bool:
    """Return whether ``form`` is a number, perhaps with a unit or an ordinal ending."""
    return form[0].isdigit() and _NUMBER.fullmatch(form) is not None


def ngrams(run: Run) -> Iterator[tuple[int, int]]:
    """Yield (first, end) of every stretch of up to ``LONGEST`` words that may be a candidate.

    A number neither begins nor ends one, a possessive does not end one, "of" stands inside only
    and once, and a word of the class ``last_only`` stands nowhere but at the end.
    """
    tokens, last_only = run.tokens, words().last_only
    for first, token in enumerate(tokens):
        if token.form == OF or is_number(token.form):
            continue
        joined = False
        for end in range(first + 1, min(first + LONGEST, len(tokens)) + 1):
            form = tokens[end - 1].form
            if form == OF:
                if joined:
                    break
                joined = True
            elif not is_number(form) and not form.endswith(("'s", "s'")):
                yield first, end
            if form in last_only:
                break


def singulars(form: str) -> tuple[str, ...]:
    """Return what ``form`` may be the regular plural of, the likeliest first; nothing for most."""
    if len(form) < 4 or not form.endswith("s") or form.endswith(("ss", "us", "is")):
        return ()
    if form.endswith("ies") and len(form) > 4:
        return (form[:-3] + "y", form[:-1])
    if form.endswith("es"):
        return (form[:-1], form[:-2])
    return (form[:-1],)
