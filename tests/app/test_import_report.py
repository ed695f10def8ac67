"""The import report keeps everything through JSON and the database, and says it in words."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from datetime import UTC, datetime

import pytest

from app import import_report
from app.cli.import_text import ELSEWHERE, next_lines, report_lines, total_line
from app.previews import SILENT_FILES, look_result
from app.run_plan import ReadPlan
from app.runs import Imported
from db.rows import SourceRow
from pipelines.runner import Ingested
from pipelines.types import Column, FileOutcome, FileReport, Role
from tests.app.reports import ANSWERS, BOOK, BROKEN, LETTER, RELATIVES, REPORTS, SCAN, TABLE


def imported(*reports: FileReport) -> Imported:
    done = Ingested(reports=list(reports), documents=sum(r.documents for r in reports))
    return Imported(done, ReadPlan(), RELATIVES)


def text(*reports: FileReport) -> str:
    return "\n".join(report_lines(imported(*reports)))


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.kind + report.outcome)
def test_a_report_survives_json(report):
    there = json.loads(json.dumps(import_report.file_json(report)))
    assert import_report.file_of(there) == report


def test_the_json_has_the_keys_of_the_contract():
    values = import_report.file_json(TABLE)
    wanted = (
        "path kind encoding rows documents duplicates outcome reason warnings empty aside flags "
        "layout header_rows columns tables"
    )
    assert set(values) == set(wanted.split())
    assert (values["layout"], values["header_rows"]) == ("Citizen Space", [3, 4])
    assert set(values["columns"][0]) == {
        *["name", "role", "reason", "question", "options", "separator", "format"]
    }
    assert [c["name"] for c in import_report.file_json(BOOK)["columns"]] == [
        "Responses!note",
        "Questions!note",
    ]
    assert import_report.file_json(LETTER)["layout"] is None


@pytest.mark.parametrize("report", [TABLE, BOOK, LETTER, BROKEN], ids=lambda report: report.kind)
def test_a_report_is_made_again_from_the_row_of_its_file(report):
    tables = [asdict(table) for table in report.tables]
    for table in tables:
        del table["columns"]
    row = SourceRow(
        id=1,
        collection_id=1,
        path=report.path,
        relative="a",
        size=1,
        mtime_ns=1,
        sha256="",
        options="",
        seen_at=datetime.now(UTC),
        kind=report.kind,
        outcome=str(report.outcome),
        reason=report.reason,
        encoding=report.encoding,
        rows=report.rows,
        documents=report.documents,
        columns=tuple(asdict(column) for column in report.columns),
        warnings=report.warnings,
        report=json.loads(
            json.dumps(
                {
                    "tables": tables,
                    "duplicates": report.duplicates,
                    "empty": report.empty,
                    "aside": report.aside,
                    "flags": report.flags,
                }
            )
        ),
    )
    assert import_report.file_of_row(row) == report


def test_totals_add_up_all_files():
    counts = import_report.totals(REPORTS)
    assert counts == {
        "files": 5,
        "read": 3,
        "skipped": 1,
        "failed": 1,
        "rows": 122,
        "documents": 243,
        "empty": 31,
        "aside": 4,
        "duplicates": 12,
        "flags": 3,
    }


def test_every_role_and_flag_has_words():
    assert set(import_report.ROLES) == set(Role)


def test_the_text_says_how_a_table_was_read_and_what_its_rows_became():
    said = text(TABLE)
    for words in (
        "UTF-8 with a byte-order mark",
        "Citizen Space",
        "rows 3–4; not answers: rows 1–2, 5",
        "semicolons",
        "120 rows → 240 documents",
        "31: 26 “blank”, 5 “no view”",
        "4 preview submission: Status is “Survey Preview”",
        "12 of an earlier text",
        "3 garbled by a wrong decoding",
        "row 7, column Q1: the text has a NUL character",
        "row 9 has a cell too many",
    ):
        assert words in said, words


def test_each_column_has_one_line_with_its_role_and_reason():
    lines = [line.strip() for line in text(TABLE).splitlines()]
    for column in ANSWERS.columns:
        (line,) = (line for line in lines if line.startswith(f"{column.name} "))
        assert column.role in line
        assert column.reason in line


def test_what_is_in_a_column_is_told_after_the_reason():
    question, choices = ANSWERS.columns[4], ANSWERS.columns[1]
    assert "Q1 “What do you think of the plan?”" in text(TABLE)
    assert "asks “What do you think of the plan?”" in import_report.column_note(question)
    told = import_report.column_note(choices)
    assert told.endswith("choices parted by ';'; options: Bus · Tram, train · Car")


def test_long_names_and_reasons_are_folded_and_show_how_they_begin_and_end():
    asked = "What do you think of the plan for the park, the paths and the café beside the river? "
    columns = tuple(
        Column(f"{asked * 2}{end}", Role.FREE_TEXT, f"{'a long reason ' * 60}ends {end}")
        for end in ("Tell us why", "Tell us how")
    )
    said = text(replace(TABLE, tables=(replace(ANSWERS, columns=columns),)))
    for end in ("Tell us why", "Tell us how"):
        assert re.search(rf"^    .*{end[-3:]}", said, re.MULTILINE)
        assert f"ends {end}" in " ".join(said.split())
    assert said.count("What do you think") == 2
    assert max(len(line) for line in said.splitlines()) <= ELSEWHERE


def test_a_separator_that_the_reason_tells_is_told_once():
    column = Column("a", Role.CLOSED_MULTI, "choices separated by “; ”", separator="; ")
    assert import_report.column_note(column) == column.reason


def test_one_of_something_is_told_as_one():
    one = FileReport("/l/a.txt", "text", FileOutcome.READ, documents=1, empty={"blank": 1})
    assert total_line(imported(one), dry_run=False) == "1 document, 1 says nothing; 1 file read"


def test_the_reason_of_a_file_is_not_told_again_of_its_only_table():
    reason = "no column is named 'Q9'"
    table = replace(ANSWERS, sheet="A", reason=reason)
    told = text(
        FileReport("/a.xlsx", "xlsx", FileOutcome.SKIPPED, f"sheet A: {reason}", tables=(table,))
    )
    assert told.count(reason) == 1


def test_a_picture_that_was_not_read_names_the_flag_to_give():
    reason = "a picture; OCR is off: turn it on and read the file again"
    assert "to read it, give --ocr" in text(
        FileReport("/a.png", "picture", FileOutcome.SKIPPED, reason)
    )


def test_a_check_that_would_read_nothing_does_not_offer_to_store_it():
    told = "\n".join(next_lines("again", "c", None, tables=True, dry_run=True, documents=0))
    assert "No document would be read" in told
    assert "store" not in told


def test_lines_are_cut_to_the_width():
    wide = FileReport(
        **{**{f: getattr(TABLE, f) for f in TABLE.__slots__}, "warnings": (), "flags": {}}
    )
    assert max(len(line) for line in text(wide).splitlines()) <= ELSEWHERE


def test_what_is_not_read_is_listed_with_the_whole_reason():
    said = text(SCAN, BROKEN)
    assert "post.zip!/scan.pdf: skipped, a scan without text; use --ocr" in said
    assert "broken.xlsx: failed, the zip archive is broken" in said


def test_a_sheet_that_was_left_out_says_why():
    said = text(BOOK)
    assert "sheet Questions" in said
    assert "a list of questions, not of answers" in said


def test_many_letters_are_counted_and_not_listed():
    letters = [FileReport(f"/l/{i}.txt", "text", FileOutcome.READ, documents=1) for i in range(80)]
    said = text(*letters)
    assert "… and 30 more files, read as 30 documents" in said
    assert said.count(".txt") == 50


def test_control_characters_are_written_out():
    nasty = FileReport("/data/in/letter.txt", "text", FileOutcome.FAILED, "bad \x1b[31m thing")
    assert "\x1b" not in text(nasty)


def test_the_total_is_one_sentence():
    assert total_line(imported(TABLE, SCAN), dry_run=False) == (
        "240 documents, 31 say nothing, 4 are kept apart, 12 repeat an earlier text; 1 file read, "
        "1 skipped"
    )


def test_what_to_type_next_can_be_pasted():
    told = list(next_lines("florilegium ingest 'a b.csv'", "my set", "m.toml", tables=True))
    assert "  florilegium ingest 'a b.csv' --mapping m.toml" in told
    told = list(next_lines("florilegium ingest a.csv", "c", None, tables=True, scans=True))
    assert any("--write-mapping" in line for line in told)
    assert "  florilegium ingest a.csv --ocr" in told
    assert "  florilegium run --collection c" in told


def test_a_check_of_many_files_lists_those_with_something_to_say():
    letters = [
        FileReport(f"/l/{i}.txt", "text", FileOutcome.READ, documents=1)
        for i in range(SILENT_FILES + 5)
    ]
    result = look_result(imported(*letters, BROKEN))
    assert result["files"][0]["relative"] == "broken.xlsx"
    assert result["more"] == 5
    assert result["totals"]["files"] == SILENT_FILES + 6
