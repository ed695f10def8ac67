"""Kinds of files that no reader takes: each says what it is and what to save it as."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.readers import discover, read
from pipelines.readers.registry import SUFFIXES
from pipelines.readers.save_as import _kinds, advice


@pytest.mark.parametrize(
    ("suffix", "words"),
    [(".doc", "save it as DOCX"), (".Pages", "export it as DOCX or PDF"), (".pptx", "as PDF")],
)
def test_a_known_kind_says_what_to_save_it_as(suffix: str, words: str) -> None:
    assert words in (advice(suffix) or "")


def test_an_unknown_kind_has_no_advice() -> None:
    assert advice(".xyz") is None


def test_no_kind_that_is_read_is_listed() -> None:
    assert not _kinds().keys() & set(SUFFIXES)


def test_the_report_gives_the_advice(tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_text("<svg><text>The park</text></svg>")
    (file,) = discover([tmp_path]).files
    with read(file) as reading:
        assert (
            reading.report.reason
            == "an SVG drawing, which is not read: export it as PDF and read that"
        )
