"""Workbooks of every format: cells as the file stores them, and a reason for every sheet left out."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pipelines.readers import Limits, ReadOptions, UnreadableFile, discover, read
from pipelines.readers.containers import sandbox
from pipelines.readers.containers.spreadsheet import read_spreadsheet
from pipelines.readers.types import Tally
from pipelines.types import Document, FileOutcome, FileReport
from tests.pipelines.readers.conftest import Cell, write_workbook
from tests.pipelines.readers.made_containers import (
    compound,
    ods,
    with_part,
    write,
    xls,
    xlsb,
    zipped,
)
from tests.pipelines.readers.pitfalls import workbook

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
BENCHES, CAFE, GATE = (
    "We would like more benches by the lake, please.",
    "The café is too dear for most families who live here.",
    "Please keep the gate at Mill Lane open in the evening.",
)
ROWS: list[list[str | float]] = [
    ["ID", "Comment"], [1.0, BENCHES], [2.0, CAFE], [3.0, GATE],
]  # fmt: skip

PACKAGE = zipped(  # as LibreOffice 24 encrypts all of it at once
    {
        "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
        "META-INF/manifest.xml": b"<manifest><file-entry><encryption-data/></file-entry></manifest>",
        "encrypted-package": b"sealed",
    }
)


def got(path: Path, **limits: float) -> tuple[list[Document], FileReport]:
    (file,) = discover([path]).files
    with read(file, ReadOptions(limits=Limits(**limits))) as reading:  # type: ignore[arg-type]
        return list(reading), reading.report


def sheet_xml(path: Path, body: str, prolog: str = "") -> Path:
    """Write a workbook whose one sheet has the rows ``body``, in XML."""
    write_workbook(path, {"S": [["x"]]})
    xml = f'{prolog}<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
    return write(path, with_part(path.read_bytes(), "xl/worksheets/s1.xml", xml.encode()))


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def answers(*more: str) -> str:
    """Rows with an answer each in column B, the header in row 1; ``more`` cells in the last."""
    cells = [f'<row r="1">{text_cell("A1", "ID")}{text_cell("B1", "Comment")}</row>']
    for row, text in enumerate((BENCHES, CAFE, GATE), 2):
        rest = "".join(more) if row == 4 else ""
        cells.append(
            f'<row r="{row}"><c r="A{row}"><v>{row}</v></c>{text_cell(f"B{row}", text)}{rest}</row>'
        )
    return "".join(cells)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xls", xls({"Answers": ROWS})),
        ("a.xlsb", xlsb("Answers", ROWS)),
        ("a.ods", ods({"Answers": ROWS})),
    ],
)
def test_each_format_gives_texts_and_metadata(tmp_path: Path, name: str, data: bytes) -> None:
    documents, report = got(write(tmp_path / name, data))
    assert [document.text for document in documents] == [BENCHES, CAFE, GATE]
    assert report.kind == name.partition(".")[2]
    assert documents[1].locator.startswith("sheet “Answers”, row 3")
    assert report.tables[0].sheet == "Answers"


def test_a_workbook_under_the_name_of_another_format_is_read(tmp_path: Path) -> None:
    documents, report = got(write(tmp_path / "a.xlsx", xls({"Answers": ROWS})))
    assert len(documents) == 3
    assert report.kind == "xls"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xlsx", compound({"EncryptedPackage": bytes(5000), "EncryptionInfo": bytes(99)})),
        ("a.xls", xls({"Answers": ROWS}, password=True)),
        ("a.ods", ods({"Answers": ROWS}, password=True)),
        ("b.ods", PACKAGE),
    ],
)
def test_a_password_is_named(tmp_path: Path, name: str, data: bytes) -> None:
    _, report = got(write(tmp_path / name, data))
    assert report.outcome is FileOutcome.FAILED
    assert report.reason.startswith("password-protected")


def test_cells_are_what_the_file_stores(tmp_path: Path) -> None:
    cells = (
        '<c r="C4"><v>0.25</v></c><c r="D4" t="b"><v>1</v></c><c r="E4" t="e"><v>#N/A</v></c>'
        '<c r="F4"><v>1234567890123</v></c><c r="G4" t="str"><f>A1</f><v>shown</v></c>'
        '<c r="H4"><v>-0.1</v></c>'
    )
    documents, _ = got(sheet_xml(tmp_path / "a.xlsx", answers(cells)))
    values = [
        v for k, v in documents[2].metadata.items() if k not in ("ID", "sheet", "folder", "file")
    ]
    assert values == ["0.25", "TRUE", "#N/A", "1234567890123", "shown", "-0.1"]
    assert documents[2].metadata["ID"] == "4"


def test_dates_are_iso(tmp_path: Path) -> None:
    rows: list[list[workbook.Cell]] = [["Sent", "Comment"]]
    rows += [[workbook.Dated(45300.375 + i), text] for i, text in enumerate((BENCHES, CAFE, GATE))]
    documents, _ = got(workbook.write(tmp_path / "a.xlsx", {"S": rows}))
    assert documents[0].metadata["Sent"] == "2024-01-09 09:00:00"


def test_a_text_cell_is_kept_to_the_character(tmp_path: Path) -> None:
    texts = ["  leading, and a line\nbreak ", "<b>bold</b> &amp; “quoted”", "long " * 6553 + "ab"]
    rows: list[list[Cell]] = [["ID", "Comment"]]
    rows += [[i, text] for i, text in enumerate(texts, 1)]
    write_workbook(tmp_path / "a.xlsx", {"S": rows})
    documents, _ = got(tmp_path / "a.xlsx")
    assert [document.text for document in documents] == texts
    assert len(texts[2]) == 32_767


def test_the_escapes_of_the_format_come_decoded(tmp_path: Path) -> None:
    body = answers().replace("dear for", "dear_x000D_\nfor")
    documents, _ = got(sheet_xml(tmp_path / "a.xlsx", body))
    assert "dear\r\nfor" in documents[1].text


def test_a_hidden_sheet_is_read_and_named(tmp_path: Path) -> None:
    rows: list[list[workbook.Cell]] = [["ID", "Comment"], ["1", BENCHES], ["2", CAFE], ["3", GATE]]
    path = workbook.write(tmp_path / "a.xlsx", {"S": workbook.Sheet(rows, hidden=True)})
    documents, report = got(path)
    assert len(documents) == 3
    assert "sheet “S”: it is hidden, and read all the same" in report.warnings


def test_a_sheet_only_a_program_can_show_is_left_out(tmp_path: Path) -> None:
    rows: list[list[workbook.Cell]] = [["ID", "Comment"], ["1", BENCHES], ["2", CAFE], ["3", GATE]]
    path = workbook.write(
        tmp_path / "a.xlsx", {"S": rows, "Lists": workbook.Sheet(rows, hidden=True)}
    )
    with zipfile.ZipFile(path) as archive:
        part = archive.read("xl/workbook.xml").replace(b'"hidden"', b'"veryHidden"')
    write(path, with_part(path.read_bytes(), "xl/workbook.xml", part))
    documents, report = got(path)
    assert {document.metadata["sheet"] for document in documents} == {"S"}
    assert {table.sheet: table.reason for table in report.tables}["Lists"].startswith(
        "a helper sheet"
    )


def test_formulas_without_a_stored_value_are_named(tmp_path: Path) -> None:
    path = sheet_xml(tmp_path / "a.xlsx", answers('<c r="C4"><f>LEN(B4)</f></c>'))
    _, report = got(path)
    assert any("1 of 1 formulas have no stored value" in warning for warning in report.warnings)


def test_formulas_that_are_all_zero_are_named(tmp_path: Path) -> None:
    cells = '<c r="C4"><f>LEN(B4)</f><v>0</v></c><c r="D4"><f>LEN(B4)</f><v>0</v></c>'
    _, report = got(sheet_xml(tmp_path / "a.xlsx", answers(cells)))
    assert any("all 2 formulas have the stored value 0" in warning for warning in report.warnings)


def test_a_stray_cell_in_the_last_corner_is_a_reason(tmp_path: Path) -> None:
    stray = f'<row r="1048576">{text_cell("XFD1048576", "x")}</row>'
    _, report = got(sheet_xml(tmp_path / "a.xlsx", answers() + stray))
    assert report.outcome is FileOutcome.FAILED
    assert "its last cell is XFD1048576, 17,179,869,184 cells" in report.reason
    assert "the limit is 50,000,000 (the setting sheet_cells)" in report.reason


def test_a_sheet_too_large_leaves_the_others(tmp_path: Path) -> None:
    path = sheet_xml(tmp_path / "a.xlsx", "")
    write_workbook(path, {"Stray": [["x"]], "Good": ROWS, "Large": [["x"] * 20] * 20})
    stray = f'<row r="1048576">{text_cell("XFD1048576", "x")}</row>'
    xml = f'<worksheet xmlns="{_MAIN}"><sheetData>{answers() + stray}</sheetData></worksheet>'
    write(path, with_part(path.read_bytes(), "xl/worksheets/s1.xml", xml.encode()))
    documents, report = got(path, cells=300)
    assert len(documents) == 3
    reasons = {table.sheet: table.reason for table in report.tables}
    assert reasons["Good"] == ""
    assert "XFD1048576" in reasons["Stray"]
    assert "its last cell is T20, 400 cells" in reasons["Large"]
    assert any("“Stray” left out" in warning for warning in report.warnings)


def test_a_million_empty_styled_rows_are_read(tmp_path: Path) -> None:
    empty = "".join(f'<row r="{i}" s="1"><c r="A{i}" s="1"/></row>' for i in range(5, 1_000_001))
    path = sheet_xml(tmp_path / "a.xlsx", answers() + empty)
    documents, _ = got(path)
    assert len(documents) == 3


def test_a_cell_at_the_foot_does_not_stop_the_answers(tmp_path: Path) -> None:
    foot = f'<row r="1000000">{text_cell("A1000000", "end")}</row>'
    documents, _ = got(sheet_xml(tmp_path / "a.xlsx", answers() + foot))
    assert [document.text for document in documents][:3] == [BENCHES, CAFE, GATE]


_BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>'


def test_entities_in_a_sheet_are_refused(tmp_path: Path) -> None:
    body = answers().replace("Please", "&b;")
    for prolog in (_BOMB, _BOMB.replace('"lol"', 'SYSTEM "file:///etc/passwd"')):
        _, report = got(sheet_xml(tmp_path / "a.xlsx", body, prolog))
        assert report.outcome is FileOutcome.FAILED
        assert "declares XML entities" in report.reason


def test_entities_in_an_ods_are_refused(tmp_path: Path) -> None:
    data = ods({"S": [*ROWS, [4.0, "&b;"]]}, prolog=_BOMB.partition("?>")[2])
    _, report = got(write(tmp_path / "a.ods", data))
    assert "declares XML entities" in report.reason


def test_a_large_first_sheet_is_read_whole_beside_others(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [["ID", "Comment"]]
    rows += [[i, f"Answer {i}: {BENCHES}"] for i in range(700)]
    write_workbook(tmp_path / "a.xlsx", {"One": rows, "Two": rows[:400], "Three": rows})
    (file,) = discover([tmp_path / "a.xlsx"]).files
    with read(file, ReadOptions(sample_rows=50)) as reading:
        documents = list(reading)
    texts = [document.text for document in documents]
    assert texts == [str(row[1]) for row in (*rows[1:], *rows[1:400], *rows[1:])]
    assert documents[-1].locator.startswith("sheet “Three”, row 701")


def test_a_reading_left_early_can_be_followed_by_another(tmp_path: Path) -> None:
    row: list[Cell] = [1, BENCHES]
    rows: list[list[Cell]] = [["ID", "Comment"], *[row] * 99]
    write_workbook(tmp_path / "a.xlsx", {"S": rows})
    (file,) = discover([tmp_path / "a.xlsx"]).files
    next(iter(read(file, ReadOptions(sample_rows=5))))
    assert len(list(read(file))) == 99


def test_a_broken_sheet_alone_fails_the_file(tmp_path: Path) -> None:
    path = sheet_xml(tmp_path / "a.xlsx", "<row r='1'><c r='A1'")
    _, report = got(path)
    assert report.outcome is FileOutcome.FAILED
    assert "sheet “S”: the sheet is broken" in report.reason


def test_30_000_rows_of_20_cells_come_through(tmp_path: Path) -> None:
    letters = "ABCDEFGHIJKLMNOPQRST"
    head = "".join(text_cell(f"{letter}1", f"Question {letter}") for letter in letters)
    rows = (
        f'<row r="{i}">{"".join(text_cell(f"{x}{i}", f"Answer {i}, {x}") for x in letters)}</row>'
        for i in range(2, 30_002)
    )
    path = sheet_xml(tmp_path / "a.xlsx", f'<row r="1">{head}</row>{"".join(rows)}')
    items = sandbox.run(
        "pipelines.readers.containers.sheet_cells:rows",
        str(path),
        0,
        0,
        50_000_000,
        limits=Limits(),
    )
    assert sum(len(cells) for _, cells in items) == 30_001 * 20


def test_other_zip_files_are_no_workbooks(tmp_path: Path) -> None:
    (file,) = discover([write(tmp_path / "a.xlsx", zipped({"content.txt": b"x"}))]).files
    with pytest.raises(UnreadableFile, match=r"no xl/workbook or content\.xml"):
        read_spreadsheet(file, ReadOptions(), Tally("xlsx"))
