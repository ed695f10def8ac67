"""Read DOCX: everything a reader of the accepted document sees, as one document.

In order: the body with its tables, text boxes (after the paragraph that holds them), content
controls and field results; then footnotes and endnotes in the order of their references; then the
different lines of headers and footers, once. Insertions are in, deletions out. Hidden text and
comments are left out. What was added, moved or left out is counted in the warnings. The parts are
read here, because readers of the format drop notes, boxes, controls and insertions.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.blocks import Blocks
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.word_story import Story, hidden_styles
from pipelines.readers.pages.xmlparts import Element, Parts, attribute, child, descendants, local
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_READ = {
    "aFChunk": "embedded document",
    "oleObject": "embedded object",
    "package": "embedded file",
    "chart": "chart",
}


def read_word(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of a Word file.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not a Word file, damaged, or protected by a password.
    """
    from pipelines.readers.containers import packages

    with file.path.open("rb") as stream:
        if stream.read(8) == _OLE:
            raise UnreadableFile(
                "protected by a password, or a Word 97–2003 document under another name; "
                "save it as .docx without a password"
            )
    packages.check(file.path, options.limits, "Word document")
    return whole_document(file, options, tally, "pipelines.readers.pages.word:extract")


def extract(path: str) -> Iterator[Fact]:
    """Yield the facts of the Word file at ``path``.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not a Word file, or damaged.
    """
    parts = Parts(path)
    main = next(iter(_related(parts, "", "officeDocument")), "word/document.xml")
    root = parts.root(main)
    body = child(root, "body")
    if root is None or body is None:
        raise UnreadableFile(
            "a zip file, but not a Word document: it has no part 'word/document.xml' with a body"
        )
    styles = [parts.root(name) for name in _related(parts, main, "styles")]
    hidden = hidden_styles(styles[0] if styles else None)
    counts: Counter[str] = Counter()
    references: list[tuple[str, str]] = []
    texts = [Story(hidden, counts, references).text(body)]
    texts += _diagrams(parts, main)
    texts += _notes(parts, main, hidden, counts, references)
    margins = _margins(parts, main, hidden, counts)
    texts += margins
    text = "\n".join(piece for piece in texts if piece)
    if not text.strip():
        pictures = len(_related(parts, main, "image"))
        with_pictures = f"; {counted(pictures, 'picture')} in it" if pictures else ""
        raise SkippedFile(f"no text in the document{with_pictures}")
    yield "text", text
    yield "metadata", _metadata(parts)
    counts["margins"] = sum(piece.count("\n") + 1 for piece in margins)
    for name in _related(parts, main, "comments"):
        comments = parts.root(name)
        counts["comments"] += (
            0 if comments is None else sum(1 for _ in descendants(comments, "comment"))
        )
    for kind in _NOT_READ:
        counts[kind] = len(_related(parts, main, kind))
    for warning in _warnings(counts):
        yield "warning", warning


def _related(parts: Parts, source: str, kind: str) -> list[str]:
    """Return the parts that ``source`` ("" for the package) points at with a relation ``kind``."""
    folder, name = posixpath.split(source)
    root = parts.root(posixpath.join(folder, "_rels", f"{name}.rels"))
    if root is None:
        return []
    return [
        posixpath.normpath(posixpath.join("/", folder, relation.get("Target", ""))).lstrip("/")
        for relation in descendants(root, "Relationship")
        if relation.get("Type", "").rpartition("/")[2] == kind
        and relation.get("TargetMode") != "External"
    ]


def _notes(
    parts: Parts,
    main: str,
    hidden: frozenset[str],
    counts: Counter[str],
    references: list[tuple[str, str]],
) -> list[str]:
    """Return the notes in the order of their references, then those that nothing refers to."""
    notes: dict[tuple[str, str], Element] = {}
    for kind in ("footnote", "endnote"):
        for name in _related(parts, main, f"{kind}s"):
            root = parts.root(name)
            for note in () if root is None else descendants(root, kind):
                if attribute(note, "type") in (None, "normal"):
                    notes[kind, attribute(note, "id") or ""] = note
    order = [key for key in dict.fromkeys(references) if key in notes]
    order += [key for key in notes if key not in set(order)]
    return [Story(hidden, counts, []).text(notes[key]) for key in order]


def _margins(parts: Parts, main: str, hidden: frozenset[str], counts: Counter[str]) -> list[str]:
    """Return the texts of headers and footers, each different line once."""
    seen: set[str] = set()
    texts = []
    for kind in ("header", "footer"):
        for name in _related(parts, main, kind):
            root = parts.root(name)
            if root is None:
                continue
            lines = Story(hidden, counts, []).text(root).split("\n")
            fresh = [line for line in dict.fromkeys(lines) if line.strip() and line not in seen]
            seen.update(fresh)
            if fresh:
                texts.append("\n".join(fresh))
    return texts


def _diagrams(parts: Parts, main: str) -> list[str]:
    """Return the texts of SmartArt, whose points lie in parts of their own."""
    texts = []
    for name in _related(parts, main, "diagramData"):
        root = parts.root(name)
        out = Blocks()
        for paragraph in () if root is None else descendants(root, "p"):
            for piece in descendants(paragraph, "t"):
                out.add(piece.text or "")
            out.block()
        texts.append(out.text())
    return texts


def _metadata(parts: Parts) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _related(parts, "", "core-properties"):
        root = parts.root(name)
        for element in () if root is None else root:
            value = (element.text or "").strip()
            if value and local(element) in ("title", "created"):
                found[local(element)] = value
    return found


def _warnings(counts: Counter[str]) -> Iterator[str]:
    if number := counts["deleted"]:
        yield f"{counted(number, 'tracked deletion')} left out"
    if number := counts["inserted"]:
        yield f"{counted(number, 'tracked insertion')} kept"
    if number := counts["hidden"]:
        yield f"hidden text left out: {counted(number, 'character')}"
    if number := counts["prompts"]:
        yield f"{counted(number, 'empty field')} left out with the prompt shown in it"
    if number := counts["comments"]:
        yield f"{counted(number, 'comment')} left out"
    if number := counts["margins"]:
        yield f"headers and footers stand at the end: {counted(number, 'line')}"
    for kind, noun in _NOT_READ.items():
        if number := counts[kind]:
            yield f"not read: {counted(number, noun)}"
    if counts["unclosed"]:
        yield "a field has no end, so the codes of fields are not told from their results"
