"""Fixtures: write a workbook by hand, and read one file of a temporary folder."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from pipelines.readers import ReadOptions, discover, read
from pipelines.types import Document, FileReport

Cell = str | int | float | None
ReadOne = Callable[..., tuple[list[Document], FileReport]]

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def write_workbook(path: Path, sheets: dict[str, Sequence[Sequence[Cell]]]) -> None:
    """Write the smallest workbook that holds ``sheets``; ``None`` is a cell that is not there."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
            f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        entries = "".join(
            f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}"/>'
            for i, name in enumerate(sheets, 1)
        )
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{entries}</sheets></workbook>',
        )
        links = "".join(
            f'<Relationship Id="r{i}" Type="{_RELATIONS}/worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}">{links}</Relationships>',
        )
        for i, rows in enumerate(sheets.values(), 1):
            body = "".join(
                f'<row r="{r}">{"".join(_cell(r, c, v) for c, v in enumerate(row))}</row>'
                for r, row in enumerate(rows, 1)
            )
            archive.writestr(
                f"xl/worksheets/s{i}.xml",
                f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>',
            )


def _cell(row: int, column: int, value: Cell) -> str:
    place = f"{chr(ord('A') + column)}{row}"
    if value is None:
        return ""
    if isinstance(value, str):
        text = escape(value)
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


@pytest.fixture
def read_one() -> ReadOne:
    """Return a function that reads one path and gives its documents and final report."""

    def _read(path: Path, *questions: str) -> tuple[list[Document], FileReport]:
        (file,) = discover([path]).files
        reading = read(file, ReadOptions(questions=questions))
        return list(reading), reading.report

    return _read
