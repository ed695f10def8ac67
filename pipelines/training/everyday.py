"""Groups of everyday sentences from frames: captions, headlines, opinions, comments, questions.

A frame says about one thing what its slots hold, in several ways. A group shares most slots, so its
sentences differ by a word, by the phrasing, or by both. Frames and words are our own, in
``everyday.toml`` and ``debate.toml``; forms come from WordNet's list of irregular ones. Some sentences are nonsense:
the teacher has a vector for them all the same.
"""

from __future__ import annotations

import random
import re
import tomllib
from itertools import accumulate
from pathlib import Path

from pipelines.training.lexicon import Lexicon

FRAMES = Path(__file__).with_name("everyday.toml")
DEBATE = Path(__file__).with_name("debate.toml")
_SLOT = re.compile(r"\{(([a-z]+)\d?)(?::(\w+))?\}")
# Past participles that differ from the past tense, for the verbs of the lists.
_PARTICIPLES = {
    "eat": "eaten",
    "break": "broken",
    "throw": "thrown",
    "shake": "shaken",
    "show": "shown",
    "steal": "stolen",
    "drive": "driven",
    "write": "written",
    "draw": "drawn",
}
_BE = {"s": "is", "ed": "was", "ing": "being", "en": "been"}


def _weighted(lexicon: Lexicon, topics: list[int]) -> tuple[list[str], list[float]]:
    """Return the words of lexicographers' files and the running sum of their weights."""
    words = [pair for topic in topics for pair in lexicon.of_topic(topic).items()]
    weights = accumulate(count**0.5 for _, count in words)
    return [word for word, _ in words], list(weights)


class Everyday:
    """Make groups of everyday sentences."""

    def __init__(self, lexicon: Lexicon, *paths: Path) -> None:
        """Read frames from files, ``everyday.toml`` unless others are named."""
        self.lexicon = lexicon
        self.lists: dict[str, list[str]] = {}
        self.classes: dict[str, tuple[list[str], list[float]]] = {}
        self.frames: list[list[str]] = []
        for path in paths or (FRAMES,):
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            self.lists |= data.get("lists", {})
            for name, topics in data.get("classes", {}).items():
                self.classes[name] = _weighted(lexicon, topics)
            self.frames += [frame["says"] for frame in data["frame"]]

    def form(self, words: str, form: str) -> str:
        """Return a form of a word or of a phrase whose first word is the verb."""
        if form == "a":
            return f"{'an' if words[0].lower() in 'aeiou' else 'a'} {words}"
        head, space, rest = words.partition(" ")
        if head == "be":
            return _BE[form] + space + rest
        if form == "en":
            return _PARTICIPLES.get(head, self.lexicon.inflected(head, "ed")) + space + rest
        if form == "s" and space and (head, "v") not in self.lexicon.first:
            return f"{head} {self.lexicon.inflected(rest, form)}"
        return self.lexicon.inflected(head, form) + space + rest

    def draw(self, kind: str, rng: random.Random) -> str:
        """Return a word of a list, or a word of a class as often as its use calls for."""
        if kind in self.lists:
            return rng.choice(self.lists[kind])
        words, weights = self.classes[kind]
        return rng.choices(words, cum_weights=weights)[0]

    def say(self, phrasing: str, filled: dict[str, str]) -> str:
        """Return the phrasing with its slots filled, the first letter a capital."""

        def fill(match: re.Match[str]) -> str:
            slot, _, form = match.groups()
            return self.form(filled[slot], form) if form else filled[slot]

        text = _SLOT.sub(fill, phrasing)
        return text[0].upper() + text[1:]

    def group(self, count: int, rng: random.Random) -> list[str]:
        """Return up to ``count`` different sentences that share most of their words' slots."""
        phrasings = rng.choice(self.frames)
        kinds = {slot: kind for says in phrasings for slot, kind, _ in _SLOT.findall(says)}
        filled = {slot: self.draw(kind, rng) for slot, kind in sorted(kinds.items())}
        phrasing = rng.choice(phrasings)
        found = {self.say(phrasing, filled): None}
        for _ in range(2 * count):
            if len(found) >= count:
                break
            how, changed = rng.random(), dict(filled)
            said = rng.choice(phrasings) if how < 0.5 else phrasing
            if how > 0.3:
                slots = sorted({slot for slot, _, _ in _SLOT.findall(said)})
                for slot in rng.sample(slots, min(len(slots), rng.choice((1, 1, 2)))):
                    changed[slot] = self.draw(kinds[slot], rng)
            found[self.say(said, changed)] = None
        return list(found)
