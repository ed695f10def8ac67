"""The document's text is shown exactly, pointed out exactly, and stays inert."""

from __future__ import annotations

import itertools
import random
from html.parser import HTMLParser

import pytest

from app.dashboard.highlight import Span, attribute, document_html, segments, visible, windows
from tests.app.dashboard.hostile import HOSTILE

ALLOWED = {"div", "span", "mark", "sup"}


class Reader(HTMLParser):
    """Collects the elements, the attributes and the text outside the numbers."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1] != "sup":
            self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader._open
    return reader


def tag(start: int, end: int, number: int = 1, title: str = "title") -> Span:
    return Span(start, end, "tag", title, number)


def test_text_without_spans_is_one_segment() -> None:
    assert [piece.text for piece in segments("abc", [])] == ["abc"]


def test_empty_text_has_no_segment() -> None:
    assert segments("", [tag(0, 1)]) == ()


def test_overlapping_spans_are_cut_at_every_edge() -> None:
    left, right = tag(0, 4), tag(2, 6)
    pieces = segments("abcdefgh", [right, left])
    assert [(piece.text, piece.spans) for piece in pieces] == [
        ("ab", (left,)),
        ("cd", (left, right)),
        ("ef", (right,)),
        ("gh", ()),
    ]


def test_nested_span_ends_inside_its_parent() -> None:
    outer, inner = tag(0, 6), tag(2, 4)
    pieces = segments("abcdefg", [inner, outer])
    assert [(piece.text, piece.closing) for piece in pieces] == [
        ("ab", ()),
        ("cd", (inner,)),
        ("ef", (outer,)),
        ("g", ()),
    ]


def test_spans_outside_the_text_are_clipped_or_left_out() -> None:
    pieces = segments("abcd", [tag(2, 99), tag(50, 60), tag(3, 3)])
    assert [(piece.text, len(piece.spans)) for piece in pieces] == [("ab", 0), ("cd", 1)]


def test_segments_join_to_the_text_whatever_the_spans() -> None:
    chance = random.Random(7)
    text = "".join(chance.choice("ab \n<&é") for _ in range(120))
    for _ in range(200):
        spans = [tag(*sorted(chance.choices(range(-3, 130), k=2))) for _ in range(8)]
        start, end = sorted(chance.choices(range(121), k=2))
        pieces = segments(text, spans, start=start, end=end)
        assert "".join(piece.text for piece in pieces) == text[start:end]
        place = start
        for piece in pieces:
            here = [s for s in spans if s.start <= place and s.end >= place + len(piece.text)]
            assert sorted(map(id, piece.spans)) == sorted(map(id, here))
            place += len(piece.text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    spans = [tag(0, 5, title=text), Span(2, len(text), "summary", text, 1)]
    reader = read(document_html(text, spans))
    assert set(reader.elements) <= ALLOWED
    assert reader.attributes <= {"class", "title", "dir", "lang"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_character_for_character(text: str) -> None:
    shown = read(document_html(text, [tag(1, 4)])).text
    expected = text
    for control in [c for c in text if not visible(c).startswith(("&", c))]:
        expected = expected.replace(control, f"[U+{ord(control):04X}]")
    assert shown == expected


def test_bidi_overrides_are_written_by_name_and_not_sent() -> None:
    shown = visible("a\u202eb\u2066c")
    assert "\u202e" not in shown
    assert "\u2066" not in shown
    assert "[U+202E]" in shown
    assert "right-to-left override" in shown


def test_every_page_of_markup_can_be_sent_as_utf8() -> None:
    for text in HOSTILE:
        document_html(text, [tag(0, 3, title=text)]).encode("utf-8")
        attribute(text).encode("utf-8")


def test_attribute_cannot_be_left() -> None:
    assert attribute('" onclick="x') == "&quot; onclick=&quot;x"


def test_styling_does_not_rely_on_colour() -> None:
    shown = document_html("sore throat today", [tag(0, 11, 3, "Sore throat, score 0.90")])
    assert '<mark class="flo-tag" title="Sore throat, score 0.90">' in shown
    assert '<sup class="flo-number">3</sup>' in shown


def test_what_the_text_says_of_a_tag_stands_in_words_and_in_the_line_of_the_box() -> None:
    spans = [Span(0, 4, "tag", "Pain; negated (no)", 1, "negated"), tag(5, 9, 2)]
    shown = document_html("pain rash", spans)
    assert '<mark class="flo-tag flo-doubted" title="Pain; negated (no)">pain' in shown
    assert '<sup class="flo-number">1 negated</sup>' in shown
    assert '<sup class="flo-number">2</sup>' in shown


def test_a_number_stands_once_where_its_tag_ends() -> None:
    shown = document_html("abcdef", [tag(0, 6, 1), tag(2, 4, 2)])
    assert shown.count('<sup class="flo-number">1</sup>') == 1
    assert shown.count('<sup class="flo-number">2</sup>') == 1


def test_a_long_text_is_shown_in_parts_that_cover_it() -> None:
    text = "word " * 30_000
    size = 40_000
    parts = windows(len(text))
    shown = "".join(
        read(document_html(text, [], start=part * size, end=(part + 1) * size)).text
        for part in range(parts)
    )
    assert shown == text
    assert windows(0) == 1


def test_a_megabyte_on_one_line_with_ten_thousand_tags_is_shown_in_part() -> None:
    text = "x" * 1_000_000
    spans = [tag(place, place + 5) for place in itertools.islice(range(0, 10**6, 100), 10_000)]
    shown = document_html(text, spans, start=0, end=40_000)
    assert shown.count("<mark") == 400
