"""Tell an ontology file's syntax from its content."""

from __future__ import annotations

import re
from pathlib import PurePath

from ontology.errors import OntologyError
from ontology.load.termlist import is_term_list

RDF_XML = "rdf-xml"
TURTLE = "turtle"
N_TRIPLES = "n-triples"
JSON_LD = "json-ld"
FUNCTIONAL = "owl-functional"
OWL_XML = "owl-xml"
MANCHESTER = "manchester"
OBO = "obo"
OBO_GRAPHS = "obo-graphs"
CSV = "csv"

_HEAD = 64 * 1024
_LINE = 2000
_READ = (
    "RDF/XML, Turtle, N-Triples, JSON-LD, OWL functional, OWL/XML or Manchester syntax, OBO, "
    "OBO Graphs JSON or a CSV term list"
)
_OTHER = (
    (FUNCTIONAL, re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix|Ontology)\s*\(")),
    (OBO, re.compile(r"\s*(?:!.*\n\s*)*(?:format-version:|ontology:|data-version:|\[Term\])")),
    (MANCHESTER, re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix:|Ontology:)\s")),
)
_OBO_LINES = re.compile(
    r"\s*(?:!.*\n\s*)*[A-Za-z][\w-]*:\s.*\n(?s:.*?)^\[(?:Term|Typedef)\]\s*$", re.M
)
_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html)\b", re.I | re.S)
_XML = re.compile(
    r"\s*<(?:\?xml\b|!DOCTYPE\b|!--"
    r"|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?\s+[A-Za-z_][\w.:-]*\s*=|(?:\w+:)?RDF\s*>)"
)
_ROOT = re.compile(r"<(?![?!])([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)([^>]*)", re.S)
_SKIP = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.S)
_NT_LINE = re.compile(
    r"\s*(?:#.*|(?:<[^<>\s]*>|_:\S+)\s*<[^<>\s]*>\s*(?:<[^<>\s]*>|_:\S+|\".*\"\S*)\s*\.\s*(?:#.*)?)?"
)
_TURTLE = re.compile(r"@prefix\b|@base\b|^\s*(?:PREFIX|BASE)\b|<[^<>\s]*>|\s:?\w*:\w", re.I | re.M)


def sniff(data: bytes, name: str = "") -> str:
    """Return the syntax of ``data``; raise OntologyError for one that is not read.

    ``name`` is the file name; its extension decides only where the content leaves it open.
    """
    shown = name or "the file"
    if not data.strip():
        raise OntologyError(f"{shown} is empty; expected an ontology in {_READ}")
    for magic, kind in ((b"PK\x03\x04", "a zip"), (b"\x1f\x8b", "a gzip"), (b"%PDF", "a PDF")):
        if data.startswith(magic):
            raise OntologyError(
                f"{shown} is {kind} file; expected {_READ}. Unpack or convert it first"
            )
    head = _text(data[:_HEAD])
    for syntax, pattern in _OTHER:
        if pattern.match(head):
            return syntax
    if _OBO_LINES.match(head):
        return OBO
    if _HTML.match(head):
        raise OntologyError(
            f"{shown} is HTML, perhaps an error page saved by mistake; expected {_READ}. "
            "Fetch the vocabulary itself and try again"
        )
    if _XML.match(head):
        return _xml(head, shown)
    if head.lstrip()[:1] in "{[" and not _TURTLE.match(head.lstrip()):
        return _json(head, shown)
    if is_term_list(head):
        return CSV
    lines = head.splitlines()[:200]
    lines = lines[:-1] if len(lines) > 1 and len(data) > _HEAD else lines
    if all(len(line) > _LINE or _NT_LINE.fullmatch(line) for line in lines):
        return N_TRIPLES
    if _TURTLE.search(head) or PurePath(name).suffix.lower() in (".ttl", ".n3"):
        return TURTLE
    raise OntologyError(
        f"{shown} is in no syntax known here (it begins {head.strip()[:40]!r}); expected {_READ}"
    )


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _xml(head: str, shown: str) -> str:
    root = _ROOT.search(_SKIP.sub(" ", head))
    local = root.group(2) if root else ""
    if root and local == "Ontology" and "http://www.w3.org/2002/07/owl#" in root.group(3):
        return OWL_XML
    if local in ("RDF", "Description") or "22-rdf-syntax-ns#" in head:
        return RDF_XML
    raise OntologyError(
        f"{shown} is XML with the root element {local or '(none)'!r}; expected rdf:RDF or owl:Ontology"
    )


def _json(head: str, shown: str) -> str:
    if '"graphs"' in head and '"@context"' not in head and '"@graph"' not in head:
        return OBO_GRAPHS
    if re.search(r'"@(?:context|graph|id|type)"', head):
        return JSON_LD
    raise OntologyError(
        f"{shown} is JSON without @context or @graph; expected JSON-LD or OBO Graphs"
    )
