"""Namespaces, and the prefixes every query may use without declaring them."""

from __future__ import annotations

from typing import Final

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
SKOSXL: Final = "http://www.w3.org/2008/05/skos-xl#"
OA: Final = "http://www.w3.org/ns/oa#"
PROV: Final = "http://www.w3.org/ns/prov#"
DCT: Final = "http://purl.org/dc/terms/"
DC: Final = "http://purl.org/dc/elements/1.1/"
DCAT: Final = "http://www.w3.org/ns/dcat#"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
ITSRDF: Final = "http://www.w3.org/2005/11/its/rdf#"
OBO: Final = "http://purl.obolibrary.org/obo/"
OIO: Final = "http://www.geneontology.org/formats/oboInOwl#"
ADMS: Final = "http://www.w3.org/ns/adms#"
BIBO: Final = "http://purl.org/ontology/bibo/"
VS: Final = "http://www.w3.org/2003/06/sw-vocab-status/ns#"
SD: Final = "http://www.w3.org/ns/sparql-service-description#"

FLO: Final = "https://w3id.org/florilegium/ns#"
"""The project's own terms; described in ``ontology/data/flo.ttl``."""

DATA: Final = "https://w3id.org/florilegium/data/"
"""Everything minted from a user's results starts with this."""

PREFIXES: Final[dict[str, str]] = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "skos": SKOS,
    "oa": OA,
    "prov": PROV,
    "dct": DCT,
    "dcat": DCAT,
    "foaf": FOAF,
    "itsrdf": ITSRDF,
    "obo": OBO,
    "flo": FLO,
    "data": DATA,
    "collection": DATA + "collection-",
    "document": DATA + "document-",
    "run": DATA + "run-",
    "tag": DATA + "tag-",
    "label": DATA + "label-",
    "summary": DATA + "summary-",
}
"""Prefix to namespace. One prefix a kind, so that local names are flat: ``tag:17-1``, ``run:3``."""
