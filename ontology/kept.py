"""Vocabularies kept in a workspace: the files as they were, a manifest, and the hash over both.

A single file without overlay is kept as ``<sha256>.<ext>``. Imports and an overlay go with it into
a folder of its own, whose ``manifest.json`` names the files and holds the overlay's canonical text.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ontology.concept_file import ConceptFile, InvalidConcepts, concept_file, write_concepts
from ontology.errors import OntologyError
from ontology.identity import identity
from ontology.load import load
from ontology.load.catalogue import CATALOGUE
from ontology.model import Ontology, SourceFile
from ontology.overlay import Overlay, apply, from_canonical

MANIFEST = "manifest.json"


class Manifest(NamedTuple):
    """What belongs to a kept vocabulary: its files, the first one itself, and its overlay."""

    files: tuple[SourceFile, ...]
    overlay: str


def keep(ontology: Ontology, file: Path, overlay: Overlay, folder: Path) -> Path:
    """Copy the files of ``ontology`` under ``folder``; return the path of the first one's copy.

    Its concepts are written beside, so that nothing has to be parsed again.
    """
    text = overlay.canonical() if overlay else ""
    if len(ontology.files) == 1 and not text:
        kept = folder / f"{ontology.sha256[:16]}{file.suffix}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, kept)
        write_concepts(concept_file(kept.parent, ontology.sha256), ontology)
        return kept
    own = folder / ontology.sha256[:16]
    for source in ontology.files:
        target = own / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file.parent / source.name, target)
    if (file.parent / CATALOGUE).is_file():
        shutil.copyfile(file.parent / CATALOGUE, own / CATALOGUE)
    document = {"files": [[each.name, each.sha256] for each in ontology.files], "overlay": text}
    (own / MANIFEST).write_text(json.dumps(document, indent=1), "utf-8")
    write_concepts(concept_file(own, ontology.sha256), ontology)
    return own / ontology.files[0].name


def verify(path: Path) -> str:
    """Return the sha256 that the kept vocabulary at ``path`` has now, overlay and imports in."""
    manifest = read_manifest(path)
    return identity(
        [SourceFile(each.name, _hash(path.parent / each.name)) for each in manifest.files],
        manifest.overlay,
    )


def reopen(path: Path, *, id: str, sha256: str) -> Ontology:
    """Return the kept vocabulary at ``path`` as it was added, with all its concepts in memory."""
    with suppress(InvalidConcepts):
        return open_concepts(path, id=id, sha256=sha256).whole()
    concept_file(path.parent, sha256).unlink(missing_ok=True)
    return open_concepts(path, id=id, sha256=sha256).whole()


def open_concepts(path: Path, *, id: str, sha256: str) -> ConceptFile:
    """Return the concepts of the kept vocabulary at ``path``, to be read one by one.

    Nothing is parsed where their file stands; it is made from the vocabulary where it does not.
    """
    place = concept_file(path.parent, sha256)
    try:
        found = ConceptFile(place)
        if found.ontology.id == id:
            return found
        found.close()
    except InvalidConcepts:
        pass
    ontology = _parsed(path, id)
    try:
        write_concepts(place, ontology)
        return ConceptFile(place)
    except (OSError, InvalidConcepts) as error:
        raise OntologyError(
            f"the concepts of {id} cannot be written to {place}: {error}; expected a folder that "
            "may be written to, with space left. Name another workspace with --home DIR"
        ) from error


def _parsed(path: Path, id: str) -> Ontology:
    manifest = read_manifest(path)
    ontology = load(path, id=id)
    return apply(ontology, from_canonical(manifest.overlay)) if manifest.overlay else ontology


def read_manifest(path: Path) -> Manifest:
    """Return what belongs to the vocabulary at ``path``; itself alone where no manifest stands."""
    place = path.parent / MANIFEST
    if not place.is_file():
        return Manifest((SourceFile(path.name, ""),), "")
    try:
        document = json.loads(place.read_text("utf-8"))
        files = tuple(SourceFile(name, sha256) for name, sha256 in document["files"])
        return Manifest(files, document["overlay"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise OntologyError(
            f"the manifest {place} cannot be read: {error}; expected the one written by "
            "`florilegium ontology add`. Add the ontology again"
        ) from error


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
