"""Decide where a sentence ends: rules over characters, word lists from ``segment.toml``.

The lists and their meaning are in that file. The order of the rules follows what was learnt from
Mikheev, "Periods, Capitalized Words, etc." (Computational Linguistics 28:3, 2002): look at the word
before the full stop first, at the word after it second.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from pipelines.errors import PipelineError

TERMINATORS = ".!?…‽"
CLOSERS = "\"'”’)]}»›*_"
NEWLINES = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"

_OPENERS = "\"'“‘(\\[{«‹*_„‚¿¡"
_FOLLOWING = re.compile(rf"(?:[-–—]+\s*)?[{_OPENERS}]*([^\W_]+(?:['’][^\W\d_]+)*)?")
_ANY_WORD = re.compile(r"\S{0,40}?[^\W_]|[-–—*]+\s+\S")
_LAST_CHUNK = re.compile(r"\S+\Z")
_LETTERED = re.compile(r"(?:[^\W\d_]{1,3}\.){1,}[^\W\d_]{1,3}")
_MEASURE = re.compile(r"\d[\d.,]*[a-z]{1,3}")
_NUMBER = re.compile(r"[£$€#+-]?\d[\d.,:/-]*[%°]?")
_ROMAN = re.compile(r"(?=[ivxlcdm]+\Z)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_MARKER = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*|(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})|[a-z])", re.I)
_FUSED_WORD = re.compile(r"[A-Z][a-z]+(?:['’][a-z]+)?(?=[\s,;:]|\Z)")
_VOWEL = re.compile(r"[aeiouyàáâäæèéêëìíîïòóôöœùúûü]", re.I)
_LOOK_BACK = 60


@dataclass(frozen=True, slots=True)
class BoundaryRules:
    """The word lists of ``segment.toml``, each a set of lower-case words without full stop."""

    never: frozenset[str]
    cautious: frozenset[str]
    open_end: frozenset[str]
    before_number: frozenset[str]
    calendar: frozenset[str]
    starters: frozenset[str]
    bullets: frozenset[str]

    def is_candidate(self, token: str) -> bool:
        """Say whether a sentence could end with ``token``, or a list point begin with it."""
        last = token.rstrip(CLOSERS)[-1:]
        return bool(last) and (last in TERMINATORS or token in self.bullets or _has_newline(token))

    def next_start(self, text: str, start: int, end: int) -> int | None:
        """Return where the next sentence starts, given the candidate token ``text[start:end]``.

        ``None`` means that the sentence goes on. The position may be white space or ``len(text)``.
        """
        token = text[start:end]
        if _has_newline(token):
            return None if self._only_bullet_before(text, start) else end
        if token in self.bullets:
            alone = _space_at(text, start - 1) and _space_at(text, end)
            return start if alone else None
        stop = start + len(token.rstrip(CLOSERS))
        return self._after_terminator(text, stop)

    def _after_terminator(self, text: str, stop: int) -> int | None:
        begin = stop - 1
        while begin and text[begin - 1] in TERMINATORS:
            begin -= 1
        after = stop
        closed = False
        while after < len(text) and text[after] in TERMINATORS + CLOSERS:
            closed = closed or text[after] in CLOSERS
            after += 1
        run = text[begin:after].rstrip(CLOSERS)
        start = after
        while start < len(text) and text[start].isspace():
            if text[start] in NEWLINES:
                return None
            start += 1
        if start >= len(text):
            return None
        if start == after:
            return start if self._fused(text, begin, after, run) else None
        if not _ANY_WORD.match(text, start):
            return None  # a stray mark, or an emoji, stays with its sentence
        found = _FOLLOWING.match(text, start)
        word = (found.group(1) or "") if found else ""
        lower = word[:1].islower()
        if "!" in run or "?" in run or "‽" in run:
            return None if closed and lower else start
        if run != ".":
            return None if lower or word[:1].isdigit() else start
        return start if self._stop_ends(text, begin, word, closed) else None

    def _stop_ends(self, text: str, dot: int, word: str, closed: bool) -> bool:
        """Decide on a single full stop at ``dot`` followed by white space and ``word``."""
        before = text[max(0, dot - _LOOK_BACK) : dot].rstrip()  # "so it is . but" has a stop too
        found = _LAST_CHUNK.search(before)
        chunk = found.group().lstrip("\"'“‘([{«‹*_„‚") if found else ""
        lower, follows = word[:1].islower(), word.lower().replace("’", "'")
        bare = chunk.lower()
        if found and _MARKER.fullmatch(chunk) and self._at_line_start(before[: found.start()]):
            return False
        if closed and chunk:
            return not lower
        if bare in self.before_number and (word[:1].isdigit() or _is_roman(follows, bare)):
            return False
        if bare in self.never:
            return False
        if bare in self.cautious:
            return follows in self.starters and not lower
        if bare in self.open_end:
            return not lower and not word[:1].isdigit()
        if _LETTERED.fullmatch(chunk):
            if lower or follows in self.calendar or word[:1].isdigit():
                return False
            return chunk.islower() or follows in self.starters
        if len(chunk) == 1 and chunk.isalpha():
            previous = before[: found.start()].rstrip()[-1:] if found else ""
            pronoun = chunk in "Ii" and previous.islower()
            return not lower and (pronoun or follows in self.starters)
        if _NUMBER.fullmatch(chunk):
            return not word[:1].isdigit() and follows not in self.calendar - {"may"}
        if _MEASURE.fullmatch(chunk):
            return not lower and not word[:1].isdigit()
        if lower:
            roman = (chunk.isupper() or set(bare) <= set("ivx")) and _ROMAN.fullmatch(bare)
            return not roman and len(chunk) > 1 and bool(_VOWEL.search(chunk))
        return True

    def _fused(self, text: str, begin: int, after: int, run: str) -> bool:
        """Say whether two sentences touch without a space ("the park.The council")."""
        if not _FUSED_WORD.match(text, after) or begin < 2 or not text[begin - 1].islower():
            return False
        found = _LAST_CHUNK.search(text[max(0, begin - _LOOK_BACK) : begin])
        chunk = found.group().lower() if found else ""
        return chunk.isalpha() and chunk not in self.never | self.cautious

    def _at_line_start(self, before: str) -> bool:
        line = before
        for position in range(len(before) - 1, -1, -1):
            if before[position] in NEWLINES:
                line = before[position + 1 :]
                break
        return len(line) < _LOOK_BACK // 2 and all(
            character.isspace() or character in self.bullets or character in "-*#>"
            for character in line
        )

    def _only_bullet_before(self, text: str, end: int) -> bool:
        line = text[max(0, end - 8) : end]
        stripped = line.strip()
        if stripped not in self.bullets:
            return False
        lead = line[: line.index(stripped)]
        return end <= 8 or any(character in NEWLINES for character in lead)


@cache
def bundled_rules() -> BoundaryRules:
    """Return the rules of the bundled ``segment.toml``."""
    return parse_rules(files("pipelines").joinpath("segment.toml").read_text("utf-8"))


def parse_rules(source: str) -> BoundaryRules:
    """Return the rules written in the TOML text ``source``.

    Raises:
        PipelineError: not TOML, or a list is missing, unknown or holds something but words; all
            problems are named at once.
    """
    try:
        data: dict[str, Any] = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise PipelineError(f"The segmenter's rules are not TOML: {error}.") from error
    names = [field.name for field in fields(BoundaryRules)]
    problems = [f"unknown list {name!r}" for name in data if name not in names]
    problems += [f"missing list {name!r}" for name in names if name not in data]
    problems += [
        f"{name!r} must be a list of words, found {value!r}"
        for name, value in data.items()
        if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value)
    ]
    if problems:
        raise PipelineError(
            f"The segmenter's rules are wrong: {'; '.join(problems)}. "
            f"Expected exactly the lists {', '.join(names)}."
        )
    return BoundaryRules(**{name: frozenset(data[name]) for name in names})


def _is_roman(word: str, before: str) -> bool:
    """Say whether ``word`` is a Roman numeral; "No. I disagree" has none."""
    return bool(_ROMAN.fullmatch(word)) and not (word == "i" and before == "no") and word != "mix"


def _has_newline(token: str) -> bool:
    return token.isspace() and any(character in NEWLINES for character in token)


def _space_at(text: str, position: int) -> bool:
    return not 0 <= position < len(text) or text[position].isspace()
