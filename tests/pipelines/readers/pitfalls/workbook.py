"""Write a small XLSX by hand: merged cells, formulas with cached values, dates, styled blanks."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_HIDDEN = 'state="hidden" '
_DATE, _FILLED = 1, 2  # positions in cellXfs below

_STYLES = (
    f'<styleSheet xmlns="{_MAIN}">'
    '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Arial"/></font></fonts>'
    '<fills count="3"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFEEEEEE"/></patternFill></fill></fills>'
    '<borders count="1"><border><left/><right/><top/><bottom/></border></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf xfId="0"/>'
    '<xf numFmtId="164" xfId="0" applyNumberFormat="1"/>'
    '<xf fillId="2" xfId="0" applyFill="1"/></cellXfs></styleSheet>'
)


@dataclass(frozen=True)
class Formula:
    """A formula and the value the spreadsheet program last saw."""

    text: str
    cached: str | float


@dataclass(frozen=True)
class Dated:
    """An Excel serial number shown as a date."""

    serial: float


@dataclass(frozen=True)
class Styled:
    """A cell with a fill and nothing in it."""


Cell = str | int | float | None | Formula | Dated | Styled


@dataclass(frozen=True)
class Sheet:
    """Rows from row 1; ``merged`` are ranges such as "A1:C1"."""

    rows: Sequence[Sequence[Cell]]
    merged: Sequence[str] = ()
    hidden: bool = False


def write(path: Path, sheets: Mapping[str, Sheet | Sequence[Sequence[Cell]]]) -> Path:
    """Write ``sheets`` to ``path`` and return it; ``None`` is a cell that is not there."""
    made = [
        (name, sheet if isinstance(sheet, Sheet) else Sheet(sheet))
        for name, sheet in sheets.items()
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _content_types(len(made)))
        archive.writestr("_rels/.rels", _links([("officeDocument", "xl/workbook.xml")]))
        archive.writestr("xl/workbook.xml", _workbook(made))
        parts = [("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, len(made) + 1)]
        archive.writestr("xl/_rels/workbook.xml.rels", _links([*parts, ("styles", "styles.xml")]))
        archive.writestr("xl/styles.xml", _STYLES)
        for i, (_, sheet) in enumerate(made, 1):
            archive.writestr(f"xl/worksheets/sheet{i}.xml", _worksheet(sheet))
    return path


def letters(column: int) -> str:
    """Return the spreadsheet's letters of a column counted from 0."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _content_types(sheets: int) -> str:
    parts = [("/xl/workbook.xml", "sheet.main+xml"), ("/xl/styles.xml", "styles+xml")]
    parts += [(f"/xl/worksheets/sheet{i}.xml", "worksheet+xml") for i in range(1, sheets + 1)]
    overrides = "".join(
        f'<Override PartName="{part}" ContentType="{_KINDS}.{kind}"/>' for part, kind in parts
    )
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f"{overrides}</Types>"
    )


def _links(parts: Sequence[tuple[str, str]]) -> str:
    links = "".join(
        f'<Relationship Id="r{i}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(parts, 1)
    )
    return f'<Relationships xmlns="{_PACKAGE}">{links}</Relationships>'


def _workbook(sheets: Sequence[tuple[str, Sheet]]) -> str:
    entries = "".join(
        f'<sheet name="{escape(name)}" sheetId="{i}" {_HIDDEN if sheet.hidden else ""}r:id="r{i}"/>'
        for i, (name, sheet) in enumerate(sheets, 1)
    )
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><sheets>{entries}</sheets></workbook>'


def _worksheet(sheet: Sheet) -> str:
    body = "".join(
        f'<row r="{r}">{"".join(_cell(r, c, value) for c, value in enumerate(row))}</row>'
        for r, row in enumerate(sheet.rows, 1)
    )
    merged = ""
    if sheet.merged:
        ranges = "".join(f'<mergeCell ref="{place}"/>' for place in sheet.merged)
        merged = f'<mergeCells count="{len(sheet.merged)}">{ranges}</mergeCells>'
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData>{merged}</worksheet>'


def _cell(row: int, column: int, value: Cell) -> str:
    place = f"{letters(column)}{row}"
    if value is None:
        return ""
    if isinstance(value, Styled):
        return f'<c r="{place}" s="{_FILLED}"/>'
    if isinstance(value, Dated):
        return f'<c r="{place}" s="{_DATE}"><v>{value.serial}</v></c>'
    if isinstance(value, Formula):
        kind = ' t="str"' if isinstance(value.cached, str) else ""
        cached = escape(str(value.cached))
        return f'<c r="{place}"{kind}><f>{escape(value.text)}</f><v>{cached}</v></c>'
    if isinstance(value, str):
        text = escape(value)
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'
