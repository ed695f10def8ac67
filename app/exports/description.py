"""The DCAT description of a dump: what it holds, how large it is, and what may be done with it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from app.exports.types import Asked, last_run, whole
from ontology import terms
from ontology.terms import integer, iri, moment, text
from ontology.vocab import DATA, DCAT, DCT, FLO, FOAF, ITSRDF, OA, PROV, RDF, SKOS, XSD

if TYPE_CHECKING:
    from ontology.graph import GraphSnapshot

SPDX = "http://spdx.org/rdf/terms#"
VOID = "http://rdfs.org/ns/void#"
IANA = "https://www.iana.org/assignments/media-types/"
ENDING = ".dcat.ttl"
MEDIA = {"ttl": "text/turtle", "nq": "application/n-quads", "jsonld": "application/ld+json"}
_GZIP = "application/gzip"
_VOCABULARIES = (OA, PROV, SKOS, DCT, DCAT, FOAF, ITSRDF, FLO)
_BLOCK = 1 << 20


def write_description(asked: Asked, snapshot: GraphSnapshot, kind: str, count: int) -> Path:
    """Write what describes the dump at ``asked.path``, of ``count`` statements, beside it."""
    import pyoxigraph as ox

    path = asked.path.with_name(asked.path.name + ENDING)
    lines = "".join(f"{line} .\n" for line in _lines(asked, snapshot, kind, count))
    with whole(path) as part:
        ox.serialize(
            ox.parse(lines, format=ox.RdfFormat.N_TRIPLES),
            str(part),
            format=ox.RdfFormat.TURTLE,
            prefixes={"dcat": DCAT, "dct": DCT, "spdx": SPDX, "void": VOID, "xsd": XSD},
        )
    return path


def _lines(asked: Asked, snapshot: GraphSnapshot, kind: str, count: int) -> list[str]:
    from app.exports.dump import is_packed

    row = asked.collection
    sha256 = digest(asked.path)
    packed = is_packed(asked.path)
    dataset = iri(terms.collection(row.id))
    file, checksum = iri(f"{DATA}dump-{sha256[:16]}"), iri(f"{DATA}checksum-{sha256[:16]}")
    a = f"<{RDF}type>"
    hidden = row.text_private and not asked.words
    found = [
        f"{dataset} {a} <{DCAT}Dataset>",
        f"{dataset} <{DCT}title> {text(row.title or row.name)}",
        f"{dataset} <{DCT}identifier> {text(row.name)}",
        f"{dataset} <{DCT}issued> {moment(last_run(asked.store, row))}",
        f"{dataset} <{DCT}accessRights> {text('text: private' if row.text_private else 'text: open')}",
        f"{dataset} <{VOID}triples> {integer(count)}",
        f"{dataset} <{DCAT}distribution> {file}",
        f"{file} {a} <{DCAT}Distribution>",
        f"{file} <{DCT}title> {text(asked.path.name)}",
        f"{file} <{DCT}description> {text('Without the words of the documents' if hidden else 'With quotes')}",
        f"{file} <{DCAT}mediaType> {iri(IANA + MEDIA[kind])}",
        f'{file} <{DCAT}byteSize> "{asked.path.stat().st_size}"^^<{XSD}nonNegativeInteger>',
        f"{file} <{SPDX}checksum> {checksum}",
        f"{checksum} {a} <{SPDX}Checksum>",
        f"{checksum} <{SPDX}algorithm> <{SPDX}checksumAlgorithm_sha256>",
        f'{checksum} <{SPDX}checksumValue> "{sha256}"^^<{XSD}hexBinary>',
    ]
    found += [f"{dataset} <{DCT}conformsTo> {iri(each)}" for each in _VOCABULARIES]
    found += [
        f"{dataset} <{DCT}references> {iri(terms.ontology_version(each.id, each.sha256))}"
        for each in snapshot.ontologies
    ]
    for name, value in (("license", row.licence), ("rights", row.rights)):
        if value:
            said = iri(value) if value.startswith(("http://", "https://")) else text(value)
            found += [f"{each} <{DCT}{name}> {said}" for each in (dataset, file)]
    if packed:
        found.append(f"{file} <{DCAT}compressFormat> {iri(IANA + _GZIP)}")
    return found


def digest(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()
