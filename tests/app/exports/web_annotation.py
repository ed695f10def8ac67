"""What the Web Annotation Data Model demands, and its context as far as our dumps use it.

The musts are those of https://www.w3.org/TR/annotation-model/, sections 3.1, 3.2, 4.2.4 and 4.2.5.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox

ADDRESS = "http://www.w3.org/ns/anno.jsonld"
_OA = "http://www.w3.org/ns/oa#"
CONTEXT: dict[str, Any] = {
    "oa": _OA,
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "id": "@id",
    "type": "@type",
    **{
        name: f"oa:{name}"
        for name in (
            *("Annotation", "SpecificResource", "TextPositionSelector", "TextQuoteSelector"),
            *("assessing", "classifying", "highlighting", "identifying", "exact"),
        )
    },
    "motivation": {"@id": "oa:motivatedBy", "@type": "@vocab"},
    "body": {"@id": "oa:hasBody", "@type": "@id"},
    "target": {"@id": "oa:hasTarget", "@type": "@id"},
    "source": {"@id": "oa:hasSource", "@type": "@id"},
    "selector": {"@id": "oa:hasSelector", "@type": "@id"},
    "start": {"@id": "oa:start", "@type": "xsd:nonNegativeInteger"},
    "end": {"@id": "oa:end", "@type": "xsd:nonNegativeInteger"},
    "created": {"@id": "dcterms:created", "@type": "xsd:dateTime"},
}
"""What the terms mean that the model's context defines; the context itself is not fetched."""


def read(path: Path) -> dict[str, Any]:
    """Return a dump as JSON."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def as_triples(dump: dict[str, Any]) -> set[ox.Triple]:
    """Return what a reader of JSON-LD makes of a dump."""
    own = [CONTEXT if each == ADDRESS else each for each in dump["@context"]]
    data = json.dumps(dump | {"@context": own}).encode()
    return {quad.triple for quad in ox.parse(data, format=ox.RdfFormat.JSON_LD)}


def annotations(dump: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the annotations of a dump."""
    return [each for each in dump["@graph"] if "Annotation" in _list(each.get("type"))]


def broken(dump: dict[str, Any]) -> Iterator[str]:
    """Yield each must that is not kept."""
    contexts = _list(dump["@context"])
    if ADDRESS not in contexts or (len(contexts) == 1 and not isinstance(dump["@context"], str)):
        yield "the context of the model is not among the contexts"
    for each in annotations(dump):
        name = each.get("id")
        if not (isinstance(name, str) and ":" in name):
            yield f"an annotation without one IRI: {each}"
        targets = _list(each.get("target"))
        if not targets:
            yield f"{name}: no target"
        for target in targets:
            if isinstance(target, str):
                if ":" not in target:
                    yield f"{name}: target {target!r} is no IRI"
                continue
            for fault in _resource(target):
                yield f"{name}: {fault}"
        for body in _list(each.get("body")):
            if not (isinstance(body, str) and ":" in body):
                yield f"{name}: body {body!r} is no IRI"
        for motive in _list(each.get("motivation")):
            if motive not in CONTEXT:
                yield f"{name}: motivation {motive!r} is none of the model's"


def _resource(resource: dict[str, Any]) -> Iterator[str]:
    if "SpecificResource" not in _list(resource.get("type")):
        yield "a target in place without its type"
    if not isinstance(resource.get("source"), str):
        yield "a specific resource without exactly one source"
    for selector in _list(resource.get("selector")):
        if not isinstance(selector, dict):
            yield f"selector {selector!r} is not described"
            continue
        kinds = _list(selector.get("type"))
        if kinds == ["TextPositionSelector"]:
            start, end = selector.get("start"), selector.get("end")
            if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end):
                yield f"start {start!r} and end {end!r}"
        elif kinds == ["TextQuoteSelector"]:
            if not isinstance(selector.get("exact"), str):
                yield "a quote without exactly one exact text"
        else:
            yield f"a selector of type {kinds}"


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
