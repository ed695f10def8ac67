"""A report as a Word document: real headings, tables with header rows, quotes with their place."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.report.blocks import Bars, Heading, Paragraph, Quote, Report, Table, Value, dictionary
from app.report.charts import bars_png
from app.report.xlsx import clean

if TYPE_CHECKING:
    from datetime import datetime


def write_docx(report: Report, path: Path, *, made: datetime) -> int:
    """Write ``report`` to ``path`` and return the number of data rows written.

    Wide tables are named and left to the workbook. ``made`` is the document's date.
    """
    import docx
    from docx.shared import Cm

    document = docx.Document()
    properties = document.core_properties
    properties.title = clean(report.title)
    properties.author = "Florilegium"
    properties.language = "en-GB"
    properties.created = properties.modified = made.replace(tzinfo=None)
    for section in document.sections:
        section.left_margin = section.right_margin = Cm(2)
    document.add_heading(clean(report.title), 0)
    document.add_paragraph(clean(report.subtitle))
    for block in report.blocks:
        if isinstance(block, Heading):
            document.add_heading(clean(block.text), min(9, block.level))
        elif isinstance(block, Paragraph):
            document.add_paragraph(clean(block.text))
        elif isinstance(block, Quote):
            _quote(document, block)
        elif isinstance(block, Bars):
            picture = document.add_picture(io.BytesIO(bars_png(block)), width=Cm(16))
            _describe(picture, block.title)
        elif block.wide:
            document.add_paragraph(
                clean(
                    f"{block.title}: {len(block.rows):,} rows, in the workbook (sheet {block.name})."
                )
            )
        else:
            _table(document, block)
    document.add_heading("Data dictionary", 1)
    _table(document, dictionary(report))
    _save(document, path, made)
    return sum(len(table.rows) for table in report.tables())


def _save(document: Any, path: Path, made: datetime) -> None:
    """Write the document with ``made`` as the date of every part: the same words, the same bytes."""
    import zipfile

    held = io.BytesIO()
    document.save(held)
    with zipfile.ZipFile(held) as parts, zipfile.ZipFile(path, "w") as out:
        for name in parts.namelist():
            entry = zipfile.ZipInfo(name, made.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, parts.read(name))


def _quote(document: Any, quote: Quote) -> None:
    document.add_paragraph(clean(quote.text), style="Intense Quote")
    about = f"{quote.about} · " if quote.about else ""
    place = f"response {quote.source}, characters {quote.start} to {quote.end}"
    document.add_paragraph(clean(about + place), style="Caption")


def _table(document: Any, table: Table) -> None:
    document.add_paragraph(clean(table.title), style="Caption")
    grid = document.add_table(rows=1, cols=len(table.columns), style="Light Grid Accent 1")
    for cell, column in zip(grid.rows[0].cells, table.columns, strict=True):
        cell.text = clean(column.name)
    _repeat(grid.rows[0])
    for row in table.rows:
        for cell, value in zip(grid.add_row().cells, row, strict=True):
            cell.text = _shown(value)
    for note in table.notes:
        document.add_paragraph(clean(note))


def _shown(value: Value) -> str:
    if value is None:
        return ""
    return clean(value) if isinstance(value, str) else f"{value:,}"


def _repeat(row: Any) -> None:
    """Let the header row stand on every page, and be read as one by screen readers."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    properties = row._tr.get_or_add_trPr()
    header = OxmlElement("w:tblHeader")
    header.set(qn("w:val"), "true")
    properties.append(header)


def _describe(picture: Any, words: str) -> None:
    """Give a picture its alternative text."""
    picture._inline.docPr.set("descr", clean(words))
