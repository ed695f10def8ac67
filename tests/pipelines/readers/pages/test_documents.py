"""One document of a file whose parser runs apart: facts in, a document and a tally out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.pages.markup import read_markup
from pipelines.readers.pages.opendocument import read_opendocument
from pipelines.readers.pages.pdf import read_pdf
from pipelines.readers.pages.rtf import read_rtf
from pipelines.readers.pages.word import read_word
from pipelines.readers.registry import Reader
from pipelines.readers.types import Limits, ReadOptions, SourceFile, Tally
from tests.pipelines.readers.made_documents import (
    pdf_lines,
    word_p,
    write_docx,
    write_odt,
    write_pdf,
)


def source(path: Path) -> SourceFile:
    return SourceFile(path, path.parent, path.name, path.name, path.stat().st_size, 0)


def written(folder: Path) -> dict[str, Path]:
    write_docx(folder / "a.docx", word_p("Text."))
    write_odt(folder / "a.odt", "<text:p>Text.</text:p>")
    write_pdf(folder / "a.pdf", [pdf_lines(["Text."])])
    (folder / "a.html").write_bytes(b"<meta charset=utf-8><title>file</title><p>Text.")
    (folder / "a.rtf").write_bytes(rb"{\rtf1\ansi Text.}")
    return {path.suffix: path for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("suffix", "reader"),
    [
        (".docx", read_word),
        (".odt", read_opendocument),
        (".pdf", read_pdf),
        (".html", read_markup),
        (".rtf", read_rtf),
    ],
)
def test_a_file_is_one_document_read_apart(tmp_path: Path, suffix: str, reader: Reader) -> None:
    path = written(tmp_path)[suffix]
    (document,) = reader(source(path), ReadOptions(), Tally(suffix))
    assert (document.key, document.text) == (path.name, "Text.")
    assert document.metadata["file"] == path.name
    assert document.locator.startswith("the whole file")


def test_the_encoding_and_title_of_a_page_are_noted(tmp_path: Path) -> None:
    tally = Tally("html")
    (document,) = read_markup(source(written(tmp_path)[".html"]), ReadOptions(), tally)
    assert tally.encoding == "utf-8"
    assert document.metadata == {"title": "file", "file": "a.html", "folder": ""}


def test_a_parser_that_is_too_slow_costs_its_file_only(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<div>" * 150_000 + "deep")
    limits = Limits(seconds=1.0)
    with pytest.raises(UnreadableFile, match="1 second"):
        read_markup(source(tmp_path / "a.html"), ReadOptions(limits=limits), Tally("html"))


def test_an_old_or_protected_word_file_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99))
    with pytest.raises(UnreadableFile, match=r"save it as \.docx without a password"):
        read_word(source(tmp_path / "a.docx"), ReadOptions(), Tally("docx"))


def test_a_text_beyond_the_limit_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>The bus is late. " * 100_000)
    limits = Limits(field_mb=1)
    with pytest.raises(UnreadableFile, match=r"1 million characters \(the setting field_mb\)"):
        read_markup(source(tmp_path / "a.html"), ReadOptions(limits=limits), Tally("html"))
