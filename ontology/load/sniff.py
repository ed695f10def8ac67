"""Tell an ontology file's syntax from its content."""

from __future__ import annotations

import re
from pathlib import PurePath

from ontology.errors import OntologyError

RDF_XML = "rdf-xml"
TURTLE = "turtle"
N_TRIPLES = "n-triples"
JSON_LD = "json-ld"

_HEAD = 64 * 1024
_LINE = 2000
_READ = "RDF/XML, Turtle, N-Triples or JSON-LD"
_UNREAD = (
    ("OWL functional syntax", re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix|Ontology)\s*\(")),
    ("OBO", re.compile(r"\s*(?:!.*\n\s*)*(?:format-version:|ontology:|\[Term\])")),
    ("Manchester syntax", re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:Prefix:|Ontology:)\s")),
    ("HTML", re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html)\b", re.I | re.S)),
)
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
    for kind, pattern in _UNREAD:
        if pattern.match(head):
            raise OntologyError(
                f"{shown} is {kind}; expected {_READ}. "
                "Save it as RDF/XML or Turtle (for example with Protégé or ROBOT)"
            )
    if _XML.match(head):
        return _xml(head, shown)
    if head.lstrip()[:1] in "{[" and not _TURTLE.match(head.lstrip()):
        return _json(head, shown)
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
        raise OntologyError(f"{shown} is OWL/XML; expected {_READ}. Save it as RDF/XML or Turtle")
    if local in ("RDF", "Description") or "22-rdf-syntax-ns#" in head:
        return RDF_XML
    raise OntologyError(
        f"{shown} is XML with the root element {local or '(none)'!r}; expected rdf:RDF"
    )


def _json(head: str, shown: str) -> str:
    if '"graphs"' in head and '"@context"' not in head and '"@graph"' not in head:
        raise OntologyError(f"{shown} is OBO Graphs JSON; expected {_READ}. Save it as RDF/XML")
    if re.search(r'"@(?:context|graph|id|type)"', head):
        return JSON_LD
    raise OntologyError(f"{shown} is JSON without @context or @graph; expected JSON-LD")
