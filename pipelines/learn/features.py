"""Features of texts: word and character n-grams, the question asked, and ALBERT vectors.

Everything is one table in two halves with the same rows: n-grams and the question are sparse,
vectors dense. An inner product of two rows is a weighted sum of likenesses: of words, of word
pieces, of question, of meaning alone and of meaning after the question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer

from pipelines.learn.types import Floats, Integers
from pipelines.stages.vectors import SentenceEncoder

WORDS: Mapping[str, Any] = {
    "ngram_range": (1, 2),
    "sublinear_tf": True,
    "dtype": np.float32,
    "token_pattern": r"(?u)\b\w+\b",
}
CHARACTERS: Mapping[str, Any] = {
    "analyzer": "char_wb",
    "ngram_range": (2, 5),
    "sublinear_tf": True,
    "dtype": np.float32,
}
_SMALL = 500  # texts below which a word seen once counts too


@dataclass(frozen=True, slots=True)
class TextTable:
    """Texts with their vectors, made once and cut into folds: all arrays have one row a text.

    ``in_question`` are the vectors of question and text together, without columns where no text of
    the set has a question.
    """

    texts: tuple[str, ...]
    questions: tuple[str, ...]
    vectors: Floats
    in_question: Floats

    def take(self, rows: Integers) -> TextTable:
        """Return some of the rows, in the order asked for."""
        return TextTable(
            tuple(self.texts[row] for row in rows),
            tuple(self.questions[row] for row in rows),
            self.vectors[rows],
            self.in_question[rows],
        )


@dataclass(frozen=True, slots=True)
class Table:
    """The two halves of the features, [rows, sparse columns] and [rows, dense columns]."""

    sparse: csr_matrix
    dense: Floats

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.dense)

    def take(self, rows: Integers | slice) -> Table:
        """Return some of the rows."""
        return Table(self.sparse[rows], self.dense[rows])

    def products(self, other: Table) -> Floats:
        """Return the inner product of every row with every row of ``other``."""
        return self.products_with(csr_matrix(other.sparse.T), other.dense)

    def products_with(self, columns: csr_matrix, dense: Floats) -> Floats:
        """Return the same, the other's sparse half standing on its side: [sparse columns, rows]."""
        lexical: Floats = (self.sparse @ columns).toarray()
        lexical += self.dense @ dense.T
        return np.asarray(lexical, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of likeness counts for; a likeness of 1 is that of a text with itself."""

    words: float = 0.5
    characters: float = 0.5
    question: float = 0.3
    meaning: float = 1.0


def text_table(
    texts: Sequence[str], questions: Sequence[str], encoder: SentenceEncoder
) -> TextTable:
    """Encode texts alone and after their question, those without one only once."""
    asked = [" ".join(question.split()) for question in questions]
    if any(asked):
        together = [f"{q} {text}" if q else text for q, text in zip(asked, texts, strict=True)]
        both = encoder.encode([*texts, *together])
        vectors, in_question = both[: len(texts)], both[len(texts) :]
    else:
        vectors = encoder.encode(texts)
        in_question = np.zeros((len(texts), 0), dtype=np.float32)
    return TextTable(tuple(texts), tuple(asked), vectors, in_question)


class Lexical:
    """Word and character n-grams by tf-idf, and which of the known questions was asked."""

    def __init__(
        self, words: TfidfVectorizer, characters: TfidfVectorizer, questions: Sequence[str]
    ) -> None:
        self.words = words
        self.characters = characters
        self.questions = tuple(questions)

    @classmethod
    def fit(cls, table: TextTable) -> Lexical:
        """Learn the vocabulary; n-grams of one text alone count in small sets only."""
        least = 1 if len(table.texts) < _SMALL else 2
        return cls(
            _fitted(WORDS, table.texts, least),
            _fitted(CHARACTERS, table.texts, least + 1),
            sorted({question for question in table.questions if question}),
        )

    def transform(self, table: TextTable) -> csr_matrix:
        """Return the sparse half unweighted, [rows, words + characters + questions]."""
        return csr_matrix(
            hstack(
                [
                    self.words.transform(table.texts),
                    self.characters.transform(table.texts),
                    csr_matrix(_one_hot(table.questions, self.questions)),
                ]
            ),
            dtype=np.float32,
        )

    def weighted(self, sparse: csr_matrix, weights: Weights) -> csr_matrix:
        """Return the sparse half with its columns weighted, so that products are likenesses."""
        factors = np.concatenate(
            [
                np.full(len(self.words.vocabulary_), weights.words**0.5),
                np.full(len(self.characters.vocabulary_), weights.characters**0.5),
                np.full(len(self.questions), weights.question**0.5),
            ]
        ).astype(np.float32)
        data = sparse.data * factors[sparse.indices]
        return csr_matrix((data, sparse.indices, sparse.indptr), shape=sparse.shape)


@dataclass(frozen=True, slots=True)
class Dense:
    """Centres and lengths of the examples' vectors, alone and after the question.

    Centred vectors are scaled so that the mean square length of the examples is 1.
    """

    mean: Floats
    mean_in_question: Floats
    length: float
    length_in_question: float

    @classmethod
    def fit(cls, table: TextTable) -> Dense:
        """Learn centres and lengths."""
        mean, together = table.vectors.mean(axis=0), table.in_question.mean(axis=0)
        return cls(
            mean,
            together,
            _length(table.vectors - mean),
            _length(table.in_question - together) if len(together) else 1.0,
        )

    def transform(self, table: TextTable, weights: Weights) -> Floats:
        """Return the dense half, [rows, columns]."""
        both = len(self.mean_in_question) > 0
        scale = np.float32((weights.meaning / (2.0 if both else 1.0)) ** 0.5)
        parts = [(table.vectors - self.mean) * (scale / np.float32(self.length))]
        if both:
            parts.append(
                (table.in_question - self.mean_in_question)
                * (scale / np.float32(self.length_in_question))
            )
        return np.ascontiguousarray(np.hstack(parts), dtype=np.float32)


def _fitted(settings: Mapping[str, Any], texts: Sequence[str], least: int) -> TfidfVectorizer:
    """Return a fitted vectoriser; one n-gram that no text has where there is none to learn."""
    try:
        return TfidfVectorizer(**settings, min_df=least).fit(texts)
    except ValueError:
        return TfidfVectorizer(**settings, vocabulary={"\0": 0}).fit(texts)


def _one_hot(values: Sequence[str], known: Sequence[str]) -> Floats:
    """Return one column a known value, [rows, known]; an unknown one is a row of zeros."""
    place = {value: column for column, value in enumerate(known)}
    table = np.zeros((len(values), len(known)), dtype=np.float32)
    for row, value in enumerate(values):
        if value in place:
            table[row, place[value]] = 1.0
    return table


def _length(centred: Floats) -> float:
    return max(float(np.sqrt((centred**2).sum(axis=1).mean())), 1e-6)
