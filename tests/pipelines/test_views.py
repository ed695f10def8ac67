"""A view decodes what programs left in a text and knows where each character came from."""

from __future__ import annotations

import random

import pytest

from pipelines.views import decoded


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Fish &amp; chips", "Fish & chips"),
        ("costs &pound;5 &#163;6 &#xA3;7", "costs £5 £6 £7"),
        ("first_x000D_\nsecond", "first\r\nsecond"),
        ("a_x005F_b", "a_b"),
        ("<p>One.</p><p>Two.</p>", "\nOne.\n\nTwo.\n"),
        ("It is <strong>not</strong> safe<br/>at night", "It is not safe\nat night"),
        ("<!-- note -->kept", "kept"),
        ("&amp;lt;b&amp;gt; once", "&lt;b&gt; once"),
    ],
)
def test_what_programs_left_is_decoded(text: str, shown: str) -> None:
    view = decoded(text)
    assert view is not None
    assert view.text == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "I <3 this park",
        "if a < b and b > c",
        "R&D; and Q&A",
        "<shouting>",
        "AT&T",
        "tax_x and snake_x00",
        "&unknownthing;",
        "under <£5 a day>",
    ],
)
def test_what_a_person_wrote_stays(text: str) -> None:
    assert decoded(text) is None


def test_a_span_of_the_view_is_the_span_it_came_from() -> None:
    text = "Buses &amp; trams are <b>too</b> dear.<br>Cut fares_x000D_ now."
    view = decoded(text)
    assert view is not None
    start = view.text.index("Buses & trams")
    assert view.original(start, start + len("Buses & trams")) == (0, len("Buses &amp; trams"))
    start = view.text.index("too dear.")
    begin, end = view.original(start, start + len("too dear."))
    assert text[begin:end] == "too</b> dear."


def test_every_piece_maps_back_to_itself_or_to_what_it_stands_for() -> None:
    draw = random.Random(7)
    parts = [
        "a",
        "é",
        "🌳 ",
        "&amp;",
        "&nbsp;",
        "<br>",
        "</p>",
        "_x000D_",
        "<b>",
        "word ",
        "&#8217;",
    ]
    for _ in range(500):
        text = "".join(draw.choice(parts) for _ in range(draw.randint(1, 12)))
        view = decoded(text)
        if view is None:
            continue
        last = 0
        for place in range(len(view.text)):
            begin, end = view.original(place, place + 1)
            assert last <= begin < end <= len(text)
            last = begin
            source = text[begin:end]
            assert source == view.text[place] or decoded(source) is not None


def test_a_text_of_tags_alone_has_a_view_without_words() -> None:
    view = decoded("<p><br/></p>")
    assert view is not None
    assert not view.text.strip()
    nothing = decoded("<b></b>")
    assert nothing is not None
    assert nothing.text == ""
