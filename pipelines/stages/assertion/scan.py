"""Find the cues of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.stages.assertion.cue import Cue
from pipelines.stages.assertion.line import MARKS, Line
from pipelines.stages.assertion.rules import Rules
from pipelines.stages.assertion.scope import Scopes


@dataclass(frozen=True, slots=True)
class Found:
    """A cue in the sentence: its words ``first`` to ``end``, and the words it reaches."""

    cue: Cue
    first: int
    end: int
    left: int
    right: int


def find_cues(line: Line, rules: Rules, attributes: frozenset[str]) -> list[Found]:
    """Return the cues of the line that set one of ``attributes``, in the order of their words.

    Of several phrases for the same attribute that begin at a word the longest counts, and none
    begins inside another; a "block" takes its words away from the attribute and says nothing.
    """
    cues: list[tuple[Cue, int, int]] = []
    stops: list[tuple[str, int, int]] = []
    free: dict[str, int] = {}
    for place in rules.phrases.openings(line.words):
        hits = rules.phrases.at(line.words, place)
        if not hits:
            continue
        longest: dict[str, tuple[int, list[Cue]]] = {}
        for end, cue in hits:
            if cue.direction == "section" or place < free.get(cue.sets, 0):
                continue
            if cue.sets != "stop" and cue.sets not in attributes:
                continue
            if not _fits(cue, line, place, end, rules):
                continue
            kept = longest.get(cue.sets)
            if kept is None or kept[0] < end:
                longest[cue.sets] = (end, [cue])
            elif kept[0] == end:
                kept[1].append(cue)
        for sets, (end, some) in longest.items():
            free[sets] = end
            for cue in some:
                if cue.direction == "block":
                    continue
                if sets == "stop":
                    stops.append((cue.value, place, end))
                else:
                    cues.append((cue, place, end))
    if not cues:
        return []
    scopes = Scopes(line, rules, stops, cues)
    return [Found(cue, first, end, *scopes.of(cue, first, end)) for cue, first, end in cues]


def _fits(cue: Cue, line: Line, first: int, end: int, rules: Rules) -> bool:
    """Say whether what stands around the phrase is as the rule asks."""
    if cue.closes and not _closes(line.words, end, rules):
        return False
    if cue.opens and first and not _edge(line.words[first - 1], rules):
        return False
    if cue.alone and not _alone(line, first, end, rules):
        return False
    if cue.verbless:
        verbs = rules.words["finite"] | rules.words["asks"]
        if any(word in verbs for word in line.words):
            return False
    if cue.adjacent:
        at = first if cue.direction == "backward" else end
        return 0 < at < len(line.words) and _touches(line, at)
    return cue.direction == "block" or not _compound(line, first, end)


def _edge(word: str, rules: Rules) -> bool:
    return word in MARKS or word in rules.words["closing"]


def _closes(words: Sequence[str], end: int, rules: Rules) -> bool:
    """Say whether a clause ends at ``end``, or the next item begins ("Smoker: no Drinker: yes")."""
    return end >= len(words) or _edge(words[end], rules) or words[end + 1 : end + 2] == [":"]


def _touches(line: Line, place: int) -> bool:
    """Say whether no space stands before the word."""
    return line.tokens[place - 1].end == line.tokens[place].start


def _compound(line: Line, first: int, end: int) -> bool:
    """Say whether the phrase is part of a longer word with a hyphen: "No-Spa", "self-denied"."""
    words = line.words
    for hyphen, beyond, near in ((end, end + 1, end - 1), (first - 1, first - 2, first)):
        if not (0 <= beyond < len(words) and words[hyphen] == "-" and words[near][0].isalnum()):
            continue
        if _touches(line, max(hyphen, near)) and _touches(line, max(hyphen, beyond)):
            return words[beyond][0].isalpha()
    return False


def _alone(line: Line, first: int, end: int, rules: Rules) -> bool:
    """Say whether the phrase, or the tag around it, is all that the line says."""
    around = line.within.get(first)
    if around is not None and (around[0] < first or around[1] > end):
        return False
    left, right = line.words[max(0, first - 6) : first], line.words[end : end + 4]
    if first > 6 or len(line.words) - end > 3:
        return False
    small = rules.words["small"]
    return all(word in MARKS or word.isdigit() or word in small for word in (*left, *right))
