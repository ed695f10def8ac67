"""Text files: one document each, unless they are a table in disguise."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.plain import is_table, read_plain
from pipelines.readers.types import Limits, ReadOptions
from tests.pipelines.readers.sources import read_with


def test_a_text_file_is_one_document_to_the_character(tmp_path: Path) -> None:
    text = "  The café – yes.\r\nTwo\rthree\n\x0c\u2028end"
    (tmp_path / "a.txt").write_bytes(text.encode())
    (document,), tally = read_with(read_plain, tmp_path / "a.txt")
    assert (document.key, document.text, document.question) == ("a.txt", text, None)
    assert tally.encoding == "utf-8"


def test_excels_unicode_text_is_read_as_the_table_it_is(tmp_path: Path) -> None:
    rows = [f"{i}\tThe café at number {i} costs £{i} too much" for i in range(5)]
    (tmp_path / "a.txt").write_bytes(("ID\tWhy?\r\n" + "\r\n".join(rows)).encode("utf-16"))
    documents, tally = read_with(read_plain, tmp_path / "a.txt")
    assert documents[3].text == "The café at number 3 costs £3 too much"
    assert (tally.encoding, tally.kind) == ("utf-16", "csv")


def test_tabs_inside_prose_make_no_table() -> None:
    assert not is_table("Dear Sir,\n\tI write to you\tabout the park.\nYours\tA\n")
    assert not is_table("Name:\tA Person\nWe like the park.\nAnd the lake.\nVery much.\n")


def test_a_text_over_the_limit_fails_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"words " * 400_000)
    with pytest.raises(UnreadableFile, match="more than the limit of 1 MB"):
        read_with(read_plain, tmp_path / "a.txt", ReadOptions(limits=Limits(field_mb=1)))


def test_a_doubt_about_the_encoding_is_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("It isn’t “free”, it’s £5".encode("mac_roman"))
    (document,), tally = read_with(read_plain, tmp_path / "a.txt")
    assert document.text == "It isn’t “free”, it’s £5"
    assert "mac roman" in tally.warnings[0]
