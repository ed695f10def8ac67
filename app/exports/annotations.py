"""Web Annotations in JSON-LD: each annotation an object with its body, target and selectors in it.

The Web Annotation Data Model (https://www.w3.org/TR/annotation-model/) wants the keys of its own
context, which is named by its address and never fetched. What it has no word for stands under
prefixed names, so that a reader of JSON-LD gets the statements of the Turtle dump; only positions
become xsd:nonNegativeInteger, as the context has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any

from ontology.vocab import DCAT, DCT, FLO, FOAF, ITSRDF, OA, OWL, PROV, RDF, RDFS, SKOS, XSD

if TYPE_CHECKING:
    import pyoxigraph as ox

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
OWN = {"prov": PROV, "itsrdf": ITSRDF, "dcat": DCAT, "flo": FLO}
"""Prefixes that the context of the Web Annotation model lacks."""
_PREFIXES = OWN | {
    "oa": OA,
    "dcterms": DCT,
    "foaf": FOAF,
    "rdf": RDF,
    "rdfs": RDFS,
    "skos": SKOS,
    "owl": OWL,
    "xsd": XSD,
}
_KEYS = {
    f"{OA}hasBody": "body",
    f"{OA}hasTarget": "target",
    f"{OA}hasSource": "source",
    f"{OA}hasSelector": "selector",
    f"{OA}motivatedBy": "motivation",
    f"{OA}start": "start",
    f"{OA}end": "end",
    f"{OA}exact": "exact",
    f"{DCT}created": "created",
}
"""Properties whose keys the model prescribes."""
_LINKS = frozenset({"body", "target", "source", "selector"})
_WORDS = frozenset({"start", "end", "exact"})
_TYPES = {
    f"{OA}{name}": name
    for name in ("Annotation", "SpecificResource", "TextPositionSelector", "TextQuoteSelector")
}
_MOTIVES = {
    f"{OA}{name}": name for name in ("assessing", "classifying", "highlighting", "identifying")
}
_INSIDE = ("target", "selector")
"""Links whose object is written in place where the same batch describes it."""

Described = dict[str, dict[str, list[Any]]]
"""Subject to property to objects."""


def write_annotations(batches: Iterable[list[ox.Triple]], out: IO[bytes]) -> int:
    """Write triples as JSON-LD, an object a line, and return how many there were."""
    head = json.dumps([CONTEXT, OWN])
    out.write(f'{{"@context": {head},\n"@graph": ['.encode())
    count, comma = 0, ""
    for batch in batches:
        count += len(batch)
        for shown in framed(batch):
            line = json.dumps(shown, ensure_ascii=False, separators=(", ", ": "))
            out.write(f"{comma}\n{line}".encode("utf-8", "replace"))
            comma = ","
    out.write(b"\n]}\n")
    return count


def framed(triples: Iterable[ox.Triple]) -> Iterator[dict[str, Any]]:
    """Yield the subjects of a batch as objects; spans and selectors stand inside annotations."""
    described: Described = {}
    for triple in triples:
        subject = described.setdefault(triple.subject.value, {})  # type: ignore[union-attr]
        subject.setdefault(triple.predicate.value, []).append(triple.object)
    annotations = {
        subject
        for subject, properties in described.items()
        if any(_is(each, f"{OA}Annotation") for each in properties.get(f"{RDF}type", ()))
    }
    inside: set[str] = set()
    for name in described:
        if name in annotations:
            yield _object(name, described, inside)
    for name in described:
        if name not in annotations and name not in inside:
            yield _object(name, described, inside)


def _object(name: str, described: Described, inside: set[str]) -> dict[str, Any]:
    """Return one subject; what is written inside it is noted in ``inside``."""
    shown: dict[str, Any] = {"id": name}
    types = [
        _TYPES.get(each.value) or _short(each.value)
        for each in described[name].get(f"{RDF}type", ())
    ]
    if types:
        shown["type"] = types[0] if len(types) == 1 else sorted(types, key=_annotation_first)
    for predicate, objects in described[name].items():
        if predicate == f"{RDF}type":
            continue
        key = _KEYS.get(predicate) or _short(predicate)
        values = [_value(key, each, described, inside) for each in objects]
        shown[key] = values[0] if len(values) == 1 else values
    return shown


def _annotation_first(name: str) -> tuple[bool, str]:
    return name != "Annotation", name


def _value(key: str, each: Any, described: Described, inside: set[str]) -> Any:
    if not hasattr(each, "datatype"):  # an IRI
        if key == "motivation":
            return _MOTIVES.get(each.value, each.value)
        if key in _INSIDE and _nests(each.value, described):
            inside.add(each.value)
            return _object(each.value, described, inside)
        return each.value if key in _LINKS else {"id": each.value}
    if each.language:
        return {"@value": each.value, "@language": each.language}
    kind = each.datatype.value
    if key in _WORDS:
        return int(each.value) if kind == f"{XSD}integer" else each.value
    if kind == f"{XSD}dateTime" and key == "created":
        return each.value
    if kind == f"{XSD}string":
        return each.value if key != "created" else {"@value": each.value}
    return {"@value": each.value, "@type": _short(kind)}


def _nests(name: str, described: Mapping[str, Any]) -> bool:
    """Tell whether a span or a selector is described here: an annotation is linked, not nested."""
    types = described.get(name, {}).get(f"{RDF}type", ())
    return any(each.value in _TYPES and _TYPES[each.value] != "Annotation" for each in types)


def _is(each: Any, iri: str) -> bool:
    return bool(each.value == iri)


def _short(iri: str) -> str:
    """Return an IRI with a prefix of the context, whole where none fits."""
    for prefix, space in _PREFIXES.items():
        local = iri[len(space) :]
        if iri.startswith(space) and local.replace("-", "").replace("_", "").isalnum():
            return f"{prefix}:{local}"
    return iri
