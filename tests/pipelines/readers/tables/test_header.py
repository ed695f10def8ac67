"""The header: which rows it is, what it calls the columns, and that no row of data is lost."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pipelines.readers.tables.header import Header, find_header, given_header
from pipelines.readers.tables.header_signs import ColumnSigns, kind, rules

SAID = [
    "The ferry should run until midnight in the summer.",
    "More room for bicycles, please.",
    "I cannot pay at the pier because the machine is broken.",
    "We like the new timetable very much.",
    "Nobody told us that the winter boat was cancelled.",
    "The gangway is too steep for my mother.",
    "Please sell return tickets on board.",
    "Keep the old boat, it is part of the town.",
]
KINDS = [
    "Resident",
    "Visitor",
    "Business",
    "Resident",
    "Resident",
    "Visitor",
    "Visitor",
    "Business",
]


def header_of(*rows: Sequence[str]) -> Header:
    return find_header([(i, list(cells)) for i, cells in enumerate(rows, 1)])


def numbered(*columns: Sequence[str]) -> list[list[str]]:
    return [[str(7 + i), *cells] for i, cells in enumerate(zip(*columns, strict=True))]


def test_the_first_row_is_the_header_of_an_ordinary_table() -> None:
    header = header_of(["Ref", "You are a", "Your comments"], *numbered(KINDS, SAID))
    assert (header.header_rows, header.skipped_rows, header.first_row) == ((1,), (), 2)
    assert header.names == ("Ref", "You are a", "Your comments")
    assert header.shape == "one row"


def test_a_table_without_a_header_keeps_its_first_row() -> None:
    header = header_of(*numbered(KINDS, SAID))
    assert (header.shape, header.header_rows, header.first_row) == ("none", (), 1)
    assert header.names == ("column 1", "column 2", "column 3")


def test_a_single_column_of_sentences_has_no_header() -> None:
    header = header_of(*[[text] for text in SAID])
    assert (header.shape, header.first_row) == ("none", 1)


@pytest.mark.parametrize("name", ["comment", "What do you think of the ferry?", "Verbatim", "Q7"])
def test_a_single_column_may_have_a_header(name: str) -> None:
    header = header_of([name], *[[text] for text in SAID])
    assert (header.names, header.first_row) == ((name,), 2)


def test_a_single_row_of_data_is_no_header() -> None:
    assert header_of(["7", "Resident", SAID[0]]).first_row == 1
    assert header_of([SAID[2]]).first_row == 1
    assert header_of(["Ref", "You are a", "Your comments"]).header_rows == (1,)


def test_titles_above_a_table_without_a_header_are_left_out() -> None:
    header = header_of(["Ferry answers", "", ""], ["", "", ""], *numbered(KINDS, SAID))
    assert (header.skipped_rows, header.header_rows, header.first_row) == ((1,), (), 3)


def test_title_and_instruction_rows_are_left_out() -> None:
    header = header_of(
        ["Ferry consultation, all answers", "", ""],
        ["Do not change the columns. " * 20, "", ""],
        ["Exported on", "2025-03-01", ""],
        [],
        ["Ref", "You are a", "Your comments"],
        *numbered(KINDS, SAID),
    )
    assert header.header_rows == (5,)
    assert header.skipped_rows == (1, 2, 3)


def test_a_merged_title_repeated_in_every_cell_is_a_title() -> None:
    header = header_of(["Answers"] * 3, ["Ref", "You are a", "Comment"], *numbered(KINDS, SAID))
    assert (header.header_rows, header.skipped_rows) == ((2,), (1,))


def test_a_blank_row_below_the_header_is_passed_over() -> None:
    header = header_of(["Ref", "You are a", "Comment"], ["", "", ""], *numbered(KINDS, SAID))
    assert (header.header_rows, header.first_row) == ((1,), 3)


def test_a_header_longer_than_the_answers_is_still_a_header() -> None:
    question = "Thinking of the last twelve months, " * 30 + "what should the harbour board change?"
    header = header_of([question], *[[text] for text in SAID])
    assert header.names == (question,)


def test_line_breaks_and_non_breaking_spaces_in_a_header_are_folded() -> None:
    header = header_of(["\ufeffRef ", "You\u00a0are\r\na", "Why?\nSay all"], *numbered(KINDS, SAID))
    assert header.names == ("Ref", "You are a", "Why? Say all")


def test_groups_above_reach_to_the_right() -> None:
    header = header_of(
        ["About you", "", "Summer boat", "", "Winter boat"],
        ["Ref", "You are a", "Use it?", "Comment", "Comment"],
        *numbered(KINDS, ["Yes", "No"] * 4, SAID, SAID[::-1]),
    )
    assert header.header_rows == (1, 2)
    assert header.names == (
        "About you – Ref", "About you – You are a", "Summer boat – Use it?",
        "Summer boat – Comment", "Winter boat – Comment",
    )  # fmt: skip
    assert header.shape == "groups"


def test_groups_repeated_in_every_cell_are_groups() -> None:
    header = header_of(
        ["You", "You", "Summer boat", "Summer boat"],
        ["Ref", "Kind of visitor", "Use it?", "Comment"],
        *numbered(KINDS, ["Yes", "No"] * 4, SAID),
    )
    assert header.names[2:] == ("Summer boat – Use it?", "Summer boat – Comment")


def test_labels_that_only_number_the_columns_give_way_to_the_wording() -> None:
    header = header_of(
        ["Ident 1", "Ident 2", "Ident 3"],
        ["What is your number?", "Are you a resident?", "Please tell us why"],
        *numbered(KINDS, SAID),
    )
    assert header.names == ("What is your number?", "Are you a resident?", "Please tell us why")
    assert header.codes == ("Ident 1", "Ident 2", "Ident 3")


def test_the_three_rows_of_qualtrics_are_codes_wordings_and_metadata() -> None:
    header = header_of(
        ["ResponseId", "QID2", "Q3"],
        ["Response ID", "You are a", "What should change?"],
        ['{"ImportId":"_recordId"}', '{"ImportId":"QID2"}', '{"ImportId":"QID3_TEXT"}'],
        *numbered(KINDS, SAID),
    )
    assert (header.header_rows, header.first_row) == ((1, 2, 3), 4)
    assert header.names == ("ResponseId", "QID2", "Q3")
    assert header.questions == ("Response ID", "You are a", "What should change?")


def test_a_row_of_codes_with_a_meaning_names_the_columns() -> None:
    header = header_of(
        ["StartDate", "Status", "Q3"],
        ["Start Date", "What kind of response is it?", "What should the harbour board change?"],
        *[[f"2025-03-0{i + 1}", k, s] for i, (k, s) in enumerate(zip(KINDS, SAID, strict=True))],
    )
    assert header.header_rows == (1, 2)
    assert header.names == ("StartDate", "Status", "Q3")
    assert header.questions[2] == "What should the harbour board change?"


def test_the_option_row_of_surveymonkey_is_part_of_the_header() -> None:
    header = header_of(
        ["Respondent ID", "Which boats do you use?", "", "", "Why?", "How satisfied are you?"],
        ["", "Summer", "Winter", "Other (please specify)", "Open-Ended Response", "Response"],
        ["11", "Summer", "", "", SAID[0], "Very"],
        ["12", "", "Winter", "the post boat", SAID[1], "Not very"],
        ["13", "Summer", "Winter", "", SAID[2], "Very"],
        ["14", "", "", "", SAID[3], "Not at all"],
    )
    assert (header.header_rows, header.first_row) == ((1, 2), 3)
    assert header.names == (
        "Respondent ID",
        "Which boats do you use? – Summer",
        "Which boats do you use? – Winter",
        "Which boats do you use? – Other (please specify)",
        "Why?",
        "How satisfied are you?",
    )


def test_an_option_row_without_the_word_response_is_found() -> None:
    ticks = [["11", "Summer", ""], ["12", "", "Winter"], ["13", "Summer", "Winter"], ["14", "", ""]]
    header = header_of(["Respondent", "Which boats?", ""], ["", "Summer", "Winter"], *ticks)
    assert header.header_rows == (1, 2)
    assert header.names == ("Respondent", "Which boats? – Summer", "Which boats? – Winter")


def test_a_first_answer_below_a_column_without_a_name_is_no_second_header_row() -> None:
    header = header_of(["", "You are a", "Comment"], *numbered(KINDS, SAID))
    assert (header.header_rows, header.names[0]) == ((1,), "column 1")


def test_a_first_row_of_rare_values_is_data() -> None:
    rows = [["7", "Harbour board", "Test"], *numbered(KINDS, SAID)]
    header = header_of(["Ref", "Kind", "Comment"], *rows)
    assert (header.header_rows, header.first_row) == ((1,), 2)


@pytest.mark.parametrize(
    "row",
    [
        ["Identifier", "Single choice", "Open text"],
        ["Leave as exported", "Choose one from the list", "Paste the comment unchanged"],
    ],
)
def test_a_row_that_says_how_columns_are_filled_in_is_left_out(row: list[str]) -> None:
    header = header_of(["Ref", "You are a", "Comment"], row, *numbered(KINDS, SAID))
    assert (header.header_rows, header.skipped_rows, header.first_row) == ((1,), (2,), 3)


def test_numbers_head_a_table_of_zeros_and_ones() -> None:
    codes = [["0", "1", "0"], ["1", "0", "0"], ["0", "0", "1"]] * 4
    header = header_of(["4", "11", "23"], *codes)
    assert header.names == ("4", "11", "23")


def test_duplicate_and_missing_names_are_made_distinct() -> None:
    header = header_of(["Ref", "Why?", "", "Why?"], *numbered(SAID, KINDS, SAID[::-1]))
    assert header.names == ("Ref", "Why?", "column 3", "Why? (2)")
    assert header.texts == ("Ref", "Why?", "", "Why?")


def test_a_person_s_decision_wins() -> None:
    rows = [(i, cells) for i, cells in enumerate([["a", "b"], ["c", "d"], ["e", "f"]], 1)]
    assert find_header(rows, (2,)).names == ("c", "d")
    assert find_header(rows, (2,)).skipped_rows == (1,)
    assert find_header(rows, ()).names == ("column 1", "column 2")
    assert find_header(rows, (1,), 3).first_row == 3
    assert find_header(rows, (1,), 3).skipped_rows == (2,)


def test_an_empty_sample_has_no_names() -> None:
    assert find_header([]).names == ()
    assert find_header([(1, ["", " "])]).names == ()


def test_known_names_make_every_row_data() -> None:
    header = given_header(["id", "text", "text"], [(1, ["1", "a", "b"])])
    assert (header.names, header.first_row) == (("id", "text", "text (2)"), 1)


@pytest.mark.parametrize("width", [1, 3, 400])
def test_any_rows_give_a_header_within_the_table(width: int) -> None:
    for rows in (["x"] * width, [str(i) for i in range(width)], [""] * width):
        header = header_of(rows, rows, [*rows, "more"])
        assert len(set(header.names)) == len(header.names)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", ""), ("3", "number"), ("£1,200.50", "number"), ("-4%", "number"), ("B", "code"),
        ("03/04/2025 09:15:00", "date"), ("2025-04-03", "date"), ("3 April 2025", "date"),
        ("Mon Jul 17 16:10:15 WIB 2017", "date"), ("09:15", "time"), ("R0001", "code"),
        ("someone@example.org", "address"), ("https://example.org/a", "address"),
        ("May I say more?", "text"), ("The park", "text"), ("march", "text"),
    ],
)  # fmt: skip
def test_cells_have_a_kind(cell: str, expected: str) -> None:
    assert kind(cell) == expected


def test_a_cell_among_the_values_below_is_no_name() -> None:
    signs = ColumnSigns(["yes", "no"] * 5)
    assert (signs.evidence("Yes") or 0) < 0 < (signs.evidence("Agree?") or 0)
    assert ColumnSigns(["", ""]).evidence("Agree?") is None


def test_the_rules_are_checked() -> None:
    assert rules().asks.search("To what extent do you agree")
    assert not rules().asks.search("The park is lovely")
