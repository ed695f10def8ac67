"""Where imported ontologies lie: files beside the first one, never the network.

A ``catalog-v001.xml`` (OASIS XML catalogue, as Protégé and ROBOT write it) names files for IRIs;
without one a file called like the last part of the IRI is taken. Files outside the folder are not
opened, whatever the catalogue says.
"""

from __future__ import annotations

import re
from pathlib import Path
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
    """The import catalogue of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._mapped = _read(self.folder / CATALOGUE)

    def find(self, iri: str) -> Path | None:
        """Return the file that holds the ontology ``iri``, or None."""
        if iri in self._mapped:
            return self._inside(self._mapped[iri])
        last = re.split(r"[/#:]", iri.rstrip("/#"))[-1]
        if not last or last in (".", ".."):
            return None
        names = [last, *(Path(last).stem + suffix for suffix in SUFFIXES)]
        names += [last + suffix for suffix in SUFFIXES]
        return next((found for name in names if (found := self._inside(name))), None)

    def _inside(self, name: str) -> Path | None:
        try:
            path = (self.folder / name).resolve()
            return path if path.is_relative_to(self.folder) and path.is_file() else None
        except (OSError, ValueError):
            return None


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    if path.stat().st_size > MAX_CATALOGUE_BYTES:
        raise OntologyError(
            f"{path.name} has {path.stat().st_size:,} bytes; expected an import catalogue of at "
            f"most {MAX_CATALOGUE_BYTES:,}. Move it away and try again"
        )
    data = path.read_bytes()
    check_xml(data, path.name)
    found: dict[str, str] = {}

    def opened(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] == "uri" and {"name", "uri"} <= attributes.keys():
            found.setdefault(attributes["name"], attributes["uri"])

    parser = expat.ParserCreate()
    parser.StartElementHandler = opened
    parser.Parse(data, True)
    return found
