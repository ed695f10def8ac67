"""Every quote of a report, read back from its file, is a piece of the stored text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.exports.reports import make_report
from app.exports.types import Asked
from app.report.blocks import Report
from app.report.docx import write_docx
from app.report.html import write_html
from app.report.xlsx import write_xlsx
from db.store import Store
from tests.app.exports.conftest import Ask, texts

_PLACE = re.compile(r"response (?P<key>.+), characters (?P<start>\d+) to (?P<end>\d+)$")
Found = tuple[str, str, int, int]
"""Quote, document, start, end."""

CASES = (
    ("consultation", ""),
    ("consultation", "matters"),
    ("clinical", "matters"),
    ("historical", ""),
)


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(case) or "-")
def made(
    request: pytest.FixtureRequest, ask: Ask, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Asked, Report]:
    """Return a request for the report of a sample, and the report."""
    name, book = request.param
    asked = ask(name, tmp_path_factory.mktemp("report") / "report", book=book)
    return asked, make_report(asked)


def test_quotes_of_every_format_stand_in_the_text(
    made: tuple[Asked, Report], store: Store, tmp_path: Path
) -> None:
    asked, report = made
    stored = texts(store, asked.collection.name)
    write_docx(report, tmp_path / "r.docx", made=asked.made)
    write_xlsx(report, tmp_path / "r.xlsx", made=asked.made)
    write_html(report, tmp_path / "r.html")
    read = {
        "docx": list(_docx(tmp_path / "r.docx")),
        "xlsx": list(_sheet(tmp_path / "r.xlsx", "Quotes", ("quote", "response", "start", "end"))),
        "html": list(_html(tmp_path / "r.html")),
    }
    wanted = [(q.text, q.source, q.start, q.end) for q in report.quotes()]
    assert wanted
    for kind, found in read.items():
        assert len(found) == len(wanted), kind
        for text, key, start, end in found:
            assert _lines(stored[key][start:end]) == _lines(text), (kind, key)
    for text, key, start, end in wanted:
        assert stored[key][start:end] == text


def test_the_audit_sheet_quotes_the_text(
    made: tuple[Asked, Report], store: Store, tmp_path: Path
) -> None:
    asked, report = made
    if asked.book is None:
        assert "Audit" not in {table.name for table in report.tables()}
        return
    write_xlsx(report, tmp_path / "r.xlsx", made=asked.made)
    names = ("statement", "response", "start", "end")
    rows = list(_sheet(tmp_path / "r.xlsx", "Audit", names))
    stored = texts(store, asked.collection.name)
    assert rows
    for text, key, start, end in rows:
        assert _lines(stored[key][start:end]) == _lines(text)


def test_the_same_database_gives_the_same_bytes(made: tuple[Asked, Report], tmp_path: Path) -> None:
    asked, report = made
    for write, name in ((write_docx, "r.docx"), (write_xlsx, "r.xlsx")):
        for place in ("one", "two"):
            (tmp_path / place).mkdir(exist_ok=True)
            write(report, tmp_path / place / name, made=asked.made)
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def _lines(text: str) -> str:
    """Return the text with one kind of line end: files of these kinds know only one."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _docx(path: Path) -> Iterator[Found]:
    import docx

    quote = ""
    for paragraph in docx.Document(str(path)).paragraphs:
        style = str(paragraph.style.name if paragraph.style else "")
        if style == "Intense Quote":
            quote = paragraph.text
        elif style == "Caption" and quote:
            yield _placed(quote, paragraph.text)
            quote = ""


def _sheet(path: Path, name: str, wanted: tuple[str, str, str, str]) -> Iterator[Found]:
    import python_calamine

    rows = python_calamine.CalamineWorkbook.from_path(str(path)).get_sheet_by_name(name).to_python()
    head = next(at for at, row in enumerate(rows) if wanted[0] in row)
    places = [rows[head].index(each) for each in wanted]
    for row in rows[head + 1 :]:
        text, key, start, end = (row[place] for place in places)
        if key:
            yield str(text), str(key), int(float(str(start))), int(float(str(end)))


class _Quotes(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "blockquote":
            self.found.append(("", ""))
        if tag in ("p", "footer"):
            self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "footer", "blockquote"):
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.found and self.inside:
            words, place = self.found[-1]
            if self.inside == "p" and not place:
                self.found[-1] = (words + data, place)
            elif self.inside == "footer":
                self.found[-1] = (words, place + data)


def _html(path: Path) -> Iterator[Found]:
    page = _Quotes()
    page.feed(path.read_text("utf-8"))
    for quote, place in page.found:
        yield _placed(quote, place)


def _placed(quote: str, place: str) -> Found:
    found = _PLACE.search(place)
    assert found, place
    return quote, found["key"], int(found["start"]), int(found["end"])
