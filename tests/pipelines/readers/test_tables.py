"""Tables: rows to documents, columns, ragged rows, delimiters, workbooks."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from pipelines.readers import ReadOptions, UnreadableFile, discover, read
from pipelines.readers.columns import column_names, count_words
from pipelines.readers.delimited import find_delimiter
from pipelines.readers.spreadsheet import cell_text
from pipelines.types import FileOutcome
from tests.pipelines.readers.conftest import ReadOne, write_workbook

ANSWERS = [
    "The park should stay open all year",
    "Please mend the broken swings soon",
    "More bins near the lake, thanks",
    "I would like longer opening hours",
]


def csv_of(path: Path, *lines: str, end: str = "\n") -> Path:
    path.write_bytes((end.join(lines) + end).encode())
    return path


def answers(path: Path) -> Path:
    rows = (f"{i},{'yes' if i % 2 else 'no'},{text!r}" for i, text in enumerate(ANSWERS, 1))
    return csv_of(path, "ID,Agree,Why?", *(row.replace("'", '"') for row in rows))


def test_a_row_is_a_document_for_its_free_text_column(tmp_path: Path, read_one: ReadOne) -> None:
    documents, report = read_one(answers(tmp_path / "a.csv"))
    assert [d.text for d in documents] == ANSWERS
    assert {d.question for d in documents} == {"Why?"}
    assert (report.outcome, report.rows, report.documents) == (FileOutcome.READ, 4, 4)


def test_other_columns_are_metadata_with_file_and_folder(tmp_path: Path, read_one: ReadOne) -> None:
    (tmp_path / "north").mkdir()
    answers(tmp_path / "north/a.csv")
    (file,) = discover([tmp_path]).files
    first = next(iter(read(file)))
    assert first.metadata == {"file": "a.csv", "folder": "north", "ID": "1", "Agree": "yes"}


def test_keys_name_file_row_and_column_and_are_stable(tmp_path: Path, read_one: ReadOne) -> None:
    documents, _ = read_one(answers(tmp_path / "a.csv"))
    again, _ = read_one(tmp_path / "a.csv")
    assert documents[0].key == "a.csv#r2c3"
    assert documents[0].locator == "row 2, column “Why?”"
    assert [d.key for d in again] == [d.key for d in documents]


def test_every_free_text_column_gives_a_document(tmp_path: Path, read_one: ReadOne) -> None:
    rows = [f'"{a}","{b} indeed"' for a, b in zip(ANSWERS, reversed(ANSWERS), strict=True)]
    documents, report = read_one(csv_of(tmp_path / "a.csv", "Q1,Q2", *rows))
    assert len(documents) == 8
    assert [d.question for d in documents[:2]] == ["Q1", "Q2"]
    assert [c.role for c in report.columns] == ["free_text", "free_text"]


def test_a_blank_cell_is_a_document_with_an_empty_text(tmp_path: Path, read_one: ReadOne) -> None:
    documents, _ = read_one(
        csv_of(tmp_path / "a.csv", "ID,Q", *[f'{i},"{t}"' for i, t in enumerate(ANSWERS)], "9,")
    )
    assert documents[-1].text == ""
    assert documents[-1].metadata["ID"] == "9"


def test_a_cell_is_kept_to_the_character(tmp_path: Path, read_one: ReadOne) -> None:
    cell = "  One, two; three &amp; “four”\r\nfive _x000D_ <b>six</b>\tN/A "
    body = [f'{i},"{text}"' for i, text in enumerate([*ANSWERS, cell])]
    documents, _ = read_one(csv_of(tmp_path / "a.csv", "ID,Q", *body, end="\r\n"))
    assert documents[-1].text == cell


def test_missing_value_words_stay_text(tmp_path: Path, read_one: ReadOne) -> None:
    documents, _ = read_one(
        csv_of(
            tmp_path / "a.csv",
            "ID,Q",
            *[f"1,{t.replace(',', '')}" for t in ANSWERS],
            "2,N/A",
            "3,null",
            "4,None",
        )
    )
    assert [d.text for d in documents[-3:]] == ["N/A", "null", "None"]


def test_a_table_of_numbers_is_skipped_with_the_reason(tmp_path: Path, read_one: ReadOne) -> None:
    documents, report = read_one(csv_of(tmp_path / "v.csv", "a,b", "1,2", "3,4"))
    assert documents == []
    assert report.outcome is FileOutcome.SKIPPED
    assert "no free text: no column of 2" in report.reason
    assert "--question" in report.reason
    assert [c.role for c in report.columns] == ["other", "other"]


def test_dates_addresses_and_names_are_not_free_text(tmp_path: Path, read_one: ReadOne) -> None:
    rows = [
        f"Mon Jan {i:02} 03:43:41 WIB 2017,https://example.org/some/page/with/words/{i},Ann Other {i}"
        for i in range(1, 20)
    ]
    _, report = read_one(csv_of(tmp_path / "a.csv", "when,where,who", *rows))
    assert report.outcome is FileOutcome.SKIPPED


def test_a_closed_question_with_long_options_is_not_free_text(
    tmp_path: Path, read_one: ReadOne
) -> None:
    rows = ["I agree with the whole proposal", "I do not agree with the proposal"] * 20
    assert read_one(csv_of(tmp_path / "a.csv", "Q", *rows))[1].outcome is FileOutcome.SKIPPED


def test_a_campaign_does_not_hide_a_free_text_column(tmp_path: Path, read_one: ReadOne) -> None:
    letter = " ".join(["Please keep the crossing outside our school open and staffed."] * 4)
    own = [f"{text} and that is what I think {'very ' * 20}much" for text in ANSWERS * 3]
    rows = [letter] * 60 + [f"{text} {i}" for i, text in enumerate(own)]
    documents, _ = read_one(
        csv_of(tmp_path / "a.csv", "ID;Q", *[f"{i};{r}" for i, r in enumerate(rows)])
    )
    assert len(documents) == 72


def test_question_names_the_text_columns(tmp_path: Path, read_one: ReadOne) -> None:
    documents, report = read_one(answers(tmp_path / "a.csv"), "  AGREE ")
    assert [d.text for d in documents] == ["yes", "no", "yes", "no"]
    assert documents[0].metadata["Why?"] == ANSWERS[0]
    assert report.columns[1].reason == "named by --question"


def test_a_question_that_is_not_there_skips_the_table_and_lists_its_columns(
    tmp_path: Path, read_one: ReadOne
) -> None:
    _, report = read_one(answers(tmp_path / "a.csv"), "Reason")
    assert report.outcome is FileOutcome.SKIPPED
    assert report.reason == "no column is named 'Reason'; its columns are 'ID', 'Agree', 'Why?'"


def test_a_ragged_row_is_kept_and_named(tmp_path: Path, read_one: ReadOne) -> None:
    body = [f"{i},{text.replace(',', '')}" for i, text in enumerate(ANSWERS, 1)]
    documents, report = read_one(
        csv_of(tmp_path / "a.csv", "ID,Q", *body, "5,We need more trees here,extra", "6")
    )
    assert documents[4].metadata["column 3"] == "extra"
    assert documents[5].text == ""
    assert report.warnings == (
        "more cells than the header in row 6; kept as metadata under 'column N'",
        "fewer cells than the header in row 7; taken as blank",
    )


def test_cells_beyond_the_header_of_most_rows_are_a_column(
    tmp_path: Path, read_one: ReadOne
) -> None:
    body = [f'{i},"{text}"' for i, text in enumerate(ANSWERS)]
    documents, _ = read_one(csv_of(tmp_path / "a.csv", "ID", *body))
    assert [d.question for d in documents] == ["column 2"] * 4


def test_blank_rows_are_left_out_and_counted(tmp_path: Path, read_one: ReadOne) -> None:
    body = [f'{i},"{text}"' for i, text in enumerate(ANSWERS)]
    documents, report = read_one(csv_of(tmp_path / "a.csv", "ID,Q", body[0], ",", "", *body[1:]))
    assert report.rows == 4
    assert documents[1].key == "a.csv#r5c2"
    assert report.warnings == ("2 blank rows left out",)


def test_duplicate_and_missing_headers_get_distinct_names() -> None:
    header = ["Why?", "Why?", "", "file", " Why?\n", "Why? (2)"]
    assert column_names(header, 7) == (
        "Why?", "Why? (2)", "column 3", "file (2)", "Why? (3)", "Why? (2) (2)", "column 7",
    )  # fmt: skip


def test_words_are_counted_without_numbers_dates_and_codes() -> None:
    assert count_words("It's (really) too-far, 3 miles!") == 4
    assert count_words("Thursday, 29 December 2016 at 10:05 pm GMT") == 0
    assert count_words("f3a1-77 A12 someone@example.org 3.5") == 0


@pytest.mark.parametrize(
    ("sample", "delimiter"),
    [
        ("a,b\n1,2\n3,4\n", ","),
        ("a;b\n1,5;2,5\n3,1;4,2\n", ";"),
        ("a\tb\n1, 2\t2\n3, 4\t4\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('a,b\n"x;y;z",2\n"x;y;z",3\n', ","),
        ("title of the export\nID,Q\n1,x\n2,y\n3,z\n4,w\n5,v\n", ","),
        ("comment\nWell, yes\nNo, thanks, not me\nnever\n", "\x1f"),
        ("comment\n", "\x1f"),
    ],
)
def test_the_delimiter_is_found(sample: str, delimiter: str) -> None:
    assert find_delimiter(sample) == delimiter


def test_commas_in_a_single_column_stay_text(tmp_path: Path, read_one: ReadOne) -> None:
    lines = [
        "Well, yes, I like the park",
        "No, thanks, not for me here",
        "Keep it, as it is, please",
    ]
    documents, _ = read_one(csv_of(tmp_path / "a.csv", "comment", *lines))
    assert [d.text for d in documents] == lines


def test_a_quotation_mark_left_open_is_reported(tmp_path: Path, read_one: ReadOne) -> None:
    body = [f'{i},"{text}"' for i, text in enumerate(ANSWERS)]
    _, report = read_one(
        csv_of(tmp_path / "a.csv", "ID,Q", *body, '8,"never closed', '9,"and more"')
    )
    assert any("quotation mark is not closed" in w and "row 6" in w for w in report.warnings)


@pytest.mark.parametrize("content", ["ID,Q\n", "\n\n,,\n"])
def test_a_table_without_rows_is_skipped(tmp_path: Path, read_one: ReadOne, content: str) -> None:
    (tmp_path / "a.csv").write_text(content)
    report = read_one(tmp_path / "a.csv")[1]
    assert report.outcome is FileOutcome.SKIPPED
    assert report.reason in {"no rows below the header", "the table is empty"}


def test_a_cell_larger_than_the_csv_limit_is_read(tmp_path: Path, read_one: ReadOne) -> None:
    long = "many words here " * 20_000
    documents, _ = read_one(
        csv_of(tmp_path / "a.csv", "ID,Q", *[f'{i},"{t}"' for i, t in enumerate([*ANSWERS, long])])
    )
    assert documents[-1].text == long


def test_a_large_table_is_streamed(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("w") as stream:
        stream.write("ID,Q\n")
        for i in range(20_000):
            stream.write(
                f"{i},This is what respondent {i} had to say about the library and its hours\n"
            )
    (file,) = discover([path]).files
    tracemalloc.start()
    reading = read(file, ReadOptions(sample_rows=500))
    count = sum(1 for _ in reading)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == reading.report.documents == 20_000
    assert peak < 5_000_000


def test_a_file_that_shrinks_to_garbage_half_way_raises_and_reports_failed(tmp_path: Path) -> None:
    path = csv_of(
        tmp_path / "a.csv",
        "ID,Q",
        *[f"{i},We want the library open on Sundays {i}" for i in range(9_000)],
    )
    (file,) = discover([path]).files
    reading = read(file, ReadOptions(sample_rows=5))
    documents = iter(reading)
    next(documents)
    path.write_bytes(path.read_bytes()[:200_000] + b"\xff\xfe\x80\x81" * 5_000)
    with pytest.raises(UnreadableFile):
        list(documents)
    assert reading.finished
    assert (reading.report.outcome, reading.report.documents) == (FileOutcome.FAILED, 0)


def test_a_workbook_gives_documents_for_each_sheet_with_free_text(
    tmp_path: Path, read_one: ReadOne
) -> None:
    sheets = {
        "Responses": [["ID", "Why?"], *[[i, text] for i, text in enumerate(ANSWERS)]],
        "Key": [["code", "n"], ["a", 1]],
    }
    write_workbook(tmp_path / "a.xlsx", sheets)
    documents, report = read_one(tmp_path / "a.xlsx")
    assert documents[0].key == "a.xlsx#Responses!r2c2"
    assert documents[0].metadata == {
        "file": "a.xlsx",
        "folder": "",
        "sheet": "Responses",
        "ID": "0",
    }
    assert [d.text for d in documents] == ANSWERS
    assert report.warnings[0].startswith("sheet “Key” left out: no free text")
    assert [c.name for c in report.columns][:2] == ["Responses!ID", "Responses!Why?"]


def test_workbook_rows_are_numbered_as_excel_shows_them(tmp_path: Path, read_one: ReadOne) -> None:
    rows = [[None], [None, "ID", "Why?"], *[[None, i, text] for i, text in enumerate(ANSWERS)]]
    write_workbook(tmp_path / "a.xlsx", {"S": rows})
    documents, _ = read_one(tmp_path / "a.xlsx")
    assert documents[0].key == "a.xlsx#S!r3c3"


def test_a_workbook_without_free_text_is_skipped(tmp_path: Path, read_one: ReadOne) -> None:
    write_workbook(tmp_path / "a.xlsx", {"S": [["a"], [1]], "Empty": []})
    report = read_one(tmp_path / "a.xlsx")[1]
    assert report.outcome is FileOutcome.SKIPPED
    assert "sheet “S” left out: no free text" in report.reason
    assert "sheet “Empty” left out: the table is empty" in report.reason


def test_numbers_dates_and_truth_become_plain_text() -> None:
    from datetime import datetime, timedelta

    assert cell_text(3.0) == "3"
    assert cell_text(3.25) == "3.25"
    assert cell_text(True) == "TRUE"
    assert cell_text(datetime(2024, 1, 8)) == "2024-01-08"
    assert cell_text(datetime(2024, 1, 8, 9, 30)) == "2024-01-08 09:30:00"
    assert cell_text(timedelta(hours=1)) == "1:00:00"
    assert cell_text(None) == ""
