"""The folder of a trained set: what can be known of it without loading it. Imports nothing heavy."""

from __future__ import annotations

import errno
import hashlib
import shutil
import time
import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pipelines.learn.errors import TrainedSetError

HEAD = "set.json"
_DAY = 86_400.0
_TRIES = 200
_THERE_AGAIN = (errno.ENOTEMPTY, errno.EEXIST)  # another writer was quicker between the steps


def trained_names(folder: Path) -> tuple[str, ...]:
    """Return the names of the trained sets in ``folder``, sorted."""
    names = (path.parent.name for path in folder.glob(f"*/{HEAD}"))
    return tuple(sorted(name for name in names if not name.startswith(".")))


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


def put_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write a folder of files in place of what was there; a reader finds the old or the new one.

    Each writer works beside it under a name of its own, so that two may write at once: the last one
    stays. What a killed writer left is removed when it is a day old.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name}.*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _DAY:
                shutil.rmtree(left, ignore_errors=True)
    new, old = (
        folder.with_name(f".{folder.name}.{uuid.uuid4().hex[:12]}.part") for _ in ("new", "old")
    )
    new.mkdir()
    for name, data in files.items():
        (new / name).write_bytes(data)
    for tries in range(_TRIES):
        with suppress(FileNotFoundError):
            folder.replace(old)
        try:
            new.replace(folder)
        except OSError as error:
            shutil.rmtree(old, ignore_errors=True)
            if error.errno not in _THERE_AGAIN or tries == _TRIES - 1:
                shutil.rmtree(new, ignore_errors=True)
                raise
        else:
            break
    shutil.rmtree(old, ignore_errors=True)
