"""Write uploaded files to the workspace, by content, in chunks.

An upload goes to ``<uploads>/<collection>/<first 16 hex of its SHA-256>/<name>``: the same file
sent twice is one file, and another file of the same name never overwrites the first.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 20
KINDS = "CSV, TSV, XLSX, XLS, ODS, JSON, DOCX, ODT, RTF, PDF, HTML, e-mail, TXT, Markdown or ZIP of them"
"""The kinds of file that the readers take, for people; the readers decide by content and name."""
LONGEST_NAME = 120
LONGEST_COLLECTION = 80

_UNSAFE = re.compile(r"[^\w .()+,=@-]")
_COLLECTION = re.compile(r"\w[\w .-]*")


@dataclass(frozen=True, slots=True)
class StoredUpload:
    """An uploaded file in the workspace; ``new`` is false where it was there already."""

    path: Path
    name: str
    sha256: str
    size: int
    new: bool


def safe_name(name: str) -> str:
    """Return ``name`` as one harmless file name that keeps its extension.

    Folders before it, control characters and shell or path punctuation go; letters of any script
    stay.
    """
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    base = _UNSAFE.sub("_", base).strip(" .")
    if not base:
        return "file"
    stem, dot, suffix = base.rpartition(".")
    if not stem:
        return base[:LONGEST_NAME]
    suffix = suffix[:20]
    return stem[: LONGEST_NAME - len(suffix) - 1].rstrip(" .") + dot + suffix


def collection_problem(name: str) -> str | None:
    """Return why ``name`` cannot name a new collection, or None when it can."""
    if not name.strip():
        return "Give the collection a name, for example parking-survey."
    if len(name) > LONGEST_COLLECTION:
        return f"The collection name has {len(name)} characters; use at most {LONGEST_COLLECTION}."
    if not _COLLECTION.fullmatch(name) or name != name.strip():
        return (
            "A collection name begins with a letter or digit and has letters, digits, spaces, "
            "full stops, hyphens and underscores only."
        )
    return None


def collection_folder(uploads: Path, collection: str) -> Path:
    """Return the folder of a collection's uploads, always directly inside ``uploads``."""
    safe = safe_name(collection)
    if safe != collection:
        safe = f"{safe}-{hashlib.sha256(collection.encode()).hexdigest()[:8]}"
    return uploads / safe


def store_upload(folder: Path, name: str, stream: BinaryIO) -> StoredUpload:
    """Copy ``stream`` below ``folder`` under its content hash, a chunk at a time.

    The file appears whole or not at all. Raises OSError where the workspace cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    digest = hashlib.sha256()
    size = 0
    handle, waiting = tempfile.mkstemp(prefix=".upload-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as target:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
                size += len(chunk)
                target.write(chunk)
        sha256 = digest.hexdigest()
        final = folder / sha256[:16] / safe_name(name)
        new = not final.exists()
        if new:
            final.parent.mkdir(exist_ok=True, mode=0o700)
            Path(waiting).replace(final)
    finally:
        Path(waiting).unlink(missing_ok=True)
    return StoredUpload(final, final.name, sha256, size, new)
