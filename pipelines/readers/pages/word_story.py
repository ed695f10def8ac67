"""Turn the elements of one story of a Word file (body, note, header) into text.

Elements are told by their names without namespace, so that files in the strict form of the format
read the same. Unknown elements are looked into, never skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pipelines.readers.pages.blocks import Blocks
from pipelines.readers.pages.xmlparts import Element, attribute, child, local

_SKIP = frozenset(
    {
        "pPr", "rPr", "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr", "sdtPr",
        "sdtEndPr", "ctrlPr", "instrText", "delText", "delInstrText", "docPr", "binData",
    }
)  # fmt: skip
_OFF = ("0", "false", "off", "none")
_SYMBOLS = {  # the boxes and ticks of forms; other symbols keep their place in the private area
    ("wingdings", 0x6F): "☐",
    ("wingdings", 0xA8): "☐",
    ("wingdings", 0xFB): "✗",
    ("wingdings", 0xFC): "✓",
    ("wingdings", 0xFD): "☒",
    ("wingdings", 0xFE): "☑",
    ("wingdings", 0xB7): "•",
    ("symbol", 0xB7): "•",
}


def hidden_styles(styles: Element | None) -> frozenset[str]:
    """Return the ids of the styles whose text is hidden, their own doing or their parents'."""
    own: dict[str, bool | None] = {}
    parents: dict[str, str] = {}
    for style in () if styles is None else styles:
        if local(style) == "style":
            name = attribute(style, "styleId") or ""
            own[name] = _switch(child(style, "rPr"), "vanish")
            parents[name] = _value(child(style, "basedOn"))
    hidden = set()
    for name in own:
        seen: list[str] = []
        above = name
        while above in own and own[above] is None and above not in seen:
            seen.append(above)
            above = parents[above]
        if own.get(above):
            hidden.add(name)
    return frozenset(hidden)


class Story:
    """One story; ``counts`` and the ``references`` to notes are shared with the caller."""

    def __init__(
        self, hidden: frozenset[str], counts: Counter[str], references: list[tuple[str, str]]
    ) -> None:
        self._hidden = hidden
        self._counts = counts
        self._references = references
        self._fields: list[bool] = []  # of each open field: are we still in its code?
        self._heed_fields = True
        self._boxes: list[Element] = []
        self._paragraph_hidden = False

    def text(self, element: Element) -> str:
        """Return the text of ``element``."""
        before, known = self._counts.copy(), len(self._references)
        out = self._told(element)
        if self._fields:  # damaged: what follows the open field would be taken for its code
            self._counts.clear()
            self._counts.update(before)
            del self._references[known:]
            self._counts["unclosed"] += 1
            self._heed_fields = False
            self._fields.clear()
            out = self._told(element)
        return out.text()

    def _told(self, element: Element) -> Blocks:
        out = Blocks()
        self._walk(element, out)
        while self._boxes:  # of a damaged file: outside any paragraph
            out.block()
            self._walk(self._boxes.pop(0), out)
        return out

    def _walk(self, element: Element, out: Blocks) -> None:
        for inner in element:
            match local(inner):
                case "p":
                    self._paragraph(inner, out)
                case "r":
                    self._run(inner, out)
                case "t":
                    self._put(inner.text or "", out)
                case "tab" | "ptab":
                    self._put("\t", out)
                case "br" | "cr":
                    self._put("\n", out)
                case "noBreakHyphen":
                    self._put("-", out)
                case "sym":
                    self._put(_symbol(inner), out)
                case "tbl":
                    self._table(inner, out)
                case "del" | "moveFrom":
                    self._counts["deleted"] += 1
                case "ins":
                    self._counts["inserted"] += 1
                    self._walk(inner, out)
                case "fldChar":
                    self._field(inner, out)
                case "sdt" if child(inner, "sdtPr", "showingPlcHdr") is not None:
                    self._counts["prompts"] += 1
                case "AlternateContent":
                    self._walk(_alternative(inner), out)
                case "txbxContent":
                    self._boxes.append(inner)
                case "footnoteReference" | "endnoteReference" as name:
                    kind = name.removesuffix("Reference")
                    self._references.append((kind, attribute(inner, "id") or ""))
                case "" | "softHyphen":
                    pass
                case name if name not in _SKIP:
                    self._walk(inner, out)

    def _put(self, text: str, out: Blocks) -> None:
        if not any(self._fields):
            out.add(text)

    def _paragraph(self, paragraph: Element, out: Blocks) -> None:
        properties = child(paragraph, "pPr")
        outer, self._boxes = self._boxes, []
        hidden, self._paragraph_hidden = (
            self._paragraph_hidden,
            _value(child(properties, "pStyle")) in self._hidden,
        )
        self._walk(paragraph, out)
        self._paragraph_hidden = hidden
        if child(properties, "rPr", "del") is None:
            out.line()
        boxes, self._boxes = self._boxes, outer
        for box in boxes:
            out.block()
            self._walk(box, out)

    def _run(self, run: Element, out: Blocks) -> None:
        properties = child(run, "rPr")
        hidden = _switch(properties, "vanish")
        if hidden is None:
            style = _value(child(properties, "rStyle"))
            hidden = style in self._hidden or self._paragraph_hidden
        if hidden:
            self._counts["hidden"] += sum(
                len(inner.text or "") for inner in run if local(inner) == "t"
            )
        else:
            self._walk(run, out)

    def _table(self, table: Element, out: Blocks) -> None:
        for row in _inside(table, "tr"):
            if child(row, "trPr", "del") is not None:
                self._counts["deleted"] += 1
                continue
            cells = []
            for cell in _inside(row, "tc"):
                if child(cell, "tcPr", "cellDel") is None:
                    inner = Blocks()
                    self._walk(cell, inner)
                    cells.append(inner.text())
            out.row(cells)

    def _field(self, mark: Element, out: Blocks) -> None:
        if not self._heed_fields:
            return
        match attribute(mark, "fldCharType"):
            case "begin":
                self._put(_form_field(mark), out)
                self._fields.append(True)
            case "separate" if self._fields:
                self._fields[-1] = False
            case "end" if self._fields:
                self._fields.pop()


