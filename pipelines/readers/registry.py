"""Choose the reader of a file by what is in it and what it is called.

Readers are named here and imported when the first file of their kind is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.types import Reading, ReadOptions, SourceFile, Tally
from pipelines.types import Document, FileOutcome

Reader = Callable[[SourceFile, ReadOptions, Tally], Iterator[Document]]

_READERS = {
    "csv": "pipelines.readers.delimited:read_delimited",
    "xlsx": "pipelines.readers.spreadsheet:read_spreadsheet",
    "text": "pipelines.readers.plain:read_plain",
    "markdown": "pipelines.readers.plain:read_plain",
}
_KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
}
SUFFIXES = tuple(_KINDS)
"""The endings of the files that are read, lower case."""

_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office file"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"SQLite format 3\0", "an SQLite database"),
)


def read(file: SourceFile, options: ReadOptions | None = None) -> Reading:
    """Open ``file`` and return its reading; a bad file gives a report, not an exception.

    ``reading.report.outcome`` says at once whether there are documents to take.
    """
    suffix = file.path.suffix.lower()
    tally = Tally(_KINDS.get(suffix, suffix.removeprefix(".") or "file"))
    try:
        documents = _reader(file, suffix)(file, options or ReadOptions(), tally)
        return Reading(file, tally, documents)
    except SkippedFile as skipped:
        outcome, reason = FileOutcome.SKIPPED, skipped.reason
        tally.columns = skipped.columns
    except UnreadableFile as broken:
        outcome, reason = FileOutcome.FAILED, broken.reason
    except OSError as error:
        outcome, reason = FileOutcome.FAILED, f"cannot be opened: {error.strerror or error}"
    return Reading(file, tally, outcome=outcome, reason=reason)


def _reader(file: SourceFile, suffix: str) -> Reader:
    kind = _KINDS.get(suffix)
    if kind is None:
        ending = f"files ending in {suffix}" if suffix else "files without an ending"
        raise SkippedFile(f"no reader for {ending}; read are {', '.join(SUFFIXES)}")
    if kind != "xlsx":
        with file.path.open("rb") as stream:
            start = stream.read(16)
        for signature, name in _SIGNATURES:
            if start.startswith(signature):
                raise UnreadableFile(f"named {suffix}, but it is {name}")
    module, function = _READERS[kind].split(":")
    return cast(Reader, getattr(import_module(module), function))
