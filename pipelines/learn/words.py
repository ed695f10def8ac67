"""Content words and their stems, by the rules of ``words.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def content_words(text: str) -> list[str]:
    """Return the distinct content words of a text in lower case, in order."""
    stop, _ = _rules()
    found = (word.replace("’", "'") for word in _WORD.findall(text.lower()))
    return list(dict.fromkeys(word for word in found if len(word) > 1 and word not in stop))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the word without its ending."""
    _, endings = _rules()
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@cache
def _rules() -> tuple[frozenset[str], tuple[str, ...]]:
    rules = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
    return frozenset(rules["stop"].split()), tuple(rules["endings"])
