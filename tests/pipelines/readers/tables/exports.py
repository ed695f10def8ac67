"""Exports as they come, each column with what is right for it, judged before any was read.

A column is a header, a letter for each role that is right, and its cells, repeated to the length of
the table: F free text, P personal, I identifier, M several choices, S one choice, C scale, N number,
D date, G demographic, Y system, X status, Q question, E empty; O is any but F, P, Q and X.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.readers import ReadOptions
from tests.pipelines.readers.pitfalls.material import Got, csv_text, cycle, got

LETTERS = {
    "F": "free_text", "P": "personal", "I": "identifier", "M": "closed_multi", "S": "closed_single",
    "C": "scale", "N": "number", "D": "date", "G": "demographic", "Y": "system", "X": "status",
    "Q": "question", "E": "empty",
}  # fmt: skip
METADATA = "IMSCNDGYE"


@dataclass(frozen=True)
class Field:
    """A column: its header, the letters of the roles that are right, its cells."""

    header: str
    right: str
    cells: tuple[str, ...]

    @property
    def roles(self) -> set[str]:
        return {LETTERS[letter] for letter in self.right.replace("O", METADATA)}


def of(header: str, right: str, *cells: str) -> Field:
    """Return a column; cells "R{}" are numbered."""
    return Field(header, right, cells)


@dataclass(frozen=True)
class Export:
    """A table of ``fields`` with ``rows`` rows, lines ``above`` and ``below`` it."""

    name: str
    rows: int
    fields: tuple[Field, ...]
    above: Sequence[Sequence[str]] = ()
    below: Sequence[Sequence[str]] = ()
    upper: Sequence[str] = ()
    aside: int = 0
    respondents: int = 0
    delimiter: str = ","
    encoding: str = "utf-8-sig"
    first: str = ""
    ending: str = "csv"
    questions: Sequence[str] = field(default=())

    def columns(self) -> list[list[str]]:
        return [
            [cell.replace("{}", str(41 + i)) for i, cell in enumerate(cycle(f.cells, self.rows))]
            for f in self.fields
        ]

    def written(self, folder: Path) -> Path:
        """Write the table as its program would."""
        rows = [list(row) for row in self.above]
        if self.upper:
            rows.append(list(self.upper))
        rows.append([f.header for f in self.fields])
        rows += [list(row) for row in zip(*self.columns(), strict=True)]
        rows += [list(row) for row in self.below]
        path = folder / f"{self.name.replace(' ', '-')}.{self.ending}"
        text = self.first + csv_text(rows, self.delimiter, "\r\n")
        path.write_bytes(text.encode(self.encoding))
        return path


def faults(export: Export, folder: Path, options: ReadOptions | None = None) -> list[str]:
    """Read an export and say what is wrong, a line each."""
    return list(_faults(export, got(export.written(folder), options)))


def _faults(export: Export, found: Got) -> list[str]:
    tables = [table for table in found.report.tables if not table.reason]
    if not tables:
        return [f"not read: {found.report.reason}; {[t.columns for t in found.report.tables]}"]
    (table,) = tables
    wrong = []
    if len(table.columns) != len(export.fields):
        wrong.append(f"{len(table.columns)} columns {[c.name for c in table.columns]}")
        return wrong
    for column, right in zip(table.columns, export.fields, strict=True):
        if str(column.role) not in right.roles:
            wrong.append(f"{column.name!r}: {column.role}, not {right.right} ({column.reason})")
    at = len(export.above) + bool(export.upper) + 1
    if at not in table.header_rows:
        wrong.append(f"header {table.header_rows}, not {at}")
    cells = export.columns()
    texts = [
        cells[i][r]
        for r in range(export.rows)
        for i, f in enumerate(export.fields)
        if f.right == "F"
    ]
    if found.texts != texts:
        wrong.append(f"{len(found.texts)} documents, not {len(texts)}")
    aside = len({d.locator.partition(",")[0] for d in found.documents if d.aside})
    if aside != export.aside:
        wrong.append(f"{aside} rows aside, not {export.aside}")
    people = {d.respondent for d in found.documents if d.respondent}
    if export.respondents and len(people) != export.respondents:
        wrong.append(f"{len(people)} respondents {list(people)[:2]}, not {export.respondents}")
    private = {
        c
        for f, column in zip(export.fields, cells, strict=True)
        if f.right == "P"
        for c in column
        if c.strip()
    }
    stored = {value for d in found.documents for value in d.metadata.values()}
    stored |= {part for d in found.documents for part in (d.key, d.respondent or "")}
    if leaked := sorted(p for p in private if any(p in text for text in stored)):
        wrong.append(f"personal data stored: {leaked[:3]}")
    if export.questions:
        asked = list(dict.fromkeys(d.question for d in found.documents))
        if asked != list(export.questions):
            wrong.append(f"questions {asked}, not {list(export.questions)}")
    return wrong
