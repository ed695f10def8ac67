"""Pitfalls 1 to 4 and 6 to 9: which rows are the header, and what the questions are called."""

from __future__ import annotations

from pathlib import Path

from pipelines.readers import ReadOptions
from pipelines.types import Role
from tests.pipelines.readers.pitfalls.material import (
    FLOOD,
    LIBRARY,
    PARKING,
    UNIFORM,
    cycle,
    got,
    got_all,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import Sheet, write

KINDS = cycle(["Resident", "Business", "Visitor"], 12)
AGREE = cycle(["Agree", "Disagree", "Neither agree nor disagree", "Strongly disagree"], 12)
OTHER_AGREE = list(reversed(AGREE))


def test_pitfall_01_two_header_rows_the_upper_one_merged(tmp_path: Path) -> None:
    upper = ["About you", None, "Castle Street zone", None, "Mill Lane zone", None]
    lower = ["Reference", "Responding as", *(["Do you agree?", "Please explain"] * 2)]
    data = zip(range(101, 113), KINDS, AGREE, PARKING, OTHER_AGREE, FLOOD, strict=True)
    rows = [upper, lower, *map(list, data)]
    path = write(tmp_path / "zones.xlsx", {"Answers": Sheet(rows, ["A1:B1", "C1:D1", "E1:F1"])})
    read = got(path)
    assert read.table.header_rows == (1, 2)
    assert read.table.rows == 12
    texts = {document.text: document for document in read.documents}
    assert len(read.documents) == 24
    for answers, zone in ((PARKING, "Castle Street zone"), (FLOOD, "Mill Lane zone")):
        for answer in answers:
            question = texts[answer].question or ""
            assert zone in question
            assert "Please explain" in question
    assert "About you" not in texts[PARKING[0]].text
    assert len({column.name for column in read.table.columns}) == 6
    assert set(AGREE[0:1] + OTHER_AGREE[0:1]) <= set(texts[PARKING[0]].metadata.values())


def test_pitfall_01_two_header_rows_the_upper_one_blank_filled(tmp_path: Path) -> None:
    upper = ["", "", "Section 2: the permit scheme", "", "", "Section 3: anything else", ""]
    lower = [
        "Ref",
        "Responding as",
        "View",
        "Reason",
        "Visits a week",
        "Comment",
        "May we publish?",
    ]
    visits = cycle(["1", "3", "0", "7"], 12)
    publish = cycle(["Yes", "No"], 12)
    data = numbered(KINDS, AGREE, PARKING, visits, LIBRARY, publish)
    read = got(write_csv(tmp_path / "permits.csv", [upper, lower, *data]))
    assert read.table.header_rows == (1, 2)
    assert read.table.rows == 12
    assert sorted(read.texts) == sorted([*PARKING, *LIBRARY])
    assert {"Resident", "Business"} <= {v for d in read.documents for v in d.metadata.values()}


def test_pitfall_01_codes_above_the_wording(tmp_path: Path) -> None:
    codes = [f"Field {i}" for i in range(1, 5)]
    wording = [
        "What is your reference number?",
        "Are you responding as an individual or on behalf of an organisation?",
        "To what extent do you agree that the library should close on Wednesdays?",
        "Please tell us the reasons for your answer",
    ]
    read = got(write_csv(tmp_path / "l.csv", [codes, wording, *numbered(KINDS, AGREE, LIBRARY)]))
    assert read.table.header_rows == (1, 2)
    assert read.texts == list(LIBRARY)
    assert all(wording[3] in (document.question or "") for document in read.documents)


def test_pitfall_01_a_single_header_row_stays_single(tmp_path: Path) -> None:
    header = ["Ref", "Responding as", "Why?"]
    read = got(write_csv(tmp_path / "one.csv", [header, *numbered(KINDS, LIBRARY)]))
    assert read.table.header_rows == (1,)
    assert read.table.skipped_rows == ()
    assert read.texts == list(LIBRARY)


def test_pitfall_02_a_blank_row_between_header_and_data(tmp_path: Path) -> None:
    header = ["Responding as", "Do you agree?", "What role would you play in the scheme?"]
    data = [list(row) for row in zip(KINDS, AGREE, FLOOD, strict=True)]
    for name, blank in (("empty", ["", "", ""]), ("spaces", [" ", "", "\t"])):
        read = got(write_csv(tmp_path / f"{name}.csv", [header, blank, *data]))
        assert read.table.header_rows == (1,)
        assert read.table.rows == 12
        assert read.texts == list(FLOOD)
        assert read.documents[0].question == header[2]
        assert "3" in read.documents[0].locator  # as a spreadsheet shows it


def test_pitfall_03_title_or_instruction_rows_above_the_header(tmp_path: Path) -> None:
    above = [
        ["School uniform consultation 2025: all responses", "", "", ""],
        ["Exported by the admissions team. Do not edit the columns below.", "", "", ""],
        ["", "", "", ""],
    ]
    header = ["Ref", "Responding as", "Do you agree?", "Please tell us why"]
    data = numbered(KINDS, AGREE, UNIFORM)
    read = got(write_csv(tmp_path / "uniform.csv", [*above, header, *data]))
    assert read.table.header_rows == (4,)
    assert {1, 2} <= set(read.table.skipped_rows) <= {1, 2, 3}
    assert read.texts == list(UNIFORM)
    assert {document.question for document in read.documents} == {"Please tell us why"}
    assert read.values("Do you agree?") == AGREE


def test_pitfall_03_an_instruction_row_below_the_header(tmp_path: Path) -> None:
    header = ["Reference", "Responding as", "View", "Comment"]
    note = [
        "Leave as exported",
        "Choose one from the drop-down list",
        "Choose one from the drop-down list",
        "Paste the comment without changing it",
    ]
    title = ["Responses to the uniform consultation", None, None, None]
    rows = [title, header, note, *numbered(KINDS, AGREE, UNIFORM)]
    read = got(write(tmp_path / "entry.xlsx", {"Entries": Sheet(rows, ["A1:D1"])}))
    assert 2 in read.table.header_rows
    assert 3 in (*read.table.header_rows, *read.table.skipped_rows)
    assert read.texts == list(UNIFORM)


def test_pitfall_04_qualtrics_metadata_rows_are_not_people(tmp_path: Path) -> None:
    codes = ["StartDate", "Status", "Finished", "ResponseId", "Q1", "Q2"]
    wording = [
        "Start Date",
        "Response Type",
        "Finished",
        "Response ID",
        "Do you support the flood scheme?",
        "What should the scheme change?",
    ]
    imports = [f'{{"ImportId":"{name}"}}' for name in ("startDate", "status", "finished")]
    imports += ['{"ImportId":"_recordId"}', '{"ImportId":"QID1"}', '{"ImportId":"QID2_TEXT"}']
    data = [
        ["2025-03-04 09:11:0" + str(i % 10), "IP Address", "True", f"R_3kQz{i:02d}aB", view, text]
        for i, (view, text) in enumerate(zip(AGREE, FLOOD, strict=True))
    ]
    read = got(write_csv(tmp_path / "q.csv", [codes, wording, imports, *data]))
    assert set(read.table.header_rows) | set(read.table.skipped_rows) == {1, 2, 3}
    assert 1 in read.table.header_rows
    assert read.table.rows == 12
    assert read.texts == list(FLOOD)
    assert {document.question for document in read.documents} == {wording[5]}
    assert not any("ImportId" in v for d in read.documents for v in d.metadata.values())


def test_pitfall_06_the_same_header_text_twice(tmp_path: Path) -> None:
    header = ["Ref", *(["Do you agree?", "Please explain your answer"] * 2)]
    data = numbered(AGREE, PARKING, OTHER_AGREE, LIBRARY)
    read = got(write_csv(tmp_path / "twice.csv", [header, *data]))
    names = [column.name for column in read.table.columns]
    assert len(set(names)) == 5
    assert len(read.documents) == 24
    assert len({document.key for document in read.documents}) == 24
    assert sorted(read.texts) == sorted([*PARKING, *LIBRARY])
    assert all("Please explain your answer" in (d.question or "") for d in read.documents)
    by_text = {document.text: document for document in read.documents}
    agreements = [names[1], names[3]]
    for i, text in enumerate(PARKING):
        metadata = by_text[text].metadata
        assert [metadata[name] for name in agreements] == [AGREE[i], OTHER_AGREE[i]]


def test_pitfall_06_a_numbered_copy_does_not_take_another_name(tmp_path: Path) -> None:
    header = ["Ref", "Why?", "Why?", "Why? (2)"]
    data = numbered(PARKING, LIBRARY, UNIFORM)
    read = got(write_csv(tmp_path / "taken.csv", [header, *data]))
    assert len({column.name for column in read.table.columns}) == 4
    assert len(read.documents) == 36


def test_pitfall_07_numbers_in_question_names_are_labels_not_positions(tmp_path: Path) -> None:
    header = [
        "Ref",
        "Proposal 10 - Q2 - Please explain",
        "Proposal 3 - Q9 and Q10",
        "Proposal 2 - Q8 - Comments",
    ]
    data = numbered(PARKING, LIBRARY, UNIFORM)
    read = got(write_csv(tmp_path / "proposals.csv", [header, *data]))
    by_question = {name: [d.text for d in read.documents if d.question == name] for name in header}
    assert by_question[header[1]] == list(PARKING)
    assert by_question[header[2]] == list(LIBRARY)
    assert by_question[header[3]] == list(UNIFORM)
    assert [column.name for column in read.table.columns] == header


def test_pitfall_08_one_question_several_spellings_in_a_column(tmp_path: Path) -> None:
    spellings = [
        "What should we keep about\nthe clinic?",
        "What should we keep about \nthe clinic?",
        "What should we keep about the clinic?",
        "What should we keep about the\u00a0clinic? ",
    ]
    header = ["Comment ID", "Question", "Answer"]
    data = numbered(cycle(spellings, 12), UNIFORM)
    read = got(write_csv(tmp_path / "long.csv", [header, *data]))
    assert read.roles["Question"] == Role.QUESTION
    assert read.texts == list(UNIFORM)
    assert len({document.question for document in read.documents}) == 1
    assert " ".join((read.documents[0].question or "").split()) == spellings[2]


def test_pitfall_08_one_question_several_spellings_in_two_headers(tmp_path: Path) -> None:
    for name, question in (
        ("a.csv", "What should we  keep?"),
        ("b.csv", "What should we\nkeep?"),
        ("c.csv", "What should we\u00a0keep? "),
    ):
        write_csv(tmp_path / name, [["Ref", question], *numbered(LIBRARY)])
    read = got_all(tmp_path)
    questions = {document.question for one in read.values() for document in one.documents}
    assert questions == {"What should we keep?"}
    chosen = got(tmp_path / "b.csv", ReadOptions(questions=("what should we keep?",)))
    assert chosen.texts == list(LIBRARY)


def test_pitfall_09_help_text_glued_to_the_question(tmp_path: Path) -> None:
    question = (
        "What would you change about the school uniform?Please do not give names or other "
        "personal details. (Maximum 500 words)"
    )
    choice = "Which of these do you own?Tick all that apply. If you are not sure, leave this blank."
    header = ["Ref", choice, question]
    owned = cycle(["Blazer", "Jumper", "Blazer;Jumper", "Jumper;Tie"], 12)
    read = got(write_csv(tmp_path / "help.csv", [header, *numbered(owned, UNIFORM)]))
    assert read.roles[question] == Role.FREE_TEXT
    assert read.roles[choice] != Role.FREE_TEXT
    assert read.texts == list(UNIFORM)
    assert {document.question for document in read.documents} == {question}
