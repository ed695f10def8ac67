"""Which lines of text may enter the training corpus, and how text is cut into lines."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

MIN_CHARACTERS = 12
MAX_CHARACTERS = 400
# Letters as a share of the characters that are not spaces.
MIN_LETTERS = 0.7

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
_NOT_A_WORD = re.compile(r"\W+")


def tidy(text: str) -> str:
    """Return the text with every run of white space made one space."""
    return " ".join(text.split())


def acceptable(line: str) -> bool:
    """Say whether a tidy line is of usable length and mostly letters of the Latin script."""
    if not MIN_CHARACTERS <= len(line) <= MAX_CHARACTERS:
        return False
    dense = line.replace(" ", "")
    letters = sum(character.isalpha() and character < "\u0250" for character in dense)
    return letters >= MIN_LETTERS * len(dense)


def sentences(paragraph: str) -> Iterator[str]:
    """Cut a paragraph after full stops, question and exclamation marks that end a sentence."""
    yield from _SENTENCE_END.split(tidy(paragraph))


def fold(line: str) -> str:
    """Return the key under which two lines count as the same: lower case, words only."""
    return _NOT_A_WORD.sub(" ", line.lower()).strip()


def accepted(lines: Iterable[str], seen: set[str]) -> Iterator[str]:
    """Yield the acceptable lines whose folded form is not in ``seen``, and add it there."""
    for line in map(tidy, lines):
        if acceptable(line) and (key := fold(line)) not in seen:
            seen.add(key)
            yield line


def shuffled(lines: list[str], seed: int) -> list[str]:
    """Return the lines in an order that depends on the seed alone."""
    return random.Random(seed).sample(lines, len(lines))
