"""Columns beside each other, what a person decided about them, their names, and the speed."""

from __future__ import annotations

import json
import random

import pytest

from pipelines.readers.tables.columns import classify, column_names, count_words, expected_role
from pipelines.types import Column, Role
from tests.pipelines.readers.column_samples import (
    AGREE,
    NAMES,
    ONE_THING,
    PLACES,
    SENTENCES,
    cycle,
    table,
)

# --- columns beside each other --------------------------------------------------------------


def test_a_column_of_wordings_beside_free_text_is_the_question() -> None:
    columns = table(
        {
            "FFT question": ["What was good?", "How could we improve?"] * 5,
            "FFT answer": SENTENCES,
        }
    )
    assert [c.role for c in columns.values()] == [Role.QUESTION, Role.FREE_TEXT]


def test_topics_that_are_wordings_are_the_question_and_topics_that_are_labels_are_not() -> None:
    motions = ["We should abandon school uniforms", "We should close the zoo in the park"] * 5
    assert table({"topic": motions, "argument": SENTENCES})["topic"].role == Role.QUESTION
    labels = ["Parking", "Roads"] * 5
    assert table({"topic": labels, "comment": SENTENCES})["topic"].role == Role.CLOSED_SINGLE


def test_subjects_of_letters_are_neither_questions_nor_answers() -> None:
    subjects = [f"What we think of plan {i} for the town" for i in range(24)]
    columns = table({"Subject": subjects, "body": cycle(SENTENCES, 24)})
    assert [c.role for c in columns.values()] == [Role.DEMOGRAPHIC, Role.FREE_TEXT]


def test_wordings_under_any_header_are_the_question() -> None:
    asked = ["What do you like about the square?", "What should change in the square?"] * 5
    columns = table({"item": asked, "said": SENTENCES})
    assert [c.role for c in columns.values()] == [Role.QUESTION, Role.FREE_TEXT]


def test_a_question_column_without_free_text_beside_it_is_none() -> None:
    columns = table(
        {"question": ["Do you agree?", "Do you care?"] * 5, "answer": ["Yes", "No"] * 5}
    )
    assert Role.QUESTION not in {c.role for c in columns.values()}


@pytest.mark.parametrize(
    "marks", [("1", ""), ("1", "0"), ("Yes", ""), ("TRUE", "FALSE"), ("x", ""), (None, "")]
)
@pytest.mark.parametrize("form", ["Q5 - {}", "Q5: {}", "Q5 [{}]"])
def test_a_column_for_each_option_is_a_part_of_one_question(
    form: str, marks: tuple[str | None, str]
) -> None:
    options = ["Bus", "Train", "Walking, wheeling or cycling"]
    columns = table(
        {
            form.format(option): [
                (marks[0] or option) if (i + j) % 3 else marks[1] for i in range(10)
            ]
            for j, option in enumerate(options)
        }
    )
    assert {c.role for c in columns.values()} == {Role.CLOSED_MULTI}
    assert [c.options for c in columns.values()] == [(option,) for option in options]
    assert all("one of 3 columns that are an option each" in c.reason for c in columns.values())


def test_questions_with_yes_and_no_under_one_heading_are_no_options() -> None:
    columns = table(
        {
            "Proposal 1 - Do you agree?": ["Yes", "No"] * 5,
            "Proposal 1 - Have you read the leaflet?": ["No", "Yes"] * 5,
        }
    )
    assert {c.role for c in columns.values()} == {Role.CLOSED_SINGLE}


# --- what a person decided ------------------------------------------------------------------


def test_named_questions_are_free_text_and_other_free_text_stays_beside_them() -> None:
    columns = table(
        {"Agree": ["yes", "no"] * 5, "Why?": SENTENCES, "Name": NAMES[:10]}, questions=["  AGREE "]
    )
    assert columns["Agree"] == Column("Agree", Role.FREE_TEXT, "named by --question")
    assert columns["Why?"].role == Role.SYSTEM
    assert columns["Why?"].reason.startswith("not named by --question; 100% of 10")
    assert columns["Name"].role == Role.PERSONAL


