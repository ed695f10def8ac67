"""A SPARQL answer as columns and rows, and as a file to keep."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_LOCAL = re.compile(r"\w[\w-]*")
_NUMBERS = frozenset({"integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger"})
_XSD = "http://www.w3.org/2001/XMLSchema#"

Value = str | int | float | None


class Iri(str):
    """An IRI, to be told from a text that looks like one."""

    __slots__ = ()


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


def shortened(answer: Answer, prefixes: Mapping[str, str]) -> Answer:
    """Return the answer with IRIs of known namespaces written as prefixed names, for reading."""
    spaces = sorted(prefixes.items(), key=lambda each: -len(each[1]))

    def short(value: Value) -> Value:
        if not isinstance(value, Iri):
            return value
        for prefix, namespace in spaces:
            local = value.removeprefix(namespace)
            if local != value and _LOCAL.fullmatch(local):
                return f"{prefix}:{local}"
        return str(value)

    return Answer(answer.columns, tuple(tuple(map(short, row)) for row in answer.rows))


def counts(answer: Answer) -> tuple[str, list[tuple[str, int]]] | None:
    """Return (what is counted, rows of name and number), or None where nothing is counted by name.

    The name is the column ``label``, else the first one of words; the number is the first column
    of whole numbers after it. Names that repeat are told apart by their row.
    """
    kinds = [{type(row[place]) for row in answer.rows} for place in range(len(answer.columns))]
    names = [
        place
        for place, kind in enumerate(kinds)
        if kind & {str, Iri} or answer.columns[place] == "year"
    ]
    if not names or not answer.rows:
        return None
    name = answer.columns.index("label") if "label" in answer.columns else names[0]
    number = next(
        (place for place, kind in enumerate(kinds) if place > name and kind == {int}), None
    )
    if number is None or answer.columns[number] in ("start", "end", "rank"):
        return None
    rows: list[tuple[str, int]] = []
    seen: set[str] = set()
    for place, row in enumerate(answer.rows, 1):
        shown = "none" if row[name] is None else str(row[name])
        shown = f"{shown} ({place})" if shown in seen else shown
        seen.add(shown)
        rows.append((shown, int(row[number] or 0)))
    return answer.columns[number], rows


def _value(term: Mapping[str, Any] | None) -> Value:
    if term is None:
        return None
    text = str(term["value"])
    if term["type"] == "bnode":
        return f"_:{text}"
    if term["type"] == "uri":
        return Iri(text)
    kind = str(term.get("datatype", ""))
    if kind.startswith(_XSD) and kind.removeprefix(_XSD) in _NUMBERS:
        try:
            return int(text) if "." not in text and "e" not in text.lower() else float(text)
        except ValueError:
            return text
    return text
