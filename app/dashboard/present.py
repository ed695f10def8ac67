"""Words, numbers and tables for the pages; whatever comes from outside is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.dashboard.highlight import attribute, visible
from app.words import outcome_words

STYLE = Path(__file__).parent / "assets" / "florilegium.css"

NAME = "Florilegium"
NONE = "–"
"""Stands in a cell that has nothing to show."""

FLAG = "--question"
COLUMNS_HINT = "name the columns under Text columns and upload again"
OCR_OFF = "turn it on and read the file again"
OCR_HINT = (
    "tick “Read pictures and scanned pages” (there where tesseract is installed) and upload again"
)

JOB_STATES: Mapping[str, str] = {
    "queued": "Waiting for the worker",
    "running": "Running",
    "done": "Finished",
    "failed": "Failed",
    "cancelled": "Cancelled",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: its text, where it links to, and how it is set."""

    text: str
    href: str = ""
    right: bool = False
    title: str = ""
    heading: bool = False
    nowrap: bool = False


def tab_title(page: str) -> str:
    """Return what the browser calls a page."""
    return f"{page} · {NAME}"


def number(value: int | float) -> str:
    """Return a whole number with thousands separated, another with two decimals."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.2f}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return the count with its noun: "1 document", "2,310 documents"."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def moment(value: datetime | None) -> str:
    """Return a time as "30 November 2026, 21:43 UTC"; "never" for None."""
    if value is None:
        return "never"
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    aware = aware.astimezone(UTC)
    return f"{aware.day} {aware:%B %Y, %H:%M} UTC"


def duration(seconds: float) -> str:
    """Return seconds as "under a second", "12 s" or "3 min 05 s"."""
    if seconds < 1:
        return "under a second"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02d} s"


def excerpt(text: str, length: int = 160) -> str:
    """Return the first ``length`` characters on one line, cut at a word, "…" where cut."""
    flat = " ".join(text[: length * 4].split())
    if len(flat) <= length and len(text) <= length * 4:
        return flat or "(no text)"
    return flat[: length + 1].rsplit(" ", 1)[0][:length].rstrip(",;:") + " …"


def outcome_name(outcome: str) -> str:
    """Return the outcome of a file in words."""
    return outcome.replace("_", " ").capitalize()


def document_outcome(outcome: str | None) -> str:
    """Return the outcome of a document in words; None: it has not been processed."""
    words = outcome_words(outcome)
    return words[:1].upper() + words[1:]


def reason(told: str) -> str:
    """Return a reader's reason with what to do in the browser in place of a command-line flag."""
    told = told.replace(OCR_OFF, OCR_HINT)
    clauses = told.split("; ")
    kept = [clause for clause in clauses if FLAG not in clause]
    return told if kept == clauses else "; ".join((*kept, COLUMNS_HINT))


def job_sentence(state: str, progress: int, total: int, what: str = "document") -> str:
    """Return a job's state and progress, counted in ``what``, as one sentence."""
    name = JOB_STATES.get(state, state)
    if state == "running" and total > 0:
        return f"{name}: {number(progress)} of {counted(total, what)}"
    return name


def fraction(progress: int, total: int) -> float:
    """Return progress as a share within 0 and 1; 0 while the total is unknown."""
    return min(1.0, max(0.0, progress / total)) if total > 0 else 0.0


def table(caption: str, headings: Sequence[Cell], rows: Iterable[Sequence[Cell]]) -> str:
    """Return an accessible HTML table; every text is escaped."""
    head = "".join(
        f'<th scope="col"{_classes(cell)}>{visible(cell.text)}</th>' for cell in headings
    )
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return (
        '<div class="flo-table-wrap"><table class="flo-table">'
        f"<caption>{visible(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>"
    )


def totals(values: Sequence[tuple[str, int]]) -> str:
    """Return headline numbers with their names as HTML."""
    items = "".join(
        f"<div><dt>{visible(name)}</dt><dd>{number(value)}</dd></div>" for name, value in values
    )
    return f'<dl class="flo-totals">{items}</dl>'


def facts(values: Sequence[tuple[str, str]]) -> str:
    """Return name–value pairs as HTML."""
    items = "".join(f"<dt>{visible(name)}</dt><dd>{visible(value)}</dd>" for name, value in values)
    return f'<dl class="flo-facts">{items}</dl>'


def notice(text: str, *, problem: bool = False) -> str:
    """Return a sentence set apart, announced by screen readers when it is a problem."""
    extra, role = (" flo-problem", "alert") if problem else ("", "status")
    return f'<div class="flo-notice{extra}" role="{role}">{visible(text)}</div>'


def link(text: str, href: str) -> str:
    """Return an HTML link within the dashboard."""
    return f'<a class="flo-link" href="{attribute(href)}">{visible(text)}</a>'


def _cell(cell: Cell) -> str:
    body = link(cell.text, cell.href) if cell.href else visible(cell.text)
    title = f' title="{attribute(cell.title)}"' if cell.title else ""
    if cell.heading:
        return f'<th scope="row"{_classes(cell)}{title}>{body}</th>'
    return f"<td{_classes(cell)}{title}>{body}</td>"


def _classes(cell: Cell) -> str:
    names = [name for name, on in (("flo-right", cell.right), ("flo-nowrap", cell.nowrap)) if on]
    return f' class="{" ".join(names)}"' if names else ""
