"""Read ODT: everything a reader of the document sees, as one document.

In order: the body with its tables, lists, indexes and text boxes (after the paragraph that holds
them); then footnotes and endnotes; then the different lines of headers and footers, once. Tracked
deletions, hidden text and annotations are left out and counted in the warnings. White space is
collapsed as the format demands, its own elements for spaces and tabs are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.pages.blocks import Blocks
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.xmlparts import Element, Parts, attribute, child, descendants, local
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

_SKIP = frozenset(
    {
        "forms", "sequence-decls", "variable-decls", "user-field-decls", "dde-connection-decls",
        "note-citation", "title", "desc", "script", "event-listeners", "object-ole",
        "table-of-content-source", "alphabetical-index-source", "illustration-index-source",
        "table-index-source", "object-index-source", "user-index-source", "bibliography-source",
        "alphabetical-index-auto-mark-file", "glue-point", "image-map",
    }
)  # fmt: skip
_SHAPES = frozenset({"text-box", "custom-shape", "rect", "ellipse", "polygon", "line", "path"})
_REPEATED = 64  # empty cells of a row, or spaces in a row, that are believed


def read_opendocument(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of an OpenDocument text.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not an OpenDocument text, damaged, or protected by a password.
    """
    from pipelines.readers.containers import packages

    packages.check(file.path, options.limits, "OpenDocument text")
    return whole_document(file, options, tally, "pipelines.readers.pages.opendocument:extract")


def extract(path: str) -> Iterator[Fact]:
    """Yield the facts of the OpenDocument text at ``path``.

    Raises:
        SkippedFile: there is no text in it.
        UnreadableFile: not an OpenDocument text, damaged, or protected by a password.
    """
    parts = Parts(path)
    manifest = parts.root("META-INF/manifest.xml")
    if manifest is not None and any(True for _ in descendants(manifest, "encryption-data")):
        raise UnreadableFile("protected by a password; save it without one")
    content, styles = parts.root("content.xml"), parts.root("styles.xml")
    body = child(content, "body", "text")
    if content is None or body is None:
        raise UnreadableFile(
            "a zip file, but not an OpenDocument text: its part 'content.xml' has no text body"
        )
    story = _Story(_hidden_styles(content, styles))
    texts = [story.text(body), *story.notes()]
    margins = _margins(story, styles)
    text = "\n".join(piece for piece in (*texts, *margins) if piece)
    counts = story.counts
    if not text.strip():
        with_pictures = f"; {counted(counts['image'], 'picture')} in it" if counts["image"] else ""
        raise SkippedFile(f"no text in the document{with_pictures}")
    yield "text", text
    yield "metadata", _metadata(parts)
    if number := counts["deleted"]:
        yield "warning", f"{counted(number, 'tracked deletion')} left out"
    if number := counts["hidden"]:
        yield "warning", f"hidden text left out: {counted(number, 'character')}"
    if number := counts["annotation"]:
        yield "warning", f"{counted(number, 'comment')} left out"
    if number := sum(piece.count("\n") + 1 for piece in margins):
        yield "warning", f"headers and footers stand at the end: {counted(number, 'line')}"
    if number := counts["object"]:
        yield "warning", f"not read: {counted(number, 'embedded object')}"
    if number := counts["form field"]:
        yield "warning", f"not read: {counted(number, 'form field')}"


