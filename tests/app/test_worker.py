"""The worker does what the dashboard asked for, and gives back what it cannot finish."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from app.heartbeat import Heartbeat
from app.jobs import LOOK, RUN, RunRequest
from app.previews import check_files
from app.runs import Hooks
from app.settings import Settings, load_settings
from app.worker import work
from app.workspace import open_store
from db.queue import Queue


@pytest.fixture
def settings(home: Path) -> Settings:
    return load_settings(home=home)


@pytest.fixture
def queue(settings: Settings) -> Queue:
    return Queue(open_store(settings, create=True).engine)


def test_a_job_is_done_with_its_counts_as_result(tmp_path, settings, queue):
    (tmp_path / "a.txt").write_text("The library is open late.")
    job = queue.enqueue(RUN, RunRequest("c", (str(tmp_path / "a.txt"),)).payload())
    assert work(settings, threading.Event(), once=True) == 1
    done = queue.job(job)
    assert done.state == "done"
    assert done.result["documents"]["processed"] == 1
    assert (done.progress, done.total) == (1, 1)


def test_a_job_that_cannot_be_done_fails_with_a_sentence(settings, queue):
    job = queue.enqueue(RUN, RunRequest("c", ("/no/such/file.txt",)).payload())
    assert work(settings, threading.Event(), once=True) == 1
    failed = queue.job(job)
    assert failed.state == "failed"
    assert "/no/such/file.txt" in failed.message


def test_a_job_on_a_locked_collection_goes_back_into_the_queue(tmp_path, settings, queue):
    (tmp_path / "a.txt").write_text("The library is open late.")
    store = open_store(settings)
    collection = store.ensure_collection("c", recipe="general")
    store.lock_collection(collection.id, "another run", 60)
    job = queue.enqueue(RUN, RunRequest("c", (str(tmp_path / "a.txt"),)).payload())
    assert work(settings, threading.Event(), once=True) == 0
    assert queue.job(job).state == "queued"
    store.unlock_collection(collection.id, "another run")
    assert work(settings, threading.Event(), once=True) == 1
    assert queue.job(job).state == "done"


def test_a_look_reads_everything_and_stores_nothing(tmp_path, settings, queue):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("The library is open late.")
    (folder / "b.xlsx").write_bytes(b"PK\x03\x04 this is no workbook")
    job = queue.enqueue(LOOK, RunRequest("c", (str(folder),)).payload())
    assert work(settings, threading.Event(), once=True) == 1
    done = queue.job(job)
    assert done.state == "done"
    assert done.result["totals"]["documents"] == 1
    outcomes = {file["relative"]: file["outcome"] for file in done.result["files"]}
    assert outcomes == {"a.txt": "read", "b.xlsx": "failed"}
    assert open_store(settings).collections() == []


def test_a_look_that_cannot_be_done_fails_with_a_sentence(tmp_path, settings, queue):
    (tmp_path / "a.txt").write_text("The library is open late.")
    request = RunRequest("c", (str(tmp_path),), mapping="[[table]]\nfile = 7")
    job = queue.enqueue(LOOK, request.payload())
    work(settings, threading.Event(), once=True)
    failed = queue.job(job)
    assert failed.state == "failed"
    assert "unexpected" not in failed.message


def test_a_look_that_is_told_to_stop_reads_no_further(tmp_path, settings):
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("The library is open late.")
    imported = check_files(settings, RunRequest("c", (str(tmp_path),)), Hooks(stop=lambda: True))
    assert imported.ingested.reports == []


def test_a_payload_survives_the_round_trip_through_json(queue):
    request = RunRequest(
        *("c", ("a", "b"), "clinical", ("x",), ("Q1",)), retry_failed=True, mapping="", ocr=False
    )
    job = queue.enqueue(RUN, request.payload())
    assert RunRequest.from_payload(dict(queue.job(job).payload)) == request


def test_a_heartbeat_notices_that_the_lease_is_lost():
    asked = threading.Event()

    def renew() -> bool:
        asked.set()
        return False

    with Heartbeat(renew, 0.01) as heartbeat:
        assert asked.wait(5)
        for _ in range(500):
            if heartbeat.lost:
                break
            threading.Event().wait(0.01)
        assert heartbeat.lost


def test_a_heartbeat_survives_a_renewal_that_raises():
    calls: list[int] = []
    twice = threading.Event()

    def renew() -> bool:
        calls.append(1)
        if len(calls) == 1:
            raise OSError("the database is away")
        twice.set()
        return True

    with Heartbeat(renew, 0.01) as heartbeat:
        assert twice.wait(5)
        assert not heartbeat.lost
