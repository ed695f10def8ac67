"""Term lists as CSV: one row a concept, columns told by their headings (``term_columns.toml``).

Several values in a cell are separated by ``|`` or ``;``. Parents may be given by identifier or by
label. Years of a period list become a note.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple
from urllib.parse import quote

from ontology.errors import broken
from ontology.load.curies import safe_iri
from ontology.load.triples import Node, Text, Triple, Triples
from ontology.vocab import DCT, OIO, OWL, RDF, SKOS

_DELIMITERS = ",;\t|"
_SEPARATOR = re.compile(r"\s*[|;]\s*")
_PLAIN = re.compile(r"[\s_:.-]+")
_IRI = re.compile(r"(?:https?://|urn:)\S+")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_FALSE = {"n", "no", "false", "0"}
_TRUE = {"y", "yes", "true", "1"}
_TEXTS = {"definition": f"{SKOS}definition", "note": f"{SKOS}scopeNote"}
_LISTS = {"alt": f"{SKOS}altLabel", "hidden": f"{SKOS}hiddenLabel", "xref": f"{OIO}hasDbXref"}
_LINKS = {
    "broader": f"{SKOS}broader",
    "related": f"{SKOS}related",
    "replaced": f"{DCT}isReplacedBy",
}


class _Columns(NamedTuple):
    delimiter: str
    places: Mapping[str, int]


@cache
def _rules() -> tuple[frozenset[str], Mapping[str, list[str]]]:
    text = (resources.files("ontology") / "data" / "term_columns.toml").read_text("utf-8")
    found = tomllib.loads(text)
    return frozenset(found["sure"]), found["roles"]


def is_term_list(head: str) -> bool:
    """Tell whether the first line of ``head`` is the heading of a term list."""
    return _columns(head) is not None


def parse_terms(data: bytes, *, id: str, name: str) -> Triples:
    """Return the SKOS triples of a term list; rows without a label are in ``problems``."""
    text = _decode(data)
    columns = _columns(text)
    if columns is None:
        raise broken(name, "csv", "its first line names no label column")
    rows: list[tuple[int, dict[str, str]]] = []
    problems: list[str] = []
    raw = text.splitlines(keepends=True)
    lines = csv.reader(raw, delimiter=columns.delimiter)
    last = before = 0
    try:
        next(lines)
        for cells in lines:
            last, before = lines.line_num, last
            row = {
                role: cells[place].strip()
                for role, place in columns.places.items()
                if place < len(cells)
            }
            if row.get("label"):
                rows.append((lines.line_num, row))
            elif any(cell.strip() for cell in cells):
                problems.append(f"line {lines.line_num}: no label")
        if last and _is_open(raw[before:], columns.delimiter):
            problems.append(
                f"line {before + 1}: its quotation is not closed; is the file cut short?"
            )
    except csv.Error as error:
        raise broken(name, "csv", f"line {lines.line_num}: {error}") from error
    return Triples(list(_triples(rows, id, problems)), {}, tuple(problems[:100]))


def _is_open(row: list[str], delimiter: str) -> bool:
    """Tell whether a file ends within a quotation of its last row."""
    try:
        list(csv.reader(row, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "unexpected end" in str(error)
    return False


def _triples(
    rows: list[tuple[int, dict[str, str]]], id: str, problems: list[str]
) -> Iterator[Triple]:
    known: dict[str, str] = {}
    subjects: list[str] = []
    seen: set[str] = set()
    for line, row in rows:
        iri = _iri(row.get("id") or row["label"], id)
        if iri in seen and row.get("id"):
            problems.append(f"line {line}: the identifier {row['id']!r} occurs again, kept apart")
            iri = _iri(f"{row['id']} {row['label']}", id)
        seen.add(iri)
        subjects.append(iri)
        known.setdefault(row["label"].casefold(), iri)
    for (_, row), iri in zip(rows, subjects, strict=True):
        known.setdefault(row.get("id", ""), iri)
    for (_, row), iri in zip(rows, subjects, strict=True):
        subject, language = Node(iri, True), _language(row.get("language", ""))
        yield subject, f"{RDF}type", Node(f"{SKOS}Concept", True)
        yield subject, f"{SKOS}prefLabel", Text(row["label"], language)
        for role, predicate in _TEXTS.items():
            if row.get(role):
                yield subject, predicate, Text(row[role], language)
        for role, predicate in _LISTS.items():
            for value in _values(row, role):
                yield subject, predicate, Text(value, "" if role == "xref" else language)
        for role, predicate in _LINKS.items():
            for value in _values(row, role):
                other = known.get(value) or known.get(value.casefold()) or _iri(value, id)
                yield subject, predicate, Node(other, True)
        if row.get("notation"):
            yield subject, f"{SKOS}notation", Text(row["notation"], "")
        if row.get("deprecated", "").lower() in _TRUE or row.get("valid", "").lower() in _FALSE:
            yield subject, f"{OWL}deprecated", Text("true", "")
        if row.get("from") or row.get("to"):
            years = f"{row.get('from') or '?'} to {row.get('to') or '?'}"
            yield subject, f"{SKOS}note", Text(f"Years: {years}", "")


def _values(row: Mapping[str, str], role: str) -> list[str]:
    return [value for value in _SEPARATOR.split(row.get(role, "")) if value]


def _iri(value: str, id: str) -> str:
    if _IRI.fullmatch(value):
        return safe_iri(value)
    return f"urn:florilegium:{quote(id)}:{quote(value, safe='')}"


def _language(text: str) -> str:
    """Return a language tag in lower case; anything else counts as none."""
    return text.lower() if _LANGUAGE.fullmatch(text) else ""


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _columns(text: str) -> _Columns | None:
    line = next((each for each in text.splitlines()[:3] if each.strip()), "")
    sure, roles = _rules()
    for delimiter in _DELIMITERS:
        cells = next(csv.reader([line], delimiter=delimiter), [])
        headings = [_PLAIN.sub("", cell).casefold() for cell in cells]
        places = {
            role: headings.index(heading)
            for role, names in roles.items()
            if (heading := next((each for each in names if each in headings), None))
        }
        known = sum(heading in sure for heading in headings)
        if ("label" in places and len(places) > 1) or (known and len(headings) > 1):
            return _Columns(delimiter, places)
    if len(line) < 80 and _PLAIN.sub("", line).casefold() in sure:
        return _Columns(",", {"label": 0})
    return None
