"""A SPARQL answer as columns and rows, and as a file to keep."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NUMBERS = frozenset({"integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger"})
_XSD = "http://www.w3.org/2001/XMLSchema#"

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Columns and rows of a SELECT; an ASK has one of each. Unbound is None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def read_answer(body: bytes) -> Answer:
    """Read SPARQL 1.1 Query Results JSON (https://www.w3.org/TR/sparql11-results-json/)."""
    found: dict[str, Any] = json.loads(body)
    if "boolean" in found:
        return Answer(("answer",), (("yes" if found["boolean"] else "no",),))
    columns = tuple(found["head"]["vars"])
    rows = tuple(
        tuple(_value(binding.get(name)) for name in columns)
        for binding in found["results"]["bindings"]
    )
    return Answer(columns, rows)


def as_csv(answer: Answer) -> str:
    """Return the answer as CSV with a heading row, as SPARQL 1.1 lays it down (CRLF line ends)."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(answer.columns)
    writer.writerows(["" if value is None else value for value in row] for row in answer.rows)
    return target.getvalue()


def _value(term: Mapping[str, Any] | None) -> Value:
    if term is None:
        return None
    text = str(term["value"])
    if term["type"] == "bnode":
        return f"_:{text}"
    kind = str(term.get("datatype", ""))
    if kind.startswith(_XSD) and kind.removeprefix(_XSD) in _NUMBERS:
        try:
            return int(text) if "." not in text and "e" not in text.lower() else float(text)
        except ValueError:
            return text
    return text
