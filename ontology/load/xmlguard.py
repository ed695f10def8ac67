"""Refuse dangerous or broken XML before an RDF parser sees it.

Two RDF/XML parsers were seen to allocate gigabytes on a one-kilobyte entity bomb
(https://github.com/oxigraph/oxigraph/pull/1939, https://github.com/RDFLib/rdflib/pull/3440), so
one pass of expat looks first. Short plain entities stay: Protégé writes them for namespaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

from ontology.errors import OntologyError

MAX_DEPTH = 200
MAX_ENTITIES = 300
MAX_ENTITY_CHARACTERS = 1024
_REFERENCE = re.compile(r"&(?!#|amp;|lt;|gt;|quot;|apos;)")


@dataclass(slots=True)
class XmlFacts:
    """What the pass learnt: namespace prefixes, the base, and the entities as declared."""

    prefixes: dict[str, str] = field(default_factory=dict)
    base: str = ""
    entities: dict[str, str] = field(default_factory=dict)


def check_xml(data: bytes, name: str) -> XmlFacts:
    """Return the document's namespaces; raise OntologyError for broken or dangerous XML.

    Refused: external entities and document types, entities that refer to entities or are longer
    than 1,024 characters, more than 300 of them, elements nested deeper than 200.
    """
    facts = XmlFacts()
    depth = 0

    def declared(
        entity: str,
        parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        if parameter or system or public or value is None:
            raise _refused(name, f"the external or parameter entity {entity!r}")
        if _REFERENCE.search(value):
            raise _refused(name, f"the entity {entity!r}, which refers to another entity")
        if len(value) > MAX_ENTITY_CHARACTERS:
            raise _refused(name, f"the entity {entity!r} of {len(value):,} characters")
        facts.entities[entity] = value
        if len(facts.entities) > MAX_ENTITIES:
            raise _refused(name, f"more than {MAX_ENTITIES} entities")

    def doctype(root: str, system: str | None, public: str | None, internal: bool) -> None:
        if system or public:
            raise _refused(name, f"the external document type {system or public!r}")

    def opened(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise OntologyError(
                f"{name} nests elements more than {MAX_DEPTH} deep at line "
                f"{parser.CurrentLineNumber}; expected RDF/XML. Save it as Turtle and try again"
            )
        for key, value in attributes.items():
            if key.startswith("xmlns:"):
                facts.prefixes.setdefault(key[6:], value)
            elif key == "xmlns":
                facts.prefixes.setdefault("", value)
            elif key == "xml:base" and not facts.base:
                facts.base = value

    def closed(tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = opened
    parser.EndElementHandler = closed
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise OntologyError(
            f"{name} is not well-formed XML: {expat.ErrorString(error.code)} at line "
            f"{error.lineno}, column {error.offset + 1}; expected complete RDF/XML. "
            "Is the file cut short?"
        ) from error
    return facts


def _refused(name: str, what: str) -> OntologyError:
    return OntologyError(
        f"{name} declares {what}; expected only short plain entities. "
        "Save it as Turtle, which has none, and try again"
    )
