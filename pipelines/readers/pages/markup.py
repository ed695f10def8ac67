"""Read HTML and XHTML: all the text that a browser shows, as one document.

Blocks become lines, white space collapses as in a browser outside ``pre`` and ``textarea``.
Scripts, styles, templates, ``noscript`` and what the page itself hides (the attribute ``hidden``,
``display: none`` or ``visibility: hidden`` in an element's own style) are left out. Menus, banners
and other furniture of a saved page stay: nobody can tell them from the text with certainty.
Style sheets are not applied, pictures, frames and links not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.readers.errors import SkippedFile
from pipelines.readers.pages.blocks import Blocks
from pipelines.readers.pages.documents import Fact, counted, whole_document
from pipelines.readers.pages.markup_encoding import declared_encoding
from pipelines.readers.text.decode import decoded
from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SKIP = frozenset(
    {
        "script", "style", "template", "noscript", "head", "title", "iframe", "datalist", "audio",
        "video", "canvas", "noframes", "noembed", "desc", "metadata",
    }
)  # fmt: skip
_BLOCKS = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "button", "caption", "center", "dd",
        "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
        "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li",
        "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "plaintext", "pre",
        "search", "section", "select", "summary", "table", "tbody", "textarea", "tfoot", "thead",
        "ul", "xmp", "text",
    }
)  # fmt: skip
_RAW = _SKIP & {"script", "style", "title", "noscript", "iframe", "template", "noframes", "noembed"}
_OPEN = re.compile(r"<[A-Za-z/!?]")
_NO_WORDS = frozenset(
    {"hidden", "password", "checkbox", "radio", "image", "file", "color", "range"}
)  # kinds of input
_VERBATIM = frozenset({"pre", "textarea", "listing", "plaintext", "xmp"})
_HIDING = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.I)
_INTERNAL_TYPE = re.compile(r"<!DOCTYPE[^\[>]*\[.*?\]\s*>", re.S | re.I)
_HALVES = re.compile("[\ud800-\udfff]")  # of characters, from broken UTF-16
_XHTML = re.compile(r"\s*<\?xml\b")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)
_CLOSED = re.compile(
    r"<(script|style|title|textarea|iframe|noscript|noframes|template|object|xmp|[bipasq]|div|span"
    r"|em|strong|h[1-6]|li|td|th|tr|table|ul|ol)((?:\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'))?)*)\s*/>",
    re.I,
)


def read_markup(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return the document of an HTML file.

    Raises:
        SkippedFile: the page shows no text.
        UnreadableFile: binary data.
    """
    return whole_document(file, options, tally, "pipelines.readers.pages.markup:extract")


def extract(path: str) -> Iterator[Fact]:
    """Yield the facts of the HTML file at ``path``.

    Raises:
        SkippedFile: the page shows no text.
        UnreadableFile: binary data.
    """
    from selectolax.lexbor import LexborHTMLParser

    encoding = declared_encoding(Path(path))
    yield "encoding", encoding.name
    if encoding.warning:
        yield "warning", encoding.warning
    source = _HALVES.sub("�", "".join(decoded(Path(path), encoding)))
    if _XHTML.match(source) or path.lower().endswith((".xhtml", ".xht")):
        source = _as_html(source)
    tree = LexborHTMLParser(source)
    text = node_text(tree.root) if tree.root is not None else ""
    if not text.strip():
        raise SkippedFile("the page shows no text of its own")
    yield "text", text
    for warning in _swallowed(source):
        yield "warning", warning
    title = tree.css_first("head title")
    if title is not None and (words := " ".join(title.text().split())):
        yield "metadata", {"title": words}


def markup_text(source: str) -> str:
    """Return what a browser shows of the HTML ``source``."""
    from selectolax.lexbor import LexborHTMLParser

    root = LexborHTMLParser(source).root
    return "" if root is None else node_text(root)


