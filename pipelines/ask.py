"""Answer a question from a collection: spans by a question-answering ALBERT, or the best sentences.

1. Every sentence gets 3/4 of its vector's cosine with the question's and 1/4 of the share of the
   question's words that it holds, each word weighted by how rare it is in the collection (idf).
   A sentence that is a question itself or very short loses a little (``ask.toml``).
2. Without a question-answering model the best sentences are the answer.
3. With one it reads the passages around the best sentences and marks the span that answers, or
   finds that there is none (SQuAD 2). A passage is a sentence with those next to it.

Values in, values out; documents are streamed and only places and scores are kept of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pipelines.question import Words, loss
from pipelines.stages.vectors import SentenceEncoder
from pipelines.types import Segment

PASSAGES = 40
"""Passages that a question-answering model reads."""

_MEANING = 0.75
_DOCUMENTS = 512  # encoded together
_AROUND = 700  # characters of a passage on either side of its sentence


@dataclass(frozen=True, slots=True)
class Source:
    """A document that may hold the answer: its key, its text and its sentences."""

    document: str
    text: str
    sentences: Sequence[Segment]


@dataclass(frozen=True, slots=True)
class Found:
    """An answer and where it stands: ``text`` is the document's text from ``start`` to ``end``."""

    document: str
    start: int
    end: int
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class Reply:
    """The answers, best first, and how much was looked at.

    ``passages`` were read by the question-answering model, of which ``without`` hold no answer.
    """

    answers: tuple[Found, ...]
    documents: int
    sentences: int
    passages: int = 0
    without: int = 0


Candidate = tuple[float, int, int, NDArray[np.bool_], Source]
"""A sentence: its likeness, its document's number, its place there, the words it holds, its document."""


class Span(Protocol):
    """A span of a text and its score, as ``stages.spans.Answer``."""

    @property
    def start(self) -> int:
        """First character."""

    @property
    def end(self) -> int:
        """Character after the last."""

    @property
    def score(self) -> float:
        """How sure, 0 to 1."""


class Reader(Protocol):
    """Finds the span of a text that answers, as ``stages.spans.SpanReader``."""

    def answer(self, question: str, texts: Sequence[str]) -> Sequence[Span | None]:
        """Return one span a text, None where it holds no answer."""


def ask(
    question: str,
    sources: Iterable[Source],
    encoder: SentenceEncoder,
    reader: Reader | None = None,
    *,
    most: int = 5,
    passages: int = PASSAGES,
) -> Reply:
    """Return at most ``most`` answers to ``question``, ties in the order of the sources."""
    ranked, documents, sentences = _ranked(
        question, sources, encoder, keep=most if reader is None else passages
    )
    if reader is None:
        answers = tuple(found for found, _ in ranked if found.score > 0)
        return Reply(answers[:most], documents, sentences)
    around = _passages(ranked)
    spans = reader.answer(question, [text for _, _, text in around])
    found: dict[tuple[str, int, int], Found] = {}
    for (document, start, text), span in zip(around, spans, strict=True):
        if span is not None and span.end > span.start:
            place = (document, start + span.start, start + span.end)
            words = text[span.start : span.end]
            found.setdefault(place, Found(*place, words, round(span.score, 4)))
    best = sorted(found.values(), key=lambda answer: -answer.score)
    without = sum(span is None for span in spans)
    return Reply(tuple(best[:most]), documents, sentences, len(around), without)


def _ranked(
    question: str, sources: Iterable[Source], encoder: SentenceEncoder, *, keep: int
) -> tuple[list[tuple[Found, Source]], int, int]:
    """Return the best sentences with their documents; documents and sentences that were read."""
    vector = encoder.encode([question])[0]
    words = Words(question)
    read = sentences = 0
    best: list[Candidate] = []
    stream = iter(sources)
    while batch := list(islice(stream, _DOCUMENTS)):
        texts = [source.text[one.start : one.end] for source in batch for one in source.sentences]
        cosines = encoder.encode(texts) @ vector if texts else np.zeros(0, dtype=np.float32)
        row = 0
        for source in batch:
            for place, _ in enumerate(source.sentences):
                held = words.count(texts[row])
                likeness = float(cosines[row]) - loss(texts[row]) / _MEANING
                best.append((likeness, read, place, held, source))
                row += 1
            read += 1
        sentences += row
        best = _cut(best, words, keep)
    scored = _cut(best, words, keep, all_words=True)
    idf = words.weights()
    found = [
        (_sentence(source, place, _score(cosine, held, idf)), source)
        for cosine, _, place, held, source in scored
    ]
    return found, read, sentences


def _cut(
    found: list[Candidate], words: Words, keep: int, *, all_words: bool = False
) -> list[Candidate]:
    """Keep the best, with room for what rarer words may still change before all has been read."""
    idf = words.weights()
    found.sort(key=lambda one: (-_score(one[0], one[3], idf), one[1], one[2]))
    seen: set[str] = set()
    kept: list[Candidate] = []
    room = keep if all_words else max(20 * keep, 500)
    for one in found:
        sentence = one[4].sentences[one[2]]
        text = one[4].text[sentence.start : sentence.end]
        if text not in seen:  # what many wrote in the same words answers once
            seen.add(text)
            kept.append(one)
        if len(kept) == room:
            break
    return kept


def _score(cosine: float, held: NDArray[np.bool_], idf: NDArray[np.float64]) -> float:
    share = float(idf[held].sum() / idf.sum()) if idf.sum() > 0 else cosine
    return min(max(_MEANING * cosine + (1.0 - _MEANING) * share, 0.0), 1.0)


def _sentence(source: Source, place: int, score: float) -> Found:
    one = source.sentences[place]
    text = source.text[one.start : one.end]
    return Found(source.document, one.start, one.end, text, round(score, 4))


def _passages(ranked: Sequence[tuple[Found, Source]]) -> list[tuple[str, int, str]]:
    """Return document, start and text of the passages around the sentences, each once."""
    taken: dict[str, list[tuple[int, int]]] = {}
    passages: list[tuple[str, int, str]] = []
    for found, source in ranked:
        if any(a <= found.start and found.end <= b for a, b in taken.get(found.document, ())):
            continue
        ends = [one.end for one in source.sentences if one.end <= found.end + _AROUND]
        starts = [one.start for one in source.sentences if one.start >= found.start - _AROUND]
        start = min([*starts, found.start])
        end = max([*ends, found.end])
        taken.setdefault(found.document, []).append((start, end))
        passages.append((found.document, start, source.text[start:end]))
    return passages
