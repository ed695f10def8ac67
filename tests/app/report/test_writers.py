"""One report in three forms: the same words, none of them computed, run or lost."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import docx
import pytest
from python_calamine import CalamineWorkbook

from app.report.blocks import Bars, Column, Heading, Paragraph, Quote, Report, Table
from app.report.docx import write_docx
from app.report.html import as_html, write_html
from app.report.xlsx import write_xlsx

MADE = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
EVIL = [
    "=1+1",
    '=HYPERLINK("http://x.test","go")',
    "@SUM(A1)",
    "+44 20",
    "-5 degrees",
    "<script>alert(1)</script> & so on",
    "https://example.org/",
    "café — “quoted”\nsecond line",
    "007",
]
TABLE = Table(
    "By [ward]/area: long name that no sheet can bear",
    "Themes by ward",
    (Column("theme", "Label of the theme"), Column("north", "Ward is north")),
    (("Trees", 12), ("Buses & trams", "[c]"), ("Parks", None)),
    ("[c]: hidden.",),
)


def _report() -> Report:
    quotes = [
        Quote(text, f"R-{n}", n, 3, 3 + len(text), "Trees, for") for n, text in enumerate(EVIL)
    ]
    bars = Bars(TABLE, "Responses by theme", "theme", ("north",))
    return Report(
        "What people said: <Orchard Fields>",
        "298 responses.",
        (
            Heading("Method"),
            Paragraph("Counts of codings."),
            Heading("Themes"),
            TABLE,
            bars,
            *quotes,
        ),
    )


def test_the_workbook_holds_every_text_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "report.xlsx"
    assert write_xlsx(_report(), path, made=MADE) == 3 + len(EVIL) + 2
    book = CalamineWorkbook.from_path(path)
    assert book.sheet_names == [
        *("Read me", "By  ward  area  long name that", "Quotes", "Data dictionary")
    ]
    rows = book.get_sheet_by_name("Quotes").to_python()
    assert [row[1] for row in rows[3:]] == EVIL
    counts = book.get_sheet_by_index(1).to_python()
    assert counts[2] == ["theme", "north"]
    assert counts[3:6] == [["Trees", 12.0], ["Buses & trams", "[c]"], ["Parks", ""]]


def test_no_cell_is_a_formula_or_a_link(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "report.xlsx"
    write_xlsx(_report(), path, made=MADE)
    with zipfile.ZipFile(path) as parts:
        for name in parts.namelist():
            text = parts.read(name).decode("utf-8", "replace")
            assert "<f>" not in text
            assert "<hyperlink" not in text


def test_a_text_longer_than_a_cell_goes_on_below(tmp_path: Path) -> None:
    path = tmp_path / "report.xlsx"
    text = "x" * 70_000
    long = Table("Long", "Long", (Column("text", "A text"),), ((text,), ("next",)))
    write_xlsx(Report("t", "s", (long,)), path, made=MADE)
    rows = CalamineWorkbook.from_path(path).get_sheet_by_name("Long").to_python()
    assert "".join(row[0] for row in rows[3:6]) == text
    assert rows[6] == ["next"]


def test_two_tables_of_one_name_get_two_sheets(tmp_path: Path) -> None:
    path = tmp_path / "report.xlsx"
    table = Table("Same", "Same", (Column("a", "A"),), ((1,),))
    write_xlsx(Report("t", "s", (table, table)), path, made=MADE)
    assert CalamineWorkbook.from_path(path).sheet_names[1:3] == ["Same", "Same 2"]


def test_the_word_document_has_headings_tables_and_quotes(tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    assert write_docx(_report(), path, made=MADE) == 3
    document = docx.Document(str(path))
    texts = [paragraph.text for paragraph in document.paragraphs]
    assert [text for text in texts if text in EVIL] == EVIL
    styles = {p.text: p.style.name for p in document.paragraphs if p.style is not None}
    assert styles["Method"] == "Heading 1"
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells == [["theme", "north"], ["Trees", "12"], ["Buses & trams", "[c]"], ["Parks", ""]]
    assert 'w:tblHeader w:val="true"' in document.tables[0]._tbl.xml
    assert document.core_properties.title == "What people said: <Orchard Fields>"
    assert len(document.inline_shapes) == 1
    assert "Responses by theme" in document.inline_shapes[0]._inline.xml


def test_the_page_shows_markup_as_text_and_fetches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert write_html(_report(), path) == 3
    page = path.read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; so on" in page
    assert "default-src 'none'" in page

    class Seen(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.quotes: list[str] = []
            self.inside = False

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag not in ("script", "iframe", "link", "img", "object")
            assert not any(name.startswith("on") or name == "src" for name, _ in attrs)
            if tag == "blockquote":
                self.quotes.append("")
                self.inside = True
            elif tag == "footer":
                self.inside = False

        def handle_data(self, data: str) -> None:
            if self.inside:
                self.quotes[-1] += data

    seen = Seen()
    seen.feed(page)
    assert seen.quotes == EVIL


@pytest.mark.parametrize("kind", ["xlsx", "docx", "html"])
def test_the_same_report_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    paths = [tmp_path / f"{n}.{kind}" for n in (1, 2)]
    for path in paths:
        if kind == "xlsx":
            write_xlsx(_report(), path, made=MADE)
        elif kind == "docx":
            write_docx(_report(), path, made=MADE)
        else:
            path.write_text(as_html(_report()), "utf-8")
    assert paths[0].read_bytes() == paths[1].read_bytes()
