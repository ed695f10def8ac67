"""A set small enough to ship: hashed n-grams, cues and vectors, one weight a column and label.

It is the straight kernel (degree 1) written out: its coefficients over the examples are added up into
weights, after which no example is needed. N-grams are columns of a hash (Weinberger et al. 2009), so
that a file holds neither texts nor words of those it was learnt from.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.preprocessing import normalize

from pipelines.learn.cues import cue_table
from pipelines.learn.features import CHARACTERS, WORDS, Dense, Table, TextTable, Weights
from pipelines.learn.groups import normalised
from pipelines.learn.kernel import fit_kernel
from pipelines.learn.scorer import Prepared, Scorer
from pipelines.learn.types import Floats

COLUMNS = 1 << 14
"""Columns of words and of characters, each."""

_QUESTION = 1 << 10
_SHORT = 3  # words of an answer that is read together with its question
_OFTEN = 20  # times that its mark stands there, to outweigh the words of the question
_PLAIN = ("ngram_range", "analyzer", "token_pattern", "dtype")


@dataclass(frozen=True, slots=True)
class Hashes:
    """Inverse document frequencies of hashed n-grams, [columns] each, and the cues' file and weight."""

    words: Floats
    characters: Floats
    cues: str = ""
    cue_weight: float = 0.0

    @classmethod
    def fit(
        cls, table: TextTable, columns: int = COLUMNS, cues: str = "", cue_weight: float = 0.0
    ) -> Hashes:
        """Count in how many texts each column stands."""
        words, characters = (
            _idf(_counts(settings, columns, table.texts), len(table.texts))
            for settings in (WORDS, CHARACTERS)
        )
        return cls(words, characters, cues, cue_weight)

    def transform(self, table: TextTable, weights: Weights) -> csr_matrix:
        """Return weighted columns, [rows, words + characters + question + cues]."""
        halves = [
            _weighed(_counts(WORDS, len(self.words), table.texts), self.words, weights.words),
            _weighed(
                _counts(CHARACTERS, len(self.characters), table.texts),
                self.characters,
                weights.characters,
            ),
            _weighed(_counts(WORDS, _QUESTION, _asked(table)), None, weights.question),
            csr_matrix(cue_table(self.cues, table.texts) * np.float32(self.cue_weight**0.5)),
        ]
        return csr_matrix(hstack(halves), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class HashedScorer:
    """Weights [columns, labels] of the sparse and of the dense half, offsets [labels]."""

    hashes: Hashes
    dense: Dense
    weights: Weights
    sparse_weights: Floats
    dense_weights: Floats
    offsets: Floats

    def score(self, table: TextTable) -> Floats:
        """Return scores, [rows, labels]."""
        lexical = self.hashes.transform(table, self.weights) @ self.sparse_weights
        meaning = self.dense.transform(table, self.weights) @ self.dense_weights
        return np.asarray(lexical + meaning + self.offsets, dtype=np.float32)

    def pack(self) -> tuple[dict[str, Any], dict[str, list[str]], dict[str, Any]]:
        """Return JSON-ready values, no vocabulary, arrays in half precision."""
        values = {
            "kind": "hashed",
            "weights": asdict(self.weights),
            "cues": [self.hashes.cues, self.hashes.cue_weight],
            "lengths": [self.dense.length, self.dense.length_in_question],
        }
        arrays = {
            "mean": self.dense.mean,
            "mean_in_question": self.dense.mean_in_question,
            "offsets": self.offsets,
        } | {
            name: np.asarray(table, dtype=np.float16)
            for name, table in (
                ("words_idf", self.hashes.words),
                ("characters_idf", self.hashes.characters),
                ("sparse_weights", self.sparse_weights),
                ("dense_weights", self.dense_weights),
            )
        }
        return values, {}, arrays

    @classmethod
    def unpack(
        cls, values: Mapping[str, Any], names: Mapping[str, list[str]], arrays: Mapping[str, Any]
    ) -> HashedScorer:
        """Return the scorer that was packed. Raises KeyError where a part misses."""
        wide = {name: np.asarray(array, dtype=np.float32) for name, array in arrays.items()}
        return cls(
            Hashes(wide["words_idf"], wide["characters_idf"], *values["cues"]),
            Dense(wide["mean"], wide["mean_in_question"], *values["lengths"]),
            Weights(**values["weights"]),
            wide["sparse_weights"],
            wide["dense_weights"],
            wide["offsets"],
        )


@dataclass(frozen=True, slots=True)
class WithHashed:
    """Learn a ``HashedScorer``; unseen scores have a closed form, as those of the kernel."""

    weights: Weights = field(default_factory=Weights)
    ridge: float = 0.5
    columns: int = COLUMNS
    cues: str = ""
    cue_weight: float = 0.3

    def fit(self, prepared: Prepared) -> tuple[Scorer, Floats]:
        """Return the scorer and the unseen scores, [rows, labels]."""
        table = prepared.table
        hashes = Hashes.fit(table, self.columns, self.cues, self.cue_weight)
        features = Table(
            hashes.transform(table, self.weights), prepared.dense.transform(table, self.weights)
        )
        kernel, unseen = fit_kernel(
            features, prepared.codes, prepared.groups, ridge=self.ridge, degree=1
        )
        points, by = kernel.landmarks, kernel.coefficients
        scorer = HashedScorer(
            hashes,
            prepared.dense,
            self.weights,
            np.asarray(points.sparse.T @ by, dtype=np.float32),
            np.asarray(points.dense.T @ by, dtype=np.float32),
            kernel.offsets,
        )
        return scorer, unseen


def _asked(table: TextTable) -> list[str]:
    """Return the questions, each with a mark of the answer where that is short.

    "Nothing" means one thing after "What was good?" and another after "What could be better?".
    """
    asked = []
    for question, text in zip(table.questions, table.texts, strict=True):
        words = normalised(text).split()
        if question and len(words) <= _SHORT:
            mark = zlib.crc32(" ".join([normalised(question), "|", *words]).encode())
            question = f"{question} {f'x{mark:08x} . ' * _OFTEN}"
        asked.append(question)
    return asked


def _counts(settings: Mapping[str, Any], columns: int, texts: Sequence[str]) -> csr_matrix:
    """Return 1 + log of how often a column's n-grams stand in a text, [texts, columns]."""
    plain = {name: settings[name] for name in _PLAIN if name in settings}
    hashing = HashingVectorizer(**plain, n_features=columns, alternate_sign=False, norm=None)
    table = hashing.transform(texts)
    np.log(table.data, out=table.data)
    table.data += 1.0
    return table


def _idf(table: csr_matrix, rows: int) -> Floats:
    there = np.bincount(table.indices, minlength=table.shape[1])
    return np.asarray(np.log((1.0 + rows) / (1.0 + there)) + 1.0, dtype=np.float32)


def _weighed(table: csr_matrix, idf: Floats | None, weight: float) -> csr_matrix:
    if idf is not None:
        table.data *= idf[table.indices]
    table = normalize(table, copy=False)
    table.data *= np.float32(weight**0.5)
    return table
