"""The worker: claim a job, do it under a lease, say how far it is, give it back when told to stop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from app import lease
from app.heartbeat import Heartbeat
from app.jobs import LOOK, RUN, RunRequest
from app.previews import check_files, look_result
from app.runs import Hooks, execute_run
from app.settings import Settings
from app.workspace import open_store
from db.errors import Locked
from db.queue import Queue
from db.rows import JobRow

log = logging.getLogger(__name__)
IDLE_SECONDS = 0.5
LOCKED_SECONDS = 5.0
T = TypeVar("T")


@dataclass(slots=True)
class _Progress:
    """The latest progress; the run writes it, the heartbeat sends it."""

    done: int = 0
    total: int = 0
    message: str = "starting"


def work(settings: Settings, stopping: threading.Event, *, once: bool = False) -> int:
    """Claim and do jobs until ``stopping`` is set (or the queue is empty, with ``once``).

    Returns how many jobs were done.
    """
    store = open_store(settings, create=True)
    queue = Queue(store.engine)
    owner = lease.owner()
    done = 0
    while not stopping.is_set():
        try:
            job = queue.claim(owner, lease_seconds=settings.lease_seconds, kinds=[RUN, LOOK])
        except Locked as error:  # by a long write of another process: it ends
            log.info("no job could be claimed, trying again: %s", error)
            stopping.wait(IDLE_SECONDS)
            continue
        if job is None:
            if once:
                break
            stopping.wait(IDLE_SECONDS)
            continue
        if _do(settings, queue, job, owner, stopping):
            done += 1
        elif not once:
            stopping.wait(LOCKED_SECONDS)
        else:
            break
    return done


def _do(
    settings: Settings, queue: Queue, job: JobRow, owner: str, stopping: threading.Event
) -> bool:
    """Do one job; False when it was given back."""
    progress = _Progress()

    def renew() -> bool:
        return queue.renew(
            job.id,
            owner,
            progress=progress.done,
            total=progress.total,
            message=progress.message,
            lease_seconds=settings.lease_seconds,
        )

    def report(done: int, total: int, message: str) -> None:
        progress.done, progress.total, progress.message = done, total, message

    log.info("job %d: started", job.id)
    with Heartbeat(renew, min(1.0, settings.lease_seconds / 3)) as heartbeat:
        hooks = Hooks(progress=report, stop=lambda: stopping.is_set() or heartbeat.lost)
        try:
            request = RunRequest.from_payload(dict(job.payload))
            done = _look if job.kind == LOOK else _run
            result = done(settings, request, hooks)
        except Locked as error:
            _tried(lambda: queue.release(job.id, owner), stopping)
            log.info("job %d: given back, %s", job.id, error)
            return False
        except Exception as error:
            message = str(error) if hasattr(error, "exit_code") else f"unexpected error: {error!r}"
            log.error("job %d: failed, %s", job.id, message)
            _tried(lambda: queue.fail(job.id, owner, message), stopping)
            return True
    if result.stopped and not heartbeat.lost:
        _tried(lambda: queue.release(job.id, owner), stopping)
        log.info("job %d: given back, the worker was told to stop", job.id)
        if result.interrupted:
            raise KeyboardInterrupt
        return False
    _tried(renew, stopping)
    _tried(lambda: queue.finish(job.id, owner, result.values), stopping)
    log.info("job %d: done", job.id)
    return True


def _tried(step: Callable[[], T], stopping: threading.Event) -> T:
    """Do ``step``, again and again while another process writes; once more when told to stop."""
    while not stopping.is_set():
        try:
            return step()
        except Locked as error:
            log.info("the queue is locked, trying again: %s", error)
            stopping.wait(IDLE_SECONDS)
    return step()


@dataclass(frozen=True, slots=True)
class _Result:
    """What a job came to; ``stopped`` where the rest of it has to be done later."""

    values: Mapping[str, Any]
    stopped: bool = False
    interrupted: bool = False


def _run(settings: Settings, request: RunRequest, hooks: Hooks) -> _Result:
    report = execute_run(settings, request, hooks)
    return _Result(report.as_json(), report.stopped, report.interrupted)


def _look(settings: Settings, request: RunRequest, hooks: Hooks) -> _Result:
    imported = check_files(settings, request, hooks)
    return _Result(look_result(imported), stopped=hooks.stop())
