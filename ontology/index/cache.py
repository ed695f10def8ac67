"""Compiled indexes kept on disk under the hash of what they were made from."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ontology.index.compile import compile_index
from ontology.index.find import LabelIndex
from ontology.index.forms import forms_hash
from ontology.index.layout import VERSION, InvalidIndex
from ontology.model import Ontology
from ontology.spelling import rules_hash

SUFFIX = ".labels"


def index_key(ontologies: Sequence[tuple[str, str]]) -> str:
    """Return the content hash of an index of these (id, sha256): order, rules and layout count."""
    lines = [
        f"{VERSION} {rules_hash()} {forms_hash()}",
        *(f"{sha256} {id}" for id, sha256 in ontologies),
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def cached_index(
    folder: Path,
    ontologies: Sequence[tuple[str, str]],
    load: Callable[[], Sequence[Ontology]],
) -> LabelIndex:
    """Map the index of these ontologies (id, sha256) from ``folder``, or build it and keep it.

    ``load`` is called only when there is none, or one that is broken. Where the folder cannot be
    written the index stays in memory.
    """
    path = folder / f"{index_key(ontologies)[:32]}{SUFFIX}"
    with contextlib.suppress(OSError, InvalidIndex):
        return LabelIndex.open(path)
    data = compile_index(load())
    try:
        _write(path, data)
        return LabelIndex.open(path)
    except (OSError, InvalidIndex):
        return LabelIndex(data)


def _write(path: Path, data: bytes) -> None:
    """Write beside and rename, so that nobody maps half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
