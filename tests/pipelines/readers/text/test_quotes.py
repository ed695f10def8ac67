"""Records whose quotation marks are out of place."""

from __future__ import annotations

import pytest

from pipelines.readers.text.dialect import Dialect
from pipelines.readers.text.quotes import mended, split

TWO = Dialect(",", width=2)
THREE = Dialect(",", width=3)


@pytest.mark.parametrize(
    ("record", "cells"),
    [
        ('1,"a "b" c"\n', ["1", 'a "b" c']),
        ('1,"a, "b", c"\n', ["1", 'a, "b', ' c"']),
        ('1,"a ""b"" c"\r\n', ["1", 'a "b" c']),
        ('1,"he said "no""\n', ["1", 'he said "no"']),
        ('1,"he said "no"",x\n', ["1", 'he said "no"', "x"]),
        ('1,a "b" c\n', ["1", 'a "b" c']),
        ('"1","","x"', ["1", "", "x"]),
        ("1,,\n", ["1", "", ""]),
    ],
)
def test_a_mark_closes_only_before_a_delimiter_or_an_end(record: str, cells: list[str]) -> None:
    assert split(record, TWO) == (cells, True)


def test_a_mark_that_is_not_closed_is_told() -> None:
    assert split('1,"never\n', TWO)[1] is False
    assert split('1,"never\n', TWO, literal=True) == (["1", '"never'], True)


def test_a_cell_of_several_lines_with_stray_marks_is_one_record() -> None:
    lines = ['1,"first\n', 'the "second"\n', 'third",x\n', "2,b,y\n"]
    assert mended(lines, THREE) == (["1", 'first\nthe "second"\nthird', "x"], 3)


def test_a_mark_at_a_line_end_inside_a_cell_does_not_close_it() -> None:
    lines = ['1,"he said "no"\n', 'and left"\n', "2,b\n"]
    assert mended(lines, TWO) == (["1", 'he said "no"\nand left'], 2)


def test_an_open_mark_ends_with_its_line_when_rows_follow() -> None:
    lines = ['1,"never,x\n', "2,b,y\n", '3,"c",z\n']
    assert mended(lines, THREE) == (["1", '"never', "x"], 1)
