"""Hard-wrapped lines put together: nothing but white space and typesetters' hyphens goes."""

from __future__ import annotations

import pytest

from pipelines.readers.pages.blocks import Blocks
from pipelines.readers.pages.paragraphs import Words, join_blocks


@pytest.mark.parametrize(
    ("known", "lines", "joined"),
    [
        ("", ["We think", "so."], "We think so."),
        ("", ["the long-", "term plan"], "the long-term plan"),
        ("", ["the consul-", "tation"], "the consultation"),
        ("our information", ["the infor-", "mation"], "the information"),
        ("the wildflower", ["a wild-", "flower"], "a wildflower"),
        ("", ["a wild-", "flower"], "a wild-flower"),
        ("a co-operation, the cooperation", ["some co-", "operation"], "some co-operation"),
        ("", ["a soft\xad", "ened word"], "a softened word"),
        ("", ["pages 10-", "20"], "pages 10- 20"),
        ("", ["we agree -", "mostly"], "we agree - mostly"),
        ("", ["by pdf\x02", "hyphen"], "by pdf-hyphen"),
        ("", ["an end\x02"], "an end-"),
    ],
)
def test_lines_are_joined(known: str, lines: list[str], joined: str) -> None:
    words = Words()
    for line in (known, *lines):
        words.learn(line)
    assert words.join(lines) == joined


def test_paragraphs_between_empty_lines_become_lines() -> None:
    assert join_blocks("One\ntwo\n \n\nthree\n") == "One two\nthree"


def test_white_space_flows_into_one_space() -> None:
    out = Blocks()
    for piece in (" a\n", " b", "\tc ", " "):
        out.flow(piece)
    out.block()
    out.block()
    out.flow(" d")
    assert out.text() == "a b c\nd"


def test_a_row_of_entries_is_one_line_and_of_prose_several() -> None:
    out = Blocks()
    out.row(["a", "", "b", ""])
    out.row(["", ""])
    out.row(["label", "x" * 81, ""])
    assert out.text() == "a\t\tb\nlabel\n" + "x" * 81
