"""Where the one-text commands get their text: a file, standard input, or the argument itself."""

from __future__ import annotations

import sys
from pathlib import Path

from app.errors import UsageError


def read_text(argument: str, *, literal: bool = False) -> str:
    """Return the text ``argument`` stands for: ``-`` is stdin, a file is its decoded text.

    With ``literal`` an argument that is no file is the text itself.
    """
    if argument == "-":
        return sys.stdin.buffer.read().decode("utf-8-sig")
    if literal:
        return argument
    path = Path(argument)
    if not path.is_file():
        raise UsageError(f"No such file: {argument!r}. Expected a text file, or - for stdin.")
    from pipelines.readers import discover, read

    (file,) = discover([path]).files
    reading = read(file)
    documents = list(reading)
    if not documents:
        raise UsageError(f"Nothing to read in {argument!r}: {reading.report.reason}")
    return "\n\n".join(document.text for document in documents)