def test_a_question_may_be_named_by_its_wording() -> None:
    names, rows = ["Q1"], [[text] for text in ONE_THING]
    (column,) = classify(names, rows, questions=["what  now?"], wordings=["What now?"])
    assert (column.role, column.reason) == (Role.FREE_TEXT, "named by --question")


def test_decided_columns_win_and_the_rest_is_filled_in() -> None:
    names, rows = ["Q1", "Q2"], [["Bus;", "Bus"], ["Bus;Walk;", "Walk"], ["Walk;", "Bus"]] * 5
    first, second = classify(
        names,
        rows,
        decided={
            0: Column("Q1", Role.CLOSED_MULTI, "set in the mapping file"),
            1: Column("Q2", Role.FREE_TEXT, "set in the mapping file", "How do you come?"),
        },
        wordings=["", "Short"],
    )
    assert (first.options, first.separator) == (("Bus", "Walk"), ";")
    assert (second.role, second.question, second.options) == (
        Role.FREE_TEXT,
        "How do you come?",
        (),
    )


def test_a_decided_column_without_a_role_keeps_the_one_found() -> None:
    (column,) = classify(["Q"], [[s] for s in SENTENCES], decided={0: Column("Q", "", "", "What?")})
    assert (column.role, column.question) == (Role.FREE_TEXT, "What?")


def test_a_decided_free_text_column_makes_its_neighbour_the_question() -> None:
    names, rows = ["prompt", "said"], [["What is it?", "a"], ["Who is it?", "b"]] * 5
    columns = classify(names, rows, decided={1: Column("said", Role.FREE_TEXT, "x")})
    assert columns[0].role == Role.QUESTION


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("What is your name?", Role.PERSONAL), ("Comments", Role.FREE_TEXT), ("Status", Role.STATUS),
        ("Age group", Role.DEMOGRAPHIC), ("Response ID", Role.IDENTIFIER), ("Bus", Role.CLOSED_SINGLE),
    ],
)  # fmt: skip
def test_a_blank_column_is_told_by_its_header_should_it_be_filled(header: str, role: Role) -> None:
    assert expected_role(header) == role


def test_a_table_without_free_text_raises_nothing() -> None:
    assert [c.role for c in classify(["a", "b"], [["1", "2"], ["3", "4"]])] == [Role.NUMBER] * 2
    assert classify(["a"], [])[0].role == Role.EMPTY
    assert classify([], []) == ()


# --- names, words, speed --------------------------------------------------------------------


def test_names_are_unique_and_one_line() -> None:
    names = column_names(["Q", " Q\n", "", "file", "Q"], 6)
    assert names == ("Q", "Q (2)", "column 3", "file (2)", "Q (3)", "column 6")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0), ("one", 1), ("12 May 2024 at 9 am", 0), ("Mon Jan 09 03:43:41 WIB 2017", 0),
        ("https://example.org/a page", 1), ("“Well,” she said – it’s fine!", 5), ("A1 B2", 0),
    ],
)  # fmt: skip
def test_words_leave_out_dates_codes_and_addresses(text: str, words: int) -> None:
    assert count_words(text) == words


def test_five_thousand_rows_of_sixty_columns_take_about_a_second() -> None:
    random.seed(7)
    words = " ".join(SENTENCES).split()
    rows = [
        [
            str(i),
            *(" ".join(random.choices(words, k=random.randint(1, 60))) for _ in range(9)),
            *(random.choice(AGREE) for _ in range(20)),
            *(json.dumps({"a": i}) if j == 0 else f"{i * 7 + j}" for j in range(10)),
            *("; ".join(random.sample(PLACES, random.randint(1, 4))) for _ in range(10)),
            *(", ".join(random.sample(PLACES, random.randint(1, 4))) for _ in range(10)),
        ]
        for i in range(5_000)
    ]
    names = [f"Q{i}" for i in range(60)]
    classify(names, rows[:50])  # the rules are read once a process
    columns = classify(names, rows)
    roles = [c.role for c in columns]
    assert roles[1:10] == [Role.FREE_TEXT] * 9
    assert roles[40:] == [Role.CLOSED_MULTI] * 20
