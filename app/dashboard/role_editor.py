"""The tables of checked files: each with its columns, whose roles a person can change."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from app.dashboard import present
from app.dashboard.present import counted, notice, number
from app.dashboard.workspace import show
from app.import_report import ROLES, column_note, file_facts, table_facts, table_name
from db.rows import JobRow
from pipelines.types import FileReport, Role, TableReport

OPEN_TABLES = 3
"""How many tables are unfolded when the report is opened."""
MOST_TABLES = 50
ROW_HEIGHT = 35
TALLEST_ROWS = 16
CHOSEN = "chosen by a person"


@dataclass(frozen=True, slots=True)
class Checked:
    """A file of the report, and its path below what was uploaded."""

    report: FileReport
    relative: str


def edit_tables(job: JobRow, checked: Sequence[Checked]) -> list[Checked]:
    """Show each table with its columns to be edited; return the files whose roles were changed."""
    with_columns = [
        (one, position, table)
        for one in checked
        for position, table in enumerate(one.report.tables)
        if table.columns
    ]
    if not with_columns:
        return []
    st.subheader("Tables and their columns")
    show(
        '<p class="flo-quiet">Only free text is summarised, labelled and tagged; closed answers go '
        "with it for comparison, and personal columns are never stored. Choose another role under "
        "“Read as” where a column was taken for the wrong thing.</p>"
    )
    if len(with_columns) > MOST_TABLES:
        show(
            notice(
                f"The first {MOST_TABLES} of {number(len(with_columns))} tables are shown. The "
                "others can be changed with: florilegium ingest FOLDER --write-mapping FILE"
            )
        )
    roles: dict[tuple[str, int], tuple[str, ...]] = {}
    for index, (one, position, table) in enumerate(with_columns[:MOST_TABLES]):
        label = " · ".join(filter(None, (one.relative, table_name(table))))
        with st.expander(_label(label), expanded=index < OPEN_TABLES):
            show(present.facts(_facts(one.report, table, first=position == 0)))
            roles[one.report.path, position] = _editor(job, index, label, table)
    return [
        Checked(report, one.relative)
        for one in checked
        if (report := with_roles(one.report, roles)) != one.report
    ]


def _facts(report: FileReport, table: TableReport, *, first: bool) -> list[tuple[str, str]]:
    """Return what is told of a table, with the first one also what is told of its file."""
    of_file = file_facts(report)[1:]
    if len(report.tables) == 1:
        return [*table_facts(table), *of_file]
    facts = [*table_facts(table), ("Rows", number(table.rows))]
    return facts + [(f"{name} (all tables)", told) for name, told in of_file] if first else facts


def _editor(job: JobRow, index: int, label: str, table: TableReport) -> tuple[str, ...]:
    rows = [{"column": c.name, "role": str(c.role), "why": column_note(c)} for c in table.columns]
    edited: list[dict[str, str]] = st.data_editor(
        rows,
        key=f"roles-{job.id}-{index}",
        width="stretch",
        height=(min(len(rows), TALLEST_ROWS) + 1) * ROW_HEIGHT + 3,
        hide_index=True,
        disabled=["column", "why"],
        column_config={
            "column": st.column_config.TextColumn("Column", width="medium"),
            "role": st.column_config.SelectboxColumn(
                "Read as",
                width="medium",
                required=True,
                options=list(ROLES),
                format_func=lambda role: ROLES.get(str(role), str(role)),
            ),
            "why": st.column_config.TextColumn("Why, and what is in it", width="large"),
        },
        alt=f"Columns of {label}: name, role, reason. The role can be changed.",
    )
    roles = tuple(row["role"] for row in edited)
    if changes := sum(a != b["role"] for a, b in zip(roles, rows, strict=True)):
        show(notice(f"{counted(changes, 'role')} changed."))
    if Role.FREE_TEXT not in roles and not table.reason:
        show(notice("No column of this table is read as free text, so nothing of it is read."))
    return roles


def with_roles(report: FileReport, roles: Mapping[tuple[str, int], Sequence[str]]) -> FileReport:
    """Return the report with the roles that a person chose, by its path and the table's place."""
    tables = []
    for position, table in enumerate(report.tables):
        chosen = roles.get((report.path, position)) or [c.role for c in table.columns]
        columns = tuple(
            column if column.role == role else replace(column, role=role, reason=CHOSEN)
            for column, role in zip(table.columns, chosen, strict=True)
        )
        tables.append(replace(table, columns=columns))
    return replace(report, tables=tuple(tables))


def mapping_text(changed: Sequence[Checked], before: str) -> str | None:
    """Return the mapping file that says what was changed; None where nothing was.

    What the mapping ``before`` says of other tables is kept.
    """
    if not changed:
        return None
    from pipelines.readers.tables import mapping

    text = mapping.dump(
        [one.report for one in changed],
        [one.relative for one in changed],
        mapping.Mapping.from_text(before),
    )
    return _with_others(text, before) if before else text


def _with_others(text: str, before: str) -> str:
    """Return the mapping ``text`` with the tables of ``before`` that it does not speak of."""
    import tomlkit

    spoken = {(t["file"], t.get("sheet")) for t in tomllib.loads(text).get("table", ())}
    others = tomlkit.aot()
    for table in tomlkit.parse(before).get("table", ()):
        if (table["file"], table.get("sheet")) not in spoken:
            others.append(table)
    return f"{text.rstrip()}\n\n{tomlkit.dumps({'table': others})}" if others else text


def _label(text: str) -> str:
    """Return ``text`` for a Streamlit label, which would read Markdown in it."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()#+-.!|<>:$~" else c for c in text)
