"""Read RTF: everything a reader of the accepted document sees, as one document.

In order: the body with its tables and text boxes, then footnotes, then the different lines of
headers and footers, once. Deleted and hidden text and comments are left out and counted in the
warnings; the numbers and bullets of lists, which Word repeats as text for older programs, are left
out as they are in DOCX. The tokens are read here, because the reader at hand drops notes and boxes,
keeps deletions, and writes link targets and bars between cells into the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.rtf_story import Parser
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document


def read_rtf(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of an RTF file.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not RTF.
    """
    return whole_document(file, options, tally, "pipelines.readers.pages.rtf:extract")


def extract(path: str) -> Iterator[Fact]:
    """Yield the facts of the RTF file at ``path``.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not RTF.
    """
    data = Path(path).read_bytes()
    start = data[:64].lstrip(b"\xef\xbb\xbf\r\n\t \0")
    if not start.startswith(b"{\\rtf"):
        raise UnreadableFile("not RTF: it does not begin with {\\rtf; give it its right ending")
    parser = Parser(data)
    parser.parse()
    counts = parser.counts
    texts = [parser.body.text(), *(note.text() for note in parser.notes)]
    seen: set[str] = set()
    margins = []
    for margin in parser.margins:
        lines = dict.fromkeys(margin.text().split("\n"))
        fresh = [line for line in lines if line.strip() and line not in seen]
        seen.update(fresh)
        margins += fresh
    text = "\n".join(piece for piece in (*texts, *margins) if piece)
    if not text.strip():
        pictures = counts["pictures"]
        with_pictures = f"; {counted(pictures, 'picture')} in it" if pictures else ""
        raise SkippedFile(f"no text in the document{with_pictures}")
    yield "text", text
    yield "encoding", parser.encoding
    yield "metadata", parser.metadata
    if number := counts["deleted"]:
        yield "warning", f"deleted text left out: {counted(number, 'character')}"
    if number := counts["hidden"]:
        yield "warning", f"hidden text left out: {counted(number, 'character')}"
    if number := counts["comments"]:
        yield "warning", f"{counted(number, 'comment')} left out"
    if margins:
        yield "warning", f"headers and footers stand at the end: {counted(len(margins), 'line')}"
    if number := counts["unknown"]:
        yield "warning", f"{counted(number, 'character')} not in the file's own encoding: “�”"
    if number := parser.after:
        yield "warning", f"not read: {counted(number, 'byte')} after the end of the document"
    if parser.open_groups:
        yield "warning", "the file ends inside a group: its end may be missing"
