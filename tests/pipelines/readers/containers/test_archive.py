"""What is in an archive becomes members; what is not read has a reason."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipelines.readers import (
    Limits,
    ReadOptions,
    SourceFile,
    UnreadableFile,
    discover,
    read,
)
from pipelines.types import FileOutcome, FileReport
from tests.pipelines.readers.made_containers import encrypted, lying, overlapping, write, zipped

TABLE = b"ID,Comment\n1,We would like more benches by the lake\n2,The cafe is too dear for us\n"
MB = 1 << 20


def tarred(parts: Mapping[str, bytes], *extra: tarfile.TarInfo) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
        for entry in extra:
            archive.addfile(entry)
    return stream.getvalue()


class Found:
    """Everything in a file: the texts and reports by their path inside it."""

    def __init__(self, path: Path, **limits: int) -> None:
        self.texts: dict[str, list[str]] = {}
        self.reports: dict[str, FileReport] = {}
        self.root = str(path)
        self._options = ReadOptions(limits=Limits(**limits))
        (file,) = discover([path]).files
        self._take(file)

    def _take(self, file: SourceFile) -> None:
        with read(file, self._options) as reading:
            texts = [document.text for document in reading]
            self.reports[self._inner(reading.report.path)] = reading.report
            if texts:
                self.texts[self._inner(file.title)] = texts
            for report in reading.left_out:
                self.reports[self._inner(report.path)] = report
            for member in reading.members:
                self._take(member)

    def _inner(self, path: str) -> str:
        return path.removeprefix(self.root).removeprefix("!/")

    def reason(self, path: str = "") -> str:
        return self.reports[path].reason


def test_members_are_read_like_files(tmp_path: Path) -> None:
    data = zipped({"answers.csv": TABLE, "letters/one.txt": b"Dear council"})
    found = Found(write(tmp_path / "a.zip", data))
    assert found.texts["answers.csv"][0] == "We would like more benches by the lake"
    assert found.texts["letters/one.txt"] == ["Dear council"]
    assert found.reports[""].kind == "zip"
    assert found.reports[""].outcome is FileOutcome.READ


def test_a_member_has_a_key_and_a_title_of_its_place(tmp_path: Path) -> None:
    (file,) = discover([write(tmp_path / "a.zip", zipped({"letters/one.txt": b"Dear"}))]).files
    with read(file) as reading:
        assert list(reading) == []
        (member,) = reading.members
        assert member.name == "a.zip!/letters/one.txt"
        assert member.title == f"{tmp_path}/a.zip!/letters/one.txt"
        assert member.path.read_bytes() == b"Dear"
        (document,) = read(member)
        assert document.key == "a.zip!/letters/one.txt"
    assert not member.path.exists()


def test_archives_in_archives_are_read_to_the_depth_limit(tmp_path: Path) -> None:
    data = zipped({"one.txt": b"Dear council"})
    for _ in range(4):
        data = zipped({"in.zip": data})
    found = Found(write(tmp_path / "a.zip", data), depth=3)
    assert "archive_depth" in found.reason("in.zip!/in.zip!/in.zip")
    assert found.texts == {}
    assert Found(tmp_path / "a.zip", depth=4).reason("in.zip!/in.zip!/in.zip!/in.zip")
    assert list(Found(tmp_path / "a.zip", depth=5).texts.values()) == [["Dear council"]]


def test_names_that_lead_out_of_the_archive_are_left_out(tmp_path: Path) -> None:
    names = ["../../evil.txt", "/tmp/evil.txt", "C:\\evil.txt", "..\\evil.txt"]
    data = zipped({**dict.fromkeys(names, b"evil"), "good.txt": b"good"})
    found = Found(write(tmp_path / "a.zip", data))
    assert found.texts == {"good.txt": ["good"]}
    assert "leads out of the archive" in found.reason("../../evil.txt")
    assert "absolute path" in found.reason("C:/evil.txt")
    assert sum(r.outcome is FileOutcome.FAILED for r in found.reports.values()) == 4
    assert sorted(tmp_path.iterdir()) == [tmp_path / "a.zip"]


def test_by_products_and_hidden_files_are_left_out(tmp_path: Path) -> None:
    names = ["__MACOSX/._one.txt", ".DS_Store", "Thumbs.db", ".git/config", "a/~$x.docx"]
    found = Found(write(tmp_path / "a.zip", zipped(dict.fromkeys(names, b"x"))))
    assert all(found.reason(name) for name in names)
    assert found.texts == {}


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        entry = zipfile.ZipInfo("link.txt")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    found = Found(write(tmp_path / "a.zip", stream.getvalue()))
    assert "links in archives are not followed" in found.reason("link.txt")


def test_members_of_one_name_are_both_read(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("one.txt", "first")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("one.txt", "second")
    found = Found(write(tmp_path / "a.zip", stream.getvalue()))
    assert found.texts == {"one.txt": ["first"], "one~2.txt": ["second"]}


def test_a_name_with_a_line_break_stays_on_one_line(tmp_path: Path) -> None:
    found = Found(write(tmp_path / "a.zip", zipped({"one\nFAILED.txt": b"words"})))
    assert found.texts == {"one\\nFAILED.txt": ["words"]}


def test_a_damaged_member_leaves_the_others(tmp_path: Path) -> None:
    data = bytearray(zipped({"bad.txt": b"first words", "good.txt": b"good"}, zipfile.ZIP_STORED))
    data[data.find(b"first words")] ^= 1
    found = Found(write(tmp_path / "a.zip", bytes(data)))
    assert "damaged" in found.reason("bad.txt")
    assert found.texts == {"good.txt": ["good"]}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (zipped({}), "the archive is empty"),
        (encrypted(zipped({"one.txt": b"words"})), "password-protected"),
        (overlapping(5, 1000), "share the same bytes"),
        (zipped({"a.txt": b"0" * (100 * MB)}), "times its size"),
        (b"PK\x03\x04 and no more", "damaged zip file"),
    ],
)
def test_an_archive_that_cannot_be_read_says_why(tmp_path: Path, data: bytes, reason: str) -> None:
    assert reason in Found(write(tmp_path / "a.zip", data)).reason()


def test_an_entry_larger_than_it_claims_is_a_reason(tmp_path: Path) -> None:
    found = Found(write(tmp_path / "a.zip", lying(5 * MB, 1000)))
    assert "damaged" in found.reason("lie.txt")


def test_a_packed_table_is_read(tmp_path: Path) -> None:
    for suffix, pack in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)):
        found = Found(write(tmp_path / f"answers.csv{suffix}", pack(TABLE)))
        assert found.texts["answers.csv"][1] == "The cafe is too dear for us"


def test_a_packed_bomb_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv.gz", gzip.compress(b"0" * (100 * MB)))
    assert "times its size" in Found(path).reason()
    assert "unpacked_mb" in Found(path, unpacked_mb=10).reason()


@pytest.mark.parametrize("cut", [1, 9, 40])
def test_a_packed_file_cut_short_is_a_reason(tmp_path: Path, cut: int) -> None:
    found = Found(write(tmp_path / "a.csv.gz", gzip.compress(TABLE)[:-cut]))
    assert "damaged" in found.reason()


def test_a_tar_is_read_and_its_links_are_not(tmp_path: Path) -> None:
    link = tarfile.TarInfo("link.txt")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    device = tarfile.TarInfo("device")
    device.type = tarfile.CHRTYPE
    data = tarred({"answers.csv": TABLE, "../evil.txt": b"evil"}, link, device)
    for name, packed in (
        ("a.tar", data),
        ("a.tar.gz", gzip.compress(data)),
        ("a.tgz", gzip.compress(data)),
    ):
        found = Found(write(tmp_path / name, packed))
        place = "" if name == "a.tar" else "a.tar!/"
        assert list(found.texts) == [f"{place}answers.csv"]
        assert "not followed" in found.reason(f"{place}link.txt")
        assert "not followed" in found.reason(f"{place}device")
        assert "leads out" in found.reason(f"{place}../evil.txt")


def test_more_files_than_the_limit_fail_a_tar(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tar", tarred({f"{i}.txt": b"x" for i in range(12)}))
    (file,) = discover([path]).files
    with read(file, ReadOptions(limits=Limits(members=10))) as reading:
        with pytest.raises(Exception, match="archive_members"):
            list(reading)
        assert reading.members == ()


def test_other_archives_say_what_to_do(tmp_path: Path) -> None:
    for name, data in (("a.7z", b"7z\xbc\xaf\x27\x1c" + bytes(50)), ("a.rar", b"Rar!\x1a\x07\x01")):
        report = Found(write(tmp_path / name, data)).reports[""]
        assert report.outcome is FileOutcome.SKIPPED
        assert "unpack it, and give the folder instead" in report.reason


def test_archives_in_archives_share_one_allowance(tmp_path: Path) -> None:
    inner = zipped({"a.txt": b"The bus is late. " * (MB // 20)})
    outer = zipped({f"{i}.zip": inner for i in range(8)}, zipfile.ZIP_STORED)
    found = Found(write(tmp_path / "a.zip", outer), unpacked_mb=4)
    assert sorted(found.texts) == [f"{i}.zip!/a.txt" for i in range(4)]
    for i in range(4, 8):
        assert "the setting unpacked_mb" in found.reports[f"{i}.zip!/a.txt"].reason


def test_archives_in_archives_share_one_number_of_files(tmp_path: Path) -> None:
    inner = zipped({f"{i}.txt": b"The bus is late." for i in range(5)})
    outer = zipped({f"{i}.zip": inner for i in range(4)})
    with pytest.raises(UnreadableFile, match="with those around it, it holds more files"):
        Found(write(tmp_path / "a.zip", outer), members=10)


def test_an_archive_that_vanishes_is_a_reason_without_its_path(tmp_path: Path) -> None:
    (file,) = discover([write(tmp_path / "a.zip", zipped({"a.csv": TABLE}))]).files
    with read(file) as reading:
        file.path.unlink()
        with pytest.raises(UnreadableFile, match=r"^cannot be read to its end: No such file"):
            list(reading)
