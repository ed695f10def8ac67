"""Jobs: claimed once, leased, cancelled, retried."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter

import pytest

from db.errors import NotFound
from db.queue import MAX_ATTEMPTS, Queue

_WORKER = """
import sys
from db.engine import create_engine_for
from db.queue import Queue
queue = Queue(create_engine_for(sys.argv[1]))
while job := queue.claim(sys.argv[2]):
    print(job.id, flush=True)
    queue.renew(job.id, sys.argv[2], progress=1, total=1)
    if not queue.finish(job.id, sys.argv[2], {}):
        sys.exit(f"lost job {job.id}")
"""


def test_three_processes_claim_each_of_200_jobs_exactly_once(queue: Queue, url: str) -> None:
    jobs = [queue.enqueue("run", {"n": n}) for n in range(200)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WORKER, url, f"worker-{n}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(3)
    ]
    claims: list[int] = []
    for worker in workers:
        out, error = worker.communicate(timeout=120)
        assert worker.returncode == 0, error
        claims += map(int, out.split())
    assert sorted(claims) == jobs
    assert Counter(job.state for job in queue.jobs(300)) == {"done": 200}


def test_a_job_goes_from_queued_to_done(queue: Queue) -> None:
    id = queue.enqueue("run", {"paths": ["/data/é"], "n": 1})
    assert queue.job(id).state == "queued"
    job = queue.claim("w1")
    assert job is not None
    assert (job.id, job.kind, job.state, job.attempts) == (id, "run", "running", 1)
    assert job.payload == {"paths": ["/data/é"], "n": 1}
    assert queue.renew(id, "w1", progress=3, total=10, message="reading")
    assert (queue.job(id).progress, queue.job(id).total, queue.job(id).message) == (
        3,
        10,
        "reading",
    )
    assert queue.finish(id, "w1", {"processed": 10})
    done = queue.job(id)
    assert (done.state, done.result, done.lease_owner) == ("done", {"processed": 10}, None)
    assert done.finished_at is not None
    assert queue.claim("w1") is None


def test_the_oldest_job_of_the_wanted_kind_is_claimed(queue: Queue) -> None:
    ids = [queue.enqueue(kind, {}) for kind in ("graph", "run", "run")]
    job = queue.claim("w1", kinds=["run"])
    assert job is not None
    assert job.id == ids[1]
    assert queue.claim("w1", kinds=["train"]) is None
    assert queue.claim("w1", kinds=[]) is None


def test_a_running_job_is_not_claimed_by_another(queue: Queue) -> None:
    queue.enqueue("run", {})
    queue.claim("w1")
    assert queue.claim("w2") is None


def test_an_expired_lease_passes_on_and_the_old_owner_learns_it(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    queue.claim("w1", lease_seconds=0.05)
    time.sleep(0.1)
    job = queue.claim("w2")
    assert job is not None
    assert (job.id, job.attempts) == (id, 2)
    assert queue.renew(id, "w1") is False
    assert queue.finish(id, "w1", {}) is False
    assert queue.fail(id, "w1", "late") is False
    assert queue.job(id).lease_owner == "w2"


def test_a_renewed_lease_does_not_expire(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    queue.claim("w1", lease_seconds=0.05)
    queue.renew(id, "w1", lease_seconds=60)
    time.sleep(0.1)
    assert queue.claim("w2") is None


def test_a_job_that_kills_its_workers_is_failed(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    for _ in range(MAX_ATTEMPTS):
        assert queue.claim("w1", lease_seconds=0) is not None
        time.sleep(0.01)
    assert queue.claim("w1") is None
    assert queue.job(id).state == "failed"
    assert "died 3 times" in queue.job(id).message


def test_a_cancelled_job_tells_its_worker(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    queue.claim("w1")
    assert queue.cancel(id)
    assert queue.renew(id, "w1") is False
    assert queue.finish(id, "w1", {}) is False
    assert queue.job(id).state == "cancelled"
    assert queue.cancel(id) is False


def test_a_queued_job_that_is_cancelled_is_never_claimed(queue: Queue) -> None:
    queue.cancel(queue.enqueue("run", {}))
    assert queue.claim("w1") is None


def test_a_failed_job_can_be_retried(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    queue.claim("w1")
    assert queue.fail(id, "w1", "no such folder\x00")
    assert queue.job(id).message == "no such folder\\x00"
    assert queue.retry(id)
    assert queue.retry(id) is False
    job = queue.claim("w1")
    assert job is not None
    assert (job.id, job.attempts, job.message) == (id, 1, "")


def test_a_released_job_is_claimed_again_without_a_lost_attempt(queue: Queue) -> None:
    id = queue.enqueue("run", {})
    queue.claim("w1")
    assert queue.release(id, "w1")
    job = queue.claim("w2")
    assert job is not None
    assert (job.id, job.attempts) == (id, 1)


def test_jobs_are_listed_newest_first(queue: Queue) -> None:
    ids = [queue.enqueue("run", {"n": n}) for n in range(5)]
    assert [job.id for job in queue.jobs(3)] == ids[:1:-1]


def test_an_unknown_job_is_not_found(queue: Queue) -> None:
    with pytest.raises(NotFound, match="no job 99"):
        queue.job(99)
