"""Sentence vectors: text in, one L2-normalised float32 row out, the same for a text in any batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from pipelines.engines import BFLOAT16, CUDA, FLOAT32, INT8, require
from pipelines.errors import ModelError
from pipelines.models import ModelSpec, embedded_spec
from pipelines.stages.albert import load_albert
from pipelines.stages.tokens import TokenReader, load_tokens
from pipelines.stages.vectors import Vectors

# Texts tokenised at a time and tokens run at a time: they bound the memory, not the result.
_TEXTS = 4096
_TOKENS = 2048

_SHARE = 64
"""Texts that are worth a thread of their own to tokenise."""

_Window = tuple[int, Sequence[int]]
"""A text's row and token ids of it that the model can read at once."""


class Encoder:
    """An ALBERT folder as a sentence encoder: mean over tokens, then L2-normalised.

    Load one a process: about two seconds with torch's import. ``threads`` batches run side by side,
    each on one core: operators of this size lose more by waiting for each other than they gain, and
    so the number of threads does not change a bit of the result either. ``engine`` is a name of
    ``pipelines.engines``; another engine gives slightly other vectors. ``folder`` is that of the
    workspace's models, where ``models tune`` keeps what an engine needs beside the weights.
    """

    def __init__(
        self,
        spec: ModelSpec | None = None,
        *,
        threads: int = 1,
        engine: str = FLOAT32,
        folder: Path | None = None,
    ) -> None:
        self.spec = spec if spec is not None else embedded_spec()
        self.engine = engine
        self._albert = _load(self.spec, require(engine), folder)
        self._tokens: TokenReader = load_tokens(
            self.spec, max_tokens=self._albert.max_tokens, vocabulary=self._albert.vocabulary
        )
        self._threads = max(1, threads)
        self._pool = ThreadPoolExecutor(
            self._threads, "encode", initializer=torch.set_num_threads, initargs=(1,)
        )

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._albert.hidden_size

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text, [len(texts), dimensions]; a text without a token gives zeros.

        Repeated texts are computed once. A text longer than the model reads is cut into windows at
        token boundaries, and every token counts once in the mean.
        """
        rows = {text: row for row, text in enumerate(dict.fromkeys(texts))}
        unique = list(rows)
        vectors = np.zeros((len(unique), self.dimensions), dtype=np.float32)
        for start in range(0, len(unique), _TEXTS):
            block = vectors[start : start + _TEXTS]
            self._encode_block(unique[start : start + _TEXTS], block)
            norms = np.linalg.norm(block, axis=1, keepdims=True)
            np.divide(block, norms, out=block, where=norms > 0)
        if len(unique) == len(texts):
            return vectors
        return vectors[[rows[text] for text in texts]]

    def count_tokens(self, texts: Sequence[str]) -> int:
        """Return how many tokens ``encode`` would read for distinct ``texts``."""
        return sum(
            len(window)
            for start in range(0, len(texts), _TEXTS)
            for windows in self._read(texts[start : start + _TEXTS])
            for window in windows
        )

    def _encode_block(self, texts: Sequence[str], means: Vectors) -> None:
        """Fill ``means`` with the mean token vector of every text."""
        windows = [
            (row, window) for row, of_text in enumerate(self._read(texts)) for window in of_text
        ]
        # Equal lengths together; the order of a text's own windows stays.
        windows.sort(key=lambda item: -len(item[1]))
        tokens = np.zeros(len(texts), dtype=np.float32)
        for row, window in windows:
            tokens[row] += len(window)
        batches = list(_batches(windows))
        for batch, sums in zip(batches, self._pool.map(self._sums, batches), strict=True):
            for (row, _), total in zip(batch, sums, strict=True):
                means[row] += total / tokens[row]

    def _read(self, texts: Sequence[str]) -> list[list[list[int]]]:
        """Return the windows of each text, tokenised side by side."""
        share = max(_SHARE, -(-len(texts) // self._threads))
        parts = [texts[start : start + share] for start in range(0, len(texts), share)]
        return list(chain.from_iterable(self._pool.map(self._tokens.read, parts)))

    def _sums(self, batch: Sequence[_Window]) -> Vectors:
        """Return the sum of the token vectors of every window, [len(batch), dimensions]."""
        hidden = self._albert.hidden([window for _, window in batch])
        sums: list[Vectors] = []
        start = 0
        for length, run in groupby(len(window) for _, window in batch):
            count = sum(1 for _ in run)
            end = start + length * count
            sums.append(hidden[start:end].view(count, length, -1).sum(1).numpy())
            start = end
        return np.concatenate(sums)


class _Albert(Protocol):
    """What an engine does: packed hidden states of sequences, equal lengths together."""

    hidden_size: int
    max_tokens: int
    vocabulary: int

    def hidden(self, sequences: Sequence[Sequence[int]]) -> torch.Tensor: ...


def _load(spec: ModelSpec, engine: str, folder: Path | None) -> _Albert:
    if engine == INT8:
        from pipelines.stages.int8 import load_int8
        from pipelines.stages.quantise import prepared_path

        if folder is None:
            raise ModelError(
                "engine int8 needs the folder of models that `florilegium models tune` prepared"
            )
        return load_int8(spec, prepared_path(spec, folder))
    if engine == CUDA:
        if not torch.cuda.is_available():
            raise ModelError(
                "engine cuda: torch sees no CUDA device; choose again: florilegium models tune"
            )
        return load_albert(spec, device="cuda")
    return load_albert(spec, precision=torch.bfloat16 if engine == BFLOAT16 else torch.float32)


def _batches(windows: Sequence[_Window]) -> Iterator[list[_Window]]:
    """Cut sorted windows into batches of at most ``_TOKENS`` tokens, at least one window each."""
    batch: list[_Window] = []
    tokens = 0
    for item in windows:
        if batch and tokens + len(item[1]) > _TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(item)
        tokens += len(item[1])
    if batch:
        yield batch
