"""Pitfalls 10 to 12 and 14 to 17: bytes, marks and markup; the text is stored to the character."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from pipelines.types import FileOutcome, Role
from tests.pipelines.readers.pitfalls.material import (
    LIBRARY,
    PARKING,
    VISITING,
    csv_text,
    cycle,
    got,
    numbered,
    write_csv,
)
from tests.pipelines.readers.pitfalls.workbook import write

CURLY = [
    "The permit costs £120 – that’s “daylight robbery”.",
    "My mother’s carer can’t park within half a mile…",
    "A café owner told me trade fell by ½ after the naïve scheme of 2019.",
    *PARKING[3:],
]
HEADER = ["ID", "Responding as", "Please tell us why"]
KINDS = cycle(["Resident", "Business", "Visitor"], 12)


def codec(name: str | None) -> str:
    return codecs.lookup(name or "").name


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pitfall_10_windows_1252_bytes(tmp_path: Path, end: str) -> None:
    rows = [HEADER, *numbered(KINDS, CURLY)]
    read = got(write_csv(tmp_path / "excel.csv", rows, encoding="cp1252", end=end))
    assert read.report.outcome == FileOutcome.READ
    assert read.texts == CURLY
    assert codec(read.report.encoding) == "cp1252"


def test_pitfall_10_one_curly_quote_late_in_a_long_file(tmp_path: Path) -> None:
    texts = [*PARKING * 400, "That’s the last word on it, and it cost us £40."]
    rows = [HEADER, *numbered(["Resident"] * len(texts), texts)]
    read = got(write_csv(tmp_path / "late.csv", rows, encoding="cp1252"))
    assert read.texts == texts


def test_pitfall_10_mac_roman_and_latin_1_keep_their_letters(tmp_path: Path) -> None:
    latin = ["Wäre the café déjà vu? The façade of the señorial hall is crumbling.", *LIBRARY[1:]]
    read = got(write_csv(tmp_path / "l.csv", [HEADER, *numbered(KINDS, latin)], "latin-1"))
    assert read.texts == latin
    mac = ["The council’s “offer” of £5 isn’t an offer at all – it’s an insult…", *CURLY[1:2]]
    mac += LIBRARY[2:]
    read = got(write_csv(tmp_path / "m.csv", [HEADER, *numbered(KINDS, mac)], "mac-roman"))
    assert read.texts == mac


def test_pitfall_11_a_byte_order_mark_on_the_first_header(tmp_path: Path) -> None:
    read = got(write_csv(tmp_path / "b.csv", [HEADER, *numbered(KINDS, CURLY)], "utf-8-sig"))
    assert read.table.columns[0].name == "ID"
    assert read.roles["ID"] == Role.IDENTIFIER
    assert read.texts == CURLY
    assert read.values("ID")[0] == "101"


def test_pitfall_11_a_mark_before_a_quoted_header(tmp_path: Path) -> None:
    text = csv_text([HEADER, *numbered(KINDS, CURLY)]).replace("ID,", '"ID",', 1)
    path = tmp_path / "quoted.csv"
    path.write_bytes(codecs.BOM_UTF8 + text.encode())
    assert [column.name for column in got(path).table.columns] == HEADER


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["unicode.csv", "unicode.tsv", "Unicode text.txt"])
def test_pitfall_12_utf_16_text_from_a_spreadsheet(
    tmp_path: Path, encoding: str, name: str
) -> None:
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}[encoding]
    text = csv_text([HEADER, *numbered(KINDS, CURLY)], delimiter="\t", end="\r\n")
    path = tmp_path / name
    path.write_bytes(mark + text.encode(encoding))
    read = got(path)
    assert read.texts == CURLY
    assert read.table.delimiter == "\t"
    assert [column.name for column in read.table.columns] == HEADER
    assert codec(read.report.encoding).startswith("utf-16")


def test_pitfall_14_already_garbled_text_is_kept_and_flagged(tmp_path: Path) -> None:
    garbled = [
        "The permit costs Â£120 â€“ thatâ€™s â€œdaylight robberyâ€\u009d.",
        "My motherâ€™s carer canâ€™t park within half a mileâ€¦",
    ]
    texts = [*garbled, CURLY[2], *PARKING[3:]]
    read = got(write_csv(tmp_path / "g.csv", [HEADER, *numbered(KINDS, texts)]))
    assert read.texts == texts
    flagged = [document.text for document in read.documents if "garbled" in document.flags]
    assert flagged == garbled
    assert read.report.flags["garbled"] == 2


def test_pitfall_15_x000d_left_by_spreadsheets(tmp_path: Path) -> None:
    left = [
        "Home visits matter._x000D_\nPlease keep them.",
        "No bus goes there._x000D_",
        "_x000D__x000D_Evenings would help both parents.",
        *VISITING[3:],
    ]
    read = got(write_csv(tmp_path / "x.csv", [HEADER, *numbered(KINDS, left)]))
    assert read.texts == left
    book = write(tmp_path / "x.xlsx", {"Data": [HEADER, *numbered(KINDS, left)]})
    # a workbook may hold the five letters or, after its own rules, the return that they stand for
    read = got(book)
    assert [text.replace("_x000D_", "\r") for text in read.texts] == [
        text.replace("_x000D_", "\r") for text in left
    ]


def test_pitfall_16_html_tags_and_entities_in_cells(tmp_path: Path) -> None:
    marked = [
        "<p>Keep the rhyme time &amp; the caf&eacute;.</p>",
        "Open <strong>before</strong> nine &ndash; please!<br/>Thank you",
        "Loans of more than 3 weeks, &lt;not&gt; less; a < b && b > c",
        "It&#8217;s the staff who make it.&nbsp;",
        *LIBRARY[4:],
    ]
    read = got(write_csv(tmp_path / "h.csv", [HEADER, *numbered(KINDS, marked)]))
    assert read.texts == marked
    read = got(write(tmp_path / "h.xlsx", {"Data": [HEADER, *numbered(KINDS, marked)]}))
    assert read.texts == marked


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pitfall_17_line_breaks_in_cells(tmp_path: Path, end: str) -> None:
    broken = [
        "First, the nurse was late.\nSecond, she was kind.\n\nThird, she came back.",
        "The clinic:\r\n- too far\r\n- too cold\r\n",
        "\nA line before, and one after.\n",
        'She said, "come back, and\nbring the red book".',
        *VISITING[4:],
    ]
    read = got(write_csv(tmp_path / "n.csv", [HEADER, *numbered(KINDS, broken)], end=end))
    assert read.texts == broken
    assert read.table.rows == 12
    assert read.values("ID") == [str(i) for i in range(101, 113)]
    assert "5" in read.documents[3].locator  # the row that a spreadsheet shows, not the line


def test_pitfall_17_cells_of_hundreds_of_lines(tmp_path: Path) -> None:
    talk = [
        "\n".join(
            f"[nurse] {a}\n[mother] {b} , yes , {i}" for a, b in zip(VISITING, LIBRARY, strict=True)
        )
        * 5
        for i in range(12)
    ]
    header = ["set", "visit_id", "dialogue", "note"]
    rows = [["clinic", f"V{i:03d}", talk[i], VISITING[i]] for i in range(12)]
    read = got(write_csv(tmp_path / "t.csv", [header, *rows]))
    assert [column.name for column in read.table.columns] == header
    assert [d.text for d in read.documents if d.question == "dialogue"] == talk
    assert [d.text for d in read.documents if d.question == "note"] == list(VISITING)


def test_pitfall_17_a_line_break_in_the_header(tmp_path: Path) -> None:
    header = ["ID", "Responding\nas", "What was missing from\r\nyour visits?"]
    read = got(write_csv(tmp_path / "n.csv", [header, *numbered(KINDS, VISITING)], end="\r\n"))
    assert read.table.header_rows == (1,)
    assert read.texts == list(VISITING)
    assert {document.question for document in read.documents} == {
        "What was missing from your visits?"
    }
