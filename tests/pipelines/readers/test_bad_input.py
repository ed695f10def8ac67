"""Text files, encodings, and what cannot be read: an outcome with a reason for each."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pipelines.readers import discover, read
from pipelines.readers.text.decode import detect
from pipelines.types import FileOutcome
from tests.pipelines.readers.conftest import ReadOne, write_workbook

TEXT = "The café costs £5 – “too much”, they said.\r\nWe’d rather walk.\n"


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_a_text_file_is_decoded_to_the_character(
    tmp_path: Path, read_one: ReadOne, codec: str
) -> None:
    (document,), report = read_one(put(tmp_path / "a.txt", TEXT.encode(codec)))
    assert document.text == TEXT
    assert report.warnings == ()


def test_latin_1_text_is_decoded(tmp_path: Path, read_one: ReadOne) -> None:
    text = "Café naïve £5 résumé"
    (document,), report = read_one(put(tmp_path / "a.txt", text.encode("latin-1")))
    assert document.text == text
    assert report.encoding == "windows-1252"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig"])
def test_a_table_is_decoded_in_every_encoding(
    tmp_path: Path, read_one: ReadOne, codec: str
) -> None:
    rows = [f"{i}\tThe café at “number {i}” costs £{i} too much" for i in range(5)]
    put(tmp_path / "a.csv", ("ID\tQ\r\n" + "\r\n".join(rows)).encode(codec))
    documents, _ = read_one(tmp_path / "a.csv")
    assert documents[3].text == "The café at “number 3” costs £3 too much"
    assert documents[3].metadata["ID"] == "3"


def test_stray_windows_bytes_in_utf8_keep_the_rest_whole(tmp_path: Path, read_one: ReadOne) -> None:
    content = "café naïve £5 “so” ".encode() * 3 + b"don\x92t"
    (document,), report = read_one(put(tmp_path / "a.txt", content))
    assert document.text == "café naïve £5 “so” " * 3 + "don’t"
    assert report.warnings == ("1 byte is not UTF-8 and read as Windows-1252",)


def test_another_alphabet_is_guessed(tmp_path: Path) -> None:
    text = "Мы не согласны с предложением совета о закрытии парка и библиотеки. " * 5
    assert detect(put(tmp_path / "a.txt", text.encode("cp1251"))).codec == "cp1251"


def test_an_empty_text_file_is_one_document_with_an_empty_text(
    tmp_path: Path, read_one: ReadOne
) -> None:
    (document,), report = read_one(put(tmp_path / "a.txt", b""))
    assert (document.text, report.outcome) == ("", FileOutcome.READ)


def test_a_markdown_file_is_one_document_keyed_by_its_name(
    tmp_path: Path, read_one: ReadOne
) -> None:
    (document,), report = read_one(put(tmp_path / "notes.md", b"# Heading\n\n* point\n"))
    assert (document.key, document.question, report.kind) == ("notes.md", None, "markdown")
    assert document.text == "# Heading\n\n* point\n"


def test_a_multi_byte_character_across_the_block_edge_is_whole(
    tmp_path: Path, read_one: ReadOne
) -> None:
    text = "x" * ((1 << 20) - 1) + "€ and more"
    (document,), _ = read_one(put(tmp_path / "a.txt", text.encode()))
    assert document.text == text


@pytest.mark.parametrize(
    ("name", "content", "outcome", "reason"),
    [
        ("a.pdf", b"%PDF-1.7 words", FileOutcome.FAILED, ""),
        ("a.doc", b"words", FileOutcome.SKIPPED, "a document of Word 97–2003, which is not read: save it as DOCX"),
        ("a.xyz", b"words", FileOutcome.SKIPPED, "no reader for files ending in .xyz"),
        ("LICENCE", b"words", FileOutcome.SKIPPED, "no reader for files without an ending"),
        ("a.csv", b"", FileOutcome.SKIPPED, "the file is empty"),
        ("a.xlsx", b"", FileOutcome.SKIPPED, "the file is empty"),
        ("b.xlsx", b"ID,Q\n1,We like the park\n2,We do not like it at all\n", FileOutcome.READ, ""),
        ("c.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), FileOutcome.FAILED, "the workbook is broken"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + bytes(9), FileOutcome.SKIPPED, "a picture"),
        ("a.sqlite", b"SQLite format 3\0" + bytes(9), FileOutcome.SKIPPED, "an SQLite database: export its tables as CSV"),
        ("c.txt", bytes(range(1, 32)) * 20, FileOutcome.FAILED, "binary data, not text"),
        ("e.txt", b"", FileOutcome.READ, ""),
    ],
)  # fmt: skip
def test_each_file_ends_with_an_outcome_and_a_reason(
    tmp_path: Path, read_one: ReadOne, name: str, content: bytes, outcome: FileOutcome, reason: str
) -> None:
    _, report = read_one(put(tmp_path / name, content))
    assert report.outcome is outcome
    assert reason in report.reason


def test_a_zip_named_xlsx_is_read_as_an_archive(tmp_path: Path, read_one: ReadOne) -> None:
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("letter.txt", "words")
    report = read_one(tmp_path / "a.xlsx")[1]
    assert (report.outcome, report.kind) == (FileOutcome.READ, "zip")
    assert report.warnings == ("named .xlsx, but it is a ZIP archive: read as that",)


def test_a_workbook_cut_short_fails(tmp_path: Path, read_one: ReadOne) -> None:
    write_workbook(tmp_path / "a.xlsx", {"S": [["Q"], ["some words to read here"]]})
    put(tmp_path / "a.xlsx", (tmp_path / "a.xlsx").read_bytes()[:-40])
    assert read_one(tmp_path / "a.xlsx")[1].outcome is FileOutcome.FAILED


def test_a_workbook_with_a_broken_sheet_fails(tmp_path: Path, read_one: ReadOne) -> None:
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook><sheets>")
    report = read_one(tmp_path / "a.xlsx")[1]
    assert report.outcome is FileOutcome.FAILED
    assert "broken" in report.reason


def test_a_file_that_vanished_fails_with_the_reason(tmp_path: Path) -> None:
    (file,) = discover([put(tmp_path / "a.txt", b"words")]).files
    file.path.unlink()
    report = read(file).report
    assert (report.outcome, report.reason) == (
        FileOutcome.FAILED,
        "cannot be opened: No such file or directory",
    )


def test_a_reading_can_be_iterated_once(tmp_path: Path) -> None:
    (file,) = discover([put(tmp_path / "a.txt", b"words")]).files
    reading = read(file)
    assert not reading.finished
    assert len(list(reading)) == 1
    assert list(reading) == []
    assert (reading.finished, reading.report.documents) == (True, 1)


def test_a_folder_of_bad_input_gives_every_file_its_outcome(tmp_path: Path) -> None:
    put(tmp_path / "empty.txt", b"")
    put(tmp_path / "utf16.txt", "The café – yes.".encode("utf-16"))
    put(tmp_path / "latin1.txt", "Café olé".encode("latin-1"))
    put(
        tmp_path / "ragged.csv",
        b"ID,Q\n1,We like the park a lot\n2,More benches by the lake,surplus\n3\n",
    )
    put(tmp_path / "paper.pdf", b"%PDF-1.7")
    with zipfile.ZipFile(tmp_path / "fake.xlsx", "w") as archive:
        archive.writestr("a.txt", "words")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    found = discover([tmp_path])
    documents = []
    outcomes = {Path(report.path).name: report.outcome for report in found.left_out}
    for file in found.files:
        reading = read(file)
        documents += list(reading)
        assert reading.finished
        outcomes[file.name] = reading.report.outcome
    assert outcomes == {
        "empty.txt": FileOutcome.READ,
        "utf16.txt": FileOutcome.READ,
        "latin1.txt": FileOutcome.READ,
        "ragged.csv": FileOutcome.READ,
        "paper.pdf": FileOutcome.FAILED,
        "fake.xlsx": FileOutcome.READ,
        "loop": FileOutcome.SKIPPED,
    }
    assert {d.text for d in documents} == {
        "", "The café – yes.", "Café olé", "We like the park a lot", "More benches by the lake",
    }  # fmt: skip


@pytest.mark.eval
def test_the_polis_files_give_the_counts_written_down_first(evaluation_data: Path) -> None:
    found = discover([evaluation_data / "consultation/polis_opendata"])
    rows = empty = 0
    skipped = set()
    folders = set()
    for file in found.files:
        reading = read(file)
        for document in reading:
            if document.question is not None:
                rows += 1
                empty += not document.text.strip()
                folders.add(document.metadata["folder"])
        if reading.report.outcome is FileOutcome.SKIPPED:
            assert "no free text" in reading.report.reason
            skipped.add(file.path.name)
    assert (rows, empty, len(folders)) == (5_121, 1, 14)
    assert skipped == {"participants-votes.csv"}
