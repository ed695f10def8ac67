"""Statements: where answers are cut, that nothing is lost, and what gives no reason."""

from __future__ import annotations

import pytest

from pipelines.themes.statements import gives_no_reason, statements
from pipelines.themes.types import Answer

TEXTS = (
    "The buses are late; parking costs too much but the staff are lovely. Yes. Nothing but praise.",
    "• more buses\n• lower fares for pensioners\n• keep the library",
    "I like it (1) more buses please (2) lower fares now though not on Sundays",
    "Yes.\n\nNo!\n\nThe library has to stay open 🙂 – it is all we have here",
    "1. Buses are bad - they never come on time",
    "  ; ; but but however  ",
)


def cut(text: str, question: str = "") -> list[str]:
    return [one.text for one in statements([Answer(1, text, question)])]


def test_an_answer_is_cut_at_marks_and_words_of_contrast() -> None:
    assert cut(TEXTS[0]) == [
        "The buses are late;",
        "parking costs too much",
        "but the staff are lovely.",
        "Yes. Nothing but praise.",
    ]
    assert cut(TEXTS[1]) == ["• more buses", "• lower fares for pensioners", "• keep the library"]
    assert cut(TEXTS[2])[1:3] == ["(1) more buses please", "(2) lower fares now"]


@pytest.mark.parametrize(
    "text",
    [
        "It is not only noisy but also smells bad at night",
        "There was nothing but kindness from all of them",
        "We like it, but no",
    ],
)
def test_a_contrast_that_is_none_does_not_cut(text: str) -> None:
    assert cut(text) == [text]


@pytest.mark.parametrize("text", TEXTS)
def test_every_character_of_content_is_in_one_statement(text: str) -> None:
    found = statements([Answer(7, text)])
    held = [place for one in found for place in range(one.start, one.end)]
    assert len(held) == len(set(held))
    assert set(held) >= {place for place, c in enumerate(text) if not c.isspace()}
    assert all(text[one.start : one.end] == one.text for one in found)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Yes.", "Do you agree with the plan?"),
        ("Agree, see above", "Do you agree with the plan?"),
        ("Strongly disagree!!", ""),
        ("N/A", "What was good?"),
        ("As above.", ""),
    ],
)
def test_taking_a_side_is_no_reason(text: str, question: str) -> None:
    assert gives_no_reason(text, question)
    (one,) = statements([Answer(1, text, question)])
    assert one.silent


def test_a_side_with_a_reason_is_one() -> None:
    assert not gives_no_reason("Agree, the road is too busy", "Do you agree?")
    assert not gives_no_reason("Nothing.", "How could we improve?")
    assert cut("Yes. The road is too busy.") == ["Yes. The road is too busy."]


def test_an_answer_without_text_has_no_statement() -> None:
    assert statements([Answer(1, " \n"), Answer(2, "The road is busy")])[0].document == 2
