"""The SPARQL 1.1 Service Description of an endpoint (https://www.w3.org/TR/sparql11-service-description/)."""

from __future__ import annotations

from ontology.formats import GRAPHS, ROWS, TABLE, Format
from ontology.graphstore import CurrentGraph
from ontology.terms import integer, iri
from ontology.vocab import RDF, SD

_VOID = "http://rdfs.org/ns/void#"
_FORMATS = "http://www.w3.org/ns/formats/"
_NAMES = {
    "json": "SPARQL_Results_JSON",
    "xml": "SPARQL_Results_XML",
    "csv": "SPARQL_Results_CSV",
    "tsv": "SPARQL_Results_TSV",
    "ttl": "Turtle",
    "nt": "N-Triples",
    "rdfxml": "RDF_XML",
    "jsonld": "JSON-LD",
    "nq": "N-Quads",
}


def describe(address: str, graph: CurrentGraph | None, shape: Format) -> bytes:
    """Return the description of the service at ``address`` in a graph format."""
    import pyoxigraph as ox

    triples = ox.parse("".join(_lines(address, graph)), format=ox.RdfFormat.N_TRIPLES)
    written = ox.serialize(
        (each.triple for each in triples),
        format=getattr(ox.RdfFormat, shape.engine),
        prefixes={"sd": SD, "void": _VOID, "formats": _FORMATS}
        if shape.engine == "TURTLE"
        else None,
    )
    assert written is not None
    return written


def _lines(address: str, graph: CurrentGraph | None) -> list[str]:
    service, dataset, default = (iri(address + part) for part in ("", "#dataset", "#default"))
    kind = f"<{RDF}type>"
    triples = [
        f"{service} {kind} <{SD}Service>",
        f"{service} <{SD}endpoint> {iri(address)}",
        f"{service} <{SD}supportedLanguage> <{SD}SPARQL11Query>",
        f"{service} <{SD}defaultDataset> {dataset}",
        f"{dataset} {kind} <{SD}Dataset>",
        f"{dataset} <{SD}defaultGraph> {default}",
        f"{default} {kind} <{SD}Graph>",
    ]
    triples += [
        f"{service} <{SD}resultFormat> <{_FORMATS}{_NAMES[each.name]}>"
        for each in (*ROWS, *GRAPHS)
        if each is not TABLE
    ]
    if graph is not None:
        hidden = set(graph.manifest.private)
        triples.append(f"{dataset} <{_VOID}triples> {integer(graph.manifest.quads)}")
        for name in graph.manifest.graphs:
            if name in hidden:
                continue
            node = iri(f"{address}#graph-{name.rsplit('/data/', 1)[-1].replace('/', '-')}")
            triples += [
                f"{dataset} <{SD}namedGraph> {node}",
                f"{node} {kind} <{SD}NamedGraph>",
                f"{node} <{SD}name> {iri(name)}",
            ]
    return [f"{triple} .\n" for triple in triples]
