"""Extractive question answering: the span of a text that answers a question, or none.

For an ALBERT fine-tuned on SQuAD 2 (Rajpurkar et al. 2018, https://arxiv.org/abs/1806.03822), with
the head of ``transformers.AlbertForQuestionAnswering``: one linear layer gives every token a start
and an end logit. A span's strength is start + end; that of "no answer" is start + end of [CLS], the
least of all windows (Devlin et al. 2019, section 4.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.models import ANSWERS, ModelSpec
from pipelines.stages.albert import load_with_head
from pipelines.stages.pairs import PairReader, Window

_MOST_TOKENS = 30
_BEST = 20  # starts and ends that are paired


@dataclass(frozen=True, slots=True)
class Answer:
    """A span of the text that answers: ``text[start:end]``.

    ``score`` is 1 / (1 + exp(none - span)): above 0.5 the model finds the span more probable than
    that the text has no answer. It ranks; it is no calibrated probability.
    """

    start: int
    end: int
    score: float


class SpanReader:
    """A SQuAD-2-type ALBERT, ready to be asked. Raises ``ModelError`` for another head."""

    def __init__(self, spec: ModelSpec, *, threads: int = 1) -> None:
        if spec.task != ANSWERS:
            raise ModelError(
                f"model {spec.id} has no question-answering head but is for {spec.task}; expected "
                "weights of AlbertForQuestionAnswering. Fetch one with: florilegium models fetch "
                "albert-base-v2-squad2"
            )
        self.spec = spec
        albert, (self._head,) = load_with_head(spec, "qa_outputs")
        if tuple(self._head.weight.shape) != (2, albert.hidden_size):
            raise ModelError(
                f"the head of model {spec.id} has shape {list(self._head.weight.shape)}, expected "
                f"{[2, albert.hidden_size]}; install or copy the model again"
            )
        self._pairs = PairReader(spec, albert, threads=threads)

    def answer(self, question: str, texts: Sequence[str]) -> list[Answer | None]:
        """Return the best answer in each text, None where the model finds that it has none."""
        best = self.best(question, texts)
        return [answer if answer is not None and answer.score > 0.5 else None for answer in best]

    def best(self, question: str, texts: Sequence[str]) -> list[Answer | None]:
        """Return the best span of each text however weak, None for a text without a token."""
        spans: list[tuple[float, int, int] | None] = [None] * len(texts)
        nothing = [math.inf] * len(texts)
        windows = self._pairs.windows([(question, text) for text in texts])
        # Windows come back in order of length: ties go to the earliest span.
        for window, (none, span) in self._pairs.map(windows, self._read):
            nothing[window.pair] = min(nothing[window.pair], none)
            before = spans[window.pair]
            if span is not None and (before is None or _rank(span) < _rank(before)):
                spans[window.pair] = span
        return [
            None if span is None else _answer(text, span, none)
            for text, span, none in zip(texts, spans, nothing, strict=True)
        ]

    def _read(self, window: Window, hidden: Tensor) -> tuple[float, tuple[float, int, int] | None]:
        """Return the strength of "no answer" and the best span: strength, start, end."""
        with torch.inference_mode():
            logits = self._head(hidden)  # [tokens, 2]
        none = float(logits[0].sum())
        inside = logits[window.first : window.first + len(window.offsets)]
        starts, ends = inside[:, 0], inside[:, 1]
        most = min(_BEST, len(inside))
        first, last = starts.topk(most).indices, ends.topk(most).indices
        strength = starts[first].unsqueeze(1) + ends[last].unsqueeze(0)  # [starts, ends]
        length = last.unsqueeze(0) - first.unsqueeze(1)
        strength[(length < 0) | (length >= _MOST_TOKENS)] = -math.inf
        place = int(strength.argmax())
        value = float(strength.view(-1)[place])
        if value == -math.inf:
            return none, None
        start = window.offsets[int(first[place // most])][0]
        end = window.offsets[int(last[place % most])][1]
        return none, (value, start, end)


def _rank(span: tuple[float, int, int]) -> tuple[float, int, int]:
    return -span[0], span[1], span[2]


def _answer(text: str, span: tuple[float, int, int], none: float) -> Answer:
    """Return the answer without white space at its ends: a token may hold the space before it."""
    value, start, end = span
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    score = 1.0 / (1.0 + math.exp(min(max(none - value, -700.0), 700.0)))
    return Answer(start, end, round(score, 4))
