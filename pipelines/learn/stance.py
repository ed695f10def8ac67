"""Stance towards the proposal of the question asked: support, oppose, mixed, neither.

What a text says of the proposal is read by ``polarity``, once for the whole and once for every clause:
a text that supports in one clause and opposes in another is mixed. A text that has little to do with
the question, or leans to no side, is neither. A stance that is said outright counts by itself. Never sentiment: who writes in anger may support.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.declared import declared
from pipelines.learn.features import TextTable
from pipelines.learn.polarity import Polarity, turns, without_direction
from pipelines.learn.proposals import subject_stems, word_classes
from pipelines.learn.types import Floats

LABELS = ("support", "oppose", "mixed", "neither")
NAMES = (
    "leans to support",
    "leans to any side",
    "has to do with the question",
    "clause that supports most",
    "clause that opposes most",
    "clauses against each other",
    "clauses on average",
    "log clauses",
    "turns from one side to the other",
    "log words",
    "names the subject",
    "declares support",
    "declares opposition",
    "declares both",
)
_CLAUSE = re.compile(r"[.;!?\n]+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class StanceScorer:
    """Weights [features, labels] over standardised features, offsets [labels]."""

    polarity: Polarity
    means: Floats
    scales: Floats
    weights: Floats
    offsets: Floats

    reads_question = True
    """``in_question`` are the vectors of the question alone, zeros where there is none."""

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""
        features = stance_features(table, self.polarity)
        scaled = (features - self.means) / self.scales
        return np.asarray(scaled @ self.weights + self.offsets, dtype=np.float32)

    def outright(self, table: TextTable) -> NDArray[np.bool_]:
        """Return which texts declare a side: what is like them in words may be on the other, [rows]."""
        subject = {question: subject_stems(question) for question in dict.fromkeys(table.questions)}
        rows = zip(table.texts, table.questions, turns(table.questions), strict=True)
        return np.array([any(declared(text, subject[asked], turn)) for text, asked, turn in rows])

    def pack(self) -> tuple[dict[str, Any], dict[str, list[str]], dict[str, Any]]:
        """Return JSON-ready values, no vocabulary, arrays."""
        arrays = {f"polarity_{name}": array for name, array in self.polarity.arrays().items()}
        arrays |= {
            "means": self.means,
            "scales": self.scales,
            "weights": self.weights,
            "offsets": self.offsets,
        }
        return {"kind": "stance", "features": list(NAMES)}, {}, arrays

    @classmethod
    def unpack(
        cls, values: Mapping[str, Any], names: Mapping[str, list[str]], arrays: Mapping[str, Any]
    ) -> StanceScorer:
        """Return the scorer that was packed. Raises KeyError or ValueError where parts do not fit."""
        if tuple(values["features"]) != NAMES:
            raise ValueError("learnt from other features than this version computes")
        own = {
            name.removeprefix("polarity_"): array
            for name, array in arrays.items()
            if name.startswith("polarity_")
        }
        parts = (np.asarray(arrays[n], "f4") for n in ("means", "scales", "weights", "offsets"))
        return cls(Polarity.of(own), *parts)


def stance_features(table: TextTable, polarity: Polarity) -> Floats:
    """Return [rows, len(NAMES)]; ``table.in_question`` as ``StanceScorer.reads_question`` says."""
    texts, questions = table.texts, table.questions
    subject = {question: subject_stems(question) for question in dict.fromkeys(questions)}
    subjects = [subject[question] for question in questions]
    turned = turns(questions)
    free = without_direction(table.vectors, table.in_question)
    leans = _lean(polarity.values(texts, subjects, free), turned)
    clauses = [_clauses(text) for text in texts]
    sizes = [len(of_text) for of_text in clauses]
    owner = np.repeat(np.arange(len(texts)), sizes)
    flat = [clause for of_text in clauses for clause in of_text]
    nothing = np.broadcast_to(polarity.mean, (len(flat), len(polarity.mean)))  # words alone
    spoken = polarity.values(flat, [subjects[row] for row in owner], nothing)
    by_clause = _lean(spoken, turned[owner])
    starts = np.cumsum([0, *sizes])[:-1]
    most = np.maximum.reduceat(by_clause, starts)
    least = np.minimum.reduceat(by_clause, starts)
    outright = [
        _outright(*declared(text, s, turn))
        for text, s, turn in zip(texts, subjects, turned, strict=True)
    ]
    words = [_WORD.findall(text.lower().replace("’", "'")) for text in texts]
    contrast = word_classes()["contrast"]
    return np.stack(
        [
            leans,
            np.abs(leans),
            (table.vectors * table.in_question).sum(axis=1),
            most,
            least,
            np.clip(np.minimum(most, -least), 0.0, None),
            np.add.reduceat(by_clause, starts) / np.array(sizes),
            np.log1p(sizes),
            np.array([any(word in contrast for word in of_text) for of_text in words]),
            np.log1p([len(of_text) for of_text in words]),
            np.array([_names(text, s) for text, s in zip(texts, subjects, strict=True)]),
            *np.array(outright, dtype=np.float32).reshape(-1, 3).T,
        ],
        axis=1,
    ).astype(np.float32)


def _lean(spoken: Floats, turned: Floats) -> Floats:
    return np.asarray(spoken[:, 0] + spoken[:, 1] * turned, dtype=np.float32)


def _outright(support: int, opposition: int) -> tuple[bool, bool, bool]:
    return support > 0, opposition > 0, support > 0 and opposition > 0


def _clauses(text: str) -> list[str]:
    """Return sentences cut before words of contrast too; at least one."""
    found: list[str] = []
    contrast = word_classes()["contrast"]
    for part in _CLAUSE.split(text):
        clause: list[str] = []
        for word in part.split():
            if word.lower().strip(",") in contrast and clause:
                found.append(" ".join(clause))
                clause = []
            clause.append(word)
        if clause:
            found.append(" ".join(clause))
    return found or [text]


def _names(text: str, subject: frozenset[str]) -> float:
    """Return the share of the subject's stems that the text has; 0 where there is no subject."""
    return len(subject & subject_stems(text)) / len(subject) if subject else 0.0
