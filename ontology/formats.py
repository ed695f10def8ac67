"""Answer formats: names, media types, and the choice between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ontology.errors import QueryRefused


class Format(NamedTuple):
    """A way to write an answer; ``engine`` is the engine's name for it."""

    name: str
    media_type: str
    engine: str


JSON: Final = Format("json", "application/sparql-results+json", "JSON")
XML: Final = Format("xml", "application/sparql-results+xml", "XML")
CSV: Final = Format("csv", "text/csv; charset=utf-8", "CSV")
TSV: Final = Format("tsv", "text/tab-separated-values; charset=utf-8", "TSV")
TABLE: Final = Format("table", "text/plain; charset=utf-8", "JSON")
TURTLE: Final = Format("ttl", "text/turtle; charset=utf-8", "TURTLE")
N_TRIPLES: Final = Format("nt", "application/n-triples", "N_TRIPLES")
RDF_XML: Final = Format("rdfxml", "application/rdf+xml", "RDF_XML")
JSON_LD: Final = Format("jsonld", "application/ld+json", "JSON_LD")
N_QUADS: Final = Format("nq", "application/n-quads", "N_QUADS")
"""Only for those who ask for it by name: what CONSTRUCT makes has no graph name."""

ROWS: Final = (JSON, XML, CSV, TSV, TABLE)
GRAPHS: Final = (TURTLE, N_TRIPLES, RDF_XML, JSON_LD, N_QUADS)

_ROW_TYPES: Final = {
    "application/sparql-results+json": JSON,
    "application/json": JSON,
    "application/sparql-results+xml": XML,
    "application/xml": XML,
    "text/xml": XML,
    "text/csv": CSV,
    "text/tab-separated-values": TSV,
}
_GRAPH_TYPES: Final = {
    "text/turtle": TURTLE,
    "application/x-turtle": TURTLE,
    "application/n-triples": N_TRIPLES,
    "text/plain": N_TRIPLES,
    "application/rdf+xml": RDF_XML,
    "application/xml": RDF_XML,
    "application/ld+json": JSON_LD,
    "application/json": JSON_LD,
    "application/n-quads": N_QUADS,
}


def is_rows(form: str) -> bool:
    """Tell whether the query form answers rows (or yes and no) rather than a graph."""
    return form in ("select", "ask")


def named(name: str, form: str) -> Format:
    """Return the format called ``name`` for ``form``; raise QueryRefused when it does not fit.

    ``table`` gives Turtle for a query that answers a graph.
    """
    fitting: Sequence[Format] = ROWS if is_rows(form) else GRAPHS
    if name == "table" and not is_rows(form):
        return TURTLE
    for each in fitting:
        if name in (each.name, each.media_type):
            return each
    raise QueryRefused(
        f"{form.upper()} cannot be answered as {name!r}; expected one of "
        f"{', '.join(each.name for each in fitting)}",
        status=406,
    )


def negotiate(accept: str | None, form: str) -> Format:
    """Return the best format for an Accept header; raise QueryRefused (406) when none fits."""
    types = _ROW_TYPES if is_rows(form) else _GRAPH_TYPES
    return choose(accept, types)


def negotiate_graph(accept: str | None) -> Format:
    """Return the best graph format for an Accept header, as for a service description."""
    return choose(accept, _GRAPH_TYPES)


def choose(accept: str | None, types: dict[str, Format]) -> Format:
    """Return the offered format with the highest quality; ties go to the earlier offer.

    Other names of a media type (``application/json``) are met by name, not by wildcards.
    """
    if accept is None or not accept.strip():
        return next(iter(types.values()))
    ranges = [_range(each) for each in accept.split(",") if each.strip()]
    best: tuple[float, int, int] | None = None
    chosen: Format | None = None
    for place, (media_type, format_) in enumerate(types.items()):
        alias = media_type != format_.media_type.split(";")[0]
        fitting = [
            found
            for found in ranges
            if found[0] == media_type or (not alias and _covers(found[0], media_type))
        ]
        if not fitting:
            continue
        media_range, quality = max(fitting, key=lambda found: _specific(found[0]))
        rank = (quality, _specific(media_range), -place)
        if quality > 0 and (best is None or rank > best):
            best, chosen = rank, format_
    if chosen is None:
        raise QueryRefused(
            f"nothing acceptable for {accept!r}; expected one of {', '.join(types)}", status=406
        )
    return chosen


def _range(value: str) -> tuple[str, float]:
    media_range, *parameters = (part.strip() for part in value.split(";"))
    quality = 1.0
    for parameter in parameters:
        key, _, number = parameter.partition("=")
        if key.strip().lower() == "q":
            try:
                quality = min(1.0, max(0.0, float(number)))
            except ValueError:
                quality = 0.0
    return media_range.lower(), quality


def _covers(media_range: str, media_type: str) -> bool:
    if media_range in ("*", "*/*"):
        return True
    return media_range.endswith("/*") and media_type.startswith(media_range[:-1])


def _specific(media_range: str) -> int:
    return 0 if media_range in ("*", "*/*") else 1 if media_range.endswith("/*") else 2
