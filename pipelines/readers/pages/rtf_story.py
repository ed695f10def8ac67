"""Turn the tokens of RTF into stories: the body, notes, headers and footers.

Source: Rich Text Format Specification 1.9.1 (Microsoft, 2008).
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from pipelines.readers.pages.blocks import Blocks

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n\0]+"
    rb"|([^\\{}\r\n\0]+)|\\"
)
_SYMBOL_FONT = 2  # the character set of fonts whose characters are signs of their own
_MARGINS = ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf")
_BOXES = ("shptxt", "dptxbxtext")
_DEEPEST_TABLE = 8
_CODE_PAGES = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}


class Flow:
    """One story: lines, and the tables that are open at each depth."""

    def __init__(self) -> None:
        self._levels: list[tuple[Blocks, list[str]]] = [(Blocks(), [])]

    def at(self, level: int) -> Blocks:
        """Return where text of the table depth ``level`` goes; 0 is outside tables."""
        while len(self._levels) <= level:
            self._levels.append((Blocks(), []))
        while len(self._levels) > level + 1:
            self._close_row(len(self._levels) - 1)
            self._levels.pop()
        return self._levels[level][0]

    def end_cell(self, level: int) -> None:
        """End a cell of the table at depth ``level``."""
        self.at(level)
        text, cells = self._levels[level]
        cells.append(text.text())
        self._levels[level] = (Blocks(), cells)

    def end_row(self, level: int) -> None:
        """End a row of the table at depth ``level``."""
        self.at(level)
        self._close_row(level)

    def text(self) -> str:
        """Return the whole story."""
        return self.at(0).text()

    def _close_row(self, level: int) -> None:
        text, cells = self._levels[level]
        if rest := text.text():
            cells.append(rest)  # a row without the end of its last cell
        self._levels[level - 1][0].row(cells)
        self._levels[level] = (Blocks(), [])


@dataclass(slots=True)
class _State:
    """What a group inherits and gives back at its end."""

    flow: Flow
    skip: bool = False
    upr: bool = False  # inside the form for old programs, beside which stands a better one
    encoding: str = "cp1252"
    symbols: bool = False
    unicode_skip: int = 1
    hidden: bool = False
    deleted: bool = False
    level: int = 0
    part: str = ""  # the table or property that is read rather than shown


class Parser:
    """One pass over the bytes of an RTF file."""

    def __init__(self, data: bytes) -> None:
        self.body = Flow()
        self.notes: list[Flow] = []
        self.margins: list[Flow] = []
        self.metadata: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.encoding = "cp1252"
        self.open_groups = False
        self.after = 0  # bytes after the end of the document
        self._data = data
        self._words = _words()
        self._state = _State(self.body)
        self._stack: list[_State] = []
        self._fonts: dict[int, tuple[str, bool]] = {}
        self._font = 0  # the one that the font table describes
        self._default_font = 0
        self._bytes = bytearray()
        self._half = 0  # the first half of a character outside the basic plane
        self._to_skip = 0
        self._starred = False
        self._date: dict[str, int] = {}

    def parse(self) -> None:
        """Read everything up to the end of the outermost group."""
        position, end = max(0, self._data.find(b"{")), len(self._data)
        while position < end:
            token = _TOKEN.match(self._data, position)
            if token is None:
                break
            position = token.end()
            word, argument, code, symbol, brace, text = token.groups()
            if text is not None:
                self._raw(text)
            elif code is not None:
                self._raw(bytes([int(code, 16)]))
            elif brace == b"{":
                self._flush()
                self._stack.append(replace(self._state))
                self._to_skip = 0
            elif brace:
                self._flush()
                self._to_skip = 0
                if self._stack:
                    self._close_group()
                if not self._stack:
                    self.after = len(self._data[position:].strip(b"}\0\r\n\t \x1a"))
                    break
            elif symbol is not None:
                self._symbol(symbol.decode("latin-1"))
            elif word is not None:
                number = None if argument is None else int(argument)
                if word == b"bin":
                    position += max(0, number or 0)
                else:
                    self._word(word.decode("ascii"), number)
        self._flush()
        self.open_groups = bool(self._stack)
        if {"yr", "mo", "dy"} <= self._date.keys():
            year, month, day = (self._date[name] for name in ("yr", "mo", "dy"))
            self.metadata["created"] = f"{year:04}-{month:02}-{day:02}"

    def _raw(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        self._starred = False
        self._bytes += data

    def _flush(self) -> None:
        """Decode the bytes so far: a character may have stood in two tokens."""
        if not self._bytes:
            return
        data = bytes(self._bytes)
        self._bytes.clear()
        state = self._state
        if state.symbols:
            text = "".join(chr(0xF000 + byte) if byte > 0x20 else chr(byte) for byte in data)
            text = text.replace("\uf0b7", "•")
        else:
            text = data.decode(state.encoding, "replace")
            self.counts["unknown"] += 0 if state.skip else text.count("�")
        self._put(text)

    def _put(self, text: str) -> None:
        state = self._state
        if self._half:
            self._half = 0
            self._put("�")
        if state.part == "title":
            self.metadata["title"] = (self.metadata.get("title", "") + text).lstrip()
        elif state.skip:
            return
        elif state.deleted:
            self.counts["deleted"] += len(text)
        elif state.hidden:
            self.counts["hidden"] += len(text)
        else:
            state.flow.at(state.level).add(text)

    def _symbol(self, symbol: str) -> None:
        if symbol in "\r\n":
            self._word("par", None)
        elif symbol == "*":
            self._flush()
            self._starred = True
        elif self._to_skip and symbol in "{}\\~-_":
            self._to_skip -= 1
        elif symbol in "{}\\":
            self._raw(symbol.encode("latin-1"))
        elif symbol in "~_\t":
            self._flush()
            self._put({"~": "\xa0", "_": "-"}.get(symbol, symbol))

    def _word(self, word: str, number: int | None) -> None:
        self._flush()
        if word != "u":
            self._to_skip = 0
        state = self._state
        starred, self._starred = self._starred, False
        on = number != 0
        if state.part == "fonttbl":
            self._font_table(word, number)
        elif state.part == "creatim" and word in ("yr", "mo", "dy"):
            self._date[word] = number or 0
        elif word in ("title", "creatim") and state.part == "info":
            state.part = word
        elif word == "ud" and state.upr:
            state.skip = state.upr = False
        elif word in self._words.skip or (starred and word not in self._words.seen):
            self._skip_group(word)
        elif word == "u":
            self._unicode(number or 0)
        elif word == "uc":
            state.unicode_skip = max(0, number or 0)
        elif word in _CODE_PAGES or word == "ansicpg":
            name = f"cp{number}" if word == "ansicpg" else _CODE_PAGES[word]
            self.encoding = state.encoding = _codec(name, self.encoding)
        elif word == "deff":
            self._default_font = number or 0
        elif word == "f":
            state.encoding, state.symbols = self._fonts.get(number or 0, (self.encoding, False))
        elif word == "plain":
            state.hidden = state.deleted = False
            state.encoding, state.symbols = self._fonts.get(
                self._default_font, (self.encoding, False)
            )
        elif word == "v":
            state.hidden = on
        elif word == "deleted":
            state.deleted = on
        elif word == "pard":
            state.level = 0
        elif word == "intbl":
            state.level = max(state.level, 1)
        elif word == "itap":
            state.level = min(max(0, number or 0), _DEEPEST_TABLE)
        elif word == "footnote":
            state.flow = Flow()
            self.notes.append(state.flow)
            state.level = 0
        elif word in _MARGINS:
            state.flow = Flow()
            self.margins.append(state.flow)
            state.level = 0
        elif not state.skip:
            self._shown(word)

    def _shown(self, word: str) -> None:
        """Act on a control word that stands for something in the text."""
        state = self._state
        flow = state.flow
        if word in self._words.symbols:
            self._put(self._words.symbols[word])
        elif word in ("par", "sect", "page", "column"):
            if not state.deleted:
                flow.at(state.level).line()
        elif word == "cell":
            flow.end_cell(1)
        elif word == "row":
            flow.end_row(1)
        elif word == "nestcell":
            flow.end_cell(max(2, state.level))
        elif word == "nestrow":
            flow.end_row(max(2, state.level))
        elif word in _BOXES:
            flow.at(state.level).block()
            state.part = "box"

    def _skip_group(self, word: str) -> None:
        state = self._state
        if not state.skip:
            self.counts["pictures"] += word == "pict"
            self.counts["comments"] += word == "annotation"
        state.upr = word == "upr"
        state.skip = True
        state.part = word if word in ("fonttbl", "info") else ""

    def _font_table(self, word: str, number: int | None) -> None:
        if word == "f":
            self._font = number or 0
        elif word == "fcharset":
            name = self._words.charsets.get(number or 0, self.encoding)
            self._fonts[self._font] = name, number == _SYMBOL_FONT
        elif word == "cpg" and number:
            self._fonts[self._font] = _codec(f"cp{number}", self.encoding), False

    def _unicode(self, number: int) -> None:
        self._to_skip = self._state.unicode_skip
        code = number % 0x10000 if number < 0x10000 else number
        if 0xD800 <= code < 0xDC00:
            self._half = code
        elif 0xDC00 <= code < 0xE000:
            high, self._half = self._half, 0
            self._put(chr(0x10000 + ((high - 0xD800) << 10) + code - 0xDC00) if high else "�")
        else:
            self._put(chr(code) if 0 < code < 0x110000 else "�")

    def _close_group(self) -> None:
        inner, self._state = self._state, self._stack.pop()
        if inner.part == "box" and self._state.part != "box":
            inner.flow.at(inner.level).block()


@dataclass(frozen=True, slots=True)
class _Words:
    skip: frozenset[str]
    seen: frozenset[str]
    symbols: dict[str, str]
    charsets: dict[int, str]


@cache
def _words() -> _Words:
    data = tomllib.loads(files("pipelines.readers.pages").joinpath("rtf.toml").read_text("utf-8"))
    charsets = {int(number): name for number, name in data["charsets"].items()}
    return _Words(frozenset(data["skip"]), frozenset(data["seen"]), data["symbols"], charsets)


def _codec(name: str, otherwise: str) -> str:
    """Return ``name`` where Python knows it as an encoding of text."""
    try:
        b"a".decode(name)
        return codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return otherwise
