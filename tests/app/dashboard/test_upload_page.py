"""The Upload page adds files and a job, and says how jobs are getting on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.dashboard.jobs_panel import result_html, result_sentence, waiting_too_long
from app.jobs import RunRequest
from db.queue import Queue
from db.rows import JobRow
from db.store import Store
from pipelines.readers import discover, read
from pipelines.types import FileReport
from tests.app.dashboard.conftest import Open, page_html


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click()
    return page.run()


def fill(page: AppTest, name: str, *files: tuple[str, bytes]) -> AppTest:
    next(box for box in page.text_input if box.label == "Collection name").input(name)
    uploader = page.get("file_uploader")[0]
    for file in files:
        uploader.upload(*file)
    return page


def read_table(content: bytes, folder: Path) -> FileReport:
    file = folder / "a.csv"
    file.write_bytes(content)
    return read(next(iter(discover([file]).files))).report


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store.engine)


def job(**changes: Any) -> JobRow:
    now = datetime.now(UTC)
    values: dict[str, Any] = {
        "id": 1, "kind": "run", "collection_id": None, "payload": {"collection": "streets"},
        "state": "queued", "progress": 0, "total": 0, "message": "", "result": {},
        "lease_owner": None, "lease_until": None, "attempts": 0, "created_at": now,
        "started_at": None, "finished_at": None,
    }  # fmt: skip
    return JobRow(**values | changes)


def test_nothing_given_names_everything_that_is_missing(
    store: Store, queue: Queue, open_page: Open
) -> None:
    page = press(open_page(), "Upload and process")
    assert "Give the collection a name" in page_html(page)
    assert "Choose at least one file" in page_html(page)
    assert queue.jobs(5) == []


def test_a_name_that_is_taken_is_refused(store: Store, queue: Queue, open_page: Open) -> None:
    page = press(fill(open_page(), "streets", ("a.txt", b"words")), "Upload and process")
    assert "a collection named streets already" in page_html(page)
    assert queue.jobs(5) == []


def test_files_reach_the_workspace_and_the_queue(
    store: Store, queue: Queue, open_page: Open, home: Path
) -> None:
    page = fill(open_page(), "new one", ("a.csv", b"x,y\r\n1,2"), ("../b.txt", b"words"))
    next(box for box in page.multiselect if box.label == "Ontologies to tag with").select("streets")
    next(box for box in page.selectbox if box.label == "Recipe").select("historical")
    page = press(page, "Upload and process")
    assert not page.exception
    request = RunRequest.from_payload(dict(queue.jobs(5)[0].payload))
    assert (request.collection, request.recipe) == ("new one", "historical")
    assert request.ontologies == ("streets",)
    paths = [Path(path) for path in request.paths]
    assert [path.name for path in paths] == ["a.csv", "b.txt"]
    assert [path.read_bytes() for path in paths] == [b"x,y\r\n1,2", b"words"]
    assert all(path.is_relative_to(home / "uploads" / "new one") for path in paths)


def test_text_columns_are_asked_for_one_a_line(store: Store, queue: Queue, open_page: Open) -> None:
    page = fill(open_page(), "columns", ("a.csv", b"x,y\r\n1,2"))
    columns = next(box for box in page.text_area if box.label == "Text columns (optional)")
    assert "Leave empty" in columns.help
    columns.input("  What do\tyou think? \n\nWhy?\nWhy?\n")
    press(page, "Upload and process")
    request = RunRequest.from_payload(dict(queue.jobs(5)[0].payload))
    assert request.questions == ("What do you think?", "Why?")


def test_without_text_columns_the_reader_chooses(
    store: Store, queue: Queue, open_page: Open
) -> None:
    press(fill(open_page(), "chosen", ("a.csv", b"x,y\r\n1,2")), "Upload and process")
    assert RunRequest.from_payload(dict(queue.jobs(5)[0].payload)).questions == ()


def test_the_kinds_of_file_are_named(store: Store, open_page: Open) -> None:
    label = open_page().get("file_uploader")[0].proto.label
    for kind in (
        "CSV",
        "XLSX",
        "ODS",
        "JSON",
        "DOCX",
        "ODT",
        "RTF",
        "PDF",
        "HTML",
        "e-mail",
        "ZIP",
    ):
        assert kind in label


def test_collections_that_are_ready_are_a_click_away(store: Store, open_page: Open) -> None:
    markup = page_html(open_page())
    assert "3 collections are ready" in markup
    assert '<a class="flo-link" href="results">see Results</a>' in markup
    store.start_run(
        store.collection("travels").id, recipe="general", fingerprint="e" * 64, details={}
    )
    assert "2 collections are ready" in page_html(open_page())


def test_after_sending_the_form_is_empty_and_the_job_is_shown(
    store: Store, open_page: Open
) -> None:
    page = press(fill(open_page(), "fresh", ("a.txt", b"words")), "Upload and process")
    assert "1 file received for fresh" in page_html(page)
    assert "Waiting for the worker" in page_html(page)
    assert next(box for box in page.text_input if box.label == "Collection name").value == ""


def test_an_existing_collection_keeps_its_recipe(
    store: Store, queue: Queue, open_page: Open
) -> None:
    page = open_page()
    page.radio[0].set_value("A collection that exists").run()
    page.get("file_uploader")[0].upload("more.txt", b"words")
    press(page, "Upload and process")
    request = RunRequest.from_payload(dict(queue.jobs(5)[0].payload))
    assert (request.collection, request.recipe) == ("streets", None)


def test_another_file_of_a_known_name_is_said_to_count_beside_it(
    store: Store, open_page: Open
) -> None:
    page = open_page()
    page.radio[0].set_value("A collection that exists").run()
    page.get("file_uploader")[0].upload("streets.csv", b"other")
    assert "both are counted" in page_html(press(page, "Upload and process"))


def test_a_running_job_shows_how_far_it_is_and_can_be_cancelled(
    store: Store, queue: Queue, open_page: Open
) -> None:
    id = queue.enqueue("run", RunRequest("streets").payload())
    queue.claim("worker-1")
    queue.renew(id, "worker-1", progress=34, total=120, message="processing documents")
    page = open_page()
    assert "Running: 34 of 120 documents" in page_html(page)
    assert "processing documents" in page_html(page)
    press(page, f"Cancel job {id}")
    assert queue.job(id).state == "cancelled"


def test_a_failed_job_says_why_and_can_be_retried(
    store: Store, queue: Queue, open_page: Open
) -> None:
    id = queue.enqueue("run", RunRequest("streets").payload())
    queue.claim("worker-1")
    queue.fail(id, "worker-1", "The model <b>has gone</b>.")
    page = open_page()
    assert "The model &lt;b&gt;has gone&lt;/b&gt;." in page_html(page)
    press(page, f"Retry job {id}")
    assert queue.job(id).state == "queued"


def test_a_finished_job_shows_counts_reasons_and_the_way_to_its_results(
    store: Store, queue: Queue, open_page: Open
) -> None:
    id = queue.enqueue("run", RunRequest("streets").payload())
    queue.claim("worker-1")
    queue.finish(
        id,
        "worker-1",
        {
            "documents": {"processed": 1234, "empty": 1, "failed": 0, "duplicate": 3},
            "failures": [
                {"path": "/u/x.pdf", "document": "", "outcome": "skipped", "reason": "no reader"}
            ],
            "seconds": 4.2,
        },
    )
    markup = page_html(open_page())
    assert "1,234 processed (3 of them repeat an earlier text), 1 says nothing; 4 s." in markup
    assert "<td>x.pdf</td><td>Skipped</td><td>no reader</td>" in markup
    assert 'href="results?collection=streets"' in markup


def test_a_skipped_table_says_what_to_do_in_the_browser(tmp_path: Path) -> None:
    table = b"ward,age\r\nNorth,41\r\nSouth,38\r\n"
    told = read_table(table, tmp_path).reason
    assert "--question" in told
    markup = result_html({"failures": [{"path": "/u/a.csv", "outcome": "skipped", "reason": told}]})
    assert "no free text: no column of 2" in markup
    assert "name the columns under Text columns and upload again" in markup
    assert "--question" not in markup


def test_a_result_of_nothing_says_so() -> None:
    assert result_sentence({"documents": {"processed": 0}}) == "Nothing new to process."
    assert "table" not in result_html({})


def test_many_failures_are_cut_and_counted() -> None:
    failures = [{"path": f"{i}.pdf", "outcome": "failed", "reason": "broken"} for i in range(30)]
    markup = result_html({"failures": failures})
    assert markup.count("<tr>") == 21
    assert "Not processed: 30, the first 20 shown" in markup


def test_warnings_of_a_run_are_listed() -> None:
    markup = result_html({"warnings": ["a.csv: row 3 has a cell too many <b>"]})
    assert "<caption>Warnings: 1</caption>" in markup
    assert "row 3 has a cell too many &lt;b&gt;" in markup


def test_a_job_no_worker_takes_names_the_command() -> None:
    now = datetime.now(UTC)
    waiting = waiting_too_long(job(created_at=now - timedelta(minutes=2)), now)
    assert waiting is not None
    assert "florilegium worker" in waiting
    assert waiting_too_long(job(created_at=now), now) is None
    assert waiting_too_long(job(state="running", created_at=now - timedelta(hours=1)), now) is None
