"""The import report for a terminal: a table of files, then each file that has more to say."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.cli.output import plain, table_lines
from app.import_report import (
    column_note,
    counted,
    file_facts,
    says_something,
    table_facts,
    table_name,
    totals,
)
from pipelines.types import Column, FileOutcome, FileReport, TableReport

if TYPE_CHECKING:
    from app.runs import Imported

QUIET_FILES = 50
"""How many files that were simply read are listed one by one."""
MOST_WARNINGS = 50
LONGEST_NAME = 40
ELSEWHERE = 130
"""Columns of text where the output is no terminal."""


def report_lines(imported: Imported) -> Iterator[str]:
    """Yield the lines of the report, cut to the width of the terminal."""
    width = shutil.get_terminal_size((ELSEWHERE, 24)).columns if sys.stdout.isatty() else ELSEWHERE
    reports = imported.ingested.reports
    yield from _files(imported, width)
    for report in reports:
        if report.outcome is FileOutcome.READ and says_something(report):
            yield ""
            yield from _file(report, plain(imported.relative(report.path)), width)
    problems = [report for report in reports if report.outcome is not FileOutcome.READ]
    if problems:
        yield ""
        yield "Not read:"
    for report in problems:
        yield f"  {plain(imported.relative(report.path))}: {report.outcome}, {plain(report.reason)}"
        for table in report.tables:
            same = table.reason == report.reason
            yield from _table(replace(table, reason="") if same else table, width)
    now = {report.path for report in reports}
    before = [f for f in imported.ingested.failures if not f.document and f.path not in now]
    if before:
        yield ""
        yield "Not read before, and unchanged:"
    for failure in before:
        name = plain(imported.relative(failure.path))
        yield f"  {name}: {failure.outcome}, {plain(failure.reason)}"


def total_line(imported: Imported, *, dry_run: bool) -> str:
    """Return what all files came to, in a sentence."""
    done, counts = imported.ingested, totals(imported.ingested.reports)
    told = f"{counted(done.documents, 'document')}{' would be read' if dry_run else ''}"
    for name, words in (
        ("empty", "say nothing"),
        ("aside", "are kept apart"),
        ("duplicates", "repeat an earlier text"),
    ):
        if counts[name]:
            told += f", {counts[name]:,} {words}"
    told += f"; {counted(counts['read'], 'file')} read"
    for name in ("skipped", "failed"):
        if counts[name]:
            told += f", {counts[name]:,} {name}"
    if done.unchanged:
        told += f", {done.unchanged:,} unchanged since they were read (--dry-run shows them again)"
    return told


def next_lines(
    again: str,
    collection: str,
    mapping: str | None,
    *,
    tables: bool = False,
    scans: bool = False,
    dry_run: bool = False,
) -> Iterator[str]:
    """Yield what to type next.

    ``again`` is the command without what a dry run or a mapping adds to it, ``mapping`` the file
    that was just written; ``tables`` and ``scans`` say that there are such files, the latter not
    read.
    """
    if mapping:
        yield f"The roles are in {mapping}. Edit them there, then type:"
        yield f"  {again} --mapping {shlex.quote(mapping)}"
    elif tables:
        yield "Is a column read wrongly? Write the roles to a file, edit them there, and give it back:"
        yield f"  {again} --dry-run --write-mapping mapping.toml"
        yield f"  {again} --mapping mapping.toml"
    if scans:
        yield "To read pictures and scanned pages too, with tesseract, type:"
        yield f"  {again} --ocr"
    if dry_run:
        yield "Nothing was stored. To store the documents, type:"
        yield f"  {again}"
    else:
        yield "To process the documents, type:"
        yield f"  {shlex.join(['florilegium', 'run', '--collection', collection])}"


def _files(imported: Imported, width: int) -> Iterator[str]:
    reports = imported.ingested.reports
    if not reports:
        return
    loud = [report for report in reports if says_something(report)]
    silent = [report for report in reports if not says_something(report)]
    shown = sorted([*loud, *silent[:QUIET_FILES]], key=reports.index) if silent else loud
    rows = [
        (
            imported.relative(r.path),
            r.kind,
            r.encoding,
            r.rows,
            r.documents,
            sum(r.empty.values()),
            sum(r.aside.values()),
            r.outcome,
            len(r.warnings),
        )
        for r in shown
    ]
    heads = (
        "file",
        "kind",
        "encoding",
        "rows",
        "documents",
        "empty",
        "apart",
        "outcome",
        "warnings",
    )
    yield from table_lines(heads, rows, width=max(25, min(60, width - 75)))
    if len(silent) > QUIET_FILES:
        more = silent[QUIET_FILES:]
        documents = sum(report.documents for report in more)
        yield f"… and {len(more):,} more files, read as {documents:,} documents; --json lists them"


def _file(report: FileReport, name: str, width: int) -> Iterator[str]:
    yield name
    facts = file_facts(report)
    if len(report.tables) == 1:
        facts[1:1] = table_facts(report.tables[0])
    yield from _facts(facts, "  ")
    for table in report.tables:
        if len(report.tables) > 1:
            yield ""
        yield from _table(table, width, alone=len(report.tables) == 1)
    if report.warnings:
        yield "  Warnings:"
        yield from (f"    {plain(warning)}" for warning in report.warnings[:MOST_WARNINGS])
        if more := len(report.warnings) - MOST_WARNINGS:
            yield from [f"    … and {more:,} more; --json lists them"] if more > 0 else []


def _table(table: TableReport, width: int, *, alone: bool = False) -> Iterator[str]:
    if not alone:
        if name := table_name(table):
            yield f"  {plain(name)}"
        facts = table_facts(table)
        if table.rows:
            facts.append(("Rows", f"{table.rows:,}"))
        yield from _facts(facts, "    ")
    if not table.columns:
        return
    rows = [(_name(c), c.role, column_note(c, asks=False)) for c in table.columns]
    for line in table_lines(("column", "role", "why"), rows, width=LONGEST_NAME, last=width):
        yield _cut(f"    {line}", width)


def _name(column: Column) -> str:
    same = not column.question or column.question == column.name
    return column.name if same else f"{column.name} “{' '.join(column.question.split())}”"


def _facts(facts: Sequence[tuple[str, str]], indent: str) -> Iterator[str]:
    name_width = max(len(name) for name, _ in facts)
    for name, told in facts:
        yield f"{indent}{name.ljust(name_width)}  {plain(' '.join(told.split()))}"


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"
