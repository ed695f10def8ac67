"""OBO flat files (1.0 to 1.4), line by line: a line that cannot be read is named and left out.

Follows the OBO 1.4 specification and its mapping to OWL
(https://owlcollab.github.io/oboformat/doc/obo-syntax.html), as far as names, notes and hierarchy
go; relationships other than is_a become restrictions there, and those are left aside here too.
The reader is our own because fastobo, the fastest kept one, drops a whole term for one bad line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ontology.errors import OntologyError
from ontology.load.curies import obo_iri, safe_iri
from ontology.load.obo_values import (
    BadLine,
    after_identifier,
    identifier,
    plain,
    quoted,
    uncommented,
)
from ontology.load.triples import Node, Text, Triple, Triples
from ontology.vocab import DC, DCT, OBO, OIO, OWL, RDF, RDFS, SKOS

MAX_PROBLEMS = 100
"""Further bad lines are counted only."""

_TAG = re.compile(r"([A-Za-z_][\w-]*)\s*:\s*(.*)", re.S)
_SCOPES = {"EXACT": "Exact", "NARROW": "Narrow", "BROAD": "Broad", "RELATED": "Related"}
_OLD_SYNONYMS = {
    f"{scope}_synonym": scope.title() for scope in ("exact", "narrow", "broad", "related")
}
_PREDICATES = {
    "is_a": f"{RDFS}subClassOf",
    "disjoint_from": f"{OWL}disjointWith",
    "replaced_by": f"{OBO}IAO_0100001",
    "consider": f"{OIO}consider",
}
_PREFIXES = {
    "dc": DC,
    "dc11": DC,
    "dce": DC,
    "dct": DCT,
    "dcterms": DCT,
    "terms": DCT,
    "owl": OWL,
    "rdfs": RDFS,
    "skos": SKOS,
    "oboInOwl": OIO,
}


@dataclass(slots=True)
class _File:
    triples: list[Triple] = field(default_factory=list)
    idspaces: dict[str, str] = field(default_factory=dict)
    spaces: dict[str, str] = field(default_factory=lambda: dict(_PREFIXES))
    problems: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    head: str = ""
    bad: int = 0
    good: int = 0
    blanks: int = 0

    def say(self, subject: str, predicate: str, value: Node | Text) -> None:
        self.triples.append((Node(subject, True), predicate, value))

    def iri(self, id: str) -> str:
        """Return the IRI of an identifier; a bare one belongs to the ontology."""
        found = self.names.get(id)
        if found is None:
            found = self.names[id] = safe_iri(self._iri(id))
        return found

    def _iri(self, id: str) -> str:
        if id.startswith(("http://", "https://", "urn:")):
            return id
        if ":" in id:
            return obo_iri(id, self.spaces)
        return f"{self.head.removesuffix('.owl') or OBO.rstrip('/')}#{id}"


def parse_obo(data: bytes, *, name: str) -> Triples:
    """Return the triples of an OBO file; bad lines are in ``problems`` with their number.

    Raises OntologyError when more lines are bad than good.
    """
    text = data.decode(
        "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace"
    )
    file = _File()
    stanza, subject = "", ""
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("!"):
            continue
        try:
            if line.startswith("["):
                stanza, subject = _stanza(line), ""
            else:
                subject = _clause(file, stanza, subject, line)
            file.good += 1
        except BadLine as error:
            file.bad += 1
            if file.bad <= MAX_PROBLEMS:
                file.problems.append(f"line {number}: {error}")
    if file.bad > file.good:
        raise OntologyError(
            f"{name} could not be read as obo: {file.bad:,} of {file.bad + file.good:,} lines are "
            f"no OBO, the first at {file.problems[0]}; expected 'tag: value' lines in [Term] "
            "stanzas. Is it another format?"
        )
    if file.bad > MAX_PROBLEMS:
        file.problems.append(f"and {file.bad - MAX_PROBLEMS:,} lines more")
    return Triples(file.triples, file.idspaces, tuple(file.problems))


def _stanza(line: str) -> str:
    if not line.endswith("]"):
        raise BadLine(f"the stanza {line[:60]!r} has no closing bracket")
    return line[1:-1]


def _clause(file: _File, stanza: str, subject: str, line: str) -> str:
    """Read one ``tag: value``; return the IRI of the stanza's entity once known."""
    found = _TAG.fullmatch(line)
    if not found:
        raise BadLine(f"{line[:60]!r} is no 'tag: value'")
    tag, value = found.groups()
    if not stanza:
        _header(file, tag, value)
        return ""
    if stanza != "Term":
        return ""
    if tag == "id":
        iri = file.iri(identifier(value))
        file.say(iri, f"{RDF}type", Node(f"{OWL}Class", True))
        return iri
    if not subject:
        raise BadLine(f"{tag!r} stands before the term's id")
    reader = _READERS.get(tag)
    if reader is not None:
        reader(file, subject, value)
    elif tag in _PREDICATES:
        file.say(subject, _PREDICATES[tag], Node(file.iri(identifier(value)), True))
    elif tag in _OLD_SYNONYMS:
        _synonym(file, subject, value, _OLD_SYNONYMS[tag])
    return subject


