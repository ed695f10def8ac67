"""Pairs of texts through an ALBERT: [CLS] first [SEP] second [SEP], packed, in windows.

The second text is read in windows that overlap by half, so that a span near the edge of one stands
in the middle of another. A pair has the same bits in any company, as ``stages.albert`` explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import torch
from tokenizers import Encoding, Tokenizer
from torch import Tensor

from pipelines.models import ModelSpec
from pipelines.stages.albert import Albert
from pipelines.stages.tokens import load_tokenizer, special_ids, without_surrogates

_TOKENS = 2048

T = TypeVar("T")
Offsets = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence of a pair: its ids, and where the second text's tokens stand.

    Tokens ``first`` to ``first + len(offsets)`` are the second text's; ``offsets`` are their
    characters in it. ``pair`` is the pair's number.
    """

    pair: int
    ids: list[int]
    first: int
    offsets: Offsets


class PairReader:
    """An ALBERT with its tokenizer, for pairs."""

    def __init__(self, spec: ModelSpec, albert: Albert, *, threads: int = 1) -> None:
        self._albert = albert
        self._tokenizer: Tokenizer = load_tokenizer(spec, vocabulary=albert.vocabulary)
        before, after = special_ids(self._tokenizer)
        self._cls, self._sep = before, after
        self._pool = ThreadPoolExecutor(
            max(1, threads), "pairs", initializer=torch.set_num_threads, initargs=(1,)
        )

    def windows(self, pairs: Sequence[tuple[str, str]]) -> list[Window]:
        """Return the windows of all pairs, in order; a pair without tokens in its second text none.

        A first text is cut where it takes more than half of a window that the second needs.
        """
        firsts = self._encoded([first for first, _ in pairs])
        seconds = self._encoded([second for _, second in pairs])
        found: list[Window] = []
        for number, (first, second) in enumerate(zip(firsts, seconds, strict=True)):
            marks = len(self._cls) + 2 * len(self._sep)
            room = self._albert.max_tokens - marks
            asked = first.ids[: max(room - len(second.ids), room // 2)]
            head = [*self._cls, *asked, *self._sep]
            size = room - len(asked)
            for start in _starts(len(second.ids), size):
                ids = second.ids[start : start + size]
                offsets = second.offsets[start : start + size]
                found.append(Window(number, [*head, *ids, *self._sep], len(head), offsets))
        return found

    def map(
        self, windows: Sequence[Window], work: Callable[[Window, Tensor], T]
    ) -> Iterator[tuple[Window, T]]:
        """Yield every window with what ``work`` makes of its hidden states, [tokens, hidden]."""
        order = sorted(windows, key=lambda window: -len(window.ids))

        def run(batch: list[Window]) -> list[tuple[Window, T]]:
            hidden = self._albert.hidden(
                [window.ids for window in batch], [window.first for window in batch]
            )
            parts = torch.split(hidden, [len(window.ids) for window in batch])
            return [(window, work(window, part)) for window, part in zip(batch, parts, strict=True)]

        for done in self._pool.map(run, _batches(order)):
            yield from done

    def _encoded(self, texts: Sequence[str]) -> list[Encoding]:
        distinct = list(dict.fromkeys(texts))
        encodings = self._tokenizer.encode_batch(
            [without_surrogates(text) for text in distinct], add_special_tokens=False
        )
        by_text = dict(zip(distinct, encodings, strict=True))
        return [by_text[text] for text in texts]


def _starts(length: int, size: int) -> Iterator[int]:
    """Yield where windows of ``size`` start so that each overlaps the one before by half."""
    start = 0
    while start < length:
        yield start
        if start + size >= length:
            return
        start += max(1, size // 2)


def _batches(windows: Sequence[Window]) -> Iterator[list[Window]]:
    batch: list[Window] = []
    tokens = 0
    for window in windows:
        if batch and tokens + len(window.ids) > _TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(window)
        tokens += len(window.ids)
    if batch:
        yield batch
