"""The bytes of a file are read as far as they went when it was opened."""

from __future__ import annotations

from pathlib import Path

from pipelines.readers.text.blocks import blocks


def test_every_byte_comes_from_the_start_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(bytes(range(250)))
    assert b"".join(blocks(path, 3, size=7)) == bytes(range(3, 250))
    assert list(blocks(path, 250)) == []


def test_a_file_that_grows_is_read_to_the_end_it_had(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"line\n" * 10)
    seen = 0
    with path.open("ab") as writer:
        for data in blocks(path, size=5):
            seen += len(data)
            writer.write(b"more\n")
            writer.flush()
    assert seen == 50
