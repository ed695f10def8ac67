"""Zip files are held against the limits by their directory, and counted again while unpacked."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from pipelines.readers.containers import packages
from pipelines.readers.errors import UnreadableFile
from pipelines.readers.types import Limits
from tests.pipelines.readers.made_containers import encrypted, lying, overlapping, write, zipped

MB = 1 << 20


def refused(path: Path, **limits: int) -> str:
    with pytest.raises(UnreadableFile) as caught:
        packages.check(path, Limits(**limits))
    return caught.value.reason


def test_a_sound_package_gives_the_names_of_its_parts(tmp_path: Path) -> None:
    path = write(tmp_path / "a.docx", zipped({"word/document.xml": "<w/>", "folder/": b""}))
    assert packages.check(path, Limits()) == ("word/document.xml",)


def test_too_many_parts_are_refused_with_the_limit(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", zipped({f"{i}.txt": b"x" for i in range(12)}))
    assert refused(path, members=10) == (
        "it holds 12 files; the limit is 10 (the setting archive_members)"
    )


def test_a_directory_of_millions_is_refused_before_it_is_loaded(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", overlapping(20_000, 10))
    with pytest.raises(packages.TooMany, match="at least"):
        packages.check(path, Limits(members=1_000))


def test_more_unpacked_bytes_than_the_limit_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", zipped({"a.txt": b"0" * (3 * MB)}))
    assert refused(path, unpacked_mb=2).startswith("it unpacks to 3 MB; the limit is 2")


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", zipped({"a.txt": b"0" * (100 * MB)}))
    assert "times its size; the limit is 200 (the setting unpacked_ratio)" in refused(path)


def test_blank_pages_that_shrink_a_lot_are_no_bomb(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", zipped({"a.txt": b"0" * (10 * MB)}))
    assert packages.check(path, Limits()) == ("a.txt",)


def test_entries_that_share_bytes_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", overlapping(5, 1000))
    assert "share the same bytes" in refused(path)


@pytest.mark.parametrize("names", [("xl/workbook.xml", "XL/Workbook.xml"), ("a.xml", "/a.xml")])
def test_two_parts_of_one_name_are_refused(tmp_path: Path, names: tuple[str, str]) -> None:
    path = write(tmp_path / "a.xlsx", zipped(dict.fromkeys(names, b"<a/>")))
    assert "two parts of the same name" in refused(path)


def test_encrypted_parts_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.docx", encrypted(zipped({"word/document.xml": "<w/>"})))
    assert "password-protected" in refused(path)


_ENTITY = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'


@pytest.mark.parametrize(
    "content",
    [
        _ENTITY.encode(),
        ('<?xml version="1.0"?><!-- ' + "x" * 3000 + " -->" + _ENTITY).encode(),
        ('<?xml version="1.0" encoding="UTF-16"?>' + _ENTITY).encode("utf-16"),
        b'<!DOCTYPE x [<!ENTITY % p SYSTEM "http://example.org/x.dtd"> %p;]><x/>',
        b"<!DOCTYPE x [" + b" " * 70_000 + b'<!ENTITY a "b">]><x/>',
    ],
)
def test_parts_that_declare_entities_are_refused(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "a.docx", zipped({"word/document.xml": content}))
    assert "declares XML entities" in refused(path)


def test_a_document_type_without_entities_is_no_harm(tmp_path: Path) -> None:
    content = '<!DOCTYPE library PUBLIC "-//OpenOffice.org//DTD" "library.dtd"><library/>'
    path = write(tmp_path / "a.odt", zipped({"Basic/script-lc.xml": content}))
    assert packages.check(path, Limits()) == ("Basic/script-lc.xml",)


@pytest.mark.parametrize("cut", [10, 60, 200])
def test_a_zip_cut_short_is_a_reason(tmp_path: Path, cut: int) -> None:
    data = zipped({"a.xml": "<a/>", "b.xml": "<b/>"})
    path = write(tmp_path / "a.zip", data[:-cut])
    assert "damaged office file" in refused(path)


def test_unpacking_counts_for_itself(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(lying(5 * MB, 4 * MB))) as archive:
        (entry,) = archive.infolist()
        with pytest.raises(UnreadableFile, match="setting unpacked_mb"):
            packages.unpack(archive, entry, tmp_path / "out", MB)
    assert (tmp_path / "out").stat().st_size <= MB


@pytest.mark.parametrize(
    ("name", "path", "reason"),
    [
        ("letters/one.txt", "letters/one.txt", ""),
        ("letters\\one.txt", "letters/one.txt", ""),
        ("./letters//one.txt", "letters/one.txt", ""),
        ("a\nb\x07.txt", "a\\nb\\x07.txt", ""),
        ("../one.txt", "../one.txt", "leads out of the archive"),
        ("letters/../../one.txt", "letters/../../one.txt", "leads out of the archive"),
        ("..\\one.txt", "../one.txt", "leads out of the archive"),
        ("/etc/passwd", "/etc/passwd", "absolute path"),
        ("C:\\one.txt", "C:/one.txt", "absolute path"),
        ("\\\\server\\share", "//server/share", "absolute path"),
        ("one\0.txt", "one\\x00.txt", "NUL"),
        ("", "(no name)", "it has no name"),
        (f"{'x' * 2000}.txt", f"{'x' * 60}…", "characters"),
    ],
)
def test_names_that_lead_out_are_told(name: str, path: str, reason: str) -> None:
    found, why = packages.inner_path(name)
    assert found == path
    assert reason in why
    assert bool(reason) is bool(why)


def test_a_taken_name_gets_a_number_before_its_ending() -> None:
    taken: set[str] = set()
    names = ["a/x.csv", "a/X.csv", "a/x.csv", "a.b/x", "a.b/x"]
    assert [packages.distinct(name, taken) for name in names] == [
        "a/x.csv", "a/X~2.csv", "a/x~3.csv", "a.b/x", "a.b/x~2",
    ]  # fmt: skip


def test_a_name_in_utf_8_without_its_flag_is_read_as_it_was_meant() -> None:
    entry = zipfile.ZipInfo("café.txt".encode().decode("cp437"))
    assert packages.entry_name(entry) == "café.txt"
