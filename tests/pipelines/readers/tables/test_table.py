"""Tables: rows to documents, keys and respondents, odd rows, what is left out and why."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pipelines.readers import ReadOptions, UnreadableFile, discover, read
from pipelines.readers.errors import SkippedFile
from pipelines.readers.tables.columns import column_names, count_words
from pipelines.readers.tables.mapping import Mapping
from pipelines.readers.tables.table import Row, open_table
from pipelines.readers.types import Limits, Reading, SourceFile, Tally
from pipelines.types import Document, FileOutcome, FileReport, Role
from tests.pipelines.readers.conftest import ReadOne

FILE = SourceFile(Path("/in/north/a.csv"), Path("/in"), "north/a.csv", "north/a.csv", 1, 1)
ANSWERS = [
    "The park should stay open all year",
    "Please mend the broken swings soon",
    "More bins near the lake, thanks",
    "I would like longer opening hours",
]


def taken(
    rows: Sequence[Sequence[str]], options: ReadOptions | None = None, sheet: str | None = None
) -> tuple[list[Document], FileReport]:
    """Return the documents of a table and the report on it."""
    tally = Tally("csv")
    numbered = ((i, list(cells)) for i, cells in enumerate(rows, 1))
    table = open_table(numbered, FILE, options or ReadOptions(), sheet)
    reading = Reading(FILE, tally, table.documents(FILE, tally))
    return list(reading), reading.report


def asked(*rows: Sequence[str]) -> list[list[str]]:
    return [["Response ID", "Why?"], *map(list, rows)]


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
    rows = [f'{agree},"{text}"' for agree, text in zip(["yes", "no"] * 2, ANSWERS, strict=True)]
    documents, _ = read_one(csv_of(tmp_path / "a.csv", "Agree,Why?", *rows))
    again, _ = read_one(tmp_path / "a.csv")
    assert documents[0].key == "a.csv#r2c2"
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
    assert not any(c.role == Role.FREE_TEXT for c in report.columns)
    assert report.tables[0].reason == report.reason


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
    assert documents[1].locator == "row 5, column “Q”"
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


def test_commas_in_a_single_column_stay_text(tmp_path: Path, read_one: ReadOne) -> None:
    lines = [
        "Well, yes, I like the park",
        "No, thanks, not for me here",
        "Keep it, as it is, please",
    ]
    documents, _ = read_one(csv_of(tmp_path / "a.csv", "comment", *lines))
    assert [d.text for d in documents] == lines


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
        for i in range(4_000):
            said = f"This is what respondent {i} had to say about the library and its hours. " * 40
            stream.write(f"{i},{said}\n")
    (file,) = discover([path]).files
    next(iter(read(file, ReadOptions(sample_rows=50))))  # imports and patterns, once
    tracemalloc.start()
    reading = read(file, ReadOptions(sample_rows=100))
    count = sum(1 for _ in reading)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == reading.report.documents == 4_000
    assert peak < path.stat().st_size / 2


def test_a_table_that_breaks_half_way_raises_and_reports_failed() -> None:
    def rows() -> Iterator[Row]:
        yield 1, ["ID", "Q"]
        for i in range(2, 20):
            yield i, [str(i), f"We want the library open on Sundays {i}"]
        raise UnreadableFile("the disk was pulled out")

    tally = Tally("csv")
    table = open_table(rows(), FILE, ReadOptions(sample_rows=5))
    reading = Reading(FILE, tally, table.documents(FILE, tally))
    documents = iter(reading)
    next(documents)
    with pytest.raises(UnreadableFile):
        list(documents)
    assert reading.finished
    assert (reading.report.outcome, reading.report.documents) == (FileOutcome.FAILED, 0)


def test_a_unique_identifier_makes_keys_that_stay_when_rows_move() -> None:
    rows = [[f"R-{i}", text] for i, text in enumerate(ANSWERS)]
    documents, _ = taken(asked(*rows))
    moved, _ = taken(asked(*reversed(rows)))
    assert documents[0].key == "north/a.csv#R-0/c2"
    assert {d.key: d.text for d in documents} == {d.key: d.text for d in moved}


def test_a_sheet_stands_in_the_key_the_locator_and_the_metadata() -> None:
    documents, _ = taken(asked(*[[f"R-{i}", t] for i, t in enumerate(ANSWERS)]), sheet="Form 1")
    assert documents[0].key == "north/a.csv#Form 1!R-0/c2"
    assert documents[0].locator == "sheet “Form 1”, row 2, column “Why?”"
    assert documents[0].metadata["sheet"] == "Form 1"


def test_an_identifier_in_a_key_has_its_marks_escaped() -> None:
    ids = ["a/1", "b#2", "c!3", "d\n4%~"]
    documents, _ = taken(asked(*[[i, t] for i, t in zip(ids, ANSWERS, strict=True)]))
    keys = [document.key.removeprefix("north/a.csv#") for document in documents]
    assert keys == ["a%2F1/c2", "b%232/c2", "c%213/c2", "d%0A4%25%7E/c2"]
    assert documents[0].respondent == "a/1"


def test_an_identifier_that_comes_again_further_down_gets_its_row() -> None:
    rows = [[f"R-{i}", f"{ANSWERS[i % 4]} {i}"] for i in range(10)]
    options = ReadOptions(sample_rows=8)
    documents, report = taken(asked(*rows, ["R-3", "A second thought about the park"]), options)
    assert documents[-1].key == "north/a.csv#R-3~r12/c2"
    assert documents[-1].respondent == "R-3"
    assert any("there before in row 12" in warning for warning in report.warnings)


def test_a_row_without_an_identifier_is_named_by_its_number() -> None:
    rows = [[f"R-{i}", f"{ANSWERS[i % 4]} {i}"] for i in range(10)]
    documents, _ = taken(asked(*rows, ["", "Sent on paper"]), ReadOptions(sample_rows=8))
    assert documents[-1].key == "north/a.csv#r12c2"
    assert documents[-1].respondent == "north/a.csv#r12"


def test_thousands_of_identifiers_stay_distinct() -> None:
    rows = [[f"R-{i}", f"{ANSWERS[i % 4]} {i}"] for i in range(5_000)]
    documents, report = taken(asked(*rows), ReadOptions(sample_rows=100))
    assert len({document.key for document in documents}) == 5_000
    assert report.warnings == ()


def test_the_respondent_is_the_person_not_the_row() -> None:
    rows = [["Comment ID", "Participant ID", "Comment"]]
    rows += [[f"c{i}", f"p{i // 2}", text] for i, text in enumerate(ANSWERS)]
    documents, _ = taken(rows)
    assert [document.respondent for document in documents] == ["p0", "p0", "p1", "p1"]
    assert documents[1].key == "north/a.csv#c1/c3"


def test_a_question_column_words_the_question_of_its_row() -> None:
    rows = [["ID", "Question", "Answer"]]
    rows += [[str(i), f"What about\u00a0the  {w}?", t] for i, (w, t) in enumerate(
        zip(["park", "lake"] * 2, ANSWERS, strict=True)
    )]  # fmt: skip
    documents, _ = taken(rows)
    assert [d.question for d in documents] == ["What about the park?", "What about the lake?"] * 2
    assert "Question" not in documents[0].metadata


def test_two_text_columns_beside_a_question_column_keep_their_names() -> None:
    rows = [["ID", "Question", "What was good?", "What was bad?"]]
    rows += [
        [str(i), "What about the park?" if i % 2 else "What about the lake?", a, f"{b} or else"]
        for i, (a, b) in enumerate(zip(ANSWERS, reversed(ANSWERS), strict=True))
    ]
    mapping = '[[table]]\nfile = "a.csv"\n[table.columns]\nQuestion = { role = "question" }\n'
    documents, _ = taken(rows, ReadOptions(mapping=Mapping.from_text(mapping)))
    assert documents[0].question == "What about the lake? — What was good?"
    assert documents[3].question == "What about the park? — What was bad?"


def test_a_repeated_header_text_asks_about_the_closed_question_before_it() -> None:
    header = ["ID", "Longer hours?", "Please explain", "More bins?", "Please explain"]
    rows = [
        [str(i), ["yes", "no"][i % 2], ANSWERS[i % 4] + f" {i}", ["no", "yes"][i % 2], f"{i} times {ANSWERS[3 - i % 4]}"]
        for i in range(8)
    ]  # fmt: skip
    documents, report = taken([header, *rows])
    assert [column.name for column in report.columns][2:] == [
        "Please explain", "More bins?", "Please explain (2)",
    ]  # fmt: skip
    assert [d.question for d in documents[:2]] == [
        "Longer hours? — Please explain", "More bins? — Please explain",
    ]  # fmt: skip


def test_a_submission_that_is_none_is_kept_apart_with_the_reason() -> None:
    statuses = ["Complete", "Preview", "Partial", "Complete"]
    rows = [["Response ID", "Status", "Why?"]]
    rows += [[str(i), s, t] for i, (s, t) in enumerate(zip(statuses, ANSWERS, strict=True))]
    documents, report = taken(rows)
    assert [document.aside for document in documents] == [
        "", "preview submission: Status is “Preview”",
        "incomplete submission: Status is “Partial”", "",
    ]  # fmt: skip
    assert report.documents == 4


def test_a_mapping_may_include_what_would_be_kept_apart() -> None:
    rows = [["Response ID", "Status", "Why?"]]
    rows += [[str(i), "Partial", text] for i, text in enumerate(ANSWERS)]
    mapping = Mapping.from_text('[[table]]\nfile = "a.csv"\napart = "include"\n')
    documents, _ = taken(rows, ReadOptions(mapping=mapping))
    assert not any(document.aside for document in documents)


def test_a_mapping_decides_header_rows_and_roles() -> None:
    rows = [["ID", "Q"], ["code", "what they said"], *[[str(i), t] for i, t in enumerate(ANSWERS)]]
    text = '[[table]]\nfile = "a.csv"\nheader_rows = [2]\n[table.columns]\ncode = { role = "free_text" }\n'
    documents, report = taken(rows, ReadOptions(mapping=Mapping.from_text(text)))
    assert report.tables[0].header_rows == (2,)
    assert report.tables[0].skipped_rows == (1,)
    assert {document.question for document in documents} == {"code", "what they said"}


def test_a_mapping_that_misses_is_said() -> None:
    text = '[[table]]\nfile = "a.csv"\nheader_rows = [1, 9]\nlayout = "Snappy"\n'
    rows = asked(*[[str(i), t] for i, t in enumerate(ANSWERS)])
    _, report = taken(rows, ReadOptions(mapping=Mapping.from_text(text)))
    assert report.warnings[0] == "row 9, a header by the mapping, is blank or not there"
    assert report.warnings[1].startswith("the mapping names no known layout “Snappy”; known are")


def test_personal_columns_are_read_past_and_said() -> None:
    rows = [["Response ID", "Email address", "Why?"]]
    rows += [[str(i), f"someone{i}@example.org", text] for i, text in enumerate(ANSWERS)]
    documents, report = taken(rows)
    assert "Email address" not in documents[0].metadata
    assert [column.role for column in report.columns] == ["identifier", "personal", "free_text"]
    assert report.warnings == ()


def test_a_table_without_a_header_loses_nothing_and_says_so() -> None:
    documents, report = taken([[str(i), "yes", text] for i, text in enumerate(ANSWERS, 1)])
    assert [document.text for document in documents] == ANSWERS
    assert documents[0].question == "column 3"
    assert report.tables[0].header_rows == ()
    assert report.warnings[0].startswith("no header: row 1 looks like data")
    assert "header_rows = [1]" in report.warnings[0]


def test_the_header_again_among_the_rows_is_left_out() -> None:
    rows = [[str(i), text] for i, text in enumerate(ANSWERS)]
    again = [[f"x{i}", f"{text} really"] for i, text in enumerate(ANSWERS)]
    documents, report = taken([*asked(*rows), ["Response ID", "Why? "], *again])
    assert len(documents) == report.rows == 8
    assert report.warnings == ("the header again in row 6; left out",)


def test_a_closing_line_without_text_is_left_out_only_at_the_end() -> None:
    rows = [[str(i), text] for i, text in enumerate(ANSWERS)]
    documents, report = taken(asked(*rows, ["End of report", ""]))
    assert len(documents) == 4
    assert report.warnings == ("a total or closing line in row 6; left out",)
    assert len(taken(asked(*rows, ["Total", ""], ["9", "One more for the road"]))[0]) == 6
    assert len(taken(asked(*rows, ["Total", "Total nonsense, all of it"]))[0]) == 5


def test_rows_of_nothing_but_zeros_are_left_out() -> None:
    rows = [["Response ID", "Agree?", "Why?", "Words"]]
    rows += [[str(i), ["yes", "no"][i % 2], text, "6"] for i, text in enumerate(ANSWERS)]
    documents, report = taken([*rows, *[["", "", "", "0"]] * 50, ["", "", "", "#N/A"]])
    assert len(documents) == report.rows == 4
    assert report.warnings == (
        "51 rows with nothing but zeros or errors of formulas left out",
    )  # fmt: skip


def test_more_columns_than_the_limit_leave_the_table_out() -> None:
    options = ReadOptions(limits=Limits(columns=10))
    with pytest.raises(SkippedFile, match="11 columns, more than the limit of 10"):
        taken([[f"name {i}" for i in range(11)], [str(i) for i in range(11)]], options)


def test_a_row_with_more_cells_than_the_limit_is_an_outcome() -> None:
    rows = asked(*[[str(i), text] for i, text in enumerate(ANSWERS)], ["x"] * 99)
    with pytest.raises(UnreadableFile, match="row 6 has 99 cells, more than the limit of 50"):
        taken(rows, ReadOptions(limits=Limits(columns=50), sample_rows=4))


def test_names_that_are_known_make_every_row_data() -> None:
    rows = enumerate([[str(i), text] for i, text in enumerate(ANSWERS)], 1)
    table = open_table(rows, FILE, ReadOptions(), names=["response_id", "response"])
    documents = list(table.documents(FILE, Tally("jsonl")))
    assert [document.text for document in documents] == ANSWERS
    assert documents[0].key == "north/a.csv#0/c2"
    assert table.report.layout == "themefinder"


def test_the_report_is_there_before_the_rows_are_taken() -> None:
    tally = Tally("csv")
    rows = enumerate(asked(*[[str(i), text] for i, text in enumerate(ANSWERS)]), 1)
    documents = open_table(rows, FILE, ReadOptions(), delimiter=";").documents(FILE, tally)
    assert [(table.rows, table.delimiter) for table in tally.tables] == [(0, ";")]
    list(documents)
    assert [table.rows for table in tally.tables] == [4]


def test_a_column_that_is_blank_in_the_sample_keeps_its_later_cells() -> None:
    rows = [[str(i), "", "", f"{ANSWERS[i % 4]} {i}"] for i in range(20)]
    rows += [[str(i), "Yes", f"me{i}@example.org", f"{ANSWERS[i % 4]} {i}"] for i in range(20, 40)]
    documents, report = taken(
        [["ID", "Late", "Contact", "Why?"], *rows], ReadOptions(sample_rows=10)
    )
    assert documents[30].metadata["Late"] == "Yes"
    assert "Contact" not in documents[30].metadata
    roles = {column.name: column.role for column in report.columns}
    assert roles["Late"] not in (Role.EMPTY, Role.FREE_TEXT)
    assert roles["Contact"] == Role.PERSONAL


def test_text_that_starts_below_the_sample_is_kept_and_pointed_out() -> None:
    rows = [[str(i), "", f"{ANSWERS[i % 4]} {i}"] for i in range(20)]
    rows += [[str(i), f"On {i} {ANSWERS[i % 4]}", f"{ANSWERS[i % 4]} {i}"] for i in range(20, 40)]
    documents, report = taken([["ID", "Late", "Why?"], *rows], ReadOptions(sample_rows=10))
    assert documents[30].metadata["Late"].startswith("On 30")
    assert "text only after the first" in report.warnings[0]
