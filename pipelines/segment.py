"""Cut texts into sentences with exact offsets, whatever their length.

spaCy's blank English tokeniser says what belongs together (web addresses, decimals, e-mail);
one component applies the rules of ``boundaries``. Texts are read in windows, so that memory does
not grow with their length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from pipelines.boundaries import bundled_rules
from pipelines.types import Segment

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

WINDOW = 16_000
"""Characters read at once."""

LONGEST = 1_000
"""Characters of a sentence after which it is cut, at white space where there is any."""

_CONTEXT = 80  # characters before a window that its rules may look at
_LOOK_AHEAD = 200  # a boundary this near the end of a window is left to the next one
_BATCH = 500_000  # characters
_STRINGS = 200_000  # words the tokeniser keeps for good; later ones are dropped batch by batch
_CACHED = 100_000  # split words the tokeniser remembers (spaCy: 10,000)
_UNBROKEN = re.compile(r"\S{200,}")
_IDEOGRAPHIC = re.compile(r"[。！？][”’）」』]*")
_SPACE = re.compile(r"\s")
_NOT_SPACE = re.compile(r"\S")
_CUT_AFTER = tuple(re.compile(rf"{mark}(?=\s)") for mark in (";", ":", "[,)–—-]", r"\S"))
_lock = Lock()


def segment(text: str) -> tuple[Segment, ...]:
    """Return the sentences of ``text`` in order; see ``segment_all``."""
    return next(segment_all([text]))


def segment_all(texts: Iterable[str]) -> Iterator[tuple[Segment, ...]]:
    """Yield the sentences of each text, in the order of ``texts``.

    Sentences are not empty, hold no white space at their ends, do not overlap, and together hold
    every character that is not white space. Offsets are code points.
    """
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text) + 100
        if size >= _BATCH:
            yield from _segment_batch(batch)
            batch, size = [], 0
    yield from _segment_batch(batch)


def _segment_batch(texts: list[str]) -> list[tuple[Segment, ...]]:
    """Segment ``texts`` under the lock: spaCy's vocabulary is not safe between threads."""
    with _lock:
        nlp = _pipeline()
        crowded = len(nlp.vocab.strings) > _STRINGS
        with nlp.memory_zone() if crowded else nullcontext():
            return [
                tuple(Segment(start, end, i) for i, (start, end) in enumerate(_spans(nlp, text)))
                for text in texts
            ]


def _spans(nlp: Language, text: str) -> Iterator[tuple[int, int]]:
    """Yield the trimmed sentences of ``text``, reading it in windows that overlap a little."""
    position, length = 0, len(text)
    while position < length:
        left, end = max(0, position - _CONTEXT), min(length, position + WINDOW)
        usable = length if end == length else end - _LOOK_AHEAD
        first = position
        for start in _starts(nlp, text[left:end]):
            if position < left + start < usable:
                yield from _pieces(text, position, left + start)
                position = left + start
        if end == length:
            yield from _pieces(text, position, length)
            return
        if position == first:
            pieces = list(_pieces(text, position, end))
            last = pieces[-1][0] if pieces else end
            position = last if last > first else end
            yield from (piece for piece in pieces if piece[0] < position)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield ``text[start:end]`` trimmed, cut where it is longer than ``LONGEST``."""
    found = _NOT_SPACE.search(text, start, end)
    end = start + len(text[start:end].rstrip())
    while found:
        start = found.start()
        cut = _cut(text, start, end) if end - start > LONGEST else end
        yield start, start + len(text[start:cut].rstrip())
        found = _NOT_SPACE.search(text, cut, end)


def _cut(text: str, start: int, end: int) -> int:
    """Return where to cut: after the last semicolon, colon, comma or word that leaves enough."""
    for mark in _CUT_AFTER:
        places = [m.end() for m in mark.finditer(text, start + LONGEST // 2, start + LONGEST)]
        if places:
            return places[-1]
    limit = min(end, start + 2 * LONGEST)
    space = _SPACE.search(text, start + LONGEST, limit)
    return space.start() if space else limit


def _starts(nlp: Language, text: str) -> list[int]:
    """Return where sentences after the first start in ``text``, in order."""
    from spacy.attrs import SENT_START

    # The tokeniser takes quadratic time over runs without white space.
    doc = nlp.make_doc(_UNBROKEN.sub(lambda run: "x" * (len(run[0]) - 20) + run[0][-20:], text))
    doc.user_data["text"] = text  # the component would rebuild it token by token
    doc = nlp(doc)
    starts = [doc[i].idx for i in (doc.to_array(SENT_START) == 1).nonzero()[0].tolist() if i]
    if found := [match.end() for match in _IDEOGRAPHIC.finditer(text)]:
        starts = sorted({*starts, *found})
    return starts


@cache
def _pipeline() -> Language:
    """Return the blank English pipeline with the sentence rules as its only component."""
    import numpy as np
    import spacy
    from spacy.attrs import SENT_START
    from spacy.language import Language

    rules = bundled_rules()
    nlp = spacy.blank("en")
    tokenizer: Any = nlp.tokenizer
    tokenizer.max_cache_size = _CACHED
    # Exceptions such as "e.g." stop the tokeniser from remembering the words after them; the rules
    # of ``boundaries`` know abbreviations from the characters.
    tokenizer.rules = {}
    candidate = nlp.vocab.add_flag(rules.is_candidate)

    @Language.component("florilegium_sentences")
    def mark_sentences(doc: Doc) -> Doc:
        text = doc.user_data.get("text") or doc.text
        flags = doc.to_array(candidate)
        starts: Any = np.zeros(len(doc), dtype=np.uint64)
        for i in flags.nonzero()[0].tolist():
            token = doc[i]
            start = rules.next_start(text, token.idx, token.idx + len(token))
            if start is not None:
                while i < len(doc) and doc[i].idx < start:
                    i += 1
                if i < len(doc):
                    starts[i] = 1
        # At once: the setter of a token looks through the whole document each time.
        return doc.from_array([SENT_START], starts.reshape(-1, 1)) if starts.any() else doc

    nlp.add_pipe("florilegium_sentences")
    return nlp
