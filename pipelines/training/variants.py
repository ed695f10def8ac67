"""Texts near a given text, made by rules: a word replaced, dropped or moved, a claim denied.

The teacher says how near each one is; nothing here claims that a variant means the same or is good
English. Near texts are what a text's vector must tell apart, and random lines hardly ever are near.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from pipelines.training.lexicon import Lexicon

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_OPENING = frozenset("([$£€#")
_RULES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_AUXILIARIES = frozenset(_RULES["auxiliaries"])
_DENIALS = frozenset(_RULES["denials"])
_DENYING: list[str] = _RULES["denying"]
_SUBJECTS: list[str] = _RULES["subjects"]
_PRONOUNS = frozenset(_RULES["pronouns"])
_BEFORE_PHRASE = frozenset(_RULES["before_phrase"])
_FUNCTION_WORDS = frozenset(_RULES["function_words"])
_RELATIONS: list[str] = _RULES["relations"]

Words = list[str]
Rule = Callable[[Words, random.Random], "Words | None"]


def split(text: str) -> Words:
    """Return the text's words and marks."""
    return _WORD.findall(text)


def join(words: Words) -> str:
    """Return words and marks as a text."""
    text = ""
    for word in words:
        glued = not text or text[-1] in _OPENING or not (word[0].isalnum() or word in _OPENING)
        text += word if glued else f" {word}"
    return text


class Variants:
    """Make texts near a text."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._rules: tuple[tuple[Rule, int], ...] = (
            (self.replace, 8),
            (self.replace_two, 4),
            (self.reform, 1),
            (self.drop, 3),
            (self.swap, 2),
            (self.deny, 2),
            (self.part, 2),
            (self.other_subject, 1),
            (self.front, 1),
            (self.renumber, 1),
        )

    def near(self, text: str, count: int, rng: random.Random) -> list[str]:
        """Return up to ``count`` different texts near the text."""
        words = split(text)
        found = {text: None}
        rules, weights = zip(*self._rules, strict=True)
        for rule in rng.choices(rules, weights, k=3 * count):
            if len(found) > count:
                break
            changed = rule(list(words), rng)
            if changed:
                found[join(changed)] = None
        return [variant for variant in found if variant != text]

    def _content(self, words: Words) -> list[int]:
        return [
            i
            for i, word in enumerate(words)
            if len(word) > 2 and word.isalpha() and word.lower() not in _FUNCTION_WORDS
        ]

    def replace(self, words: Words, rng: random.Random) -> Words | None:
        """Replace one word by a related one in the same form."""
        places = self._content(words)
        rng.shuffle(places)
        for place in places[:3]:
            reading = self.lexicon.reading(words[place].lower())
            related = self.lexicon.related(reading) if reading else {}
            relations = [name for name in _RELATIONS if name in related]
            if reading and relations:
                lemmas = related[rng.choice(relations)]
                used = [
                    (self.lexicon.counts.get((x, reading.part), 0) + 0.2) ** 0.5 for x in lemmas
                ]
                lemma = rng.choices(lemmas, used)[0]
                words[place] = self.lexicon.inflected(lemma, reading.form)
                if place and words[place - 1].lower() in {"a", "an"}:
                    words[place - 1] = "an" if words[place][0].lower() in "aeiou" else "a"
                return words
        return None

    def replace_two(self, words: Words, rng: random.Random) -> Words | None:
        """Replace two words."""
        once = self.replace(words, rng)
        return once and self.replace(once, rng)

    def reform(self, words: Words, rng: random.Random) -> Words | None:
        """Put one noun or verb into another form."""
        places = self._content(words)
        rng.shuffle(places)
        for place in places:
            reading = self.lexicon.reading(words[place].lower())
            if reading and reading.part in "nv":
                forms = {"", "s"} if reading.part == "n" else {"", "s", "ing", "ed"}
                form = rng.choice(sorted(forms - {reading.form}))
                words[place] = self.lexicon.inflected(reading.lemma, form)
                return words
        return None

    def drop(self, words: Words, rng: random.Random) -> Words | None:
        """Leave out one to three words in a row."""
        if len(words) < 5:
            return None
        start = rng.randrange(len(words) - 1)
        return words[:start] + words[start + rng.randint(1, min(3, len(words) - 3)) :]

    def swap(self, words: Words, rng: random.Random) -> Words | None:
        """Let two content words change places."""
        places = self._content(words)
        if len(places) < 2:
            return None
        first, second = rng.sample(places, 2)
        words[first], words[second] = words[second], words[first]
        return words

    def deny(self, words: Words, rng: random.Random) -> Words | None:
        """Put "not" after the first auxiliary, or take a denial away."""
        for place, word in enumerate(words):
            if word.lower() in _DENIALS:
                return words[:place] + words[place + 1 :]
        for place, word in enumerate(words):
            if word.lower() in _AUXILIARIES:
                return [*words[: place + 1], rng.choice(_DENYING), *words[place + 1 :]]
        return None

    def part(self, words: Words, rng: random.Random) -> Words | None:
        """Keep the beginning or the end."""
        if len(words) < 7:
            return None
        cut = rng.randint(len(words) // 3, 2 * len(words) // 3)
        return words[:cut] if rng.random() < 0.5 else words[cut:]

    def other_subject(self, words: Words, rng: random.Random) -> Words | None:
        """Replace the first pronoun."""
        for place, word in enumerate(words):
            if word.lower() in _PRONOUNS:
                return [*words[:place], rng.choice(_SUBJECTS), *words[place + 1 :]]
        return None

    def front(self, words: Words, rng: random.Random) -> Words | None:
        """Move the last phrase that begins with a preposition or conjunction to the front."""
        mark = [words.pop()] if words and words[-1] in ".!?" else []
        places = [i for i in range(2, len(words) - 1) if words[i].lower() in _BEFORE_PHRASE]
        if not places:
            return None
        place = rng.choice(places)
        return [*words[place:], ",", *words[:place], *mark]

    def renumber(self, words: Words, rng: random.Random) -> Words | None:
        """Change one number."""
        places = [i for i, word in enumerate(words) if word.isdecimal()]
        if not places:
            return None
        place = rng.choice(places)
        words[place] = str(
            rng.choice((int(words[place][:6]) + rng.randint(1, 9), rng.randint(2, 99)))
        )
        return words