def node_text(root: LexborNode) -> str:
    """Return the text that a browser shows below ``root``."""
    out = Blocks()
    rows: list[tuple[Blocks, list[str]]] = []  # of each open row: what is around it, its cells
    around: list[Blocks] = []  # of each open cell: what is around it
    verbatim = 0
    node: LexborNode | None = root
    while node is not None:
        tag = node.tag
        if tag == "-text":
            text = node.text_content or ""
            if verbatim:
                out.add(text)
            else:
                out.flow(text)
        elif tag == "br":
            out.add("\n")
        elif tag == "input":
            if typed := _typed(node):
                out.flow(f" {typed} ")
        elif tag and tag[0] != "-" and not _left_out(node, tag):
            if tag in _BLOCKS:
                out.block()
            if tag == "tr":
                out.block()
                rows.append((out, []))
            elif tag in ("td", "th") and rows:
                around.append(out)
                out = Blocks()
            verbatim += tag in _VERBATIM
            if node.first_child is not None:
                node = node.first_child
                continue
            out, verbatim = _leave(tag, out, rows, around, verbatim)
        # Onwards: the next node, leaving every element that ends here.
        while node.next is None:
            parent = node.parent
            if parent is None or node.mem_id == root.mem_id or parent.tag == "-document":
                return out.text()
            node = parent
            out, verbatim = _leave(node.tag or "", out, rows, around, verbatim)
            if node.mem_id == root.mem_id:
                return out.text()
        node = node.next
    return out.text()


def _leave(
    tag: str,
    out: Blocks,
    rows: list[tuple[Blocks, list[str]]],
    around: list[Blocks],
    verbatim: int,
) -> tuple[Blocks, int]:
    if tag in ("td", "th") and rows and around:
        rows[-1][1].append(out.text())
        out = around.pop()
    elif tag == "tr" and rows:
        out, cells = rows.pop()
        out.row(cells)
    elif tag in _BLOCKS:
        out.block()
    return out, verbatim - (tag in _VERBATIM)


def _swallowed(source: str) -> Iterator[str]:
    """Say what a browser shows nothing of because something before it is never closed."""
    rest = source[source.rfind(">") + 1 :]
    if tag := _OPEN.search(rest):
        lost = counted(len(rest) - tag.start(), "character")
        yield f"not read: {lost} at the end, in a tag that is never closed"
    lower = source.lower()
    if lower.rfind("<!--") > lower.rfind("-->"):
        yield "not read: what follows a comment that is never closed"
    for name in sorted(_RAW):
        opened = [found.start() for found in re.finditer(rf"<{name}(?![\w-])", lower)]
        if opened and opened[-1] > lower.rfind(f"</{name}"):
            yield f"not read: what follows a “{name}” that is never closed"


def _left_out(node: LexborNode, tag: str) -> bool:
    if tag in _SKIP:
        return True
    attributes = node.attributes
    if "hidden" in attributes or _HIDING.search(attributes.get("style") or ""):
        return True
    return (tag == "dialog" and "open" not in attributes) or (tag == "option" and not _shown(node))


def _typed(box: LexborNode) -> str:
    """Return what stands in a box to type in, or on a button."""
    attributes = box.attributes
    if (attributes.get("type") or "text").lower() in _NO_WORDS or _left_out(box, "input"):
        return ""
    return attributes.get("value") or ""


def _shown(option: LexborNode) -> bool:
    """Say whether an entry of a list to choose from is chosen, or shown because all are."""
    box = option.parent
    while box is not None and box.tag not in ("select", "body"):
        box = box.parent
    if box is None or box.tag != "select" or {"multiple", "size"} & box.attributes.keys():
        return True
    entries = box.css("option")
    chosen = [entry for entry in entries if "selected" in entry.attributes] or entries
    return chosen[-1 if "selected" in chosen[0].attributes else 0] == option


def _as_html(source: str) -> str:
    """Return XHTML so that an HTML parser reads it.

    It does not know declarations inside the document type, sections of raw text, and elements that
    are closed where they are opened.
    """
    source = _INTERNAL_TYPE.sub("<!DOCTYPE html>", source, count=1)
    source = _CDATA.sub(lambda section: escape(section[1], quote=False), source)
    return _CLOSED.sub(r"<\1\2></\1>", source)
