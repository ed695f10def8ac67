"""Tell texts in another language from those in the languages a recipe reads.

The identifier is py3langid (naive Bayes over byte n-grams after Lui and Baldwin, 2012, ACL system
demonstrations, "langid.py"; confidence scaled by length). It is asked only where the words alone
do not settle it, and believed only where the evidence is clear: a short, misspelt or shouted
English answer must never be lost, so doubt means "one of ours".
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NO_LANGUAGE = frozenset({"zxx", "und", "mul"})


@dataclass(frozen=True, slots=True)
class Language:
    """A language by its ISO 639 code and English name, and how sure that is (0 to 1)."""

    code: str
    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """The thresholds and words of ``language.toml``; their meaning is in that file."""

    letters: int
    other_script_letters: int
    confidence: float
    ours: float
    share: float
    sample: int
    words: dict[str, frozenset[str]]
    names: dict[str, str]


def other_language(text: str, expected: Collection[str] = ("en",)) -> Language | None:
    """Return the language of ``text`` where it is clearly none of ``expected``, else None.

    ``expected`` are ISO 639-1 codes; empty means every language is read. Texts too short to tell
    give None.
    """
    if not expected:
        return None
    rules = _rules()
    sample = _sample(text, rules.sample)
    latin, other = _letters(sample)
    if latin + other < rules.other_script_letters:
        return None
    if other <= latin:
        if latin + other < rules.letters or _has_words(sample, expected, rules):
            return None
    elif other < rules.letters and not set(expected) <= set(rules.words):
        return None  # a few letters of another script could be the expected language's
    return _identified(sample.lower(), expected, rules, other > latin)


def _identified(
    text: str, expected: Collection[str], rules: LanguageRules, other_script: bool
) -> Language | None:
    ranked = _identifier().rank(text)
    code, confidence = ranked[0]
    ours = max((score for name, score in ranked if name in expected), default=0.0)
    if code in expected or code in _NO_LANGUAGE or ours > rules.ours:
        return None
    if not other_script and confidence < rules.confidence:
        return None
    return Language(code, rules.names.get(code, code), round(confidence, 3))


def _sample(text: str, size: int) -> str:
    """Return ``text``, or pieces of its start, middle and end where it is long."""
    if len(text) <= size:
        return text
    third, middle = size // 3, len(text) // 2
    return f"{text[:third]} {text[middle : middle + third]} {text[-third:]}"


def _letters(text: str) -> tuple[int, int]:
    """Count the letters of the Latin script, and those of all others."""
    if text.isascii():
        return sum(map(str.isalpha, text)), 0
    latin = other = 0
    for letter in filter(str.isalpha, text):
        if letter.isascii() or unicodedata.name(letter, "").startswith("LATIN"):
            latin += 1
        else:
            other += 1
    return latin, other


def _has_words(text: str, expected: Collection[str], rules: LanguageRules) -> bool:
    """Tell whether enough of the words are the small words of an expected language."""
    words = [word.lower() for word in _WORD.findall(text)]
    return any(
        sum(word in rules.words[code] for word in words) >= rules.share * len(words)
        for code in expected
        if code in rules.words
    )


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@cache
def _rules() -> LanguageRules:
    data = tomllib.loads(files("pipelines").joinpath("language.toml").read_text("utf-8"))
    words = {code: frozenset(text.split()) for code, text in data["words"].items()}
    return LanguageRules(**{**data["thresholds"], "words": words, "names": data["names"]})
