"""Headings of notes: what a heading says of the lines under it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pipelines.stages.assertion.cue import Cue
from pipelines.stages.assertion.phrases import LONGEST, Token
from pipelines.stages.assertion.rules import Rules

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n|\r[^\S\r\n]*\r|\r\n[^\S\r\n]*\r\n|\u2029")
_HEADING_WORDS = 7  # of a heading that no rule names
_MARKS = frozenset({":", "-", "–", "—"})


@dataclass(frozen=True, slots=True)
class Heading:
    """What is in force under a heading: cues by attribute, and the heading's own characters."""

    start: int = 0
    end: int = 0
    cues: tuple[Cue, ...] = ()
    alone: bool = False  # nothing follows it on its line


@dataclass(slots=True)
class Sections:
    """Reads the lines of a text in order and keeps the heading in force."""

    text: str
    rules: Rules
    heading: Heading = field(default_factory=Heading)
    last: int = 0

    def read(self, line: Sequence[Token], start: int, end: int) -> list[tuple[int, Heading]]:
        """Return (first word, heading) pairs: which heading holds from which word on."""
        if self.heading.cues and not self.heading.alone:
            now = self.rules.words["now"]
            gap = self.text[self.last : start]
            if _BLANK_LINE.search(gap) or any(token.word in now for token in line):
                self.heading = Heading()
        self.last = end
        changes = [(0, self.heading)]
        for place, heading in self._headings(line, start, end):
            changes.append((place, heading))
            self.heading = heading
        return changes

    def _headings(
        self, line: Sequence[Token], start: int, end: int
    ) -> Iterator[tuple[int, Heading]]:
        """Yield (first word under it, heading) for each heading in the line."""
        words = [token.word for token in line]
        begin = 0
        while begin < len(words) and not words[begin][0].isalpha():
            begin += 1
        if begin == len(words):
            return
        before = self.text[max(0, start - 200) : start].rstrip(" \t")
        at_line = not before[-1:].strip()
        stop = next((n for n in range(len(words) - 1, begin, -1) if words[n].isalnum()), begin) + 1
        if at_line and stop - begin <= LONGEST and (cues := self._named(words, begin, stop)):
            mark = stop < len(words) and words[stop] in _MARKS
            alone = stop >= len(words) - mark and self._line_ends(end)
            if alone:
                yield len(words), self._made(line, begin, stop, cues, alone=True)
                return
        lowest = begin
        for place in range(begin + 1, len(words)):
            if words[place] not in _MARKS or not self._spaced(line, place):
                continue
            found = False
            for first in range(max(lowest, place - LONGEST), place):
                cues = self._named(words, first, place)
                if cues and (first == begin or self._capital(line, first, place)):
                    last = all(not word[0].isalnum() for word in words[place + 1 :])
                    alone = last and self._line_ends(end)
                    yield place + 1, self._made(line, first, place, cues, alone=alone)
                    found = True
                    break
            if not found and words[place] == ":" and self._resets(line, begin, lowest, place):
                yield place + 1, Heading()
            lowest = place + 1

    def _named(self, words: Sequence[str], first: int, end: int) -> tuple[Cue, ...]:
        """Return the cues of the heading that is exactly these words."""
        return tuple(
            cue
            for stop, cue in self.rules.phrases.at(words[first:end], 0)
            if cue.direction == "section" and stop == end - first
        )

    def _made(
        self, line: Sequence[Token], first: int, end: int, cues: tuple[Cue, ...], *, alone: bool
    ) -> Heading:
        kept = tuple(cue for cue in cues if cue.sets != "stop")
        return Heading(line[first].start, line[end - 1].end, kept, alone)

    def _resets(self, line: Sequence[Token], begin: int, lowest: int, place: int) -> bool:
        """Say whether words that no rule names look like a heading before the colon."""
        if lowest == begin:
            capital = self.text[line[begin].start].isupper()
            return capital and place - begin <= _HEADING_WORDS
        last = self.text[line[place - 1].start : line[place - 1].end]
        return len(last) > 2 and last.isupper()

    def _capital(self, line: Sequence[Token], first: int, end: int) -> bool:
        words = self.text[line[first].start : line[end - 1].end]
        if words.isupper():
            return len(words) > 1
        before = self.text[max(0, line[first].start - 2) : line[first].start]
        return words[0].isupper() and not before.strip(" .;\t")

    def _spaced(self, line: Sequence[Token], place: int) -> bool:
        token = line[place]
        if token.word == ":":
            return True
        around = self.text[token.start - 1 : token.start] + self.text[token.end : token.end + 1]
        return len(around) == 2 and around.isspace()

    def _line_ends(self, end: int) -> bool:
        rest = self.text[end : end + 200].lstrip(" \t")
        return not rest or rest[0] in "\r\n\v\f\x85\u2028\u2029"
