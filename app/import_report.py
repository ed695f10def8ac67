"""The import report: what became of each file, as JSON and back, and as facts in words.

The command line, the ``look`` job and the dashboard say the same from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from app.words import FLAGS
from db.rows import SourceRow
from pipelines.types import Column, FileOutcome, FileReport, Role, TableReport

Fact = tuple[str, str]
"""A name and what it is, both in words."""

GENERIC = "generic"
COUNTED = (
    *("files", "read", "skipped", "failed"),
    *("rows", "documents", "empty", "aside", "duplicates", "flags"),
)
DELIMITERS: Mapping[str, str] = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
    ":": "colons",
    " ": "spaces",
}
ROLES: Mapping[str, str] = {
    Role.FREE_TEXT: "Free text (read)",
    Role.QUESTION: "Question of its row",
    Role.IDENTIFIER: "Identifier",
    Role.CLOSED_SINGLE: "Closed, one choice",
    Role.CLOSED_MULTI: "Closed, several choices",
    Role.SCALE: "Scale",
    Role.NUMBER: "Number",
    Role.DATE: "Date",
    Role.DEMOGRAPHIC: "About the person",
    Role.PERSONAL: "Personal (never stored)",
    Role.CONSENT: "Leave to publish",
    Role.STATUS: "Status of the submission",
    Role.SYSTEM: "From the survey system",
    Role.EMPTY: "Empty",
}
"""What a person calls a role; the text that is read first, the rest as details of it."""


# --- JSON -------------------------------------------------------------------------------------
def file_json(report: FileReport, path: str = "") -> dict[str, Any]:
    """Return the report of a file as JSON values; ``path`` replaces its own.

    ``layout`` and ``header_rows`` are those of its first table that was read; ``columns`` are
    those of all its tables, ``sheet!name`` in workbooks; ``tables`` has each with its own.
    """
    values = asdict(report)
    table = next((t for t in report.tables if not t.reason), next(iter(report.tables), None))
    return values | {
        "path": path or report.path,
        "outcome": str(report.outcome),
        "layout": table.layout if table else None,
        "header_rows": list(table.header_rows) if table else [],
        "columns": [asdict(column) for column in report.columns],
    }


def file_of(values: Mapping[str, Any]) -> FileReport:
    """Return the report whose JSON values these are."""
    own = {field.name: values[field.name] for field in fields(FileReport)}
    return FileReport(
        **own
        | {
            "outcome": FileOutcome(values["outcome"]),
            "tables": tuple(_table_of(table, table["columns"]) for table in values["tables"]),
            "warnings": tuple(values["warnings"]),
        }
    )


def file_of_row(row: SourceRow) -> FileReport:
    """Return the report of a file that was read earlier, from its row in the database."""
    kept = row.report
    columns = [dict(column) for column in row.columns]
    return FileReport(
        path=row.path,
        kind=row.kind,
        outcome=FileOutcome(row.outcome),
        reason=row.reason,
        encoding=row.encoding,
        rows=row.rows,
        documents=row.documents,
        duplicates=int(kept.get("duplicates") or 0),
        tables=tuple(_table_of(t, _own(columns, t)) for t in kept.get("tables") or ()),
        empty=kept.get("empty") or {},
        aside=kept.get("aside") or {},
        flags=kept.get("flags") or {},
        warnings=tuple(row.warnings),
    )


def totals(reports: Iterable[FileReport]) -> dict[str, int]:
    """Return the counts of all files together; ``empty`` and ``aside`` are part of ``documents``."""
    counts = Counter(dict.fromkeys(COUNTED, 0))
    for report in reports:
        counts["files"] += 1
        counts[str(report.outcome)] += 1
        counts["rows"] += report.rows
        counts["documents"] += report.documents
        counts["duplicates"] += report.duplicates
        counts["empty"] += sum(report.empty.values())
        counts["aside"] += sum(report.aside.values())
        counts["flags"] += sum(report.flags.values())
    return dict(counts)


def _own(columns: Sequence[dict[str, Any]], table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a table's columns among those of all tables, without the sheet before their names."""
    if table.get("sheet") is None:
        return list(columns)
    prefix = f"{table['sheet']}!"
    return [
        column | {"name": str(column["name"]).removeprefix(prefix)}
        for column in columns
        if str(column["name"]).startswith(prefix)
    ]


