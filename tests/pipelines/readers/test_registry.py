"""A file is read by what is in it, then by what it is called; nothing escapes as a traceback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pipelines.readers import SUFFIXES, UnreadableFile, discover, read, registry
from pipelines.readers.content import recognise
from pipelines.readers.errors import SkippedFile
from pipelines.readers.types import Limits, Reading, ReadOptions, SourceFile, Tally
from pipelines.types import Document, FileOutcome, FileReport
from tests.pipelines.readers.conftest import write_workbook
from tests.pipelines.readers.made_containers import compound, msg, ods, write, xls, xlsb, zipped

TABLE = b"ID,Comment\n1,We would like more benches by the lake\n2,The cafe is too dear for us\n"
MAIL = b"Received: by x\nFrom: a@post.example\nSubject: Park\n\nWe like the park.\n"


def opened(path: Path) -> Reading:
    (file,) = discover([path]).files
    return read(file)


def got(path: Path) -> tuple[list[str], FileReport]:
    with opened(path) as reading:
        return [document.text for document in reading], reading.report


def workbook(path: Path) -> bytes:
    write_workbook(path, {"S": [["ID", "Comment"], *[[i, "We like the park"] for i in (1, 2, 3)]]})
    return path.read_bytes()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "pdf"),
        (b"\n\n%PDF-1.4\n", "pdf"),
        (b"{\\rtf1 words}", "rtf"),
        (b"\xff\xd8\xff\xe0" + bytes(9), "picture"),
        (b"II*\0" + bytes(9), "picture"),
        (b"\x1f\x8b\x08" + bytes(9), "gzip"),
        (b"BZh9" + bytes(9), "bzip2"),
        (b"\xfd7zXZ\0" + bytes(9), "xz"),
        (zipped({"a.txt": b"x"}), "zip"),
        (zipped({"word/document.xml": b"<w/>"}), "docx"),
        (zipped({"xl/workbook.xml": b"<w/>"}), "xlsx"),
        (zipped({"mimetype": b"application/vnd.oasis.opendocument.text"}), "odt"),
        (ods({"S": [["a"]]}), "ods"),
        (xls({"S": [["a"]]}), "xls"),
        (xlsb("S", [["a"]]), "xlsb"),
        (msg(body="words"), "msg"),
        (b"<!DOCTYPE html><p>words", "html"),
        ("\ufeff<html><p>words".encode("utf-16"), "html"),
        (b'<?xml version="1.0"?>\n<!-- saved -->\n<html xmlns="x"><p>words</p></html>', "html"),
        (b"From a@post.example Tue Mar  4 09:00:00 2025\n" + MAIL, "mbox"),
        (MAIL, "eml"),
        (b"Dear council,\nPlease note: the gate is shut.\nYours: a reader\n", ""),
        (b"", ""),
        (bytes(600), ""),
    ],
)
def test_content_tells_the_kind(tmp_path: Path, data: bytes, kind: str) -> None:
    assert recognise(write(tmp_path / "file", data), Limits()).kind == kind


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (compound({"WordDocument": bytes(5000)}), "a Word 97–2003 document: save it as .docx"),
        (compound({"PowerPoint Document": bytes(5000)}), "save it as PDF"),
        (compound({"Contents": bytes(5000)}), "an OLE file of an unknown program"),
        (zipped({"ppt/presentation.xml": b"<p/>"}), "a PowerPoint presentation: save it as PDF"),
        (zipped({"mimetype": b"application/epub+zip"}), "an e-book"),
        (b"Rar!\x1a\x07\x00" + bytes(9), "a RAR archive: unpack it"),
        (b"PAR1" + bytes(90), "a Parquet table: export it as CSV"),
        (b"\0\0\0\x18ftypmp42" + bytes(9), "a video"),
        (
            b'<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>'
            b'<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
            "a workbook in the XML format of Excel 2003: save it as .xlsx",
        ),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "no reader for files"),
        (b"words", "no reader for files ending in .bin; read are .csv"),
    ],
)
def test_what_no_reader_takes_says_what_to_do(tmp_path: Path, data: bytes, reason: str) -> None:
    report = got(write(tmp_path / "a.bin", data))[1]
    assert report.outcome is FileOutcome.SKIPPED
    assert reason in report.reason


def test_an_encrypted_office_file_fails(tmp_path: Path) -> None:
    data = compound({"EncryptedPackage": bytes(5000)})
    for name in ("a.docx", "a.xlsx", "a.bin"):
        report = got(write(tmp_path / name, data))[1]
        assert report.outcome is FileOutcome.FAILED
        assert report.reason.startswith("password-protected")


def test_a_workbook_under_another_name_is_read_as_one(tmp_path: Path) -> None:
    data = workbook(tmp_path / "made.xlsx")
    for name in ("a.csv", "a.txt", "a.pdf"):
        texts, report = got(write(tmp_path / name, data))
        assert texts == ["We like the park"] * 3
        ending = Path(name).suffix
        warning = f"named {ending}, but it is an XLSX workbook: read as that"
        assert report.warnings[0] == warning
    assert got(write(tmp_path / "a.dat", data))[1].warnings[0].startswith("it is an XLSX workbook")


@pytest.mark.parametrize("name", ["a.xls", "a.xlsx", "a.ods"])
def test_a_text_table_under_the_name_of_a_workbook_is_read(tmp_path: Path, name: str) -> None:
    texts, report = got(write(tmp_path / name, TABLE))
    assert texts == ["We would like more benches by the lake", "The cafe is too dear for us"]
    assert (report.kind, len(report.warnings)) == ("csv", 1)


def test_a_page_under_the_name_of_a_workbook_is_its_table(tmp_path: Path) -> None:
    page = b"""<html><body><table><tr><td>Menu</table><table>
    <tr><th>ID<th>Comment
    <tr><td>1<td>We would like <b>more</b> benches &amp; bins
    <tr><td>2<td>The caf\xc3\xa9 is too dear for us</table>"""
    texts, report = got(write(tmp_path / "a.xls", page))
    assert texts == ["We would like more benches & bins", "The café is too dear for us"]
    assert "it is an HTML page" in report.warnings[0]


def test_a_page_without_a_table_under_the_name_of_a_workbook_is_skipped(tmp_path: Path) -> None:
    report = got(write(tmp_path / "a.xls", b"<html><p>Please log in"))[1]
    assert (report.outcome, "without a table" in report.reason) == (FileOutcome.SKIPPED, True)


def test_an_error_page_under_the_name_of_a_table_is_a_page(tmp_path: Path) -> None:
    texts, report = got(write(tmp_path / "a.csv", b"<!doctype html><p>Please log in</p>"))
    assert (texts[0].strip(), report.kind) == ("Please log in", "html")


def test_a_text_may_hold_a_page_or_a_mail(tmp_path: Path) -> None:
    for data in (b"<html><p>words</p></html>", MAIL):
        for name in ("a.txt", "a.md"):
            assert got(write(tmp_path / name, data))[0] == [data.decode()]


def test_text_under_the_name_of_a_document_is_text(tmp_path: Path) -> None:
    texts, report = got(write(tmp_path / "a.docx", b"Dear council"))
    assert (texts, report.kind) == (["Dear council"], "text")
    assert report.warnings == ("named .docx, but it is text: read as that",)


@pytest.mark.parametrize("name", [f"a{suffix}" for suffix in SUFFIXES])
def test_noise_under_every_ending_is_an_outcome(tmp_path: Path, name: str) -> None:
    noise = bytes((i * 7919 + i // 3) % 251 + 1 for i in range(3000))
    for data in (
        b"",
        b"\xff",
        bytes(1000),
        noise,
        b"PK\x03\x04" + noise,
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise,
    ):
        with opened(write(tmp_path / name, data)) as reading:
            with suppress(UnreadableFile):
                list(reading)
            report = reading.report
            assert report.outcome is FileOutcome.READ or report.reason
            assert "please report" not in report.reason


class _Faulty:
    """Readers that go wrong in ways nobody foresaw, put in the place of one."""

    @staticmethod
    def at_opening(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
        raise KeyError("secret words")

    @staticmethod
    def half_way(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
        def documents() -> Iterator[Document]:
            yield Document(key="a", text="words")
            raise IndexError("secret words")

        return documents()

    @staticmethod
    def late_skip(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
        def documents() -> Iterator[Document]:
            yield Document(key="a", text="words")
            raise SkippedFile("nothing more")

        return documents()


def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> Reading:
    monkeypatch.setitem(registry._READERS, "text", f"{__name__}:{name}")
    return opened(write(tmp_path / "a.txt", b"words"))


at_opening, half_way, late_skip = _Faulty.at_opening, _Faulty.half_way, _Faulty.late_skip


def test_an_unforeseen_error_at_opening_is_a_report(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    report = faulty(monkeypatch, tmp_path, "at_opening").report
    assert report.outcome is FileOutcome.FAILED
    assert report.reason.startswith("could not be read: KeyError in readers/test_registry.py:")
    assert "secret" not in report.reason


def test_an_unforeseen_error_half_way_is_an_unreadable_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reading = faulty(monkeypatch, tmp_path, "half_way")
    with pytest.raises(UnreadableFile, match="IndexError in") as caught:
        list(reading)
    assert "secret" not in str(caught.value)
    assert (reading.report.outcome, reading.report.documents) == (FileOutcome.FAILED, 0)


def test_a_reason_to_skip_that_comes_late_fails_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(UnreadableFile, match="nothing more"):
        list(faulty(monkeypatch, tmp_path, "late_skip"))


def test_no_format_library_is_imported_before_its_first_file(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", b"words")
    program = f"""
import sys
from pipelines.readers import discover, read
list(read(discover([{str(tmp_path / "a.txt")!r}]).files[0]))
heavy = ("python_calamine", "selectolax", "docx", "odfdo", "lxml", "pypdfium2", "oxmsg", "olefile",
         "striprtf", "tomlkit", "subprocess", "email.message", "tarfile")
print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_no_parser_of_a_format_runs_in_this_process(tmp_path: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from pipelines.readers import discover, read
for file in discover([{str(tmp_path)!r}]).files:
    list(read(file))
heavy = ("python_calamine", "selectolax", "docx", "odfdo", "pypdfium2", "oxmsg", "olefile", "striprtf")
print([name for name in heavy if name in sys.modules])
"""
    workbook(tmp_path / "a.xlsx")
    write(tmp_path / "a.msg", msg(body="words"))
    write(tmp_path / "a.html", b"<p>words")
    write(tmp_path / "a.eml", MAIL)
    write(tmp_path / "a.rtf", b"{\\rtf1 words}")
    done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.strip() == "[]"
