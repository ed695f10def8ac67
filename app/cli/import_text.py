"""The import report for a terminal: a table of files, then each file that has more to say."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from app.cli.output import ELSEWHERE, advice, line_width, plain, table_lines
from app.import_report import (
    column_note,
    counted,
    file_facts,
    remarks,
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
NAME_LINES = 3
REASON_LINES = 5


def report_lines(imported: Imported) -> Iterator[str]:
    """Yield the lines of the report; what is told of columns is folded into the terminal."""
    width = line_width() or ELSEWHERE
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
        name = plain(imported.relative(report.path))
        yield f"  {name}: {report.outcome}, {plain(advice(report.reason))}"
        for table in report.tables:
            same = table.reason in report.reason
            yield from _table(replace(table, reason="") if same else table, width)
    now = {report.path for report in reports}
    before = [f for f in imported.ingested.failures if not f.document and f.path not in now]
    if before:
        yield ""
        yield "Not read before, and unchanged:"
    for failure in before:
        name = plain(imported.relative(failure.path))
        yield f"  {name}: {failure.outcome}, {plain(advice(failure.reason))}"


def total_line(imported: Imported, *, dry_run: bool) -> str:
    """Return what all files came to, in a sentence."""
    done, counts = imported.ingested, totals(imported.ingested.reports)
    told = f"{counted(done.documents, 'document')}{' would be read' if dry_run else ''}"
    told = ", ".join([told, *remarks(counts)])
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
    documents: int = 1,
) -> Iterator[str]:
    """Yield what to type next.

    ``again`` is the command without what a dry run or a mapping adds to it, ``mapping`` the file
    that was just written; ``tables`` and ``scans`` say that there are such files, the latter not
    read; without ``documents`` there is nothing to store.
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
    if dry_run and not documents:
        yield "No document would be read; the report says why."
    elif dry_run:
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
            f"{r.rows:,}" if r.rows else "",
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
    names = [_name(column) for column in table.columns]
    longest = max(len(name) for name in ("column", *names))
    wide = min(LONGEST_NAME, max(12, width // 3), longest)
    roles = max(len(column.role) for column in table.columns)
    rest = max(24, width - wide - roles - 8)
    rows: list[tuple[str, ...]] = [("column", "role", "why"), ("-" * wide, "-" * roles, "---")]
    for name, column in zip(names, table.columns, strict=True):
        why = _folded(column_note(column, asks=False), rest, REASON_LINES)
        folded = [_folded(name, wide, NAME_LINES), [str(column.role)], why]
        rows += zip_longest(*folded, fillvalue="")
    for name, role, why_line in rows:
        yield f"    {name.ljust(wide)}  {role.ljust(roles)}  {why_line}".rstrip()


def _name(column: Column) -> str:
    same = not column.question or column.question == column.name
    return column.name if same else f"{column.name} “{' '.join(column.question.split())}”"


def _facts(facts: Sequence[tuple[str, str]], indent: str) -> Iterator[str]:
    name_width = max(len(name) for name, _ in facts)
    for name, told in facts:
        yield f"{indent}{name.ljust(name_width)}  {plain(' '.join(told.split()))}"


def _folded(text: str, width: int, most: int) -> list[str]:
    """Return the text in at most ``most`` lines; of a longer one, how it begins and ends."""
    words = plain(text).split()
    shown, left = words, len(words)
    while len(lines := textwrap.wrap(" ".join(shown), width, break_on_hyphens=False)) > most:
        if left < 4:
            return [*lines[: most - 1], f"{lines[most - 1][: width - 1]}…"]
        left -= 1
        shown = [*words[: left - left // 3], "…", *words[len(words) - left // 3 :]]
    return lines