def _inside(element: Element, name: str) -> Iterator[Element]:
    """Yield the rows of a table, or the cells of a row, also those within content controls."""
    for inner in element:
        found = local(inner)
        if found == name:
            yield inner
        elif found and found not in _SKIP:
            yield from _inside(inner, name)


def _alternative(element: Element) -> Element:
    """Return the first of several forms of the same content that has text, else the last."""
    for form in element:
        if any(local(inner) == "t" for inner in form.iter()):
            return form
    return element[-1] if len(element) else element


def _form_field(mark: Element) -> str:
    """Return what an old form field shows that is no text: its tick, or the entry chosen."""
    data = child(mark, "ffData")
    box = child(data, "checkBox")
    if box is not None:
        checked = _switch(box, "checked")
        checked = _switch(box, "default") if checked is None else checked
        return "☒" if checked else "☐"
    choices = child(data, "ddList")
    if choices is None:
        return ""
    entries = [_value(entry) for entry in choices if local(entry) == "listEntry"]
    chosen = _value(child(choices, "result")) or _value(child(choices, "default")) or "0"
    return entries[int(chosen)] if chosen.isdecimal() and int(chosen) < len(entries) else ""


def _symbol(element: Element) -> str:
    try:
        code = int(attribute(element, "char") or "", 16)
    except ValueError:
        return ""
    font = (attribute(element, "font") or "").lower()
    known = _SYMBOLS.get((font, code & 0xFF)) if code < 0x100 or 0xF000 <= code < 0xF100 else None
    return known or (chr(code) if 0x20 <= code < 0xD800 or 0xE000 <= code < 0x110000 else "")


def _switch(properties: Element | None, name: str) -> bool | None:
    """Return a property that is on or off, ``None`` where nothing is said."""
    element = child(properties, name)
    return None if element is None else _value(element, "on").lower() not in _OFF


def _value(element: Element | None, otherwise: str = "") -> str:
    found = None if element is None else attribute(element, "val")
    return otherwise if found is None else found
