"""Encodings: every text to the character, doubts in the open, binaries told apart."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text import blocks
from pipelines.readers.text.decode import Encoding, beginning, decoded, detect

ENGLISH = "The café costs £5 – “too much”, they said.\r\nWe’d rather walk.\n"
RUSSIAN = "Мы не согласны с предложением совета о закрытии парка и библиотеки.\n" * 3
CHINESE = "我们不同意关闭公园的建议。\n图书馆也很重要，请保留。\n" * 3
JAPANESE = "公園の閉鎖に反対します。図書館も必要です。\nご意見をお聞かせください。\n" * 3
ARABIC = "نحن لا نوافق على اقتراح إغلاق الحديقة\n" * 3
GREEK = "Δεν συμφωνούμε με την πρόταση του δήμου για το κλείσιμο του πάρκου.\n" * 3


def read(path: Path, content: bytes) -> tuple[str, Encoding]:
    path.write_bytes(content)
    encoding = detect(path)
    return "".join(decoded(path, encoding)), encoding


@pytest.mark.parametrize(
    "codec",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "cp1252"],
)  # fmt: skip
def test_english_is_decoded_to_the_character_without_a_doubt(tmp_path: Path, codec: str) -> None:
    text, encoding = read(tmp_path / "a.txt", ENGLISH.encode(codec))
    assert text == ENGLISH
    assert encoding.warning == ""


@pytest.mark.parametrize("text", [RUSSIAN, CHINESE, JAPANESE, ARABIC, GREEK])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_other_alphabets_in_wide_encodings_need_no_mark(
    tmp_path: Path, text: str, codec: str
) -> None:
    assert read(tmp_path / "a.txt", text.encode(codec))[0] == text


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (RUSSIAN, "iso8859_5"),
        (GREEK, "cp1253"),
        (GREEK, "iso8859_7"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (ARABIC, "cp1256"),
    ],
)
def test_other_alphabets_are_guessed_and_said_to_be(tmp_path: Path, text: str, codec: str) -> None:
    found, encoding = read(tmp_path / "a.txt", text.encode(codec))
    assert found == text
    assert "guessed" in encoding.warning


def test_the_marks_of_byte_order_are_no_part_of_the_text(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.csv", codecs.BOM_UTF8 + b"ID,Q")
    assert (text, encoding.name) == ("ID,Q", "utf-8 with a byte-order mark")


def test_stray_windows_bytes_in_utf8_keep_the_rest_whole(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.txt", "café €5 ".encode() + b"don\x92t \x81")
    assert text == "café €5 don’t \x81"
    assert encoding.warning == "2 bytes are not UTF-8 and read as Windows-1252"


def test_a_file_that_changes_its_encoding_half_way_is_read_in_both(tmp_path: Path) -> None:
    content = "résumé café\n".encode() + ("naïve piñata £5 café\n" * 5).encode("cp1252")
    assert read(tmp_path / "a.txt", content)[0] == "résumé café\n" + "naïve piñata £5 café\n" * 5


def test_characters_written_as_two_surrogates_are_one(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.txt", b"fine \xed\xa0\xbd\xed\xb8\x80 day")
    assert text == "fine \U0001f600 day"
    assert "CESU-8" in encoding.warning


def test_bytes_that_windows_1252_has_not_are_kept(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.txt", b"na\xefve caf\xe9 \x81 \xa35")
    assert text == "naïve café \x81 £5"
    assert "1 byte without a character" in encoding.warning


def test_a_few_nuls_are_kept_and_told(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.csv", b"ID,Q\n1,wo\0rds\n" + b"2,plain words\n" * 50)
    assert "wo\0rds" in text
    assert encoding.warning == "1 NUL character kept in the text"


@pytest.mark.parametrize(
    "content",
    [
        bytes(range(1, 32)) * 20,
        b"words " * 20_000 + bytes(70_000),
        b"words" + bytes(50),
        codecs.BOM_UTF16_LE + bytes(400),
        b"plain words " * 30 + ("wide words " * 60).encode("utf-16-le"),
    ],
)
def test_a_file_full_of_control_bytes_is_binary(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="binary data, not text"):
        read(tmp_path / "a.txt", content)


def test_a_cut_character_at_the_end_is_told_and_the_rest_kept(tmp_path: Path) -> None:
    text, encoding = read(tmp_path / "a.txt", ENGLISH.encode("utf-16") + b"x")
    assert text == ENGLISH + "\ufffd"
    assert encoding.warning.startswith("broken utf-16: truncated data")


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_byte_lost_inside_wide_text_spoils_only_its_place(tmp_path: Path, codec: str) -> None:
    content = bytearray((ENGLISH * 9).encode(codec))
    del content[301]
    content[601:601] = b"x"
    text, encoding = read(tmp_path / "a.txt", bytes(content))
    assert text.count("We’d rather walk") >= 7
    assert text.endswith(ENGLISH)
    assert encoding.warning.startswith("2 bytes that put")


def test_a_lone_surrogate_is_kept_as_it_is(tmp_path: Path) -> None:
    content = "one \ud83d two".encode("utf-16-le", "surrogatepass")
    assert read(tmp_path / "a.txt", codecs.BOM_UTF16_LE + content)[0] == "one \ud83d two"


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    assert read(tmp_path / "a.txt", b"")[0] == ""


def test_a_character_across_a_block_edge_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for content in (ENGLISH.encode(), ENGLISH.encode("utf-16"), ENGLISH.encode() + b"\x92"):
        expected = read(tmp_path / "a.txt", content)
        for size in (1, 2, 3, 5, 7):
            monkeypatch.setattr(blocks, "BLOCK", size)
            assert read(tmp_path / "a.txt", content) == expected
        monkeypatch.undo()


def test_the_beginning_is_as_long_as_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("é".encode() * 100)
    assert beginning(tmp_path / "a.txt", Encoding("utf-8", "utf-8"), 7) == "é" * 7
    assert beginning(tmp_path / "a.txt", Encoding("utf-8", "utf-8"), 700) == "é" * 100
