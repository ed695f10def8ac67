"""The words of a question, and what a sentence loses for how it is written: rules are ``ask.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

RULES = Path(__file__).with_name("ask.toml")
_WORD = re.compile(r"\w+")


class Words:
    """The words of a question, and in how many sentences each has been seen."""

    def __init__(self, question: str) -> None:
        told = [word.lower() for word in _WORD.findall(question)]
        self._stems = list(dict.fromkeys(_stem(word) for word in told if word not in _silent()))
        self._seen = np.zeros(len(self._stems), dtype=np.int64)
        self._sentences = 0
        parts = "|".join(f"({re.escape(stem)})" for stem in self._stems)
        self._pattern = re.compile(rf"\b(?:{parts})\w{{0,3}}\b", re.IGNORECASE) if parts else None

    def count(self, text: str) -> NDArray[np.bool_]:
        """Return which words ``text`` holds, and remember it."""
        held = np.zeros(len(self._stems), dtype=np.bool_)
        for match in self._pattern.finditer(text) if self._pattern else ():
            held[(match.lastindex or 1) - 1] = True
        self._seen += held
        self._sentences += 1
        return held

    def weights(self) -> NDArray[np.float64]:
        """Return the idf of each word over the sentences so far."""
        return np.asarray(np.log(1.0 + self._sentences / (1.0 + self._seen)), dtype=np.float64)


@cache
def _silent() -> frozenset[str]:
    return frozenset(_rules()["silent"]["words"])


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(RULES.read_text("utf-8"))


def _stem(word: str) -> str:
    """Return a word without the endings that change with number and tense, if enough is left."""
    for ending in ("ing", "ies", "es", "ed", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def loss(text: str) -> float:
    """Return what a sentence loses for how it is written."""
    loses = _rules()["loses"]
    lost = loses["question"] if text.rstrip("\"'”’) ").endswith("?") else 0.0
    if len(_WORD.findall(text)) < loses["words"]:
        lost += loses["short"]
    return float(lost)
