"""The job queue: rows that workers claim under a lease, in one statement.

Select-then-update lets two workers claim one job; ``UPDATE … WHERE id = (SELECT …) RETURNING``
does not, with ``FOR UPDATE SKIP LOCKED`` on PostgreSQL so that workers do not queue behind each
other (https://www.postgresql.org/docs/15/sql-select.html, "The Locking Clause").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, insert, or_, select, update

from db.errors import NotFound
from db.models import Job
from db.rows import JobRow
from db.store.access import Access, made
from db.types import visible, visible_values

MAX_ATTEMPTS = 3
_JOB = (
    Job.id,
    Job.kind,
    Job.collection_id,
    Job.payload,
    Job.state,
    Job.progress,
    Job.total,
    Job.message,
    Job.result,
    Job.lease_owner,
    Job.lease_until,
    Job.attempts,
    Job.created_at,
    Job.started_at,
    Job.finished_at,
)


class Queue(Access):
    """Jobs: queued → running → done, failed or cancelled; retried ones are queued again."""

    def enqueue(
        self, kind: str, payload: Mapping[str, Any], *, collection_id: int | None = None
    ) -> int:
        """Add a job and return its id."""
        with self.writing() as connection:
            return connection.execute(
                insert(Job)
                .values(
                    kind=kind,
                    payload=visible_values(payload),
                    collection_id=collection_id,
                    state="queued",
                    progress=0,
                    total=0,
                    message="",
                    result={},
                    attempts=0,
                    created_at=self.now(),
                )
                .returning(Job.id)
            ).scalar_one()

    def claim(
        self, owner: str, *, lease_seconds: float = 60.0, kinds: Sequence[str] | None = None
    ) -> JobRow | None:
        """Claim the oldest free job for ``owner``; None when there is none.

        Free is a queued job, or a running one whose lease ran out: its worker died. A job that
        lost its worker as often as ``MAX_ATTEMPTS`` is failed instead.
        """
        expired = and_(Job.state == "running", Job.lease_until <= self.now())
        free = or_(Job.state == "queued", and_(expired, Job.attempts < MAX_ATTEMPTS))
        lost = and_(expired, Job.attempts >= MAX_ATTEMPTS)
        wanted = Job.kind.in_(kinds) if kinds is not None else Job.id > 0
        oldest = select(Job.id).where(free, wanted).order_by(Job.id).limit(1)
        with self.reading() as connection:  # an idle worker never takes SQLite's write lock
            if connection.scalar(select(Job.id).where(or_(free, lost), wanted).limit(1)) is None:
                return None
        with self.writing() as connection:
            connection.execute(
                update(Job)
                .where(lost)
                .values(
                    state="failed",
                    message=f"its worker died {MAX_ATTEMPTS} times; retry it when that is mended",
                    finished_at=self.now(),
                    lease_owner=None,
                    lease_until=None,
                )
            )
            row = connection.execute(
                update(Job)
                .where(Job.id == oldest.with_for_update(skip_locked=True).scalar_subquery())
                .values(
                    state="running",
                    lease_owner=owner,
                    lease_until=self.after(lease_seconds),
                    attempts=Job.attempts + 1,
                    started_at=self.now(),
                )
                .returning(*_JOB)
            ).first()
            return made(JobRow, row) if row else None

    def renew(
        self,
        job_id: int,
        owner: str,
        *,
        progress: int | None = None,
        total: int | None = None,
        message: str | None = None,
        lease_seconds: float = 60.0,
    ) -> bool:
        """Extend the lease and report progress; False when the job was lost or cancelled."""
        values: dict[str, Any] = {"lease_until": self.after(lease_seconds)}
        if progress is not None:
            values["progress"] = progress
        if total is not None:
            values["total"] = total
        if message is not None:
            values["message"] = visible(message)
        return self._change(_held(job_id, owner), values)

    def finish(self, job_id: int, owner: str, result: Mapping[str, Any]) -> bool:
        """Close the job as done; False when it was lost or cancelled."""
        return self._close(_held(job_id, owner), state="done", result=visible_values(result))

    def fail(self, job_id: int, owner: str, message: str) -> bool:
        """Close the job as failed, saying why; False when it was lost or cancelled."""
        return self._close(_held(job_id, owner), state="failed", message=visible(message))

    def release(self, job_id: int, owner: str) -> bool:
        """Give the job back unfinished (a worker told to stop); False when it was lost."""
        values = {
            "state": "queued",
            "lease_owner": None,
            "lease_until": None,
            "attempts": Job.attempts - 1,
        }
        return self._change(_held(job_id, owner), values)

    def cancel(self, job_id: int) -> bool:
        """Cancel a queued or running job; its worker learns of it at the next ``renew``."""
        active = and_(Job.id == job_id, Job.state.in_(("queued", "running")))
        return self._close(active, state="cancelled")

    def retry(self, job_id: int) -> bool:
        """Queue a failed or cancelled job again; False when it is neither."""
        ended = and_(Job.id == job_id, Job.state.in_(("failed", "cancelled")))
        values = {
            "state": "queued",
            "attempts": 0,
            "progress": 0,
            "message": "",
            "result": {},
            "started_at": None,
            "finished_at": None,
        }
        return self._change(ended, values)

    def job(self, job_id: int) -> JobRow:
        """Return a job; raises NotFound."""
        with self.reading() as connection:
            row = connection.execute(select(*_JOB).where(Job.id == job_id)).first()
        if row is None:
            raise NotFound(f"no job {job_id}; expected the id of a job that was queued here")
        return made(JobRow, row)

    def jobs(self, limit: int = 50, *, collection_id: int | None = None) -> list[JobRow]:
        """Return the newest jobs, newest first."""
        query = select(*_JOB).order_by(Job.id.desc()).limit(limit)
        if collection_id is not None:
            query = query.where(Job.collection_id == collection_id)
        with self.reading() as connection:
            return [made(JobRow, row) for row in connection.execute(query)]

    def _close(self, which: ColumnElement[bool], **values: Any) -> bool:
        ended = {"finished_at": self.now(), "lease_owner": None, "lease_until": None}
        return self._change(which, values | ended)

    def _change(self, which: ColumnElement[bool], values: Mapping[str, Any]) -> bool:
        with self.writing() as connection:
            changed = connection.execute(
                update(Job).where(which).values(**values).returning(Job.id)
            )
            return changed.first() is not None


def _held(job_id: int, owner: str) -> ColumnElement[bool]:
    return and_(Job.id == job_id, Job.state == "running", Job.lease_owner == owner)
