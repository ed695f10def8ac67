"""Read XLSX workbooks: every sheet with a free-text column."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.tables import Row, Table, open_table
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Column, Document

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read_spreadsheet(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of a workbook; its sheets are opened and classed one after another.

    Sheets without free text are named in the warnings.

    Raises:
        UnreadableFile: not a workbook, or a broken or encrypted one.
        SkippedFile: no sheet has a free-text column.
    """
    _check_container(file.path)
    workbook = _open(file.path)
    tables: list[Table] = []
    reasons: list[str] = []
    columns: list[Column] = []
    for name in workbook.sheet_names:
        try:
            table = open_table(_sheet_rows(workbook, name), options, sheet=name)
        except SkippedFile as skipped:
            reasons.append(f"sheet “{name}” left out: {skipped.reason}")
            columns += _placed(name, skipped.columns)
        else:
            tables.append(table)
            columns += _placed(name, table.columns)
    if not tables:
        raise SkippedFile("; ".join(reasons) or "the workbook has no sheet", columns)
    tally.warnings.extend(reasons)
    tally.columns = tuple(columns)
    return _documents(tables, file, tally)


def cell_text(value: Any) -> str:
    """Return a cell as text: strings to the character, whole numbers without ".0", ISO dates."""
    match value:
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case datetime():
            day = value.time() == time(0) and value.tzinfo is None
            return value.date().isoformat() if day else value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case None:
            return ""
    return str(value)


def _documents(tables: list[Table], file: SourceFile, tally: Tally) -> Iterator[Document]:
    for table in tables:
        yield from table.documents(file, tally)


def _placed(sheet: str, columns: Sequence[Column]) -> list[Column]:
    return [Column(f"{sheet}!{column.name}", column.role, column.reason) for column in columns]


def _check_container(path: Path) -> None:
    with path.open("rb") as stream:
        start = stream.read(8)
    if start == _OLE:
        raise UnreadableFile(
            "password-protected, or a workbook of Excel 2003 or older; save it as .xlsx without "
            "a password"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnreadableFile(f"not an Excel workbook: {str(error) or 'not a zip file'}") from error
    if not any(name.lower().lstrip("/").startswith("xl/workbook.") for name in names):
        raise UnreadableFile("a zip archive, not an Excel workbook: there is no xl/workbook in it")


def _open(path: Path) -> Any:
    from python_calamine import CalamineWorkbook

    with _broken("the workbook"):
        return CalamineWorkbook.from_path(str(path))


@contextmanager
def _broken(what: str) -> Iterator[None]:
    """Turn the library's errors, and the panics of the code below it, into one of ours."""
    from python_calamine import CalamineError

    try:
        yield
    except CalamineError as error:
        raise UnreadableFile(f"{what} is broken: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UnreadableFile(f"{what} is broken: {error}") from error


def _sheet_rows(workbook: Any, name: str) -> Iterator[Row]:
    """Yield the rows of a sheet, numbered as Excel does, from column A on."""
    with _broken(f"sheet “{name}”"):
        sheet = workbook.get_sheet_by_name(name)
        rows = sheet.iter_rows()
    if sheet.start is None:
        return
    _, margin = sheet.start  # the library crops empty columns on the left, not rows above
    for number, cells in enumerate(rows, start=1):
        yield number, [""] * margin + [cell_text(cell) for cell in cells]
