"""PDF: paragraphs put together from lines, pages that can be found again, scans that say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.pdf import extract
from pipelines.segment import segment
from pipelines.types import Flag
from tests.pipelines.readers.made_documents import pdf_lines, pdf_picture, pdf_text, write_pdf

LETTER = [
    "The council gave infor-",
    "mation about the long-",
    "term plan. It costs £5 – “so” and well-known",
    "things will follow in the year to come, which we",
    "think is not information.",
    "",
    "A second paragraph begins after a gap, and it is",
    "wrapped as well.",
]


def facts(path: Path) -> tuple[str, dict[str, str], list[str], list[str]]:
    found = list(extract(str(path), False, 10.0))
    text = "".join(value for name, value in found if name == "text")
    metadata = next(value for name, value in found if name == "metadata")
    warnings = [value for name, value in found if name == "warning"]
    return text, metadata, warnings, [value for name, value in found if name == "flag"]


def text_of(tmp_path: Path, *pages: bytes) -> str:
    return facts(write_pdf(tmp_path / "a.pdf", pages))[0]


def test_wrapped_and_hyphenated_lines_become_paragraphs(tmp_path: Path) -> None:
    assert text_of(tmp_path, pdf_lines(LETTER)) == (
        "The council gave information about the long-term plan. It costs £5 – “so” and well-known "
        "things will follow in the year to come, which we think is not information.\n"
        "A second paragraph begins after a gap, and it is wrapped as well."
    )


def test_no_character_but_space_and_typesetters_hyphens_is_lost(tmp_path: Path) -> None:
    def inked(text: str) -> str:
        return "".join(text.split()).replace("-", "")

    assert inked(text_of(tmp_path, pdf_lines(LETTER))) == inked("".join(LETTER))


@pytest.mark.parametrize(("size", "font"), [(16, "F1"), (12, "F2")], ids=["larger", "bold"])
def test_a_heading_is_a_sentence_of_its_own(tmp_path: Path, size: float, font: str) -> None:
    page = pdf_text(72, 740, "Our response", size, font) + pdf_lines(
        ["We disagree with all that is proposed here for the park,", "and with more."], 726
    )
    text = text_of(tmp_path, page)
    sentences = [text[piece.start : piece.end] for piece in segment(text)]
    assert sentences == [
        "Our response",
        "We disagree with all that is proposed here for the park, and with more.",
    ]


def test_lines_that_were_ended_on_purpose_stay_lines(tmp_path: Path) -> None:
    lines = ["Jane Smith", "12 High Street", "", "I write to you about the closure of the library."]
    assert text_of(tmp_path, pdf_lines(lines)) == (
        "Jane Smith\n12 High Street\nI write to you about the closure of the library."
    )


def test_list_points_stay_lines(tmp_path: Path) -> None:
    lines = [
        "We ask for three things that are all of them important:",
        "• Open the library on Saturdays and on Sundays for all",
        "people.",
        "• Mend the roof.",
        "1. First of all publish the whole of the assessment that",
        "2. was kept.",
    ]
    assert text_of(tmp_path, pdf_lines(lines)).split("\n") == [
        lines[0],
        f"{lines[1]} {lines[2]}",
        lines[3],
        *lines[4:],
    ]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = ["We welcome the chance to", "respond to what was", "proposed here."]
    right = ["Our members have told us", "that they are against it", "and why."]
    wide = "A line over the whole width of the page stands above the two columns of text."
    page = pdf_lines([wide], 734)
    for x, column in ((72, left), (300, right)):
        for i, line in enumerate(column):
            page += pdf_text(x, 700 - 14 * i, line)
    assert text_of(tmp_path, page) == f"{wide}\n{' '.join(left)}\n{' '.join(right)}"


def test_cells_that_stand_apart_have_tabs(tmp_path: Path) -> None:
    page = b"".join(
        pdf_text(x, y, word)
        for y, row in ((700, ("Question", "Answer")), (686, ("Q1", "No")))
        for x, word in zip((72, 250), row, strict=True)
    )
    assert text_of(tmp_path, page) == "Question\tAnswer\nQ1\tNo"


def test_text_that_is_turned_is_put_together_too(tmp_path: Path) -> None:
    lines = ["A page of text that lies on its side, whose lines", "go on here."]
    turned = b"q 0 1 -1 0 612 0 cm " + pdf_lines(lines, 560) + b" Q"
    assert text_of(tmp_path, turned) == " ".join(lines)


def test_the_page_of_a_sentence_can_be_found(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [pdf_lines(["One."]), b"", pdf_lines(["Three."])])
    text, metadata, _, _ = facts(path)
    assert metadata["pages"] == "3"
    starts = [int(start) for start in metadata["page_starts"].split()]
    assert [text[start:].split("\n")[0] for start in (starts[0], starts[2])] == ["One.", "Three."]
    assert "One.\n\n" in text


def test_what_was_filled_into_a_form_stands_in_its_place(tmp_path: Path) -> None:
    field = (
        b"<</Type/Annot/Subtype/Widget/FT/Tx/T(q1)/V(My answer)/Rect[72 600 400 620]"
        b"/DA(/Helv 12 Tf 0 g)/F 4>>"
    )
    page = pdf_text(72, 630, "What do you think?") + pdf_text(72, 500, "Thank you.")
    path = write_pdf(
        tmp_path / "a.pdf",
        [page],
        [field],
        catalog="/AcroForm<</Fields[6 0 R]/NeedAppearances true/DA(/Helv 12 Tf 0 g)/DR 5 0 R>>",
        page="/Annots[6 0 R]",
    )
    assert facts(path)[0] == "What do you think?\nMy answer\nThank you."


def test_a_scan_without_text_says_so(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [pdf_picture(), pdf_picture()])
    with pytest.raises(
        SkippedFile, match=r"a scan without text: 2 pages of pictures; OCR.* is off"
    ):
        facts(path)


def test_a_scan_with_only_a_stamp_is_named(tmp_path: Path) -> None:
    pages = [pdf_picture() + pdf_text(500, 20, "A-17"), pdf_lines(["Text."])]
    text, _, warnings, _ = facts(write_pdf(tmp_path / "a.pdf", pages))
    assert text == "A-17\n\nText."
    assert len(warnings) == 1
    assert warnings[0].startswith("page 1: pictures without text; OCR")


def test_a_text_layer_made_by_ocr_is_flagged(tmp_path: Path) -> None:
    page = pdf_picture() + b"3 Tr " + pdf_lines(LETTER)
    _, _, warnings, flags = facts(write_pdf(tmp_path / "a.pdf", [page]))
    assert flags == [Flag.OCR]
    assert warnings == ["page 1: text that another program read from a picture by OCR"]


def test_characters_without_a_meaning_are_counted(tmp_path: Path) -> None:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Odd/Encoding<</Differences[65/g1/g2/g3]>>>>"
    page = pdf_lines(["Some text."]) + b"BT /F9 12 Tf 72 500 Td (ABC) Tj ET"
    path = write_pdf(
        tmp_path / "a.pdf", [page], [font], page="/Resources<</Font<</F1 3 0 R/F9 6 0 R>>>>"
    )
    text, _, _, _ = facts(path)
    assert text.startswith("Some text.")
    assert "\0" not in text


def test_title_and_day_of_the_file_are_metadata(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf",
        [pdf_lines(["x"])],
        [b"<</Title(Parks)/Author(Jane)/CreationDate(D:20240501120000Z)>>"],
        trailer="/Info 6 0 R",
    )
    metadata = facts(path)[1]
    assert metadata == {"title": "Parks", "created": "2024-05-01", "pages": "1", "page_starts": "0"}


def test_a_protected_file_says_what_to_do(tmp_path: Path) -> None:
    key = "<" + "41" * 32 + ">"
    path = write_pdf(
        tmp_path / "a.pdf",
        [pdf_lines(["secret"])],
        trailer=f"/Encrypt<</Filter/Standard/V 1/R 2/O{key}/U{key}/P -4>>/ID[<00><00>]",
    )
    with pytest.raises(UnreadableFile, match=r"protected by a password; save it without one"):
        facts(path)


@pytest.mark.parametrize(
    "content", [b"%PDF-1.4 nothing more", b"%PDF-", b"%PDF-1.7\n" + b"\0" * 999]
)
def test_a_broken_file_says_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(UnreadableFile, match="a broken PDF"):
        facts(tmp_path / "a.pdf")


def test_blank_pages_are_no_scan(tmp_path: Path) -> None:
    with pytest.raises(SkippedFile, match="no text and no pictures in it: 2 blank pages"):
        facts(write_pdf(tmp_path / "a.pdf", [b"", b""]))


def test_attached_files_are_told(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "a.pdf",
        [pdf_lines(["See the file."])],
        [
            b"<</Names[(a.txt)<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 7 0 R>>>>]>>",
            b"<</Type/EmbeddedFile/Length 2>>stream\nhi\nendstream",
        ],
        catalog="/Names<</EmbeddedFiles 6 0 R>>",
    )
    assert facts(path)[2] == ["not read: 1 attached file"]


def test_more_pages_than_anybody_reads_are_refused(tmp_path: Path) -> None:
    kids = b" ".join([b"3 0 R"] * 50_001)
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 50001/Kids[" + kids + b"]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>",
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % one for one in enumerate(objects, start=1))
    path = tmp_path / "many.pdf"
    path.write_bytes(b"%PDF-1.4\n" + body + b"trailer\n<</Size 4/Root 1 0 R>>\n%%EOF\n")
    with pytest.raises(UnreadableFile, match=r"50,001 pages; the most that are read are 50,000"):
        list(extract(str(path), False, 1))
