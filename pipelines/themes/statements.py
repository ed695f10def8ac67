"""Cut answers into statements, so that one answer may hold several themes; the rules are data.

A sentence is cut further at list marks, semicolons and words of contrast where both sides can stand
alone. Statements do not overlap and together hold every character that is not white space. An
answer that only takes a side, or says nothing, is one silent statement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from pipelines.answers import assess
from pipelines.segment import segment_all
from pipelines.themes.types import Answer, Statement

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PARTS = re.compile(r"[.!?;:,\n\r\t…()\[\]\"“”]+|\s[-–—/]+\s")
_LONGEST = 120  # characters of an answer that may be bare


def statements(answers: Sequence[Answer]) -> list[Statement]:
    """Return the statements of all answers, in order; an answer without text has none."""
    found: list[Statement] = []
    sentences = segment_all([answer.text for answer in answers])
    for answer, segments in zip(answers, sentences, strict=True):
        spans = [(one.start, one.end) for one in segments]
        if not spans:
            continue
        if gives_no_reason(answer.text, answer.question):
            spans, silent = [(spans[0][0], spans[-1][1])], True
        else:
            cut = [piece for span in spans for piece in _cut(answer.text, *span)]
            spans, silent = _joined(answer.text, cut), False
        found += [
            Statement(answer.document, start, end, answer.text[start:end], answer.question, silent)
            for start, end in spans
        ]
    return found


def gives_no_reason(text: str, question: str = "") -> bool:
    """Tell whether an answer says nothing, or takes a side and no more."""
    return not assess(text, question or None).answers or _bare(text)


def _bare(text: str) -> bool:
    """Tell whether every part of a text is one of the bare phrases."""
    plain = " ".join(text.casefold().replace("’", "'").split())
    if not plain or len(plain) > _LONGEST:
        return False
    known = _rules().bare
    if plain.strip(" .!,") in known:
        return True
    parts = [part.strip() for part in _PARTS.split(plain) if part.strip()]
    return bool(parts) and all(part in known for part in parts)


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a sentence, each with enough words, trimmed."""
    rules = _rules()
    places = sorted({m.start() for m in rules.marks.finditer(text, start, end)} - {start})
    kept = [start]
    for place, following in pairwise([*places, end]):
        left, right = text[kept[-1] : place], text[place:following]
        if min(_size(left), _size(right)) >= rules.least:
            kept.append(place)
    for one, two in pairwise([*kept, end]):
        piece = text[one:two]
        begin = one + len(piece) - len(piece.lstrip())
        yield begin, begin + len(piece.strip())


def _joined(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join what says nothing by itself ("Yes.", "1.") to the statement after it, or before it."""
    found: list[tuple[int, int]] = []
    waiting: int | None = None
    for start, end in spans:
        begin = start if waiting is None else waiting
        if not _size(text[start:end]) or _bare(text[start:end]):
            waiting = begin
            continue
        found.append((begin, end))
        waiting = None
    if waiting is not None:
        if found:
            found[-1] = (found[-1][0], spans[-1][1])
        else:
            found.append((waiting, spans[-1][1]))
    return found


def _size(text: str) -> int:
    return len(_WORD.findall(text))


@dataclass(frozen=True, slots=True)
class _Rules:
    marks: re.Pattern[str]
    least: int
    bare: frozenset[str]


@cache
def _rules() -> _Rules:
    data = tomllib.loads(Path(__file__).with_name("statements.toml").read_text("utf-8"))
    behind = "".join(f"(?<!\\b{re.escape(words)}\\s)" for words in data["not_after"])
    ahead = _any(data["not_before"])
    marks = (
        rf"(?<=[{''.join(map(re.escape, data['after']))}])(?=\s)",
        rf"(?<=\s)(?:{_any(data['before'])})(?=\s)",
        data["numbered"],
        rf"\b{behind}(?:{_any(data['contrast'])})\b(?!\s+(?:{ahead})\b)",
    )
    phrases = (phrase.strip() for line in data["bare"].splitlines() for phrase in line.split("|"))
    return _Rules(
        re.compile("|".join(f"(?:{mark})" for mark in marks), re.IGNORECASE),
        data["least_words"],
        frozenset(phrase for phrase in phrases if phrase),
    )


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
