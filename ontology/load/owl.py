"""OWL functional syntax, OWL/XML and Manchester syntax, through py-horned-owl (an optional extra).

Horned-OWL parses and writes the axioms as RDF/XML, which is then read like any other. It follows
no import and fetches nothing. LGPL-3.0, hence an extra: ``pip install 'florilegium[owl]'``.
"""

from __future__ import annotations

import re
from typing import Literal

from ontology.errors import OntologyError, broken
from ontology.load.libraries import HORNED, is_installed, library
from ontology.load.rdf import parse
from ontology.load.sniff import FUNCTIONAL, MANCHESTER, OWL_XML, RDF_XML
from ontology.load.triples import Triples
from ontology.load.xmlguard import check_xml

MAX_DEPTH = 200
"""Deeper class expressions are refused: the parser is recursive."""

MAX_BYTES = 128 * 1024 * 1024
"""Larger files are refused: functional syntax takes 28 times its size in memory (measured)."""

_SERIALISATIONS: dict[str, Literal["ofn", "owx", "omn"]] = {
    FUNCTIONAL: "ofn",
    OWL_XML: "owx",
    MANCHESTER: "omn",
}
_PREFIXES = {
    FUNCTIONAL: re.compile(r"^\s*Prefix\(\s*([\w.-]*):\s*=\s*<([^<>\s]*)>\s*\)", re.M),
    MANCHESTER: re.compile(r"^\s*Prefix:\s*([\w.-]*):\s*<([^<>\s]*)>", re.M),
    OWL_XML: re.compile(r'<Prefix\s+name="([\w.-]*)"\s+IRI="([^"<>\s]*)"'),
}
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|<[^<>\s]*>|#[^\n]*', re.S)
_BRACKET = re.compile(r"[()\[\]{}]")


def parse_owl(data: bytes, syntax: str, *, name: str) -> Triples:
    """Return the triples of an ontology in one of the three OWL syntaxes.

    Raises OntologyError for a broken file, for more than 128 MiB, for expressions nested deeper
    than 200, and, naming what to install, where py-horned-owl is missing.
    """
    if len(data) > MAX_BYTES:
        raise OntologyError(
            f"{name} has {len(data):,} bytes of {syntax}; expected at most {MAX_BYTES:,}. "
            "Save it as RDF/XML or OBO, or cut out the branch you need, and try again"
        )
    if not is_installed(HORNED):
        raise OntologyError(
            f"{name} is in {syntax}, which needs py-horned-owl; it is not installed. Install it "
            "with: pip install 'florilegium[owl]', or save the file as RDF/XML or Turtle"
        )
    text = data.decode(
        "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace"
    )
    prefixes = dict(_PREFIXES[syntax].findall(text))
    if syntax == OWL_XML:
        prefixes = {**check_xml(data, name).prefixes, **prefixes}
    else:
        _check_depth(text, syntax, name)
    written = _converted(text, syntax, name)
    triples = parse(written, RDF_XML, name=name)
    return Triples(triples.triples, {**triples.prefixes, **prefixes}, triples.problems)


def _converted(text: str, syntax: str, name: str) -> bytes:
    """Return the ontology as RDF/XML."""
    horned = library(HORNED)
    try:
        ontology = horned.open_ontology_from_string(text, _SERIALISATIONS[syntax])
        written: str = ontology.save_to_string("owl")
    except Exception as error:
        raise broken(name, syntax, _short(str(error))) from error
    return written.encode()


def _check_depth(text: str, syntax: str, name: str) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_QUOTED.sub("", text)):
        depth += 1 if bracket.group() in "([{" else -1
        if depth > MAX_DEPTH:
            raise broken(name, syntax, f"it nests more than {MAX_DEPTH} deep")


def _short(text: str) -> str:
    """Return the parser's message with line and column, without its inner structure."""
    if place := re.search(r"line_col: (?:Pos|Span)\(\(?\(?(\d+), (\d+)", text):
        expected = re.search(r"positives: \[([^\]]*)\]", text)
        return f"line {place.group(1)}, column {place.group(2)}" + (
            f", where {expected.group(1)} was expected" if expected else ""
        )
    return " ".join(text.split())[:300]
