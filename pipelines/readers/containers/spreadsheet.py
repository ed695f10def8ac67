"""Read workbooks (XLSX, XLSM, XLSB, XLS, ODS): every sheet with a free-text column.

The cells are what the file stores. A formula counts as the value last seen, a merged cell has its
value in its first cell, numbers are without their format (0.25 for 25 %), dates are ISO, and in
XLSX error cells read "#N/A" (in the other formats they are blank). The escapes of XLSX for
characters that XML has not, such as ``_x000D_``, are part of the format and come decoded. Hidden
sheets are read and named in the warnings; sheets that only a program can show are left out.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipelines.readers.containers import packages, sandbox
from pipelines.readers.containers.compound import MAGIC, root_names, stream_start
from pipelines.readers.containers.sheet_cells import PASSWORD, Closed, Opened, too_large
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.tables.table import Row, Table, open_table
from pipelines.readers.types import Limits, ReadOptions, SourceFile, Tally
from pipelines.types import Document, TableReport

_CELLS = "pipelines.readers.containers.sheet_cells"
_FILEPASS = 0x2F  # the record of XLS that says how the others are encrypted
_ABOVE = 200  # rows that may stand above the header, on top of the sample
_STATES = {"Hidden": "hidden", "VeryHidden": "very hidden"}


def read_spreadsheet(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the documents of a workbook; its sheets are opened and classed one after another.

    Every sheet is in the report's tables, those left out with the reason.

    Raises:
        UnreadableFile: not a workbook, or a broken or encrypted one; or a sheet is broken and no
            other can be read.
        SkippedFile: no sheet has a free-text column.
    """
    _check_container(file.path, options.limits)
    book = _Book(file, options, tally)
    tables, left_out, broken = book.tables()
    if not tables:
        tally.tables.extend(left_out)
        if broken:
            raise UnreadableFile(broken)
        reasons = [f"sheet “{table.sheet}” left out: {table.reason}" for table in left_out]
        raise SkippedFile("; ".join(reasons) or "the workbook has no sheet", left_out)
    tally.tables.extend(left_out)
    tally.warnings.extend(f"sheet “{table.sheet}” left out: {table.reason}" for table in left_out)
    return _documents(tables, file, tally)


def _documents(tables: list[Table], file: SourceFile, tally: Tally) -> Iterator[Document]:
    tables.reverse()
    while tables:
        yield from tables.pop().documents(file, tally)


def _check_container(path: Path, limits: Limits) -> None:
    with path.open("rb") as stream:
        start = stream.read(8)
    if start == MAGIC:
        if _old_with_password(path):
            raise UnreadableFile(PASSWORD)
        return
    names = {name.lower().lstrip("/"): name for name in packages.check(path, limits, "workbook")}
    if names.keys() & {"content.xml", "encrypted-package"}:
        manifest = names.get("meta-inf/manifest.xml")
        with packages.opened(path, limits) as archive:
            if manifest and b"encryption-data" in archive.read(manifest):
                raise UnreadableFile(PASSWORD)
    elif not names.keys() & {"xl/workbook.xml", "xl/workbook.bin"}:
        raise UnreadableFile(
            "a zip archive, not a workbook: there is no xl/workbook or content.xml in it"
        )


def _old_with_password(path: Path) -> bool:
    """Return whether an OLE file is an encrypted package, or an XLS whose cells are encrypted."""
    if "EncryptedPackage" in root_names(path):
        return True
    data = stream_start(path, "Workbook") or stream_start(path, "Book")
    place = 0
    while len(data) >= place + 4:
        record, length = struct.unpack_from("<HH", data, place)
        if record == _FILEPASS:
            return True
        place += 4 + length
    return False