def _header(file: _File, tag: str, value: str) -> None:
    if tag == "ontology":
        id = plain(value)
        file.head = safe_iri(id if "://" in id else f"{OBO}{id}.owl")
        file.say(file.head, f"{RDF}type", Node(f"{OWL}Ontology", True))
    elif tag == "idspace":
        parts = value.split()
        if len(parts) < 2:
            raise BadLine(f"the idspace {value!r} has no IRI")
        file.idspaces[parts[0]] = file.spaces[parts[0]] = parts[1]
    elif not file.head:
        file.head = f"{OBO}unnamed.owl" if tag in ("data-version", "property_value") else ""
    if tag == "data-version":
        file.say(file.head, f"{OWL}versionInfo", Text(plain(value), ""))
    elif tag == "import":
        file.say(
            file.head or f"{OBO}unnamed.owl", f"{OWL}imports", Node(safe_iri(plain(value)), True)
        )
    elif tag == "property_value" and file.head:
        _property(file, file.head, value)


def _text(predicate: str) -> Callable[[_File, str, str], None]:
    def read(file: _File, subject: str, value: str) -> None:
        file.say(subject, predicate, Text(plain(value), ""))

    return read


def _definition(file: _File, subject: str, value: str) -> None:
    file.say(subject, f"{OBO}IAO_0000115", Text(quoted(value)[0], ""))


def _synonym(file: _File, subject: str, value: str, scope: str = "") -> None:
    text, rest = quoted(value)
    words = rest.partition("[")[0].split()
    if not scope and words and words[0] in _SCOPES:
        scope = _SCOPES[words.pop(0)]
    predicate = f"{OIO}has{scope or 'Related'}Synonym"
    file.say(subject, predicate, Text(text, ""))
    if words:
        file.blanks += 1
        axiom = Node(f"synonym{file.blanks}", False)
        file.triples += [
            (axiom, f"{OWL}annotatedSource", Node(subject, True)),
            (axiom, f"{OWL}annotatedProperty", Node(predicate, True)),
            (axiom, f"{OWL}annotatedTarget", Text(text, "")),
            (axiom, f"{OIO}hasSynonymType", Node(file.iri(words[0]), True)),
        ]


def _xref(file: _File, subject: str, value: str) -> None:
    file.say(subject, f"{OIO}hasDbXref", Text(identifier(value), ""))


def _former(file: _File, subject: str, value: str) -> None:
    """A former identifier is a deprecated class replaced by its term, as in the mapping to OWL."""
    former = file.iri(identifier(value))
    file.say(subject, f"{OIO}hasAlternativeId", Text(identifier(value), ""))
    file.say(former, f"{RDF}type", Node(f"{OWL}Class", True))
    file.say(former, f"{OWL}deprecated", Text("true", ""))
    file.say(former, f"{OBO}IAO_0100001", Node(subject, True))


def _genus(file: _File, subject: str, value: str) -> None:
    words = uncommented(value).split()
    if words and (len(words) == 1 or words[1].startswith("{")):
        file.say(subject, f"{RDFS}subClassOf", Node(file.iri(identifier(value)), True))


def _obsolete(file: _File, subject: str, value: str) -> None:
    if plain(value).lower() == "true":
        file.say(subject, f"{OWL}deprecated", Text("true", ""))


def _property(file: _File, subject: str, value: str) -> None:
    predicate = file.iri(identifier(value))
    rest = after_identifier(value)
    if rest.startswith('"'):
        file.say(subject, predicate, Text(quoted(rest)[0], ""))
    elif rest:
        file.say(subject, predicate, Node(file.iri(identifier(rest)), True))
    else:
        raise BadLine(f"the property {value[:60]!r} has no value")


_READERS: dict[str, Callable[[_File, str, str], None]] = {
    "name": _text(f"{RDFS}label"),
    "comment": _text(f"{RDFS}comment"),
    "def": _definition,
    "synonym": _synonym,
    "xref": _xref,
    "alt_id": _former,
    "intersection_of": _genus,
    "is_obsolete": _obsolete,
    "property_value": _property,
}
