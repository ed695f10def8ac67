"""Whether a text speaks for a proposal: how much for any, and how well of what it is about.

Two values a text. The first counts for any proposal ("should", "yes"); the second has to be turned
round where the proposal is against its subject: who speaks badly of a thing supports a ban of it.
Read are words, runs of word classes (the subject, good and bad words, negations: what is said of one
subject is said of another in other words but in like order), what good and bad words are said with,
and the vector less what it shares with the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix

from pipelines.learn.proposals import proposal_sign, word_classes
from pipelines.learn.types import Floats
from pipelines.learn.valence import valence
from pipelines.learn.words import stem

COLUMNS = 1 << 16
"""Columns of hashed n-grams (Weinberger et al. 2009)."""

SUBJECT, GOOD, BAD = "SUBJECT", "GOOD", "BAD"
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[,.;!?]")
_WORDS, _CLASSES = 2, 4  # longest run of words, of classes
_CLEAR = 0.15  # valence from which a word counts as good or bad
_REACH = 4  # words that a negation reaches
_TONES = 5
_WEIGHTS = {"words": 0.5, "classes": 0.5, "tone": 0.3, "meaning": 0.5}


@dataclass(frozen=True, slots=True)
class Polarity:
    """Weights of hashed n-grams [COLUMNS, 2], tone [5, 2] and vectors [dimensions, 2].

    ``idf`` [COLUMNS] is 0 for what was too rare to learn; ``mean`` and ``length`` centre and scale
    vectors, ``tone_scale`` [5] tone.
    """

    idf: Floats
    grams: Floats
    tone: Floats
    tone_scale: Floats
    meaning: Floats
    mean: Floats
    length: float

    def values(
        self, texts: Sequence[str], subjects: Sequence[frozenset[str]], free: Floats
    ) -> Floats:
        """Return how much each text speaks for any proposal, and well of its subject, [texts, 2].

        ``subjects`` are the stems that name it; ``free`` the texts' vectors without the direction of
        the question or of the labels, [texts, dimensions].
        """
        found = gram_table(texts, subjects, self.idf) @ self.grams
        found = found + scaled_tone(texts, self.tone_scale) @ self.tone
        return np.asarray(
            found + scaled_meaning(free, self.mean, self.length) @ self.meaning, dtype=np.float32
        )

    def arrays(self) -> dict[str, Any]:
        """Return what it is made of, large tables in half precision."""
        return {
            "idf": self.idf.astype(np.float16),
            "grams": self.grams.astype(np.float16),
            "tone": self.tone,
            "tone_scale": self.tone_scale,
            "meaning": self.meaning,
            "mean": self.mean,
            "length": np.array([self.length], dtype=np.float32),
        }

    @classmethod
    def of(cls, arrays: Mapping[str, Any]) -> Polarity:
        """Return the model of ``arrays``. Raises KeyError where one misses."""
        wide = {name: np.asarray(array, dtype=np.float32) for name, array in arrays.items()}
        length = float(wide["length"][0])
        return cls(
            wide["idf"],
            wide["grams"],
            wide["tone"],
            wide["tone_scale"],
            wide["meaning"],
            wide["mean"],
            length,
        )


def turns(questions: Sequence[str]) -> Floats:
    """Return +1 or -1 a question as its proposal would do its subject good or harm, [questions].

    A question without a known verb is taken to speak well of what it names; 0 for no question.
    """
    known = {q: (proposal_sign(q) or 1) if q.strip() else 0 for q in dict.fromkeys(questions)}
    return np.array([known[question] for question in questions], dtype=np.float32)


def without_direction(vectors: Floats, directions: Floats) -> Floats:
    """Return vectors less their part along unit ``directions`` (zeros: nothing), both [rows, d]."""
    along = (vectors * directions).sum(axis=1, keepdims=True)
    return np.asarray(vectors - along * directions, dtype=np.float32)


def columns(text: str, subject: frozenset[str]) -> tuple[list[int], list[int]]:
    """Return the columns of a text's runs of words, and of its runs of classes; each one once."""
    tokens = _tokens(text)
    return (
        sorted({_column("w", run) for run in _runs(tokens, _WORDS)}),
        sorted({_column("c", run) for run in _runs(_classes(tokens, subject), _CLASSES)}),
    )


def gram_table(texts: Sequence[str], subjects: Sequence[frozenset[str]], idf: Floats) -> csr_matrix:
    """Return weighted columns, [texts, COLUMNS]; words and classes are each of unit length."""
    data: list[float] = []
    places: list[int] = []
    ends = [0]
    for text, subject in zip(texts, subjects, strict=True):
        for kind, found in zip(("words", "classes"), columns(text, subject), strict=True):
            weights = idf[found]
            size = float(np.sqrt((weights**2).sum()))
            if size:
                data += (weights * (_WEIGHTS[kind] ** 0.5 / size)).tolist()
                places += found
        ends.append(len(places))
    return csr_matrix((np.array(data, dtype=np.float32), places, ends), shape=(len(texts), COLUMNS))


def tone(texts: Sequence[str]) -> Floats:
    """Return valence in all, said plainly, said after a negation, after a lessening word; its sign.

    [texts, 5], by the square root of the number of words.
    """
    table = np.zeros((len(texts), _TONES), dtype=np.float32)
    classes = word_classes()
    for row, text in enumerate(texts):
        words = [token for token in _tokens(text) if token[0].isalpha()]
        for place, word in enumerate(words):
            if value := valence(word):
                near = words[max(0, place - _REACH) : place]
                negated = any(one in classes["negations"] for one in near)
                lessened = any(one in classes["lessening"] for one in near)
                table[row, 0] += value
                table[row, 1] += value * (not negated and not lessened)
                table[row, 2] += value * negated
                table[row, 3] += value * lessened
        sign = np.sign(table[row, 0])
        table[row] /= max(len(words), 1) ** 0.5
        table[row, 4] = sign
    return table


def scaled_tone(texts: Sequence[str], scale: Floats) -> Floats:
    """Return tone as a feature, [texts, 5]."""
    return np.asarray(tone(texts) / scale * (_WEIGHTS["tone"] / _TONES) ** 0.5, dtype=np.float32)


def scaled_meaning(free: Floats, mean: Floats, length: float) -> Floats:
    """Return vectors as a feature, [texts, dimensions]."""
    return np.asarray((free - mean) / length * _WEIGHTS["meaning"] ** 0.5, dtype=np.float32)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower().replace("’", "'"))


def _classes(tokens: Sequence[str], subject: frozenset[str]) -> list[str]:
    negations = word_classes()["negations"]
    found: list[str] = []
    for token in tokens:
        if token in negations:
            found.append("not")
        elif stem(token) in subject:
            if not found or found[-1] != SUBJECT:
                found.append(SUBJECT)
        else:
            value = valence(token)
            found.append(GOOD if value >= _CLEAR else BAD if value <= -_CLEAR else token)
    return found


def _runs(tokens: Sequence[str], longest: int) -> Iterator[str]:
    for size in range(1, longest + 1):
        for start in range(len(tokens) - size + 1):
            yield " ".join(tokens[start : start + size])


def _column(kind: str, run: str) -> int:
    return crc32(f"{kind} {run}".encode()) % COLUMNS
