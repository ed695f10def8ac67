"""Pictures and scans: off unless asked for, and read with tesseract where it is installed."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages import ocr, pdf
from pipelines.readers.types import Limits, ReadOptions, SourceFile, Tally
from pipelines.types import Flag
from tests.pipelines.readers.made_documents import pdf_lines, pdf_picture, write_pdf

LINES = [
    "The council should keep the library open because",
    "many people need it every day of the week.",
    "",
    "A second paragraph follows here.",
]
READ = (
    "The council should keep the library open because many people need it every day of the week.\n"
    "A second paragraph follows here."
)
needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="tesseract is not installed (Debian: tesseract-ocr)"
)


def source(path: Path) -> SourceFile:
    return SourceFile(path, path.parent, path.name, path.name, path.stat().st_size, 0)


def drawn(tmp_path: Path) -> tuple[bytes, int, int]:
    """Return the grey dots of a page with ``LINES``, and its width and height."""
    import pypdfium2

    path = write_pdf(tmp_path / "drawn.pdf", [pdf_lines(LINES)])
    header, _, rest = ocr.rendered(pypdfium2.PdfDocument(path)[0]).partition(b"255\n")
    _, width, height = header.split()[:3]
    return rest, int(width), int(height)


def tiff(pages: list[bytes], width: int, height: int) -> bytes:
    out = b""
    place = 8
    for i, dots in enumerate(pages):
        data = place + 2 + 12 * 8 + 4
        entries = [(256, width), (257, height), (258, 8), (259, 1), (262, 1), (273, data)]
        entries += [(278, height), (279, len(dots))]
        following = 0 if i == len(pages) - 1 else data + len(dots)
        out += struct.pack("<H", 8)
        out += b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
        out += struct.pack("<I", following) + dots
        place = data + len(dots)
    return b"II*\0" + struct.pack("<I", 8) + out


@pytest.fixture
def without_tesseract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_picture_is_skipped_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(SkippedFile, match=r"a picture; OCR.* is off: turn it on"):
        ocr.read_picture(source(tmp_path / "a.png"), ReadOptions(), Tally("picture"))


def test_a_missing_program_is_named_with_its_package(
    tmp_path: Path, without_tesseract: None
) -> None:
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(SkippedFile, match=r"tesseract is not installed.*tesseract-ocr"):
        ocr.read_picture(source(tmp_path / "a.png"), ReadOptions(ocr=True), Tally("picture"))


def test_a_scan_names_the_missing_program(tmp_path: Path, without_tesseract: None) -> None:
    path = write_pdf(tmp_path / "a.pdf", [pdf_picture()])
    with pytest.raises(SkippedFile, match="1 page of pictures; OCR is on, but the program tess"):
        list(pdf.extract(str(path), True, 10.0))


@needs_tesseract
def test_a_picture_is_read_in_the_sandbox(tmp_path: Path) -> None:
    dots, width, height = drawn(tmp_path)
    path = tmp_path / "a.tif"
    path.write_bytes(tiff([dots], width, height))
    tally = Tally("picture")
    (document,) = ocr.read_picture(source(path), ReadOptions(ocr=True), tally)
    assert document.text == READ
    assert document.flags == (Flag.OCR,)
    assert tally.warnings == [f"read by OCR with {ocr.version()}"]
    assert "tesseract" in ocr.version()


@needs_tesseract
def test_every_page_of_a_tiff_is_read(tmp_path: Path) -> None:
    dots, width, height = drawn(tmp_path)
    path = tmp_path / "a.tif"
    path.write_bytes(tiff([dots, dots], width, height))
    found = dict(ocr.extract(str(path), 60.0))
    assert found["text"] == f"{READ}\n\n{READ}"
    assert found["metadata"] == {"pages": "2"}


@needs_tesseract
def test_the_scanned_pages_of_a_pdf_are_read(tmp_path: Path) -> None:
    dots, width, height = drawn(tmp_path)
    pages = [pdf_picture(dots, width, height), pdf_lines(["A page with text."])]
    path = write_pdf(tmp_path / "a.pdf", pages)
    found = dict(pdf.extract(str(path), True, 60.0))
    assert found["text"] == f"{READ}\n\nA page with text."
    assert found["flag"] == Flag.OCR
    assert found["warning"] == f"page 1: read by OCR with {ocr.version()}"


@needs_tesseract
def test_what_is_no_picture_is_told(tmp_path: Path) -> None:
    (tmp_path / "-a.png").write_bytes(b"\x89PNG\r\n\x1a\n nothing")
    with pytest.raises(UnreadableFile, match="tesseract cannot read it"):
        list(ocr.extract(str(tmp_path / "-a.png"), 60.0))


@needs_tesseract
def test_a_page_has_a_time_limit(tmp_path: Path) -> None:
    dots, width, height = drawn(tmp_path)
    image = b"P5 %d %d 255\n" % (width, height) + dots
    with pytest.raises(UnreadableFile, match=r"OCR of one page took more than 0.001 seconds"):
        ocr.read_image(image, 0.001)


def test_ocr_gives_up_before_the_sandbox_does() -> None:
    assert ocr.page_seconds(Limits(seconds=100)) < 100


@pytest.mark.parametrize("link", [8, 9_999], ids=["circle", "nowhere"])
def test_the_pages_of_a_damaged_tiff_are_counted_to_an_end(tmp_path: Path, link: int) -> None:
    (tmp_path / "a.tif").write_bytes(b"II*\0" + struct.pack("<IHI", 8, 0, link))
    assert ocr.tiff_pages(tmp_path / "a.tif") == 1
