"""Keys of rows: escaped, distinct, and remembered in little memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from pipelines.readers.tables.keys import Keys, escaped, key_column
from pipelines.readers.types import SourceFile
from pipelines.types import Column, Role

FILE = SourceFile(Path("/in/a.csv"), Path("/in"), "a.csv", "a.csv", 1, 1)
COLUMNS = [Column("Comment ID", Role.IDENTIFIER), Column("User ID", Role.IDENTIFIER)]


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("R 1", "R 1"), ("a/b#c!d", "a%2Fb%23c%21d"), ("50%", "50%25"), ("x~r7", "x%7Er7"),
        ("a\nb\x00", "a%0Ab%00"), ("\ud800", "%ED%A0%80"), ("é", "é"),
    ],
)  # fmt: skip
def test_marks_of_a_key_are_percent_encoded(identifier: str, expected: str) -> None:
    assert escaped(identifier) == expected


def test_the_key_column_is_complete_and_different_in_every_row() -> None:
    assert key_column(COLUMNS, [["1", "a"], ["1", "b"]]) == 1
    assert key_column(COLUMNS, [["1", "a"], ["2", "b"]]) == 0
    assert key_column(COLUMNS, [["1", "a"], [" ", "a"]]) is None
    assert key_column(COLUMNS, [["x" * 201, "a"], ["y", "b"]]) == 1
    assert key_column([Column("n", Role.NUMBER)], [["1"], ["2"]]) is None


def test_the_respondent_is_the_person_then_the_identifier_then_the_row() -> None:
    keys = Keys(FILE, None, identifier=0, respondent=1)
    assert keys.of(2, ["c1", "ann"]) == ("a.csv#c1/", "ann")
    assert keys.of(3, ["c2", " "]) == ("a.csv#c2/", "c2")
    assert keys.of(4, ["", ""]) == ("a.csv#r4", "a.csv#r4")
    assert keys.of(5, ["c1", "bob"]) == ("a.csv#c1~r5/", "bob")
    assert keys.repeated == [5]
    assert Keys(FILE, "S", None, None).of(7, ["c1"]) == ("a.csv#S!r7", "a.csv#S!r7")


def test_many_identifiers_take_little_memory() -> None:
    keys = Keys(FILE, None, 0, None)
    tracemalloc.start()
    for i in range(10_000):
        keys.of(i, [f"id {i}"])
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert keys.repeated == []
    assert size < 10_000 * 32
