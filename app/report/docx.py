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

PAGE = 17.0
"""Width of a page between its margins, in cm."""
LONGEST = 40
"""Characters of a cell that still ask for room; longer ones wrap."""
NORMAL, SMALL, MARGIN = 0.24, 0.18, 0.42
"""Width of a character in normal and in small type, and what a cell keeps free, in cm."""
MANY = 7
"""Columns from which on a table is set in small type."""


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
    grid.autofit = False
    widths = _widths(table)
    style = _small(document) if len(table.columns) > MANY else ""
    heads = tuple(column.name for column in table.columns)
    for number, row in enumerate((heads, *table.rows)):
        line = grid.add_row() if number else grid.rows[0]
        for cell, value, width in zip(line.cells, row, widths, strict=True):
            cell.text = _shown(value)
            cell.width = width
            if style:
                cell.paragraphs[0]._p.style = style  # by its id: a look-up a cell takes minutes
    for column, width in zip(grid.columns, widths, strict=True):
        column.width = width
    _repeat(grid.rows[0])
    for note in table.notes:
        document.add_paragraph(clean(note))


def _widths(table: Table) -> list[int]:
    """Return widths that share the page by what the columns hold: no word is broken needlessly."""
    from docx.shared import Cm

    size = SMALL if len(table.columns) > MANY else NORMAL
    needed, wanted = [], []
    for place, column in enumerate(table.columns):
        cells = [column.name, *(_shown(row[place]) for row in table.rows)]
        word = max(len(each) for cell in cells for each in (cell.split() or [""]))
        needed.append(MARGIN + size * word)
        wanted.append(size * max(0, min(max(map(len, cells[1:]), default=0), LONGEST) - word))
    left = PAGE - sum(needed)
    if left < 0:
        return [Cm(PAGE * each / sum(needed)) for each in needed]
    share = left / sum(wanted) if sum(wanted) else 0.0
    return [Cm(least + share * more) for least, more in zip(needed, wanted, strict=True)]


def _small(document: Any) -> str:
    """Return the id of the style of tables with many columns."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt

    styles = document.styles
    if "Narrow table" not in styles:
        style = styles.add_style("Narrow table", WD_STYLE_TYPE.PARAGRAPH)
        style.base_style = styles["Normal"]
        style.font.size = Pt(8)
    return str(styles["Narrow table"].style_id)


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
