"""What single cells are: kinds, dates and their order, numbers, names."""

from __future__ import annotations

import pytest

from pipelines.readers.tables.values import (
    date_format,
    folded,
    kind,
    known_person,
    number,
    number_dates,
    order_of,
    person,
)


@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("ann.other+x@post.example.org", "e-mail"), ("write to a@b.example", ""),
        ("01632 960123", "telephone number"), ("+44 (0)1632 960 123", "telephone number"), ("(01632) 960123", "telephone number"),
        ("3f2a8c1e-0000-4000-8000-00000000abcd", "UUID"),
        ("203.0.113.9", "IP address"), ("2001:db8:0:0:1:2:3:4", "IP address"), ("203.0.113.x", "IP address"),
        ("https://example.org/a?b=c", "web address"), ("www.example.org", "web address"),
        ("Mozilla/5.0 (X11; Linux)", "user agent"),
        ("MB1 2AB", "postcode"), ("sw1a1aa", "postcode"), ("MB1", "code"),
        ("00:04:12", "duration"), ("4 mins 10 secs", "duration"),
        ("12", "number"), ("£1,200.50", "number"), ("-0.5", "number"), ("40%", "number"), ("1e-05", "number"),
        ("12 Mill Lane, Marlbridge", "address"), ("The Old Forge, Holt, MB1 2AB", "address"),
        ("{'A': None}", "structure"), ('[{"id": 1}]', "structure"), ("{}", "structure"), ("[doctor] hello", ""),
        ("[1] is better than [two", ""), ("N/A", "filler"), ("none", "filler"), ("-", "filler"),
        ("D2N001", "code"), ("arg_4_0", "code"), ("PTS", ""), ("12 people came by bus", ""),
        ("30/09/2021", "date"), ("Sat Nov 17 05:09:36 WIB 2018", "date"), ("", ""),
    ],
)  # fmt: skip
def test_a_cell_is_of_a_kind(cell: str, what: str) -> None:
    assert kind(cell) == what


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("2024-01-05", "yyyy-mm-dd"), ("2024-01-05T10:11:12.000Z", "yyyy-mm-dd"),
        ("2024/1/5 10:11", "yyyy-mm-dd"), ("2024-13-05", ""), ("05/01/2024", "numeric"),
        ("31.12.24 23:59:59", "numeric"), ("12/31/2024 3:04 PM", "numeric"), ("45/01/2024", ""),
        ("13/13/2024", ""), ("3rd March 2024", "d month yyyy"), ("Tuesday, 3 Mar 24", "d month yyyy"),
        ("3-Mar-2024", "d month yyyy"), ("March 3, 2024", "month d yyyy"), ("Sept 2024", "month yyyy"),
        ("May", ""), ("1/2", ""), ("may 2024 be better", ""),
    ],
)  # fmt: skip
def test_a_date_is_written_in_one_way(cell: str, written: str) -> None:
    assert date_format(cell) == written


@pytest.mark.parametrize(
    ("cells", "written"),
    [
        (["01/02/2024", "25/02/2024"], "dd/mm/yyyy"),
        (["01/02/2024", "02/25/2024"], "mm/dd/yyyy"),
        (["01/02/2024"], "dd/mm/yyyy or mm/dd/yyyy"),
        (["25/02/2024", "02/25/2024"], "dd/mm/yyyy or mm/dd/yyyy"),
        (["2024-02-01", "words"], "yyyy-mm-dd"),
        (["25/02/2024", "2024-02-01"], "dd/mm/yyyy or yyyy-mm-dd"),
        (["words"], ""),
    ],
)
def test_the_order_of_day_and_month_comes_from_the_whole_column(
    cells: list[str], written: str
) -> None:
    assert order_of(cells).format == written


@pytest.mark.parametrize(
    ("numbers", "headed", "unheaded"),
    [
        ([45300.375, 45301.5], "Excel serial number", "Excel serial number"),
        ([45300, 45301], "Excel serial number", ""),
        ([1.5424e12, 1.6e12], "Unix time in milliseconds", "Unix time in milliseconds"),
        ([1.7e9, 1.71e9], "Unix time in seconds", ""),
        ([20240131, 20231201], "yyyymmdd", ""),
        ([2019, 2024], "yyyy", ""),
        ([3, 7], "", ""),
        ([], "", ""),
    ],
)
def test_numbers_may_be_dates(numbers: list[float], headed: str, unheaded: str) -> None:
    assert number_dates(numbers, True) == headed
    assert number_dates(numbers, False) == unheaded


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("7", 7), ("£1,200.50", 1200.5), ("12%", 12), ("Seventy-seven", 77), ("two hundred and five", 205),
        ("three thousand", 3000), ("one million", 1_000_000), ("and", None), ("about 25", None), ("9" * 400, None), ("1e999", None), ("N/A", None),
    ],
)  # fmt: skip
def test_numbers_are_read_in_figures_and_in_words(cell: str, value: float | None) -> None:
    assert number(cell) == value


@pytest.mark.parametrize(
    ("cell", "is_person", "is_known"),
    [
        ("Ada Attwater", True, False), ("Margaret Attwater", True, True), ("Dr A. Attwater", True, True),
        ("Attwater", False, False), ("mill lane", False, False), ("John", False, False),
        ("Overton Cycling Club", False, False), ("John walked home", False, False),
    ],
)  # fmt: skip
def test_names_of_people(cell: str, is_person: bool, is_known: bool) -> None:
    assert (person(cell), known_person(cell)) == (is_person, is_known)


def test_folding_evens_out_case_space_and_quotation_marks() -> None:
    assert folded(" Don’t \u00a0 KNOW\n") == "don't know"
