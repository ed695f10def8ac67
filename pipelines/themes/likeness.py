"""How alike statements are: by meaning and by words, as one number for every pair.

Meaning is the cosine of ALBERT vectors less the mean of all (what every answer to a question shares
tells nothing), cut at zero: that two statements point apart is no evidence. Words are the cosine
of tf-idf over stems. Both views find what the other misses; exponent and weight were set on NHS
comments and key points (train), where a wide range does as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from pipelines.learn.words import stem
from pipelines.stages.vectors import Vectors
from pipelines.themes.types import Floats, Integers

EXPONENT = 1.5
WORDS = 0.7
"""Weight of words beside meaning."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class View:
    """Statements ready to be compared: unit vectors [rows, dimensions] and tf-idf [rows, stems]."""

    meaning: Floats
    words: csr_matrix

    @classmethod
    def of(cls, texts: Sequence[str], vectors: Vectors) -> View:
        """Return the view of ``texts``; ``vectors`` are their rows of the encoder."""
        mean = vectors.mean(axis=0, dtype=np.float64).astype(np.float32) if len(vectors) else 0.0
        return cls(unit(vectors - mean), _tfidf(texts))

    def take(self, rows: Integers) -> View:
        """Return the view of some rows."""
        return View(self.meaning[rows], self.words[rows])

    def likeness(self, other: View) -> Floats:
        """Return 0 (nothing in common) to 1 for every pair, [rows, rows of ``other``]."""
        found = self.meaning @ other.meaning.T
        np.clip(found, 0.0, 1.0, out=found)
        np.power(found, np.float32(EXPONENT), out=found)
        found += WORDS * np.asarray((self.words @ other.words.T).todense(), dtype=np.float32)
        found /= np.float32(1.0 + WORDS)
        return np.asarray(found, dtype=np.float32)


def unit(vectors: Floats) -> Floats:
    """Return rows of length one; a row of zeros stays."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(norms > 1e-9, norms, 1.0), dtype=np.float32)


def stems(text: str) -> list[str]:
    """Return the stems of a text's content words, in order."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return [stem(word) for word in words if len(word) > 1 and word not in ENGLISH_STOP_WORDS]


def _tfidf(texts: Sequence[str]) -> csr_matrix:
    table = TfidfVectorizer(analyzer=stems, sublinear_tf=True, dtype=np.float32)
    try:
        return csr_matrix(table.fit_transform(texts))
    except ValueError:  # no word in any text
        return csr_matrix((len(texts), 1), dtype=np.float32)
