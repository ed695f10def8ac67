"""A SPARQL answer becomes columns, rows and a file."""

from __future__ import annotations

import csv
import io
import json

from app.dashboard.answers import as_csv, read_answer

XSD = "http://www.w3.org/2001/XMLSchema#"


def body(*bindings: dict[str, dict[str, str]]) -> bytes:
    found = {"head": {"vars": ["name", "count"]}, "results": {"bindings": list(bindings)}}
    return json.dumps(found).encode()


def literal(value: str, datatype: str = "") -> dict[str, str]:
    return {"type": "literal", "value": value} | ({"datatype": datatype} if datatype else {})


def test_columns_come_in_the_order_of_the_query() -> None:
    answer = read_answer(body({"count": literal("3", XSD + "integer"), "name": literal("a")}))
    assert answer.columns == ("name", "count")
    assert answer.rows == (("a", 3),)


def test_an_unbound_variable_is_empty() -> None:
    assert read_answer(body({"name": literal("a")})).rows == (("a", None),)


def test_decimals_are_numbers_and_malformed_ones_stay_text() -> None:
    answer = read_answer(
        body(
            {"count": literal("0.95", XSD + "decimal")},
            {"count": literal("many", XSD + "integer")},
            {"count": literal("1e3", XSD + "double")},
        )
    )
    assert [row[1] for row in answer.rows] == [0.95, "many", 1000.0]


def test_an_ask_is_yes_or_no() -> None:
    assert read_answer(b'{"head": {}, "boolean": true}').rows == (("yes",),)
    assert read_answer(b'{"head": {}, "boolean": false}').rows == (("no",),)


def test_the_file_gives_back_what_the_table_shows() -> None:
    awkward = 'a "quoted", line\nbroken £'
    answer = read_answer(body({"name": literal(awkward), "count": literal("2", XSD + "integer")}))
    rows = list(csv.reader(io.StringIO(as_csv(answer), newline="")))
    assert rows == [["name", "count"], [awkward, "2"]]


def test_a_large_whole_number_keeps_every_digit() -> None:
    digits = "12345678901234567890123"
    assert read_answer(body({"count": literal(digits, XSD + "integer")})).rows[0][1] == int(digits)
