"""Words, numbers and tables read well and escape whatever they are given."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.dashboard import present
from app.dashboard.present import Cell
from tests.app.dashboard.hostile import HOSTILE
from tests.app.dashboard.test_highlight import read


def test_numbers_have_thousands_apart() -> None:
    assert present.number(1234567) == "1,234,567"
    assert present.counted(1, "document") == "1 document"
    assert present.counted(2310, "document") == "2,310 documents"
    assert present.counted(0, "query", "queries") == "0 queries"


def test_times_are_written_for_a_british_reader() -> None:
    assert present.moment(datetime(2026, 3, 5, 9, 7, tzinfo=UTC)) == "5 March 2026, 09:07 UTC"
    assert present.moment(None) == "never"


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "under a second"), (12.4, "12 s"), (185, "3 min 05 s")]
)
def test_durations_are_short_words(seconds: float, words: str) -> None:
    assert present.duration(seconds) == words


def test_a_tab_names_its_page_and_the_program() -> None:
    assert present.tab_title("Results") == "Results · Florilegium"


def test_a_reason_without_a_flag_is_left_as_it_is() -> None:
    for told in ("", "no reader for .pdf", "no column is named 'x'; its columns are 'a', 'b'"):
        assert present.reason(told) == told


def test_a_reason_with_a_flag_says_what_to_do_on_the_page() -> None:
    told = "no free text; name the text columns with --question to read it"
    assert present.reason(told) == f"no free text; {present.COLUMNS_HINT}"


def test_a_running_job_says_how_far_it_is() -> None:
    assert present.job_sentence("running", 34, 1200) == "Running: 34 of 1,200 documents"
    assert present.job_sentence("running", 0, 0) == "Running"
    assert present.job_sentence("queued", 0, 0) == "Waiting for the worker"


@pytest.mark.parametrize(
    ("progress", "total", "share"), [(0, 0, 0.0), (1, 4, 0.25), (5, 4, 1.0), (-1, 4, 0.0)]
)
def test_progress_stays_within_the_bar(progress: int, total: int, share: float) -> None:
    assert present.fraction(progress, total) == share


def test_an_unknown_outcome_is_still_words() -> None:
    assert present.document_outcome("other_language") == "Other language"
    assert present.document_outcome("skipped") == "Kept apart"
    assert present.document_outcome("empty") == "Says nothing"
    assert present.document_outcome("brand_new") == "Brand new"
    assert present.document_outcome(None) == "Not processed yet"
    assert present.outcome_name("skipped") == "Skipped"


@pytest.mark.parametrize("text", HOSTILE)
def test_tables_facts_notices_and_links_escape_everything(text: str) -> None:
    cell = Cell(text, title=text)
    linked = Cell(text, href=f"results?text={text}", heading=True)
    markup = (
        present.table(text, [cell], [[cell], [linked]])
        + present.facts([(text, text)])
        + present.notice(text, problem=True)
        + present.totals([(text, 1)])
    )
    found = read(f"<div>{markup}</div>")
    known = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "a", "dl", "dt", "dd"}
    assert set(found.elements) <= known | {"span"}
    assert found.attributes <= {"class", "title", "scope", "href", "role"}


def test_a_table_names_its_columns_and_rows_for_screen_readers() -> None:
    markup = present.table("Counts", [Cell("Concept")], [[Cell("Parking", heading=True)]])
    assert "<caption>Counts</caption>" in markup
    assert '<th scope="col">Concept</th>' in markup
    assert '<th scope="row">Parking</th>' in markup


def test_a_problem_is_announced() -> None:
    assert 'role="alert"' in present.notice("No.", problem=True)
    assert 'role="status"' in present.notice("Yes.")
