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
from db.rows import JobRow

SHOWN_JOBS = 5
SHOWN_FAILURES = 20
POLL_SECONDS = 1.0
WORKER_SECONDS = 15
ACTIVE = frozenset({"queued", "running"})


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
                "“Upload and process”.</p>"
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
        sentence = present.job_sentence(job.state, job.progress, job.total)
        show(
            f'<h3>{visible(collection)}</h3><p role="status">Job {job.id} · {visible(sentence)}</p>'
        )
        if job.state in ACTIVE:
            st.progress(present.fraction(job.progress, job.total))
            if waiting := waiting_too_long(job, datetime.now(UTC)):
                show(present.notice(waiting))
        if job.message and job.state != "done":
            show(present.notice(job.message, problem=job.state == "failed"))
        if job.state == "done":
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
                Cell(_file_name(row.get("path"))),
                Cell(str(row.get("document") or "")),
                Cell(present.outcome_name(str(row.get("outcome", "")))),
                Cell(str(row.get("reason", ""))),
            ]
            for row in failures[:SHOWN_FAILURES]
        ]
        headings = [Cell("File"), Cell("Document"), Cell("Outcome"), Cell("Reason")]
        caption = f"Not processed: {present.number(len(failures))}"
        if len(failures) > SHOWN_FAILURES:
            caption += f", the first {SHOWN_FAILURES} shown"
        parts.append(present.table(caption, headings, rows))
    return "".join(parts)


def result_sentence(result: Mapping[str, Any]) -> str:
    """Return a finished job's counts as a sentence; counts of nothing are left out."""
    documents: Mapping[str, Any] = result.get("documents") or {}
    parts = [
        f"{present.number(count)} {present.outcome_name(name).lower()}"
        for name in ("processed", "partial", "empty", "other_language", "failed", "parked")
        if (count := int(documents.get(name) or 0))
    ]
    sentence = ", ".join(parts) if parts else "Nothing new to process"
    duplicates = int(documents.get("duplicate") or 0)
    if duplicates:
        sentence += f" ({present.number(duplicates)} of them repeat an earlier text)"
    if "seconds" in result:
        sentence += f"; {present.duration(float(result['seconds']))}"
    return sentence + "."


def _file_name(path: object) -> str:
    return str(path or "").replace("\\", "/").rsplit("/", 1)[-1]