def _table_of(values: Mapping[str, Any], columns: Iterable[Mapping[str, Any]]) -> TableReport:
    return TableReport(
        **dict(values)
        | {
            "header_rows": tuple(values["header_rows"]),
            "skipped_rows": tuple(values["skipped_rows"]),
            "columns": tuple(
                Column(**dict(column) | {"options": tuple(column.get("options") or ())})
                for column in columns
            ),
        }
    )


# --- words ------------------------------------------------------------------------------------
def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def remarks(counts: Mapping[str, int]) -> list[str]:
    """Return the parts of a total that differ from plain documents: "4 are kept apart"."""
    return [
        f"{counts[name]:,} {one if counts[name] == 1 else many}"
        for name, one, many in (
            ("empty", "says nothing", "say nothing"),
            ("aside", "is kept apart", "are kept apart"),
            ("duplicates", "repeats an earlier text", "repeat an earlier text"),
        )
        if counts[name]
    ]


def file_facts(report: FileReport) -> list[Fact]:
    """Return what is to be said of a file, but for its tables, problems and warnings."""
    facts = [("Read as", ", ".join(filter(None, (report.kind, report.encoding))))]
    if report.rows:
        facts.append(
            (
                "Documents",
                f"{counted(report.rows, 'row')} → {counted(report.documents, 'document')}",
            )
        )
    elif report.outcome is FileOutcome.READ:
        facts.append(("Documents", f"{report.documents:,}"))
    if report.empty:
        facts.append(("Say nothing", broken_down(report.empty, rules=True)))
    if report.aside:
        facts.append(("Kept apart", broken_down(report.aside)))
    if report.duplicates:
        facts.append(("Repeats", f"{report.duplicates:,} of an earlier text"))
    if report.flags:
        facts.append(
            ("Noticed", broken_down({FLAGS.get(k, k): n for k, n in report.flags.items()}))
        )
    return facts


def table_facts(table: TableReport) -> list[Fact]:
    """Return what is to be said of a table, but for its columns."""
    facts = []
    if table.reason:
        facts.append(("Left out", table.reason))
    if table.layout != GENERIC:
        facts.append(("Layout", table.layout))
    header = f"{_rows(table.header_rows)}" if table.header_rows else "none"
    if table.skipped_rows:
        header += f"; not answers: {_rows(table.skipped_rows)}"
    facts.append(("Header", header))
    if table.delimiter:
        facts.append(("Cells parted by", DELIMITERS.get(table.delimiter, repr(table.delimiter))))
    return facts


def table_name(table: TableReport) -> str:
    """Return what to call a table within its file, "" where the file is the table."""
    return f"sheet {table.sheet}" if table.sheet is not None else ""


def column_note(column: Column, *, asks: bool = True) -> str:
    """Return why a column has its role, and what was found in it; with ``asks`` its question."""
    parts = [column.reason]
    if asks and column.question and column.question != column.name:
        parts.append(f"asks “{' '.join(column.question.split())}”")
    if column.format not in column.reason:
        parts.append(f"written {column.format}")
    if column.separator and f"“{column.separator}”" not in column.reason:
        parts.append(f"choices parted by {column.separator!r}")
    if column.options and column.options[0] not in column.reason:
        parts.append("options: " + " · ".join(" ".join(o.split()) for o in column.options))
    return "; ".join(part for part in parts if part)


def broken_down(counts: Mapping[str, int], *, rules: bool = False) -> str:
    """Return a total and what it is made of: "31: 26 “blank”, 5 “no comment”" for ``rules``."""
    parts = [
        f"{count:,} “{name.replace('_', ' ')}”" if rules else f"{count:,} {name}"
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return parts[0] if len(parts) == 1 else f"{sum(counts.values()):,}: {', '.join(parts)}"


def says_something(report: FileReport) -> bool:
    """Tell whether a file has more to report than that it was read."""
    return bool(
        report.outcome is not FileOutcome.READ
        or report.warnings
        or report.tables
        or report.aside
        or report.flags
    )


def _rows(numbers: Sequence[int]) -> str:
    """Return "row 3", "rows 1–3, 7"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs)
    return f"{'row' if len(numbers) == 1 else 'rows'} {shown}"
