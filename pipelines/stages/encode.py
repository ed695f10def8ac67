"""Sentence vectors: text in, one L2-normalised float32 row out, the same for a text in any batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import torch
from numpy.typing import NDArray

from pipelines.models import ModelSpec, embedded_spec
from pipelines.stages.albert import Albert, load_albert
from pipelines.stages.tokens import TokenReader, load_tokens
from pipelines.stages.vectors import Vectors

# Texts tokenised at a time and tokens run at a time: they bound the memory, not the result.
_TEXTS = 4096
_TOKENS = 4096


class Encoder:
    """An ALBERT folder as a sentence encoder: mean over tokens, then L2-normalised.

    Load one a process: about two seconds with torch's import. ``threads`` sets torch's threads for
    the process; results are bit-identical between calls with the same number of them.
    """

    def __init__(self, spec: ModelSpec | None = None, *, threads: int | None = None) -> None:
        if threads is not None:
            torch.set_num_threads(threads)
        self.spec = spec if spec is not None else embedded_spec()
        self._albert: Albert = load_albert(self.spec)
        self._tokens: TokenReader = load_tokens(
            self.spec, max_tokens=self._albert.max_tokens, vocabulary=self._albert.vocabulary
        )

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._albert.hidden_size

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]; a text without words gives zeros.

        Repeated texts are computed once. A text longer than the model reads is cut into windows at
        token boundaries, and every token counts once in the mean.
        """
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        unique = list(rows)
        vectors = np.zeros((len(unique), self.dimensions), dtype=np.float32)
        for start in range(0, len(unique), _TEXTS):
            self._encode_block(unique[start : start + _TEXTS], vectors[start : start + _TEXTS])
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, norms, out=vectors, where=norms > 0)
        if len(unique) == len(texts):
            return vectors
        return vectors[[rows[text] for text in texts]]

    def count_tokens(self, texts: Sequence[str]) -> int:
        """Return how many tokens ``encode`` would read for distinct ``texts``."""
        return sum(len(window) for windows in self._tokens.read(texts) for window in windows)

    def _encode_block(self, texts: Sequence[str], sums: Vectors) -> None:
        """Add the token vectors of every text into its row of ``sums``."""
        windows = [
            (row, window)
            for row, of_text in enumerate(self._tokens.read(texts))
            for window in of_text
        ]
        # Equal lengths together; the order of a text's own windows stays.
        windows.sort(key=lambda item: -len(item[1]))
        summed: dict[int, list[tuple[int, NDArray[np.float32]]]] = {}
        for batch in _batches(windows):
            hidden = self._albert.hidden([window for _, window in batch])
            start = 0
            for length, run in groupby(batch, key=lambda item: len(item[1])):
                owners = [row for row, _ in run]
                end = start + length * len(owners)
                totals = hidden[start:end].view(len(owners), length, -1).sum(1).numpy()
                for row, total in zip(owners, totals, strict=True):
                    summed.setdefault(row, []).append((length, total))
                start = end
        for row, parts in summed.items():
            tokens = sum(length for length, _ in parts)
            for _, total in parts:
                sums[row] += total / np.float32(tokens)


def _batches(
    windows: Sequence[tuple[int, Sequence[int]]],
) -> Iterator[list[tuple[int, Sequence[int]]]]:
    """Cut sorted windows into batches of at most ``_TOKENS`` tokens, at least one window each."""
    batch: list[tuple[int, Sequence[int]]] = []
    tokens = 0
    for item in windows:
        if batch and tokens + len(item[1]) > _TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(item)
        tokens += len(item[1])
    if batch:
        yield batch
