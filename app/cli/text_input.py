"""Where the one-text commands get their text: a file, standard input, or the argument itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.errors import UsageError


def is_file(name: str) -> bool:
    """Tell whether ``name`` is a file's; one too long, or out of reach, is not."""
    try:
        return Path(name).is_file()
    except OSError:
        return False


def read_text(argument: str, *, literal: bool = False) -> str:
    """Return the text ``argument`` stands for: ``-`` is stdin, a file is its decoded text.

    With ``literal`` an argument that is no file is the text itself.
    """
    if argument == "-":
        return _decoded(sys.stdin.buffer.read())
    if literal:
        return _decoded(os.fsencode(argument))
    if not is_file(argument):
        raise UsageError(f"No such file: {argument!r}. Expected a text file, or - for stdin.")
    from pipelines.readers import discover, read

    found = discover([argument])
    if not found.files:
        raise UsageError(f"Nothing to read in {argument!r}: {found.left_out[0].reason}")
    reading = read(found.files[0])
    documents = list(reading)
    if not documents:
        raise UsageError(f"Nothing to read in {argument!r}: {reading.report.reason}")
    return "\n\n".join(document.text for document in documents)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The text is not UTF-8: {error.reason} (0x{data[error.start]:02x}) at byte "
            f"{error.start}. Expected UTF-8; convert it first, as with: iconv -f latin1 -t utf-8"
        ) from error
