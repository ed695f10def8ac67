"""Take the cells out of a workbook: the parser's side of ``spreadsheet``, run in the sandbox.

A sheet's items are ``Opened``, its rows as pairs of a number (from 1, as a spreadsheet shows it)
and the texts of the cells from column A on, and ``Closed``. A blank row has no cells.
"""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import IO, Any

from pipelines.readers.containers import sheet_parts
from pipelines.readers.errors import SkippedFile, UnreadableFile

PASSWORD = "password-protected: open it in the program it came from and save it without a password"
_CELL = 50  # characters that a cell counts for at least, when the sample is bounded
_WHOLE = 1e15  # beyond it not every whole number is a float


@dataclass(frozen=True, slots=True)
class Opened:
    """A sheet begins: ``state`` is "Visible", "Hidden" or "VeryHidden", ``kind`` "WorkSheet" or other."""

    index: int
    name: str
    state: str
    kind: str
    last: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """A sheet's rows end: all of them, a sample of them, or those before it turned out broken.

    ``more`` with ``complete`` false means that the rest of the rows follows at once.
    """

    complete: bool
    more: bool = False
    broken: str = ""
    warnings: tuple[str, ...] = ()


def survey(
    path: str, first: int, sample_rows: int, sample_characters: int, most_cells: int
) -> Iterator[Any]:
    """Yield the sheets from ``first`` on, each with its first rows; all rows of the last one.

    Raises:
        UnreadableFile: the workbook cannot be opened.
    """
    with _workbook(path) as workbook:
        sheets = list(workbook.sheets_metadata)
        for index in range(first, len(sheets)):
            sheet = sheets[index]
            opened = Opened(
                index,
                sheet.name,
                _name_of(sheet.visible),
                _name_of(sheet.typ),
                index == len(sheets) - 1,
            )
            yield opened
            yield None  # the name is known outside even if the cells end this process
            if opened.state == "VeryHidden" or opened.kind != "WorkSheet":
                yield Closed(complete=True)
                continue
            try:
                cells, warnings = _cells(path, workbook, index, most_cells)
            except UnreadableFile as broken:
                yield Closed(complete=True, broken=broken.reason)
                continue
            left, size = sample_rows, sample_characters
            for row in cells:
                if left <= 0 or size <= 0:
                    yield Closed(complete=False, more=opened.last, warnings=warnings)
                    if opened.last:
                        yield row
                        yield from cells
                    break
                yield row
                left -= 1
                size -= sum(map(len, row[1])) + _CELL * len(row[1])
            else:
                yield Closed(complete=True, warnings=warnings)


def rows(path: str, index: int, skip: int, most_cells: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of one sheet after the first ``skip``.

    Raises:
        UnreadableFile: the sheet is broken or too large.
    """
    with _workbook(path) as workbook:
        cells, _ = _cells(path, workbook, index, most_cells)
        for count, row in enumerate(cells):
            if count >= skip:
                yield row


def extent(path: str, index: int) -> Iterator[tuple[int, int]]:
    """Yield the last row and column of a sheet of an XLSX workbook, from its XML alone."""
    if found := _extent(path, index):
        yield found


def cell_text(value: Any) -> str:
    """Return a cell as text: strings to the character, whole numbers without ".0", ISO dates."""
    match value:
        case str():
            return value
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < _WHOLE:
            return str(int(value))
        case datetime():
            return _date_text(_to_the_second(value))
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case None:
            return ""
    return str(value)


def too_large(name: str, last_row: int, last_column: int, most_cells: int) -> str:
    """Return the reason for leaving a sheet out."""
    corner = f"{sheet_parts.column_letters(last_column)}{last_row}"
    return (
        f"its last cell is {corner}, {last_row * last_column:,} cells with the blank ones between; "
        f"the limit is {most_cells:,} (the setting sheet_cells). If that cell is stray, delete it"
    )


def _cells(
    path: str, workbook: Any, index: int, most_cells: int
) -> tuple[Iterator[tuple[int, list[str]]], tuple[str, ...]]:
    """Return the rows of a sheet, and what is to be said about it."""
    name = workbook.sheet_names[index]
    if sys.platform != "linux" and (found := _extent(path, index)):  # no limit on memory there
        _check_extent(name, *found, most_cells)
    with _broken("the sheet"):
        sheet = workbook.get_sheet_by_index(index)
        if sheet.start is None:
            return iter(()), ()
        _check_extent(name, sheet.end[0] + 1, sheet.end[1] + 1, most_cells)
        stream = sheet.iter_rows()
    facts = _facts(path, index)
    return _texts(stream, sheet.start[1], facts.errors), tuple(facts.warnings())


def _texts(
    stream: Iterator[list[Any]], margin: int, errors: dict[tuple[int, int], str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield numbered rows; the library crops empty columns on the left, not rows above."""
    with_errors = {row for row, _ in errors}
    left = [""] * margin
    for number, cells in enumerate(stream, start=1):
        texts = left + [value if type(value) is str else cell_text(value) for value in cells]
        if number - 1 in with_errors:
            for column in range(len(texts)):
                texts[column] = errors.get((number - 1, column), texts[column])
        yield number, texts if any(texts) else []


def _check_extent(name: str, last_row: int, last_column: int, most_cells: int) -> None:
    if last_row * last_column > most_cells:
        raise UnreadableFile(too_large(name, last_row, last_column, most_cells))


def _facts(path: str, index: int) -> sheet_parts.SheetFacts:
    try:
        with zipfile.ZipFile(path) as archive:
            if part := sheet_parts.sheet_part(archive, index):
                return sheet_parts.sheet_facts(archive, part)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        pass  # not an XLSX, or one that only the other parser can read
    return sheet_parts.SheetFacts()


def _extent(path: str, index: int) -> tuple[int, int] | None:
    try:
        with zipfile.ZipFile(path) as archive:
            part = sheet_parts.sheet_part(archive, index)
            return sheet_parts.extent(archive, part) if part else None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError):
        return None


@contextmanager
def _workbook(path: str) -> Iterator[Any]:
    with Path(path).open("rb") as stream, _broken("the workbook"):
        workbook = _opened(path, stream)
    yield workbook


def _opened(path: str, stream: IO[bytes]) -> Any:
    """Open a workbook by its ending, which gives the better errors, else by its content."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        return CalamineWorkbook.from_path(path)
    except PasswordError:
        raise
    except CalamineError as error:
        try:
            return CalamineWorkbook.from_filelike(stream)
        except CalamineError:
            raise error from None


@contextmanager
def _broken(what: str) -> Iterator[None]:
    """Turn the library's errors, and the panics of the code below it, into one of ours."""
    from python_calamine import CalamineError, PasswordError

    try:
        yield
    except PasswordError as error:
        raise UnreadableFile(PASSWORD) from error
    except CalamineError as error:
        raise UnreadableFile(f"{what} is broken: {error}") from error
    except (UnreadableFile, SkippedFile, MemoryError):
        raise
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UnreadableFile(f"{what} is broken: {error}") from error


def _name_of(value: Any) -> str:
    return str(value).rpartition(".")[2]


def _date_text(value: datetime) -> str:
    day = value.time() == time(0) and value.tzinfo is None
    return value.date().isoformat() if day else value.isoformat(sep=" ")


def _to_the_second(value: datetime) -> datetime:
    """Return ``value`` without the noise of times kept as fractions of a day."""
    near = value + timedelta(milliseconds=2)
    return near.replace(microsecond=0) if near.microsecond < 4_000 else value
