"""A worker that meets a database held by another writer tries again; it does not end."""

from __future__ import annotations

import threading
import time

from app import workspace
from app.jobs import RUN, RunRequest
from app.settings import load_settings
from app.worker import work
from app.workspace import open_store
from db.engine import create_engine_for
from db.queue import Queue


def test_a_worker_that_finds_the_queue_locked_tries_again(tmp_path, home, monkeypatch):
    (tmp_path / "a.txt").write_text("The library is open late.")
    settings = load_settings(home=home)
    queue = Queue(open_store(settings, create=True).engine)
    job = queue.enqueue(RUN, RunRequest("c", (str(tmp_path / "a.txt"),)).payload())
    monkeypatch.setattr(
        workspace, "create_engine_for", lambda url: create_engine_for(url, busy_seconds=0.05)
    )
    other = create_engine_for(settings.db_url)
    done: list[int] = []
    worker = threading.Thread(
        target=lambda: done.append(work(settings, threading.Event(), once=True))
    )
    with other.connect() as held:
        held.exec_driver_sql("SELECT 1").close()
        held.rollback()
        held.connection.driver_connection.execute("BEGIN IMMEDIATE")  # type: ignore[union-attr]
        worker.start()
        time.sleep(1.5)
        assert worker.is_alive()
        assert queue.job(job).state == "queued"
        held.connection.driver_connection.execute("ROLLBACK")  # type: ignore[union-attr]
    worker.join(timeout=120)
    assert done == [1]
    assert queue.job(job).state == "done"


def test_a_worker_told_to_stop_while_the_queue_is_locked_ends(home, monkeypatch):
    settings = load_settings(home=home)
    queue = Queue(open_store(settings, create=True).engine)
    queue.enqueue(RUN, RunRequest("c", ("/no/such/file",)).payload())
    monkeypatch.setattr(
        workspace, "create_engine_for", lambda url: create_engine_for(url, busy_seconds=0.05)
    )
    other = create_engine_for(settings.db_url)
    stopping = threading.Event()
    worker = threading.Thread(target=work, args=(settings, stopping))
    with other.connect() as held:
        held.exec_driver_sql("SELECT 1").close()
        held.rollback()
        held.connection.driver_connection.execute("BEGIN IMMEDIATE")  # type: ignore[union-attr]
        worker.start()
        time.sleep(0.5)
        stopping.set()
        worker.join(timeout=20)
        assert not worker.is_alive()
        held.connection.driver_connection.execute("ROLLBACK")  # type: ignore[union-attr]