@dataclass(slots=True)
class _Book:
    """The pass over all sheets that finds their tables."""

    file: SourceFile
    options: ReadOptions
    tally: Tally

    def tables(self) -> tuple[list[Table], list[TableReport], str]:
        """Return the tables, the sheets left out, and the first reason of a sheet that is broken."""
        tables: list[Table] = []
        left_out: list[TableReport] = []
        broken = ""
        for sheet in self._sheets():
            try:
                if reason := _not_read(sheet.opened):
                    raise SkippedFile(reason)
                table = open_table(sheet.rows(), self.file, self.options, sheet=sheet.opened.name)
            except SkippedFile as skipped:
                left_out += _reports(sheet.opened.name, skipped.reason, skipped.tables)
            except UnreadableFile as error:
                broken = broken or f"sheet “{sheet.opened.name}”: {error.reason}"
                left_out += _reports(sheet.opened.name, error.reason, ())
            else:
                tables.append(table)
                if state := _STATES.get(sheet.opened.state):
                    self._warn(sheet, f"it is {state}, and read all the same")
            for warning in sheet.warnings:
                self._warn(sheet, warning)
        return tables, left_out, broken

    def _warn(self, sheet: _Sheet, warning: str) -> None:
        self.tally.warnings.append(f"sheet “{sheet.opened.name}”: {warning}")

    def _sheets(self) -> Iterator[_Sheet]:
        """Yield the sheets; one whose cells end the parser is followed by the next all the same."""
        first = 0
        while True:
            survey = sandbox.run(
                f"{_CELLS}:survey",
                str(self.file.path),
                first,
                self.options.sample_rows + _ABOVE,
                self.options.sample_characters,
                self.options.limits.cells,
                limits=self.options.limits,
            )
            sheet = None
            for opened in survey:
                sheet = _Sheet(self.file, self.options, opened, survey)
                yield sheet
                if sheet.over:
                    break
            if sheet is None or sheet.opened.last:
                return
            first = sheet.opened.index + 1


class _Sheet:
    """One sheet, its first rows taken from the survey, all of them to be taken once."""

    def __init__(
        self, file: SourceFile, options: ReadOptions, opened: Opened, survey: Iterator[Any]
    ) -> None:
        self.opened = opened
        self._file, self._options, self._survey = file, options, survey
        self._first: deque[Row] = deque()
        self._closed = Closed(complete=True)
        self.over = True
        """Whether nothing more comes from the survey for other sheets."""
        try:
            for item in survey:
                if isinstance(item, Closed):
                    self._closed = item
                    self.over = item.more
                    break
                self._first.append(item)
        except UnreadableFile as error:
            self._closed = Closed(complete=True, broken=self._explained(error.reason))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be said about its cells."""
        return self._closed.warnings

    def rows(self) -> Iterator[Row]:
        """Yield the rows: those of the survey, then the others from a pass of their own.

        Raises:
            UnreadableFile: the sheet is broken, or too large.
        """
        if self._closed.broken:
            raise UnreadableFile(self._closed.broken)
        count = len(self._first)
        while self._first:
            yield self._first.popleft()
        if self._closed.more:
            yield from self._survey
        elif not self._closed.complete:
            yield from sandbox.run(
                f"{_CELLS}:rows",
                str(self._file.path),
                self.opened.index,
                count,
                self._options.limits.cells,
                limits=self._options.limits,
            )

    def _explained(self, reason: str) -> str:
        """Return why the parser ended: most often one cell far from all others."""
        limits = self._options.limits
        with suppress(UnreadableFile):
            for row, column in sandbox.run(
                f"{_CELLS}:extent", str(self._file.path), self.opened.index, limits=limits
            ):
                if row * column > limits.cells:
                    return too_large(self.opened.name, row, column, limits.cells)
        return (
            f"{reason}; a cell far from the others makes a sheet large"
            if "MB" in reason
            else reason
        )


def _not_read(opened: Opened) -> str:
    if opened.kind != "WorkSheet":
        return f"no cells in it (a {opened.kind})"
    if opened.state == "VeryHidden":
        return "a helper sheet: it is hidden so that only a program can show it"
    return ""


def _reports(name: str, reason: str, tables: tuple[TableReport, ...]) -> list[TableReport]:
    found = [replace(table, sheet=name, reason=table.reason or reason) for table in tables]
    return found or [TableReport(layout="generic", sheet=name, reason=reason)]
