"""Read TXT and Markdown: the whole file is one document, to the character."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.readers.decode import Encoding, decoded, detect
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Document


def read_plain(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of a text file; an empty file is one document with an empty text.

    Raises:
        UnreadableFile: binary, or broken in its encoding.
    """
    encoding = detect(file.path)
    tally.encoding = encoding.name
    if encoding.warning:
        tally.warnings.append(encoding.warning)
    return _document(file, encoding)


def _document(file: SourceFile, encoding: Encoding) -> Iterator[Document]:
    text = "".join(decoded(file.path, encoding))
    yield Document(
        key=file.name, text=text, metadata=whole_file_metadata(file), locator="the whole file"
    )
