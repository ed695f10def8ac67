"""Cue phrases as one automaton, made as far as texts have needed it.

A state is the set of places reached in all phrases that begin at a word, after the lazy
construction of a deterministic automaton (Aho, Sethi & Ullman, *Compilers*, 1986, section 3.7).
Words that no phrase has share the step of their kind, so that states do not grow with the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

Place = tuple[int, int, int, int]
"""A phrase, the piece of it that is next, and, inside a run of words, the run and its next word."""


class Piece(NamedTuple):
    """One part of a phrase: single words or kinds of words, runs of words, whether it may miss."""

    words: frozenset[str]
    runs: tuple[tuple[str, ...], ...]
    optional: bool


class State:
    """Places reached together: the phrases that end here, and the next state by word."""

    __slots__ = ("following", "places", "whole")

    def __init__(self, places: frozenset[Place], whole: tuple[int, ...]) -> None:
        self.places = places
        self.whole = whole
        self.following: dict[str, State] = {}


class Steps:
    """The automaton of the phrases in ``phrases``.

    ``kinds`` gives what a word counts as, itself first; ``opening`` the phrases that can begin with
    a word, which are the only ones looked at there.
    """

    def __init__(
        self,
        phrases: Sequence[Sequence[Piece]],
        kinds: Callable[[str], Sequence[str]],
        opening: Callable[[str], Iterable[int]],
    ) -> None:
        self._phrases, self._kinds, self._opening = phrases, kinds, opening
        self._needed = [
            max(n for n, piece in enumerate(pieces) if not piece.optional) for pieces in phrases
        ]
        self._states: dict[frozenset[Place], State] = {}
        self._start = self._state(())
        parts = {piece for pieces in phrases for piece in pieces}
        self._known: set[str] = set().union(*(each.words for each in parts))
        self._known.update(*(run for each in parts for run in each.runs))
        self._shared: dict[tuple[str, ...], str] = {}

    def ends(self, words: Sequence[str], place: int) -> Mapping[int, int]:
        """Return for each phrase that begins at ``place`` where its longest way ends."""
        known, state, found = self._known, self._start, {}
        for n in range(place, len(words)):
            word = words[n]
            key = word if word in known else self._kind(word)
            following = state.following.get(key)
            if following is None:
                following = state.following[key] = self._next(state, word)
            state = following
            for phrase in state.whole:
                found[phrase] = n + 1
            if not state.places:
                break
        return found

    def _kind(self, word: str) -> str:
        """Return the key of all words that no phrase has and that count as the same."""
        kinds = tuple(self._kinds(word)[1:])
        return self._shared.setdefault(kinds, "\n".join(("", *kinds)))

    def _next(self, state: State, word: str) -> State:
        kinds = self._kinds(word)
        places: Iterable[Place] = state.places
        if state is self._start:
            places = ((phrase, 0, 0, 0) for phrase in self._opening(word))
        return self._state(to for place in places for to in self._targets(place, word, kinds))

    def _targets(self, place: Place, word: str, kinds: Sequence[str]) -> Iterator[Place]:
        """Yield the places behind the word."""
        phrase, n, number, step = place
        pieces = self._phrases[phrase]
        if step:
            run = pieces[n].runs[number]
            if run[step] == word:
                last = step + 1 == len(run)
                yield (phrase, n + 1, 0, 0) if last else (phrase, n, number, step + 1)
            return
        for at in range(n, len(pieces)):
            piece = pieces[at]
            if not piece.words.isdisjoint(kinds):
                yield phrase, at + 1, 0, 0
            for number, run in enumerate(piece.runs):
                if run[0] == word:
                    yield phrase, at, number, 1
            if not piece.optional:
                return

    def _state(self, places: Iterable[Place]) -> State:
        """Return the state of these places, those with nothing behind them noted and left out."""
        reached = frozenset(places)
        if reached not in self._states:
            ended = {p for p, n, _, step in reached if not step and n > self._needed[p]}
            onward = frozenset(each for each in reached if each[1] < len(self._phrases[each[0]]))
            self._states[reached] = State(onward, tuple(sorted(ended)))
        return self._states[reached]
