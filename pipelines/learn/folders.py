"""The folder of a trained set: what can be known of it without loading it. Imports nothing heavy."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pipelines.learn.errors import TrainedSetError

HEAD = "set.json"


def trained_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the trained sets in ``folder``, sorted."""
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{HEAD}")))


def trained_sha256(folder: Path) -> str:
    """Return the sha256 that stands for the set in ``folder``: its head holds those of its files."""
    head = read_bytes(
        folder / HEAD, f"Train it again: florilegium train {folder.name} --labels FILE"
    )
    return hashlib.sha256(head).hexdigest()


def read_bytes(path: Path, again: str) -> bytes:
    """Return a file of a set. Raises ``TrainedSetError`` with what to do ``again``."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise TrainedSetError(f"{path} cannot be read: {error.strerror}. {again}") from error
