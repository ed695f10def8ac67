"""How alike a text and a label's description are: by meaning, by words, and word by word.

Every feature depends on the text and the whole label set, never on other texts, so that scores of
different records can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from pipelines.learn.types import Floats
from pipelines.learn.words import content_words, stem
from pipelines.stages.vectors import SentenceEncoder

PLAIN = (
    "cosine",
    "cosine, label centred",
    "cosine, both centred",
    "character n-grams",
    "label words found",
    "rare label words found",
    "number of words found",
    "label words alike",
    "label words well alike",
    "text words alike",
    "log text words",
    "log label words",
)
_RELATIVE = (2, 3, 5, 7, 9)
NAMES = (
    *PLAIN,
    *(f"{PLAIN[column]}, {how}" for column in _RELATIVE for how in ("margin", "above mean")),
)
_ALIKE = 0.4  # cosine of two words above which they count as well alike
_KEPT = 50_000  # word vectors remembered
_COMMON = 400  # words of the table whose mean vector stands for "a word"


class Likeness:
    """A label set ready to be compared with texts.

    ``idf`` maps stems to how much a word tells, ``unknown`` is that of any other.
    """

    def __init__(
        self,
        prompts: Sequence[str],
        encoder: SentenceEncoder,
        idf: Mapping[str, float],
        unknown: float,
    ) -> None:
        self._encoder = encoder
        self._idf, self._unknown = idf, unknown
        self._kept: dict[str, Floats] = {}
        self._word = encoder.encode(sorted(idf, key=lambda w: (idf[w], w))[:_COMMON]).mean(axis=0)
        self.vectors = encoder.encode(prompts)
        mean = self.vectors.mean(axis=0)
        self.topic = mean / max(float(np.linalg.norm(mean)), 1e-9)
        share = 1.0 - 1.0 / len(prompts)
        self._centred = _unit(self.vectors - np.float32(share) * mean)
        self._free = self._without_topic(self.vectors)
        self._signs = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
        try:
            self._label_signs = csr_matrix(self._signs.fit_transform(prompts))
        except ValueError:
            self._label_signs = None
        words = [content_words(prompt) or [prompt] for prompt in prompts]
        spread = Counter(stem(word) for of_label in words for word in set(of_label))
        self._starts = np.cumsum([0, *(len(of_label) for of_label in words)])[:-1]
        self._stems = np.array([stem(word) for of_label in words for word in of_label])
        self._tells = np.array([self._tell(one) for one in self._stems], dtype=np.float32)
        self._own = self._tells / np.array([spread[one] for one in self._stems], dtype=np.float32)
        self._words = self._word_vectors([word for of_label in words for word in of_label])
        self._log_sizes = np.log1p([len(of_label) for of_label in words])

    def features(
        self, texts: Sequence[str], vectors: Floats, sentences: Sequence[Floats]
    ) -> NDArray[np.float32]:
        """Return [texts, labels, len(NAMES)].

        ``vectors`` are those of the whole texts, [texts, dimensions]; ``sentences`` those of each
        text's sentences, [sentences, dimensions].
        """
        table = np.zeros((len(texts), len(self.vectors), len(PLAIN)), dtype=np.float32)
        free = self._without_topic(vectors)
        table[..., 0] = vectors @ self.vectors.T
        table[..., 1] = vectors @ self._centred.T
        table[..., 2] = free @ self._free.T
        if self._label_signs is not None:
            table[..., 3] = (self._signs.transform(texts) @ self._label_signs.T).toarray()
        words = [content_words(text) for text in texts]
        self._word_vectors([word for of_text in words for word in of_text])
        for row, (of_text, parts) in enumerate(zip(words, sentences, strict=True)):
            if len(parts) > 1:  # a long answer is about a label if one sentence is
                table[row, :, 0] = (table[row, :, 0] + (parts @ self.vectors.T).max(axis=0)) / 2
                table[row, :, 1] = (table[row, :, 1] + (parts @ self._centred.T).max(axis=0)) / 2
                alone = self._without_topic(parts) @ self._free.T
                table[row, :, 2] = (table[row, :, 2] + alone.max(axis=0)) / 2
            if of_text:
                self._by_word(of_text, table[row])
        table[..., 10] = np.log1p([len(of_text) for of_text in words])[:, None]
        table[..., 11] = self._log_sizes
        return np.concatenate([table, *(_relative(table[..., c]) for c in _RELATIVE)], axis=-1)

    def _by_word(self, words: list[str], row: NDArray[np.float32]) -> None:
        """Fill the word features of one text, [labels, features]."""
        stems = {stem(word) for word in words}
        there = np.array([one in stems for one in self._stems], dtype=np.float32)
        sums = np.add.reduceat
        row[:, 4] = sums(self._tells * there, self._starts) / sums(self._tells, self._starts)
        row[:, 5] = sums(self._own * there, self._starts) / sums(self._own, self._starts)
        row[:, 6] = np.log1p(sums(there, self._starts))
        alike = self._words @ self._word_vectors(words).T  # [label words, text words]
        best = alike.max(axis=1)
        row[:, 7] = sums(self._own * best, self._starts) / sums(self._own, self._starts)
        well = self._own * np.maximum(best - _ALIKE, 0.0)
        row[:, 8] = sums(well, self._starts) / sums(self._own, self._starts)
        tells = np.array([self._tell(stem(word)) for word in words], dtype=np.float32)
        by_label = np.maximum.reduceat(alike, self._starts, axis=0)
        row[:, 9] = (by_label @ tells) / max(float(tells.sum()), 1e-6)

    def _word_vectors(self, words: Sequence[str]) -> Floats:
        """Return the centred, normalised vector of every word, [words, dimensions]."""
        new = [word for word in dict.fromkeys(words) if word not in self._kept]
        if new:
            if len(self._kept) + len(new) > _KEPT:
                self._kept.clear()
                new = list(dict.fromkeys(words))
            for word, vector in zip(
                new, _unit(self._encoder.encode(new) - self._word), strict=True
            ):
                self._kept[word] = vector
        return np.stack([self._kept[word] for word in words]) if words else np.zeros((0, 1), "f4")

    def _without_topic(self, vectors: Floats) -> Floats:
        """Return vectors less what all labels share, normalised."""
        return _unit(vectors - (vectors @ self.topic)[:, None] * self.topic)

    def _tell(self, of_stem: str) -> float:
        return self._idf.get(of_stem, self._unknown)


def _relative(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return distance to the best other label and to the mean of all, [texts, labels, 2]."""
    ranked = np.sort(values, axis=1)
    best = ranked[:, -1:]
    second = ranked[:, -2:-1] if values.shape[1] > 1 else best
    margin = values - np.where(values >= best, second, best)
    return np.stack([margin, values - values.mean(axis=1, keepdims=True)], axis=-1)


def _unit(vectors: Any) -> Floats:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-9), dtype=np.float32)