class _Story:
    """The text of the document, with what was met on the way."""

    def __init__(self, hidden: frozenset[str]) -> None:
        self.counts: Counter[str] = Counter()
        self._hidden = hidden
        self._notes: list[Element] = []
        self._boxes: list[Element] = []

    def text(self, element: Element) -> str:
        """Return the text of ``element``; its notes wait in ``notes``."""
        out = Blocks()
        self._walk(element, out)
        out.block()
        return out.text()

    def notes(self) -> Iterator[str]:
        """Yield the text of each note, in order; a note may hold another one's reference."""
        while self._notes:
            yield self.text(self._notes.pop(0))

    def _walk(self, element: Element, out: Blocks, *, inline: bool = False) -> None:
        for inner in element:
            self._element(inner, out, inline)
            if inline and inner.tail:
                out.flow(inner.tail)

    def _element(self, inner: Element, out: Blocks, inline: bool) -> None:
        name = local(inner)
        if not name or name in _SKIP:
            self.counts["form field"] += (
                sum(attribute(field, "current-value") is not None for field in inner.iter())
                if name == "forms"
                else 0
            )
        elif self._is_hidden(inner):
            self.counts["hidden"] += sum(len(text) for text in inner.itertext())
        elif name in ("p", "h"):
            self._paragraph(inner, out)
        elif name == "s":
            count = attribute(inner, "c") or "1"
            out.add(" " * min(int(count) if count.isdecimal() else 1, _REPEATED))
        elif name == "tab":
            out.add("\t")
        elif name == "line-break":
            out.add("\n")
        elif name == "tracked-changes":
            self.counts["deleted"] += sum(1 for _ in descendants(inner, "deletion"))
        elif name == "annotation":
            self.counts["annotation"] += 1
        elif name == "note":
            self._notes += [part for part in inner if local(part) == "note-body"]
        elif name == "table":
            self._table(inner, out)
        elif name in _SHAPES:
            self._boxes.append(inner)
            if not inline:
                self._unbox(out, self._take_boxes())
        else:
            if name in ("object", "image"):
                self.counts[name] += 1
            if inline and inner.text:
                out.flow(inner.text)
            self._walk(inner, out, inline=inline)

    def _paragraph(self, paragraph: Element, out: Blocks) -> None:
        outer = self._take_boxes()
        if paragraph.text:
            out.flow(paragraph.text)
        self._walk(paragraph, out, inline=True)
        out.line()
        boxes, self._boxes = self._boxes, outer
        self._unbox(out, boxes)

    def _take_boxes(self) -> list[Element]:
        boxes, self._boxes = self._boxes, []
        return boxes

    def _unbox(self, out: Blocks, boxes: list[Element]) -> None:
        for box in boxes:
            self._walk(box, out)

    def _table(self, table: Element, out: Blocks) -> None:
        for row in _inside(table, ("table-row",)):
            cells: list[str] = []
            for cell in _inside(row, ("table-cell", "covered-table-cell")):
                inner = Blocks()
                self._walk(cell, inner)
                text = inner.text()
                repeated = attribute(cell, "number-columns-repeated") or "1"
                times = int(repeated) if repeated.isdecimal() and not text else 1
                cells += [text] * min(times, _REPEATED)
            out.row(cells)

    def _is_hidden(self, element: Element) -> bool:
        if local(element) in ("section", "hidden-text", "hidden-paragraph"):
            return attribute(element, "display") == "none" or (
                local(element) != "section" and attribute(element, "is-hidden") == "true"
            )
        return (attribute(element, "style-name") or "") in self._hidden


def _inside(element: Element, names: tuple[str, ...]) -> Iterator[Element]:
    """Yield the rows of a table, or the cells of a row, also those within groups."""
    for inner in element:
        if local(inner) in names:
            yield inner
        elif local(inner).startswith("table-") and "column" not in local(inner):
            yield from _inside(inner, names)


def _hidden_styles(*roots: Element | None) -> frozenset[str]:
    return frozenset(
        attribute(style, "name") or ""
        for root in roots
        if root is not None
        for style in descendants(root, "style")
        if (properties := child(style, "text-properties")) is not None
        and attribute(properties, "display") == "none"
    )


def _margins(story: _Story, styles: Element | None) -> list[str]:
    """Return the texts of headers and footers, each different line once."""
    seen: set[str] = set()
    texts = []
    masters = () if styles is None else descendants(styles, "master-page")
    for master in masters:
        for margin in master:
            if not local(margin).startswith(("header", "footer")):
                continue
            lines = story.text(margin).split("\n")
            fresh = [line for line in dict.fromkeys(lines) if line.strip() and line not in seen]
            seen.update(fresh)
            if fresh:
                texts.append("\n".join(fresh))
    return texts


def _metadata(parts: Parts) -> dict[str, str]:
    meta = child(parts.root("meta.xml"), "meta")
    found: dict[str, str] = {}
    for element in () if meta is None else meta:
        value = (element.text or "").strip()
        name = {"title": "title", "creation-date": "created"}.get(local(element))
        if value and name:
            found[name] = value
    return found
