"""The import report of checked files: all problems at once, and column roles to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import streamlit as st

from app.dashboard import jobs_panel, present, submission
from app.dashboard.highlight import visible
from app.dashboard.jobs_panel import ACTIVE, CHECK
from app.dashboard.present import Cell, counted, notice, number
from app.dashboard.role_editor import Checked, edit_tables, mapping_text
from app.dashboard.workspace import SHOWN_ERRORS, Workspace, problem, show
from app.import_report import broken_down, file_of, table_name
from app.jobs import LOOK
from db.errors import NotFound
from db.rows import JobRow
from pipelines.types import FileOutcome, FileReport

MOST_LINES = 500


def checked_job(space: Workspace) -> JobRow | None:
    """Return the check that the address asks for, or None; a wrong number is told and forgotten."""
    asked = st.query_params.get(CHECK, "")
    if not asked:
        return None
    try:
        job = space.queue.job(int(asked))
        if job.kind == LOOK:
            return job
    except (NotFound, ValueError, OverflowError):
        pass
    del st.query_params[CHECK]
    problem(f"There is no check {asked!r}. Choose files and press “Check the files”.")
    return None


def show_check(space: Workspace, job: JobRow) -> None:
    """Show how a check is getting on; when it is done, its import report."""
    st.header(f"Check of the files for {job.payload.get('collection', '')}")
    if job.state in ACTIVE:
        st.fragment(_waiting, run_every=jobs_panel.POLL_SECONDS)(space, job.id)
        return
    if job.state == "done":
        _report(space, job)
        return
    show(notice(job.message or "The check was cancelled.", problem=job.state == "failed"))
    _leave_button()


def _waiting(space: Workspace, job_id: int) -> None:
    try:
        job = space.queue.job(job_id)
    except SHOWN_ERRORS as error:
        problem(error)
        return
    if job.state not in ACTIVE:
        st.rerun()
    show(
        f"<p>{visible(jobs_panel.job_line(job))}. Nothing is stored yet. You may close this page "
        "meanwhile; the Upload page lists the check under Jobs.</p>"
    )
    st.progress(present.fraction(job.progress, job.total))
    if waiting := jobs_panel.waiting_too_long(job, datetime.now(UTC)):
        show(notice(waiting))
    if st.button("Cancel the check"):
        space.queue.cancel(job_id)
        st.rerun()


def _report(space: Workspace, job: JobRow) -> None:
    checked = [Checked(file_of(v), str(v["relative"])) for v in job.result.get("files") or ()]
    counts: Mapping[str, int] = job.result.get("totals") or {}
    show("<p>This is how the files would be read. Nothing has been stored yet.</p>")
    show(
        present.totals(
            [
                ("files can be read", counts.get("read", 0)),
                ("documents", counts.get("documents", 0)),
                ("of them say nothing", counts.get("empty", 0)),
                ("are kept apart", counts.get("aside", 0)),
                ("repeat an earlier text", counts.get("duplicates", 0)),
            ]
        )
    )
    for remembered in job.result.get("remembered") or ():
        show(notice(f"Read with what the collection remembers: {present.reason(remembered)}."))
    show(problems_html(checked))
    show(files_html(checked, int(job.result.get("more") or 0)))
    changed = edit_tables(job, checked)
    _actions(space, job, changed)


def problems_html(checked: Sequence[Checked]) -> str:
    """Return everything that is wrong with the files in one table."""
    lines = [(one.relative, what, told) for one in checked for what, told in _problems(one.report)]
    if not lines:
        return notice("No problem was found in these files.")
    rows = [
        [Cell(name, heading=True), Cell(what), Cell(present.reason(told))]
        for name, what, told in lines[:MOST_LINES]
    ]
    caption = f"Problems: {number(len(lines))}"
    if len(lines) > MOST_LINES:
        caption += f", the first {MOST_LINES} shown"
    return present.table(caption, [Cell("File"), Cell("What"), Cell("Why")], rows)


def _problems(report: FileReport) -> list[tuple[str, str]]:
    found = []
    if report.outcome is not FileOutcome.READ:
        found.append((present.outcome_name(report.outcome), report.reason))
    found += [
        (f"Left out: {table_name(table) or 'the table'}", table.reason)
        for table in report.tables
        if table.reason and report.outcome is FileOutcome.READ
    ]
    found += [("Warning", warning) for warning in report.warnings]
    return found


def files_html(checked: Sequence[Checked], more: int) -> str:
    """Return the table of files: what each is and what its rows become."""
    rows = [
        [
            Cell(one.relative, heading=True),
            Cell(one.report.kind, nowrap=True),
            Cell(one.report.encoding or present.NONE, nowrap=True),
            Cell(number(one.report.rows) if one.report.rows else present.NONE, right=True),
            Cell(number(one.report.documents), right=True),
            *_counts(one.report),
            Cell(present.outcome_name(one.report.outcome), nowrap=True),
        ]
        for one in checked[:MOST_LINES]
    ]
    headings = [
        Cell("File"),
        Cell("Kind"),
        Cell("Encoding"),
        Cell("Rows", right=True),
        Cell("Documents", right=True),
        Cell("Say nothing", right=True),
        Cell("Kept apart", right=True),
        Cell("Outcome"),
    ]
    total = len(checked) + more
    caption = f"Files: {number(total)}"
    if total > len(rows):
        caption += f", {number(len(rows))} shown"
    return present.table(caption, headings, rows)


def _counts(report: FileReport) -> list[Cell]:
    """Return how many documents say nothing and are kept apart; why is said with the tables."""
    return [
        Cell(number(sum(counts.values())), right=True, title=broken_down(counts, rules=rules))
        if counts
        else Cell(present.NONE, right=True)
        for counts, rules in ((report.empty, True), (report.aside, False))
    ]


def _actions(space: Workspace, job: JobRow, changed: Sequence[Checked]) -> None:
    mapping = mapping_text(changed, submission.mapping_of(space, job))
    if changed:
        count = counted(len(changed), "file")
        show(
            f"<p>Roles of {count} were changed; the collection will remember them. The numbers "
            "above are those from before: “Check again” counts anew.</p>"
        )
    with st.container(horizontal=True):
        if st.button("Read and process", type="primary"):
            sent = submission.send_checked(space, job, mapping)
            st.session_state["upload-done"] = sent.told
            del st.query_params[CHECK]
            st.rerun()
        if mapping is not None:
            if st.button("Check again"):
                sent = submission.send_checked(space, job, mapping, look=True)
                st.query_params[CHECK] = str(sent.job)
                st.rerun()
            st.download_button(
                "Save the roles",
                mapping,
                file_name="mapping.toml",
                mime="application/toml",
                help="A mapping file, for: florilegium run FOLDER --mapping mapping.toml",
            )
        _leave_button()


def _leave_button() -> None:
    if st.button("Choose other files"):
        del st.query_params[CHECK]
        st.rerun()
