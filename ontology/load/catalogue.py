"""Where imported ontologies lie: files beside the first one, never the network.

A ``catalog-v001.xml`` (OASIS XML catalogue, as Protégé and ROBOT write it) names files for IRIs;
without one a file called like the last part of the IRI is taken. Files outside the folder are not
opened, whatever the catalogue says (``ontology.load.load``).
"""

from __future__ import annotations

import re
from pathlib import PurePath
from xml.parsers import expat

from ontology.errors import OntologyError
from ontology.load.xmlguard import check_xml

CATALOGUE = "catalog-v001.xml"
MAX_CATALOGUE_BYTES = 4 * 1024 * 1024
SUFFIXES = (
    ".owl",
    ".ofn",
    ".owx",
    ".omn",
    ".rdf",
    ".xml",
    ".ttl",
    ".nt",
    ".jsonld",
    ".obo",
    ".json",
)


class Catalogue:
    """The import catalogue of one folder; ``data`` is the file's content, empty where none is."""

    def __init__(self, data: bytes) -> None:
        self._mapped = _read(data) if data else {}

    def names(self, iri: str) -> list[str]:
        """Return the names under which a file may hold the ontology ``iri``, likeliest first."""
        if iri in self._mapped:
            return [self._mapped[iri]]
        last = re.split(r"[/#:]", iri.rstrip("/#"))[-1]
        if not last or last in (".", ".."):
            return []
        names = [last, *(PurePath(last).stem + suffix for suffix in SUFFIXES)]
        return names + [last + suffix for suffix in SUFFIXES]


def _read(data: bytes) -> dict[str, str]:
    if len(data) > MAX_CATALOGUE_BYTES:
        raise OntologyError(
            f"{CATALOGUE} has {len(data):,} bytes; expected an import catalogue of at "
            f"most {MAX_CATALOGUE_BYTES:,}. Move it away and try again"
        )
    check_xml(data, CATALOGUE)
    found: dict[str, str] = {}

    def opened(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "uri" and {"name", "uri"} <= attributes.keys():
            found.setdefault(attributes["name"], attributes["uri"])

    parser = expat.ParserCreate()
    parser.StartElementHandler = opened
    parser.Parse(data, True)
    return found
