"""The words of a message with their places: no letterhead, signature, quoting marks or line ends."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from sys import intern
from typing import NamedTuple
from unicodedata import normalize

from pipelines.campaigns.frames import Sides
from pipelines.campaigns.types import Thresholds

# A word goes on over an apostrophe and over the end of a line that divided it.
_BROKEN = r"(?:[-\u00ad][ \t]*\r?\n[>| \t]*|=\r?\n)"
_WORD = re.compile(rf"[^\W_]+(?:(?:['’]|\u00ad|{_BROKEN})[^\W_]+)*")
_JOIN = re.compile(rf"{_BROKEN}|['’\u00ad]")
_NOTICE = 200
"""Characters in which a notice says what it is about."""
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


_SENTENCE_END = re.compile(r"[.!?:]|\n[>| \t]*\r?\n")
_PARAGRAPH_END = re.compile(r"\n[>| \t]*\r?\n")


class Word(NamedTuple):
    """``text[start:end]`` and the form it is compared by."""

    form: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Rules:
    """``rules.toml``, compiled."""

    thresholds: Thresholds
    lines: tuple[re.Pattern[str], ...]
    signature: re.Pattern[str]
    signature_words: int
    notice: re.Pattern[str]
    notice_about: re.Pattern[str]


@cache
def rules() -> Rules:
    """Read the rules once."""
    data = tomllib.loads((Path(__file__).parent / "rules.toml").read_text("utf-8"))
    frame = data["frame"]
    return Rules(
        Thresholds(**data["thresholds"]),
        tuple(re.compile(pattern, re.IGNORECASE) for pattern in frame["lines"]),
        re.compile(frame["signature"], re.IGNORECASE),
        int(frame["signature_words"]),
        re.compile(frame["notice"], re.IGNORECASE | re.MULTILINE),
        re.compile(frame["notice_about"], re.IGNORECASE),
    )


def message_words(text: str) -> list[Word]:
    """Return the words of the message in ``text``, in order; all words where only a frame is left."""
    found = [
        Word(form, match.start(), match.end())
        for start, end in _message(text)
        for match in _WORD.finditer(text, start, end)
        if (form := _form(match.group()))
    ]
    if found:
        return found
    return [Word(_form(m.group()), m.start(), m.end()) for m in _WORD.finditer(text)]


def sides(text: str, words: Sequence[Word]) -> Sides:
    """Return the sizes of the first sentence and of the last paragraph (sentence, where one)."""
    ends = [
        place + 1
        for place, (one, next_) in enumerate(pairwise(words))
        if _SENTENCE_END.search(text, one.end, next_.start)
    ]
    if not ends:
        return Sides(len(words), len(words))
    paragraphs = [
        end for end in ends if _PARAGRAPH_END.search(text, words[end - 1].end, words[end].start)
    ]
    return Sides(ends[0], len(words) - (paragraphs or ends)[-1])


@lru_cache(maxsize=300_000)
def _form(word: str) -> str:
    return intern(normalize("NFKC", _JOIN.sub("", word)).casefold())


def _message(text: str) -> list[tuple[int, int]]:
    """Return the stretches of ``text`` that are no frame."""
    rule = rules()
    end = next(
        (
            notice.start()
            for notice in rule.notice.finditer(text)
            if text[: notice.start()].strip()
            and rule.notice_about.search(text, notice.start(), notice.end() + _NOTICE)
        ),
        len(text),
    )
    lines = [m.span() for m in _LINE.finditer(text, 0, end) if m.group()]
    kept: list[tuple[int, int]] = []
    for place, (first, last) in enumerate(lines):
        line = text[first:last].rstrip("\r\n")
        if rule.signature.match(line):
            rest = text[first:end].split()
            if place and len(rest) <= rule.signature_words:
                break
        if any(pattern.match(line) for pattern in rule.lines):
            continue
        if kept and kept[-1][1] == first:
            kept[-1] = (kept[-1][0], last)
        else:
            kept.append((first, last))
    return kept
