"""Make one document of a file whose parser runs apart.

The parsers of HTML, DOCX, ODT, RTF, PDF and pictures are generators called ``extract``. They
yield facts, pairs of a name and a value: ``text`` (a piece; the pieces are put together as they
are), ``metadata`` (a dict), ``warning``, ``encoding``, ``flag``, ``locator``, and ``alive`` where
work goes on without a result.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipelines.readers.containers import sandbox
from pipelines.readers.errors import UnreadableFile
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Document

Fact = tuple[str, Any]


def whole_document(
    file: SourceFile, options: ReadOptions, tally: Tally, extract: str, *arguments: Any
) -> Iterator[Document]:
    """Return the document of ``file``, read by ``extract`` ("module:function") in the sandbox.

    ``extract`` gets the path and ``arguments``. The text is complete when this returns, so that
    whatever stops the parser is the outcome of opening the file.

    Raises:
        SkippedFile, UnreadableFile: from the parser or the sandbox; or the text is longer than a
            text may be.
    """
    pieces: list[str] = []
    size, most = 0, options.limits.field_mb
    metadata: dict[str, str] = {}
    flags: list[str] = []
    locator = "the whole file"
    for name, value in sandbox.run(extract, str(file.path), *arguments, limits=options.limits):
        match name:
            case "text":
                pieces.append(value)
                size += len(value)
                if size > most << 20:
                    raise UnreadableFile(
                        f"one text of more than {most} million characters (the setting field_mb)"
                    )
            case "metadata":
                metadata.update(value)
            case "flag":
                flags.append(value)
            case "locator":
                locator = value
            case "warning":
                tally.warnings.append(value)
            case "encoding":
                tally.encoding = value
    return iter(
        [
            Document(
                key=file.name,
                text="".join(pieces),
                metadata={**metadata, **whole_file_metadata(file)},
                locator=locator,
                flags=tuple(flags),
            )
        ]
    )


def counted(number: int, one: str, many: str = "") -> str:
    """Return "1 picture", "2 pictures": ``many`` where it is not ``one`` with an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
