"""What makes a quote stand alone, what may tell a person, and who refused to be quoted."""

from __future__ import annotations

import pytest

from pipelines.summaries import personal, refuses_publication
from pipelines.summaries.quotes import fault

CLEAR = "The bus to the hospital should run on Sundays as well."


@pytest.mark.parametrize(
    "leaning",
    [
        "And this would make it worse for all of us here.",
        "They never came back to mend the broken fence there.",
        "As above, the council should think again about the plan.",
        "The plan is wrong for the reasons stated above by me.",
        "the second half of a sentence that was cut somewhere",
        "We asked for more lighting on the path and…",
        "See my answer to the last question for all of this.",
    ],
)
def test_a_sentence_that_leans_on_another_costs(leaning: str) -> None:
    assert fault(leaning) >= 0.5
    assert fault(CLEAR) < 0.1


def test_too_short_and_too_long_cost() -> None:
    assert fault("Good park.") >= 0.5
    assert fault("The park " + "is very very good " * 12) >= 0.5


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Write to jo.bloggs@example.org please.", "e-mail address"),
        ("Ring 01632 960 983 after six.", "telephone number"),
        ("Ring +44 7700 900123.", "telephone number"),
        ("We live at SW1A 1AA now.", "postcode"),
        ("Dr Ahmed was very kind.", "name after a title"),
        ("Thanks to Mrs. O’Brien.", "name after a title"),
        ("I live at 12 Orchard Road.", "house and street"),
        ("My name is Priya.", "name given"),
        ("My number is 943 476 5919.", "NHS or national insurance number"),
        ("Follow @parkfriends there.", "social media name"),
    ],
)
def test_personal_data_is_seen(text: str, kind: str) -> None:
    assert kind in personal(text)


@pytest.mark.parametrize(
    "text",
    [CLEAR, "In 2019 1200 people came.", "The doctor and the sister were kind.", "£20,000,000"],
)
def test_other_words_are_not_personal(text: str) -> None:
    assert personal(text) == ()


@pytest.mark.parametrize(
    ("column", "cell", "refuses"),
    [
        ("Can we publish your response?", "No", True),
        ("Can we publish your response?", "Yes, without my name", False),
        ("May we quote you? (permission to publish)", "", True),
        ("Consent to publish", "Do not publish", True),
        ("Do you want your answer to be kept confidential?", "Yes", True),
        ("Do you want your answer to be kept confidential?", "No", False),
        ("published", "2021-03-04", False),
        ("Why do you say no?", "No reason", False),
    ],
)
def test_refusals_are_read_from_columns(column: str, cell: str, refuses: bool) -> None:
    assert bool(refuses_publication({"Age": "45", column: cell})) is refuses
