"""The Upload page checks files before it reads them, and shows all of what was found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.import_view import files_html, problems_html
from app.dashboard.role_editor import CHOSEN, Checked, mapping_text, with_roles
from app.jobs import LOOK, RUN, RunRequest
from app.previews import look_result
from app.run_plan import ReadPlan
from app.runs import Imported
from db.queue import Queue
from db.store import Store
from pipelines.readers.tables.mapping import Mapping
from pipelines.runner import Ingested
from pipelines.types import FileOutcome, Role
from tests.app.dashboard.conftest import Open, page_html
from tests.app.dashboard.test_upload_page import fill, press
from tests.app.reports import BROKEN, LETTER, RELATIVES, REPORTS, TABLE


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store.engine)


def check(queue: Queue, *, remembered: tuple[str, ...] = ()) -> int:
    """Add a check of ``REPORTS`` that a worker has done, and return its number."""
    request = RunRequest("streets", tuple(RELATIVES), questions=("Q1",))
    job = queue.enqueue(LOOK, request.payload())
    queue.claim("worker-1", kinds=[LOOK])
    plan = ReadPlan(remembered=remembered)
    result = look_result(Imported(Ingested(list(REPORTS), documents=243), plan, RELATIVES))
    queue.finish(job, "worker-1", result)
    return job


def buttons(page: AppTest) -> set[str]:
    return {button.label for button in page.button}


def test_checking_adds_a_look_and_stays_with_it(
    store: Store, queue: Queue, open_page: Open
) -> None:
    page = fill(open_page(), "new one", ("a.csv", b"x,y\r\n1,2"))
    page = press(page, "Check the files")
    assert not page.exception
    (job,) = queue.jobs(5)
    assert job.kind == LOOK
    assert RunRequest.from_payload(dict(job.payload)).collection == "new one"
    assert page.query_params["check"] == str(job.id)
    assert "Waiting for the worker" in page_html(page)
    assert "new one" not in {row.name for row in store.collections()}


def test_a_check_that_waits_can_be_cancelled(queue: Queue, open_page: Open) -> None:
    job = queue.enqueue(LOOK, RunRequest("streets").payload())
    press(open_page(check=str(job)), "Cancel the check")
    assert queue.job(job).state == "cancelled"


def test_a_finished_check_is_listed_with_a_way_to_its_report(queue: Queue, open_page: Open) -> None:
    job = check(queue)
    markup = page_html(open_page())
    assert "243 documents found in 3 files; 2 files cannot be read" in markup
    assert f'href="./?check={job}"' in markup


def test_the_report_is_there_again_after_the_page_was_closed(queue: Queue, open_page: Open) -> None:
    job = check(queue, remembered=("text column 'Q1' (forget it with --question '')",))
    page = open_page(check=str(job))
    assert not page.exception
    markup = page_html(page)
    for words in (
        "120 rows → 240 documents",
        "UTF-8 with a byte-order mark",
        "31: 26 “blank”, 5 “no view”",
        "4 preview submission: Status is “Survey Preview”",
        "rows 3–4; not answers: rows 1–2, 5",
        "Read with what the collection remembers",
    ):
        assert words in markup, words
    assert {"Read and process", "Choose other files"} <= buttons(page)
    assert "Upload and process" not in buttons(page)


def test_each_table_has_its_columns_with_role_and_reason(queue: Queue, open_page: Open) -> None:
    page = open_page(check=str(check(queue)))
    tables = [frame.value for frame in page.get("data_editor")]
    assert len(tables) == 3
    first = tables[0].set_index("column")
    assert first.loc["Q1", "role"] == Role.FREE_TEXT
    assert "mostly distinct" in first.loc["Q1", "why"]
    assert "options: Bus · Tram, train · Car" in first.loc["Which do you use?", "why"]


def test_reading_sends_the_same_request_as_a_run(queue: Queue, open_page: Open) -> None:
    page = press(open_page(check=str(check(queue))), "Read and process")
    assert not page.exception
    job = queue.jobs(1)[0]
    assert job.kind == RUN
    assert RunRequest.from_payload(dict(job.payload)) == RunRequest(
        "streets", tuple(RELATIVES), questions=("Q1",)
    )
    assert "5 files of streets will be read" in page_html(page)
    assert "Upload and process" in buttons(page)


def test_leaving_the_report_stores_nothing(queue: Queue, open_page: Open) -> None:
    page = press(open_page(check=str(check(queue))), "Choose other files")
    assert "Check the files" in buttons(page)
    assert len(queue.jobs(5)) == 1


def test_a_failed_check_says_why(queue: Queue, open_page: Open) -> None:
    job = queue.enqueue(LOOK, RunRequest("streets").payload())
    queue.claim("worker-1", kinds=[LOOK])
    queue.fail(job, "worker-1", "No such file: <b>")
    page = open_page(check=str(job))
    assert "No such file: &lt;b&gt;" in page_html(page)
    assert "Choose other files" in buttons(page)


@pytest.mark.parametrize("number", ["99", "x", "-1", "9" * 40])
def test_an_unknown_check_is_told_and_the_form_shown(
    store: Store, open_page: Open, number: str
) -> None:
    page = open_page(check=number)
    assert not page.exception
    assert "There is no check" in page_html(page)
    assert "Check the files" in buttons(page)


def test_a_run_is_no_check(queue: Queue, open_page: Open) -> None:
    job = queue.enqueue(RUN, RunRequest("streets").payload())
    assert "There is no check" in page_html(open_page(check=str(job)))


def test_all_problems_stand_in_one_table() -> None:
    markup = problems_html([Checked(report, RELATIVES.get(report.path, "")) for report in REPORTS])
    assert "<caption>Problems: 5</caption>" in markup
    for words in (
        "row 7, column Q1: the text has a NUL character",
        "row 9 has a cell too many",
        "a list of questions, not of answers",
        "a scan without text",
        "the zip archive is broken",
    ):
        assert words in markup, words
    assert "No problem was found" in problems_html([Checked(LETTER, "letter.txt")])


def test_names_and_reasons_from_files_stay_text() -> None:
    nasty = replace(BROKEN, reason="<script>alert(1)</script>")
    one = Checked(nasty, "<img src=x>.csv")
    assert "<script>" not in problems_html([one])
    assert "<img" not in files_html([one], 0)


def test_files_that_are_not_listed_are_counted() -> None:
    assert "Files: 41, 1 shown" in files_html([Checked(LETTER, "letter.txt")], 40)


def test_a_chosen_role_changes_its_column_only() -> None:
    roles = [column.role for column in TABLE.columns]
    roles[5] = Role.FREE_TEXT
    report = with_roles(TABLE, {(TABLE.path, 0): roles})
    before, after = TABLE.columns, report.columns
    assert after[:5] == before[:5]
    assert (after[5].role, after[5].reason) == (Role.FREE_TEXT, CHOSEN)
    assert report.outcome is FileOutcome.READ


def test_no_choice_leaves_the_report_as_it_was() -> None:
    assert with_roles(TABLE, {}) == TABLE


def test_a_role_edited_on_the_page_goes_with_the_run(queue: Queue, open_page: Open) -> None:
    job = check(queue)
    page = open_page(check=str(job))
    page.session_state[f"roles-{job}-0"] = {
        "edited_rows": {5: {"role": "free_text"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    page.run()
    assert "1 role changed" in page_html(page)
    press(page, "Read and process")
    request = RunRequest.from_payload(dict(queue.jobs(1)[0].payload))
    table = Mapping.from_text(request.mapping or "").table("answers.csv")
    assert table is not None
    assert table.columns["Anything else?"].role == Role.FREE_TEXT
    assert table.columns["Email"].role == Role.PERSONAL


def test_checking_again_uses_the_edited_roles(queue: Queue, open_page: Open) -> None:
    job = check(queue)
    page = open_page(check=str(job))
    assert "Check again" not in buttons(page)
    page.session_state[f"roles-{job}-0"] = {
        "edited_rows": {5: {"role": "free_text"}},
        "added_rows": [],
        "deleted_rows": [],
    }
    page = press(page.run(), "Check again")
    again = queue.jobs(1)[0]
    assert again.kind == LOOK
    assert page.query_params["check"] == str(again.id)
    assert "Anything else?" in (RunRequest.from_payload(dict(again.payload)).mapping or "")


def test_what_the_collection_remembers_of_other_tables_is_kept() -> None:
    before = (
        '[[table]]\nfile = "old.csv"\n[table.columns]\n"note" = "free_text"  # mine\n\n'
        '[[table]]\nfile = "answers.csv"\n[table.columns]\n"Email" = "system"\n'
    )
    roles = [column.role for column in TABLE.columns]
    roles[5] = Role.FREE_TEXT
    changed = Checked(with_roles(TABLE, {(TABLE.path, 0): roles}), "answers.csv")
    text = mapping_text([changed], before)
    assert text is not None
    mapping = Mapping.from_text(text)
    assert [table.file for table in mapping.tables] == ["answers.csv", "old.csv"]
    assert mapping.tables[0].columns["Email"].role == Role.PERSONAL
    assert mapping.tables[1].columns["note"].role == Role.FREE_TEXT
    assert "# mine" in text
    assert mapping_text([], before) is None
