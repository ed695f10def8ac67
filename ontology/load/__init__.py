"""Read vocabulary files: the syntax is told from the content, the extension only breaks ties.

Whatever is read is parsed in a child process with limits (``ontology.load.process``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ontology.errors import OntologyError
from ontology.load.process import read_apart, triples_apart
from ontology.load.triples import Triples
from ontology.model import Ontology

MAX_BYTES = 256 * 1024 * 1024
"""Larger files are refused; the biggest public ontologies stay below this."""

__all__ = ["MAX_BYTES", "load", "loads", "triples"]


def load(path: Path, *, id: str) -> Ontology:
    """Return the checked ontology in ``path`` under the user's name ``id``.

    Reads RDF/XML, Turtle, N-Triples, JSON-LD, OWL functional, OWL/XML and Manchester syntax, OBO,
    OBO Graphs and CSV term lists, with OWL classes, SKOS concepts or both. Imports are read from
    files in the same folder (``ontology.load.catalogue``); nothing is fetched, and remote contexts
    and external entities are never followed. Raises OntologyError for anything that is not a
    usable vocabulary, or that takes more memory or time than its size allows for.
    """
    folder = path.parent.resolve()

    def beside(names: Sequence[str]) -> tuple[str, bytes] | None:
        found = next((found for name in names if (found := _inside(folder, name))), None)
        return (found.relative_to(folder).as_posix(), _read(found)) if found else None

    return read_apart(_read(path), id=id, name=path.name, beside=beside)


def loads(data: bytes, *, id: str, name: str = "") -> Ontology:
    """Return the ontology in ``data``; ``name`` is its file name, for messages and the syntax.

    Imports are not looked for.
    """
    return read_apart(data, id=id, name=name, beside=lambda names: None)


def triples(data: bytes, syntax: str, *, name: str) -> Triples:
    """Return the plain triples of ``data`` in a syntax of ``ontology.load.sniff``."""
    return triples_apart(data, syntax, name=name)


def _inside(folder: Path, name: str) -> Path | None:
    try:
        path = (folder / name).resolve()
        return path if path.is_relative_to(folder) and path.is_file() else None
    except (OSError, ValueError):
        return None


def _read(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise OntologyError(
                f"{path} has {size:,} bytes; expected at most {MAX_BYTES:,}. "
                "Cut out the branch you need and try again"
            )
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OntologyError(
            f"cannot read {path}: {reason}; expected an ontology file. Try: ls -l {path.parent}"
        ) from error
