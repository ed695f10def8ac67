"""Lines of a text file in bounded memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers.text import blocks
from pipelines.readers.text.decode import Encoding
from pipelines.readers.text.lines import LongLine, line_batches

UTF8 = Encoding("utf-8", "utf-8")


def lines_of(path: Path, text: str, longest: int = 1_000) -> list[str]:
    path.write_text(text, newline="")
    return [line for batch in line_batches(path, UTF8, longest) for line in batch]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1 << 20])
def test_lines_keep_their_ends_wherever_the_blocks_fall(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", size)
    text = "one\r\ntwo\rthree\n\n\r\n\u2028 four \x0b\x85\nfive\r"
    assert lines_of(tmp_path / "a.txt", text) == [
        "one\r\n", "two\r", "three\n", "\n", "\r\n", "\u2028 four \x0b\x85\n", "five\r",
    ]  # fmt: skip


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1 << 20])
def test_a_line_over_the_limit_comes_cut_and_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", size)
    lines = lines_of(tmp_path / "a.txt", "one\r\n" + "x" * 50 + "\r\ntwo\n", longest=20)
    assert lines == ["one\r\n", "x" * 20, "two\n"]
    assert [isinstance(line, LongLine) for line in lines] == [False, True, False]


def test_a_last_line_over_the_limit_is_marked(tmp_path: Path) -> None:
    lines = lines_of(tmp_path / "a.txt", "one\n" + "x" * 50, longest=20)
    assert isinstance(lines[-1], LongLine)


def test_the_dos_end_of_file_is_no_line(tmp_path: Path) -> None:
    assert lines_of(tmp_path / "a.txt", "one\n\x1a") == ["one\n"]
