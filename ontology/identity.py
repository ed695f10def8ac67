"""What a vocabulary is known by: one hash over its files and its overlay."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from ontology.model import SourceFile


def identity(files: Sequence[SourceFile], overlay: str = "") -> str:
    """Return the sha256 of an ontology in hexadecimal.

    A single file's is that of its bytes. Imported files and the overlay's canonical text change
    it, so that a result says which of them were in force.
    """
    if len(files) == 1 and not overlay:
        return files[0].sha256
    lines = [f"{file.sha256}  {file.name}" for file in files]
    return hashlib.sha256("\n".join([*lines, overlay]).encode()).hexdigest()
