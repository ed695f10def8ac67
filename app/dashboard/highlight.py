"""Show a document's text with its spans, everything escaped.

The text is never HTML or Markdown to us: it is cut at the span edges into segments, each segment
is escaped, and only the elements written here surround it. Spans may nest and overlap.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

WINDOW = 40_000
"""Characters shown at once; longer documents are shown in parts."""

# Embeddings, overrides and isolates can make a line read differently from what it stores, and
# control characters and lone surrogates cannot be sent: all are shown by name. The plain marks
# (U+200E, U+200F, U+061C) reorder nothing by themselves and stay.
_CONTROLS = re.compile(
    "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the text to point out.

    ``kind`` is ``tag`` or ``summary``; ``number`` refers to the row of the table below the text;
    ``title`` says in words what the styling says; ``note`` is what the text says of a tag
    ("negated"), "" where it affirms it.
    """

    start: int
    end: int
    kind: str
    title: str
    number: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text between two edges, the spans over it and those that end with it."""

    text: str
    spans: tuple[Span, ...]
    closing: tuple[Span, ...]


def segments(
    text: str, spans: Iterable[Span], *, start: int = 0, end: int | None = None
) -> tuple[Segment, ...]:
    """Cut ``text[start:end]`` at the span edges.

    The pieces joined are ``text[start:end]`` again. Spans that reach outside the text are clipped
    to it; empty ones are left out.
    """
    stop = len(text) if end is None else min(end, len(text))
    start = max(0, start)
    inside = [span for span in spans if span.start < span.end and span.end > start]
    inside = sorted(
        (span for span in inside if span.start < stop), key=lambda span: (span.start, -span.end)
    )
    edges = {start, stop}
    for span in inside:
        edges.update((max(span.start, start), min(span.end, stop)))
    cuts = sorted(edges)
    pieces: list[Segment] = []
    open_spans: list[Span] = []
    waiting = 0
    for left, right in pairwise(cuts):
        while waiting < len(inside) and max(inside[waiting].start, start) <= left:
            open_spans.append(inside[waiting])
            waiting += 1
        open_spans = [span for span in open_spans if span.end > left]
        closing = tuple(span for span in open_spans if span.end == right)
        pieces.append(Segment(text[left:right], tuple(open_spans), closing))
    return tuple(pieces)


def visible(text: str) -> str:
    """Escape ``text`` for HTML and write invisible control characters by their code point."""
    return _CONTROLS.sub(_control, html.escape(text, quote=True))


def attribute(text: str) -> str:
    """Escape ``text`` for a quoted HTML attribute; control characters as bare code points."""
    return _CONTROLS.sub(lambda found: f"[{_code(found[0])}]", html.escape(text, quote=True))


def document_html(
    text: str, spans: Sequence[Span], *, start: int = 0, end: int | None = None
) -> str:
    """Return the text as HTML: summary sentences ruled on the left, tags boxed and numbered."""
    body = "".join(_piece(segment) for segment in segments(text, spans, start=start, end=end))
    return f'<div class="flo-text" dir="auto" lang="und">{body}</div>'


def windows(length: int, size: int = WINDOW) -> int:
    """Return how many parts a text of ``length`` characters is shown in (1 for an empty one)."""
    return max(1, -(-length // size))


def _piece(segment: Segment) -> str:
    piece = visible(segment.text)
    tags = [span for span in segment.spans if span.kind == "tag"]
    summary = [span for span in segment.spans if span.kind == "summary"]
    if tags:
        title = attribute("; ".join(span.title for span in tags))
        nested = " flo-nested" if len(tags) > 1 else ""
        doubted = " flo-doubted" if all(span.note for span in tags) else ""
        numbers = ", ".join(
            f"{span.number} {visible(span.note)}".strip()
            for span in segment.closing
            if span.kind == "tag"
        )
        note = f'<sup class="flo-number">{numbers}</sup>' if numbers else ""
        piece = f'<mark class="flo-tag{nested}{doubted}" title="{title}">{piece}{note}</mark>'
    if summary:
        title = attribute("; ".join(span.title for span in summary))
        piece = f'<span class="flo-summary" title="{title}">{piece}</span>'
        ranks = ", ".join(str(span.number) for span in segment.closing if span.kind == "summary")
        if ranks:
            piece += f'<sup class="flo-rank">summary {ranks}</sup>'
    return piece


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _control(found: re.Match[str]) -> str:
    name = unicodedata.name(found[0], "control character").lower()
    return f'<span class="flo-control" title="{name}">[{_code(found[0])}]</span>'
