"""RTF: what a reader of the accepted document sees, in the encodings of its fonts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.rtf import extract

FONTS = (
    r"{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset2 Wingdings;}"
    r"{\f3\fcharset128 MS Mincho;}}"
)


def facts(path: Path, body: str, head: str = r"\rtf1\ansi\ansicpg1252\deff0") -> dict[str, object]:
    path.write_bytes(("{" + head + FONTS + body + "}").encode("latin-1"))
    found: dict[str, object] = {"warnings": []}
    for name, value in extract(str(path)):
        if name == "warning":
            found["warnings"] += [value]  # type: ignore[operator]
        else:
            found[name] = value
    return found


def text_of(tmp_path: Path, body: str) -> object:
    return facts(tmp_path / "a.rtf", body)["text"]


def test_paragraphs_tabs_and_signs_are_read(tmp_path: Path) -> None:
    body = r"\pard One\tab two\par Three\line four \emdash \lquote so\rquote  \{x\}\~y\_z\par"
    assert text_of(tmp_path, body) == "One\ttwo\nThree\nfour —‘so’ {x}\xa0y-z"


def test_line_breaks_of_the_file_are_no_text(tmp_path: Path) -> None:
    assert text_of(tmp_path, "\\pard Wor\r\nds and {\\b bo\nld}\\\nnext") == "Words and bold\nnext"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9 \'a35", "café £5"),
        (r"{\f1 \'cf\'f0\'e8}", "При"),
        (r"{\f3 \'93\'fa\'96{}\'7b}", "日�{"),
        (r"{\f3 \'93\'fa\'96\'7b}", "日本"),
        (r"{\f3 \'83A}", "ア"),
        (r"caf\u233?! \u8364\'80", "café! €"),
        (r"\uc0 caf\u233 !", "café!"),
        (r"\uc2 \u8211 --x", "–x"),
        (r"\u-10179?\u-8704?", "😀"),
        (r"\u-10179?x", "�x"),
        (r"{\f2 \'b7} point", "• point"),
        (r"{\upr{old}{\*\ud new}}", "new"),
    ],
)
def test_characters_come_from_the_code_page_the_font_or_unicode(
    tmp_path: Path, body: str, text: str
) -> None:
    assert text_of(tmp_path, body) == text


def test_links_show_their_text_and_not_their_target(tmp_path: Path) -> None:
    body = r'See {\field{\*\fldinst{HYPERLINK "http://x.org"}}{\fldrslt{\ul our page}}} now'
    assert text_of(tmp_path, body) == "See our page now"


def test_tables_have_tabs_and_rows(tmp_path: Path) -> None:
    body = (
        r"Before\par\trowd\pard\intbl Q1\cell Yes\cell\row\trowd\pard\intbl Views\cell"
        r"\pard\intbl One.\par Two.\cell\row\pard After"
    )
    assert text_of(tmp_path, body) == "Before\nQ1\tYes\nViews\nOne.\nTwo.\nAfter"


def test_a_table_in_a_cell_stays_in_it(tmp_path: Path) -> None:
    body = (
        r"\trowd\pard\intbl\itap2 a\nestcell b\nestcell{\*\nesttableprops\trowd\nestrow}"
        r"{\nonesttables\par}\pard\intbl\itap1 after\cell x\cell\row\pard End"
    )
    assert text_of(tmp_path, body) == "a\tb\nafter\nx\nEnd"


def test_notes_boxes_and_margins_are_read(tmp_path: Path) -> None:
    body = (
        r"{\header Acme\par}{\footer Acme\par Page 1}Body{\footnote \chftn A note.} goes on"
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv 9}}{\shptxt In the box.\par}}{\shprslt twice}}\par End."
    )
    found = facts(tmp_path / "a.rtf", body)
    assert found["text"] == "Body goes on\nIn the box.\n\nEnd.\nA note.\nAcme\nPage 1"
    assert found["warnings"] == ["headers and footers stand at the end: 2 lines"]


def test_deleted_hidden_and_commented_text_is_left_out(tmp_path: Path) -> None:
    body = (
        r"Kept {\deleted gone }{\v secret }{\revised added}{\*\atnid J}{\*\annotation Really?}"
        r"{\*\unknown no}{\listtext 1.\tab}."
    )
    found = facts(tmp_path / "a.rtf", body)
    assert found["text"] == "Kept added."
    assert found["warnings"] == [
        "deleted text left out: 5 characters",
        "hidden text left out: 7 characters",
        "1 comment left out",
    ]


def test_binary_pictures_are_passed_over(tmp_path: Path) -> None:
    assert text_of(tmp_path, "A{\\pict\\bin5 }}{{\\}B{\\pict 0a0b}C") == "ABC"


def test_the_title_and_day_of_the_file_are_metadata(tmp_path: Path) -> None:
    body = r"{\info{\title Parks {\b now}}{\author Jane}{\creatim\yr2024\mo5\dy1\hr9}}x"
    assert facts(tmp_path / "a.rtf", body)["metadata"] == {
        "title": "Parks now",
        "created": "2024-05-01",
    }


def test_a_file_cut_short_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1\ansi Some {\b text")
    found = list(extract(str(tmp_path / "a.rtf")))
    assert ("text", "Some text") in found
    assert ("warning", "the file ends inside a group: its end may be missing") in found


def test_a_file_without_text_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1{\pict 00}}")
    with pytest.raises(SkippedFile, match="1 picture in it"):
        list(extract(str(tmp_path / "a.rtf")))


def test_what_is_not_rtf_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_text("Dear Sir")
    with pytest.raises(UnreadableFile, match="not RTF"):
        list(extract(str(tmp_path / "a.rtf")))


def test_deep_groups_are_read(tmp_path: Path) -> None:
    assert text_of(tmp_path, "{" * 20_000 + "deep" + "}" * 20_000) == "deep"


def test_what_stands_after_the_end_is_told(tmp_path: Path) -> None:
    found = facts(tmp_path / "a.rtf", r"\pard One\par}{\rtf1 Two")
    assert found["text"] == "One"
    assert found["warnings"] == ["not read: 10 bytes after the end of the document"]
    assert facts(tmp_path / "b.rtf", "\\pard One}\r\n\0")["warnings"] == []
