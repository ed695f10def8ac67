"""The jobs panel: what the worker is doing, polled only while something is going on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from app.dashboard import present
from app.dashboard.filters import Filters
from app.dashboard.highlight import visible
from app.dashboard.present import Cell
from app.dashboard.workspace import SHOWN_ERRORS, Workspace, problem, show
from app.jobs import LOOK
from app.words import outcome_words
from db.rows import JobRow

SHOWN_JOBS = 5
SHOWN_FAILURES = 20
POLL_SECONDS = 1.0
WORKER_SECONDS = 15
ACTIVE = frozenset({"queued", "running"})
CHECK = "check"
"""The address parameter that opens the import report of a check: its job's number."""


def show_jobs(space: Workspace) -> None:
    """Show the newest jobs; rerun every second while one is waiting or running."""
    active = any(job.state in ACTIVE for job in space.queue.jobs(SHOWN_JOBS))
    st.fragment(_panel, run_every=POLL_SECONDS if active else None)(space, active)


def _panel(space: Workspace, polled: bool) -> None:
    try:
        jobs = space.queue.jobs(SHOWN_JOBS)
        st.header("Jobs")
        if not jobs:
            show(
                '<p class="flo-quiet">No job yet. Name a collection, choose files and press '
                "“Check the files”.</p>"
            )
        for job in jobs:
            _job(space, job)
    except SHOWN_ERRORS as error:
        problem(error)
        return
    if polled and not any(job.state in ACTIVE for job in jobs):
        st.rerun()  # the timer stops, and the page sees the new collection


def _job(space: Workspace, job: JobRow) -> None:
    with st.container(border=True):
        collection = str(job.payload.get("collection", job.kind))
        checking = job.kind == LOOK
        show(
            f'<h3 class="flo-job">{visible(collection)}</h3>'
            f"<p>Job {job.id}{', a check' if checking else ''} · {visible(job_line(job))}</p>"
        )
        if job.state in ACTIVE:
            st.progress(present.fraction(job.progress, job.total))
            if waiting := waiting_too_long(job, datetime.now(UTC)):
                show(present.notice(waiting))
        if job.message and job.state in ("failed", "cancelled"):
            show(present.notice(job.message, problem=job.state == "failed"))
        if job.state == "done" and checking:
            show(
                f"<p>{visible(check_sentence(job.result))}</p>"
                f"<p>{present.link('Open the import report', check_href(job.id))}</p>"
            )
        elif job.state == "done":
            show(result_html(job.result))
            href = Filters(collection=collection).href()
            show(f"<p>{present.link(f'Open the results of {collection}', href)}</p>")
        _buttons(space, job)


def _buttons(space: Workspace, job: JobRow) -> None:
    if job.state in ACTIVE:
        if st.button(f"Cancel job {job.id}", key=f"cancel-{job.id}"):
            space.queue.cancel(job.id)
            st.rerun()
    elif job.state in ("failed", "cancelled") and st.button(
        f"Retry job {job.id}", key=f"retry-{job.id}"
    ):
        space.queue.retry(job.id)
        st.rerun()


def job_line(job: JobRow) -> str:
    """Return how far a job is."""
    what = "file" if job.kind == LOOK else "document"
    sentence = present.job_sentence(job.state, job.progress, job.total, what)
    return f"{sentence}, {job.message}" if job.state == "running" and job.message else sentence


def check_href(job_id: int) -> str:
    """Return the address of a check's import report."""
    return f"./?{CHECK}={job_id}"


def check_sentence(result: Mapping[str, Any]) -> str:
    """Return what a check of files found as a sentence."""
    counts: Mapping[str, int] = result.get("totals") or {}
    told = f"{present.counted(counts.get('documents', 0), 'document')} found in "
    told += present.counted(counts.get("read", 0), "file")
    if unread := counts.get("skipped", 0) + counts.get("failed", 0):
        told += f"; {present.counted(unread, 'file')} cannot be read"
    return told + ". Nothing has been stored."


def waiting_too_long(job: JobRow, now: datetime) -> str | None:
    """Return what to do about a job that no worker has taken, or None while that is normal."""
    if job.state != "queued" or (now - job.created_at).total_seconds() < WORKER_SECONDS:
        return None
    return (
        "No worker has taken this job yet. Another job may be running; if none is, start a worker "
        "with: florilegium worker"
    )


def result_html(result: Mapping[str, Any]) -> str:
    """Return a finished job's counts, and its failures and skips with their reasons, as HTML."""
    parts = [f"<p>{visible(result_sentence(result))}</p>"]
    failures: Sequence[Mapping[str, Any]] = result.get("failures") or ()
    if failures:
        rows = [
            [
                Cell(str(row.get("document") or "") or _file_name(row.get("path"))),
                Cell(present.outcome_name(str(row.get("outcome", "")))),
                Cell(present.reason(str(row.get("reason", "")))),
            ]
            for row in failures[:SHOWN_FAILURES]
        ]
        headings = [Cell("File or document"), Cell("Outcome"), Cell("Reason")]
        parts.append(present.table(_caption("Not processed", len(failures)), headings, rows))
    warnings: Sequence[str] = result.get("warnings") or ()
    if warnings:
        rows = [[Cell(str(warning))] for warning in warnings[:SHOWN_FAILURES]]
        parts.append(present.table(_caption("Warnings", len(warnings)), [Cell("Warning")], rows))
    return "".join(parts)


def result_sentence(result: Mapping[str, Any]) -> str:
    """Return a finished job's counts as a sentence; counts of nothing are left out."""
    documents: Mapping[str, Any] = result.get("documents") or {}
    parts = []
    for name in ("processed", "partial", "empty", "other_language", "failed", "parked"):
        if count := int(documents.get(name) or 0):
            words = "in another language" if name == "other_language" else outcome_words(name)
            words = "say nothing" if name == "empty" and count > 1 else words
            part = f"{present.number(count)} {words}"
            if name == "processed" and (repeats := int(documents.get("duplicate") or 0)):
                part += f" ({present.number(repeats)} of them repeat an earlier text)"
            parts.append(part)
    if apart := int(documents.get("skipped") or 0):
        parts.append(f"{present.number(apart)} kept apart")
    sentence = ", ".join(parts) if parts else "Nothing new to process"
    if "seconds" in result:
        sentence += f"; {present.duration(float(result['seconds']))}"
    return sentence + "."


def _caption(what: str, count: int) -> str:
    cut = f", the first {SHOWN_FAILURES} shown" if count > SHOWN_FAILURES else ""
    return f"{what}: {present.number(count)}{cut}"


def _file_name(path: object) -> str:
    return str(path or "").replace("\\", "/").rsplit("/", 1)[-1]
