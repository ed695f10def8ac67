"""How far a cue reaches: to the first stop.

A stop is a contrast ("but"), a relative clause, a mark, a comma or "and" behind which a new clause
begins. The work is linear in the words: a cue reaches at most a fixed number of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.stages.assertion.cue import Cue
from pipelines.stages.assertion.line import DASHES, Line
from pipelines.stages.assertion.rules import Rules

_LOOK = 12  # words looked at on either side of a comma or "and"
_COMMA = frozenset({",", "/", "&", "+"})
_AT_ONCE = frozenset({"affirm", "verb"})


class Scopes:
    """The stops of one line, and the reach of a cue between them."""

    def __init__(
        self,
        line: Line,
        rules: Rules,
        stops: Sequence[tuple[str, int, int]],
        cues: Sequence[tuple[Cue, int, int]],
    ) -> None:
        self.words = line.words
        self.rules = rules
        self.line = line
        self.starts: dict[int, str] = {}
        self.ends: dict[int, str] = {}
        taken = {place for _, first, end in cues for place in range(first + 1, end)}
        for kind, first, end in stops:
            if first in line.within or end - 1 in line.within or first in taken:
                continue
            self.starts[first] = kind
            self.ends[end - 1] = kind
        self.negations = {first for cue, first, _ in cues if cue.sets == "negated"}
        self._marks()
        self.joins = {
            place: self._joined(place)
            for place, word in enumerate(self.words)
            if place not in line.within and (word in _COMMA or word in rules.words["join"])
        }

    def _marks(self) -> None:
        """Note the marks that end a scope."""
        depth = 0
        self.depth: list[int] = []
        tokens, text = self.line.tokens, self.line.text
        for place, token in enumerate(tokens):
            word = token.word
            if word == "(":
                depth += 1
            self.depth.append(depth)
            if word == ")":
                depth = max(0, depth - 1)
            if place in self.line.within or word[0].isalnum():
                continue
            after = text[token.end : token.end + 1]
            spaced = not after or after.isspace()
            before = text[token.start - 1 : token.start] if token.start else " "
            ended = word in (".", "!", "?", "•") and spaced and self._ends_sentence(place)
            ended = ended and not (word == "?" and not before.isalnum())  # "? fracture"
            dashed = word in DASHES and spaced and before.isspace()
            if word in (";", ":", "|") or ended or dashed:
                self.starts[place] = self.ends[place] = "break"

    def _ends_sentence(self, place: int) -> bool:
        if place + 1 >= len(self.words) or not place:
            return True
        return self.line.text[self.line.tokens[place + 1].start].isupper() and (
            len(self.words[place - 1]) > 3
        )

    def _joined(self, place: int) -> frozenset[str]:
        """Return the stops that a comma or "and" amounts to, by what follows it."""
        words, lists = self.words, self.rules.words
        word = words[place]
        kind = "comma" if word in _COMMA else "and"
        either = word in lists["either"]
        found = set() if either else {kind}
        if kind == "comma" and place and words[place - 1] in lists["see"]:
            found.add("verb")  # "no fracture seen, swelling of the joint"
        following = place + 1
        while following < len(words) and (
            words[following] in lists["adverb"] or words[following] in lists["join"]
        ):
            either = either or words[following] in lists["either"]
            following += 1
        if following < len(words) and following not in self.line.within:
            # "denies fever, or a cough": after "or" only a verb or a subject begins something new
            kinds = ("subject", "verb") if either else ("subject", "verb", "determiner", "amount")
            found.update(name for name in kinds if words[following] in lists[name])
        if not either and not found & {"subject", "verb"}:
            found.update(self._ahead(following, kind))
        return frozenset(found)

    def _ahead(self, following: int, kind: str) -> Iterator[str]:
        """Yield the stops that the words up to the next comma, "and" or stop amount to."""
        words, lists = self.words, self.rules.words
        for place in range(following, min(len(words), following + _LOOK)):
            if place in self.line.within:
                continue
            word = words[place]
            if kind == "comma" and (word.isdigit() or word in lists["happens"]):
                yield "amount"  # "no fever, pulse 110"
            if word in lists["finite"]:
                yield "verb"
                return
            if place in self.starts or word in _COMMA or word in lists["join"]:
                return

    def of(self, cue: Cue, first: int, end: int) -> tuple[int, int]:
        """Return the words that the cue reaches, itself among them."""
        left = right = None
        around = self.line.within.get(first)
        if cue.direction in ("backward", "both"):
            left = self._left(cue, first)
        if cue.direction in ("forward", "both"):
            right = self._right(cue, first, end)
        low, high = first if left is None else left, end if right is None else right
        if around is not None and not cue.outward and around[1] - around[0] > end - first:
            low, high = max(low, around[0]), min(high, around[1])
        return low, high

    def _right(self, cue: Cue, first: int, end: int) -> int:
        depth = self.depth[first]
        last = min(len(self.words), end + cue.reach)
        for place in range(end, last):
            kind = self.starts.get(place)
            if kind in cue.ends and not self._at_once(kind, end, place):
                return place
            if self.words[place] == ")" and self.depth[place] <= depth and depth:
                return place
            joined = self.joins.get(place)
            if joined is not None and joined & cue.ends and place > end:
                return place
        return last

    def _at_once(self, kind: str, end: int, place: int) -> bool:
        """Say whether a stop stands so near behind the cue that it belongs to it: "denies having"."""
        if kind == "break":
            return place == end
        near = range(end, place)
        return kind in _AT_ONCE and len(near) < 2 and not any(n in self.line.within for n in near)

    def _left(self, cue: Cue, first: int) -> int:
        depth = self.depth[first]
        lowest = max(0, first - cue.reach)
        for place in range(first - 1, lowest - 1, -1):
            if self.ends.get(place) in cue.ends:
                return place + 1
            if self.words[place] == "(" and self.depth[place] >= depth and depth:
                return place + 1
            joined = self.joins.get(place)
            if joined is not None and place < first - 1:
                if joined & cue.ends & {"comma", "and"}:
                    return place + 1
                either = self.words[place] in self.rules.words["either"]
                if not either and self._clause_before(place):
                    return place + 1
        return lowest

    def _clause_before(self, place: int) -> bool:
        """Say whether what stands before a comma or "and" is a clause, or is negated itself."""
        lists = self.rules.words
        for back in range(place - 1, max(-1, place - 1 - _LOOK), -1):
            if back in self.negations:
                return True
            if back in self.line.within:
                continue
            word = self.words[back]
            if back in self.ends:
                return False
            if word in lists["finite"] or word in lists["subject"]:
                return True
        return False
