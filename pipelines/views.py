"""Decode what programs left in a text, in a view that maps back to the text as it is stored.

Spreadsheets leave ``_x000D_``, web forms leave markup and character references. The stages read
the view; every span they find is stored as the span of the original that it came from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from html import unescape
from html.entities import html5

# ECMA-376 part 1, 22.4.2.4 (ST_Xstring): a character that XML cannot hold, as _xHHHH_.
_ESCAPE = r"_x(?P<code>[0-9A-Fa-f]{4})_"
_BREAKS = "p|br|div|li|ul|ol|tr|table|tbody|thead|h[1-6]|blockquote|hr|pre"
_INLINE = "span|b|i|em|strong|u|s|a|td|th|font|small|sup|sub|img|code|mark"
_TAG = rf"</?(?:(?P<break>{_BREAKS})|(?:{_INLINE}))(?:\s[^<>]*)?/?>"
_COMMENT = r"<!--.*?-->"
_REFERENCE = r"&(?P<reference>#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
_ANY = re.compile(rf"{_ESCAPE}|(?P<tag>{_TAG}|{_COMMENT})|{_REFERENCE}", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class View:
    """A decoded text. Piece ``i`` of it begins at ``starts[i]`` and came from ``sources[i]``.

    A source is (start, end) in the original; a piece whose length is that of its source was copied,
    any other stands for the whole of its source.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[tuple[int, int], ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original that the view's ``start``..``end`` (not empty) stands for."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, offset: int) -> tuple[int, int]:
        """Return the span of the original that the character at ``offset`` came from."""
        piece = bisect_right(self.starts, offset) - 1
        begin, end = self.sources[piece]
        following = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        if following - self.starts[piece] != end - begin:
            return begin, end
        place = begin + offset - self.starts[piece]
        return place, place + 1


def decoded(text: str) -> View | None:
    """Return the view of ``text``, or None where there is nothing to decode.

    Markup is only what looks like an HTML tag: "<3" and "a < b" stay. A reference is decoded once.
    """
    if "&" not in text and "<" not in text and "_x" not in text and "_X" not in text:
        return None
    pieces: list[str] = []
    starts: list[int] = []
    sources: list[tuple[int, int]] = []
    length = done = 0

    def add(piece: str, begin: int, end: int) -> None:
        nonlocal length
        if piece:
            pieces.append(piece)
            starts.append(length)
            sources.append((begin, end))
            length += len(piece)

    for match in _ANY.finditer(text):
        piece = _decode(match)
        if piece is None:
            continue
        add(text[done : match.start()], done, match.start())
        add(piece, match.start(), match.end())
        done = match.end()
    if not done:
        return None
    add(text[done:], done, len(text))
    return View("".join(pieces), tuple(starts), tuple(sources))


def _decode(match: re.Match[str]) -> str | None:
    """Return what a match stands for, or None where it stands for itself."""
    if match["tag"]:
        return "\n" if match["break"] else ""
    if match["code"]:
        return _character(int(match["code"], 16))
    name = match["reference"]
    if not name.startswith("#") and f"{name};" not in html5:
        return None
    plain = unescape(match[0])
    return None if plain == match[0] else plain


def _character(code: int) -> str | None:
    if code == 0 or 0xD800 <= code <= 0xDFFF:
        return None
    return chr(code)
