"""Known tables: recognised in any order and with other columns, and what their columns mean."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.header import find_header
from pipelines.readers.tables.layouts import Layout, known, named, names, recognise
from pipelines.readers.tables.mapping import Mapping
from pipelines.readers.tables.table import open_table
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document, Role, TableReport

FILE = SourceFile(Path("/in/a.csv"), Path("/in"), "a.csv", "a.csv", 1, 1)
SAID = [
    "The tram stop should have a shelter on both sides.",
    "Please keep the trees along the avenue.",
    "I would use it to get to the hospital.",
    "Noise at night worries the whole street.",
    "Why not run it to the station as well?",
    "Good for trade, bad for parking.",
    "My shop will lose its loading bay.",
    "Two years of building works is too long.",
]
WHY = "What do you think of the tram?"
KNOWN: dict[str, list[tuple[str, Sequence[str]]]] = {
    "citizen_space": [
        ("Response ID", [f"ANON-AB{i}D-E7GH-{i}" for i in range(8)]),
        ("Date Submitted", [f"2025-02-0{i + 1} 10:00:00" for i in range(8)]),
        ("What is your name? - Name", ["A B", "C D"] * 4),
        ("Do you support the tram? - Do you support the tram?", ["Yes", "No"] * 4),
        (f"{WHY} - Please explain", SAID),
    ],
    "smartsurvey": [
        ("UserID", [str(90 + i) for i in range(8)]),
        ("UserNo", [str(1 + i) for i in range(8)]),
        ("Name", [""] * 8),
        ("Email", [""] * 8),
        ("IP Address", [f"203.0.113.{i}" for i in range(8)]),
        ("Unique ID", ["-"] * 8),
        ("Started", [f"0{i + 1}/02/2025 10:00:00" for i in range(8)]),
        ("Ended", [f"0{i + 1}/02/2025 10:10:00" for i in range(8)]),
        ("Tracking Link", ["link"] * 8),
        ("Do you support the tram?", ["Yes", "No", "-", "Yes"] * 2),
        (WHY, SAID),
    ],
    "microsoft_forms": [
        ("ID", [str(1 + i) for i in range(8)]),
        ("Start time", [f"2025-02-0{i + 1} 10:00:00" for i in range(8)]),
        ("Completion time", [f"2025-02-0{i + 1} 10:10:00" for i in range(8)]),
        ("Email", ["anonymous"] * 8),
        ("Name", [""] * 8),
        ("Which modes do you use?", ["Bus;Tram;", "Bus;"] * 4),
        (WHY, SAID),
    ],
    "google_forms": [
        ("Timestamp", [f"0{i + 1}/02/2025 10:00:00" for i in range(8)]),
        ("Which modes do you use?", ["Bus, Tram", "Bus"] * 4),
        (WHY, SAID),
    ],
    "surveymonkey": [
        ("Respondent ID", [str(1190 + i) for i in range(8)]),
        ("Collector ID", ["77"] * 8),
        ("Start Date", [f"02/0{i + 1}/2025" for i in range(8)]),
        ("End Date", [f"02/0{i + 1}/2025" for i in range(8)]),
        ("IP Address", [f"203.0.113.{i}" for i in range(8)]),
        ("Email Address", [""] * 8),
        ("First Name", [""] * 8),
        ("Last Name", [""] * 8),
        ("Custom Data 1", [""] * 8),
        (WHY, SAID),
    ],
    "qualtrics": [
        ("StartDate", [f"2025-02-0{i + 1} 10:00:00" for i in range(8)]),
        ("EndDate", [f"2025-02-0{i + 1} 10:10:00" for i in range(8)]),
        ("Status", ["IP Address"] * 7 + ["Survey Preview"]),
        ("IPAddress", [f"203.0.113.{i}" for i in range(8)]),
        ("Progress", ["100"] * 8),
        ("Finished", ["True"] * 6 + ["False", "True"]),
        ("RecordedDate", [f"2025-02-0{i + 1} 10:10:00" for i in range(8)]),
        ("ResponseId", [f"R_{i}xK" for i in range(8)]),
        ("Q1", SAID),
    ],
    "dhsc": [
        ("Response ID", [f"0b5e{i}c1a-3d1e-4f6a-9d2c-{i}a7b6c5d4e3f" for i in range(8)]),
        ("Status", ["Completed"] * 7 + ["Partial"]),
        ("Created", [str(45300.375 + i) for i in range(8)]),
        ("Started", [str(45300.375 + i) for i in range(8)]),
        ("Completed", [str(45300.5 + i) for i in range(8)]),
        (WHY, SAID),
    ],
    "polis": [
        ("timestamp", [str(1500282615559 + i) for i in range(8)]),
        ("datetime", [f"Mon Jul 17 16:10:1{i} WIB 2017" for i in range(8)]),
        ("comment-id", [str(i) for i in range(8)]),
        ("author-id", [str(i // 2) for i in range(8)]),
        ("agrees", [str(3 * i) for i in range(8)]),
        ("disagrees", [str(5 * i) for i in range(8)]),
        ("moderated", ["1", "-1"] * 4),
        ("comment-body", SAID),
    ],
    "themefinder": [
        ("response_id", [str(1001 + i) for i in range(8)]),
        ("response", SAID),
        ("position", ["AGREEMENT", "DISAGREEMENT"] * 4),
    ],
    "talk_to_the_city": [
        ("id", [str(i) for i in range(8)]),
        ("interview", ["Ann", "Bob"] * 4),
        ("comment", SAID),
    ],
}


def read(
    rows: Sequence[Sequence[str]], options: ReadOptions | None = None, sheet: str | None = None
) -> tuple[list[Document], TableReport]:
    tally = Tally("csv")
    numbered = ((i, list(cells)) for i, cells in enumerate(rows, 1))
    table = open_table(numbered, FILE, options or ReadOptions(), sheet)
    return list(table.documents(FILE, tally)), tally.tables[0]


def rows_of(columns: Sequence[tuple[str, Sequence[str]]]) -> list[list[str]]:
    header = [name for name, _ in columns]
    return [header, *map(list, zip(*(cells for _, cells in columns), strict=True))]


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_table_is_recognised_and_read(name: str) -> None:
    documents, table = read(rows_of(KNOWN[name]))
    assert table.layout == name
    assert [document.text for document in documents] == SAID
    assert not any(column.role == Role.FREE_TEXT for column in table.columns[:-3])


@pytest.mark.parametrize("name", KNOWN)
def test_columns_may_stand_in_any_order_among_new_ones(name: str) -> None:
    columns = [
        *KNOWN[name],
        ("Region", ["North", "South"] * 4),
        ("Analyst", ["PK", "JM"] * 4),
        ("Theme code", ["T1", "T2"] * 4),
    ]
    random.Random(4).shuffle(columns)
    documents, table = read(rows_of(columns))
    assert table.layout == name
    assert [document.text for document in documents] == SAID


@pytest.mark.parametrize(
    ("name", "dropped"),
    [
        ("smartsurvey", {"Name", "Email", "IP Address"}),
        ("surveymonkey", {"First Name", "Last Name", "IP Address", "Custom Data 1"}),
        ("qualtrics", {"IPAddress", "StartDate"}),
        ("microsoft_forms", {"Email"}),
        ("dhsc", {"Created"}),
        ("polis", {"timestamp", "datetime", "moderated"}),
    ],
)
def test_some_columns_may_have_been_dropped(name: str, dropped: set[str]) -> None:
    _, table = read(rows_of([column for column in KNOWN[name] if column[0] not in dropped]))
    assert table.layout == name


@pytest.mark.parametrize(
    "header",
    [
        ["ID", "Date", "Status", WHY],
        ["Response ID", "Region", "Why?", WHY],
        ["timestamp", "name", "code", "response"],
        ["id", "text", "topic", "comments"],
    ],
)
def test_another_table_is_generic(header: list[str]) -> None:
    cells = [[str(i), f"2025-02-0{i + 1}", "x", text] for i, text in enumerate(SAID)]
    assert read([header, *cells])[1].layout == "generic"


def test_personal_columns_of_a_layout_are_not_stored() -> None:
    documents, table = read(rows_of(KNOWN["surveymonkey"]))
    roles = {column.name: column.role for column in table.columns}
    assert roles["IP Address"] == Role.PERSONAL
    assert "IP Address" not in documents[0].metadata
    assert documents[0].respondent == "1190"


def test_preview_and_unfinished_rows_of_qualtrics_are_kept_apart() -> None:
    documents, _ = read(rows_of(KNOWN["qualtrics"]))
    assert [document.aside for document in documents[5:]] == [
        "",
        "incomplete submission: Finished is “False”",
        "preview submission: Status is “Survey Preview”",
    ]


def test_numbers_of_qualtrics_exports_mean_the_same() -> None:
    columns = dict(KNOWN["qualtrics"])
    columns["Status"] = ["0"] * 6 + ["1", "8"]
    columns["Finished"] = ["1"] * 5 + ["0", "1", "1"]
    documents, _ = read(rows_of(list(columns.items())))
    assert [document.aside.partition(":")[0] for document in documents[4:]] == [
        "", "incomplete submission", "preview submission", "spam",
    ]  # fmt: skip


def test_the_filler_of_smartsurvey_is_no_option_and_stays_in_the_cell() -> None:
    documents, table = read(rows_of(KNOWN["smartsurvey"]))
    column = next(c for c in table.columns if c.name == "Do you support the tram?")
    assert column.options == ("Yes", "No")
    assert documents[2].metadata["Do you support the tram?"] == "-"


@pytest.mark.parametrize(
    "header",
    [
        ["Column letter (in Responses sheet)", "Question number", "Question text (full wording)"],
        ["Column ID", "Number", "Title of the question as you want it to appear in the app"],
        ["Free-text column letter (in Responses)", "Question number", "Question text"],
    ],
)
def test_a_list_of_questions_is_no_answers(header: list[str]) -> None:
    rows = [[letter, str(i), text] for i, (letter, text) in enumerate(zip("BCDEFGHI", SAID, strict=True))]  # fmt: skip
    above = [["Open questions", "", ""], ["Questions with free text. " * 5, "", ""]]
    for lines in ([header, *rows], [*above, header, *rows], [*above, header]):
        with pytest.raises(SkippedFile, match=r"a list of questions|no rows below") as skipped:
            read(lines, sheet="Open questions")
        (table,) = skipped.value.tables
        assert table.reason == skipped.value.reason
        assert table.sheet == "Open questions"


@pytest.mark.parametrize("sheet", ["Guide", "READ ME", "_helpers", "Lookups", "Instructions"])
def test_a_helper_sheet_is_left_out_with_the_reason(sheet: str) -> None:
    rows = [["Step", "What to do", "Example text"], *[[str(i), t, t] for i, t in enumerate(SAID)]]
    with pytest.raises(SkippedFile, match=r"workbook; set layout = \"generic\""):
        read(rows, sheet=sheet)
    assert read(rows, sheet="Responses")[0]
    assert read(rows)[0]


def test_a_mapping_reads_a_sheet_that_would_be_left_out() -> None:
    rows = [["Step", "What to do"], *[[str(i), text] for i, text in enumerate(SAID)]]
    text = '[[table]]\nfile = "a.csv"\nsheet = "Guide"\nlayout = "generic"\n'
    documents, table = read(rows, ReadOptions(mapping=Mapping.from_text(text)), "Guide")
    assert len(documents) == 8
    assert table.layout == "generic"


def test_a_hint_names_the_layout() -> None:
    rows = enumerate([["a", "response"], *[[str(i), text] for i, text in enumerate(SAID)]], 1)
    table = open_table(rows, FILE, ReadOptions(), layout_hint="ThemeFinder")
    assert table.report.layout == "themefinder"


def test_a_question_that_is_asked_for_wins_over_the_layout() -> None:
    documents, _ = read(rows_of(KNOWN["polis"]), ReadOptions(questions=("moderated",)))
    assert {document.text for document in documents} == {"1", "-1"}


def test_every_layout_has_a_name_and_is_found_by_it() -> None:
    assert names()[0] == "generic"
    assert set(KNOWN) <= set(names())
    assert all(named(name) is not None for name in names())
    assert named("Talk to the City") == named("talk_to_the_city")
    assert named("no such program") is None


def test_a_status_says_what_kind_of_submission_a_row_is() -> None:
    judge = known().status.judge
    assert judge("Survey Preview") == judge(" preview ") == "preview submission"
    assert judge("Test response") == "test submission"
    assert (
        judge("Incomplete") == judge("In progress") == judge("Partial") == "incomplete submission"
    )
    assert judge("Complete") == judge("Submitted") == judge("IP Address") == judge("") == ""


def test_a_very_long_header_is_no_trouble() -> None:
    header = find_header([(1, ["a - " * 50_000, "?" * 50_000]), (2, ["1", "2"]), (3, ["3", "4"])])
    assert isinstance(recognise(header, [(1, ["x" * 90_000])], FILE, None), Layout)
