"""Find the lines of a PDF page and which of them belong to one paragraph.

A PDF only says where characters stand. A line goes on in the next one unless something tells them
apart: their distance, size or weight, an indent, a list mark, or that the first word of the next
line would have found room in this one.
"""

from __future__ import annotations

import ctypes
import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pipelines.boundaries import bundled_rules
from pipelines.readers.pages.paragraphs import HYPHEN

_ENDS = (".", "!", "?", ":", ";", ".”", ".’", ".)", "!”", "?”")
_MARK = re.compile(r"(?:\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zA-Z]|[ivxIVX]+)[.)]|[-–—*])\s+\S")
_LEADER = re.compile(r"(?:[.…]\s?){5}")  # the dots of a table of contents
_GAP = 2.5  # line heights of white space within a line that separate the cells of a table
_NARROW = 15  # line heights that a line of prose is wider than
_ENOUGH = 5  # distances of lines that show what is usual
_HEAVY = 600  # the weight of a bold font
_WINDOW = 12  # lines around one that show how far to the right lines reach


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, and where it stands in the direction of its writing, in points.

    ``left`` and ``right`` grow along the line, ``base`` from line to line. ``word`` is the width of
    its first word, ``cells`` says that it holds several cells of a table,
    or an entry of a table of contents.
    """

    text: str
    left: float
    right: float
    base: float
    height: float
    angle: float
    bold: bool
    word: float
    cells: bool


def page_lines(text_page: Any) -> list[Line]:
    """Return the lines of a page of pypdfium2 in the order of its content."""
    from pypdfium2 import raw

    page = _Page(raw, text_page)
    lines = (page.line(start, end) for start, end in page.spans())
    return [line for line in lines if line is not None]


def paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each paragraph."""
    leading, edges = _leading(lines), _edges(lines)
    current: list[Line] = []
    for i, line in enumerate(lines):
        if current and not _goes_on(current, line, edges[i - 1], leading):
            yield current
            current = []
        current.append(line)
    if current:
        yield current


def _goes_on(block: Sequence[Line], line: Line, edge: float, leading: float) -> bool:
    """Say whether ``line`` belongs to the paragraph of ``block``, whose lines reach to ``edge``."""
    last = block[-1]
    words = line.text.lstrip()
    if last.text.endswith(HYPHEN):
        return True
    if last.cells or line.cells or math.cos(last.angle - line.angle) < 0.99:
        return False
    height = max(last.height, line.height)
    if abs(last.height - line.height) > 0.15 * height:
        return False
    if words[:1] in bundled_rules().bullets:
        return False
    open_end = not last.text.rstrip().endswith(_ENDS) and words[:1].islower()
    if last.bold != line.bold and not open_end:
        return False
    down = line.base - last.base
    if not 0.3 * height < down <= max(1.3 * leading, 1.1 * height):
        return down < 0 and open_end and not _has_room(last, line, edge)  # the next column
    indent = line.left - last.left
    first = len(block) == 1
    if indent > 0.7 * height and not (first and _is_marked(last)):
        return False
    if indent < -0.7 * height and not first:
        return False
    if _has_room(last, line, edge):
        return open_end and len(last.text) > 40
    width = last.right - last.left
    if width < _NARROW * height and last.right >= edge and words[:1].isupper():
        return False  # nothing near is wider, so there is no telling; a label or a name, say
    if _MARK.match(words):
        return not last.text.rstrip().endswith(_ENDS) and not _is_marked(block[0])
    return True


def _has_room(last: Line, line: Line, edge: float) -> bool:
    """Say whether the first word of ``line`` would have fitted into the line before."""
    return last.right + line.word + 0.4 * line.height < edge


def _is_marked(line: Line) -> bool:
    words = line.text.lstrip()
    return words[:1] in bundled_rules().bullets or bool(_MARK.match(words))


def _edges(lines: Sequence[Line]) -> list[float]:
    """Return for each line how far to the right the lines around it reach that are set like it.

    Lines that reach into the column to the right of this one do not count.
    """
    by_base = sorted(lines, key=lambda line: line.base)
    bases = [line.base for line in by_base]
    edges = []
    for i, here in enumerate(lines):
        level = slice(
            bisect_left(bases, here.base - here.height),
            bisect_right(bases, here.base + here.height),
        )
        column = min(
            (other.left for other in by_base[level] if other.left >= here.right), default=math.inf
        )
        near = lines[max(0, i - _WINDOW) : i + _WINDOW + 1]
        rights = [
            other.right
            for other in near
            if other.right <= column
            and not other.cells
            and abs(other.height - here.height) <= 0.15 * here.height
            and abs(other.left - here.left) < 4 * here.height
        ]
        edges.append(max(rights, default=here.right))
    return edges


def _leading(lines: Sequence[Line]) -> float:
    """Return the usual distance of two lines: the lower quartile, since paragraphs stand further."""
    gaps = sorted(
        below.base - above.base
        for above, below in pairwise(lines)
        if abs(above.height - below.height) <= 0.15 * above.height
        and 0.6 * above.height < below.base - above.base < 2.6 * above.height
    )
    if len(gaps) >= _ENOUGH:
        return gaps[len(gaps) // 4]
    usual = 1.2 * max((line.height for line in lines), default=0.0)
    return min(gaps[0], usual) if gaps else 0.0  # of few lines, none may belong together


class _Page:
    """The characters of one page and where they stand."""

    def __init__(self, raw: Any, text_page: Any) -> None:
        self._raw = raw
        self._page = text_page.raw
        self._rectangle = raw.FS_RECTF()
        count = max(0, raw.FPDFText_CountChars(self._page))
        self._codes = [raw.FPDFText_GetUnicode(self._page, i) for i in range(count)]

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield the characters of each line, its line end left out."""
        start = 0
        for i, code in enumerate(self._codes):
            if code in (10, 13):
                if i > start:
                    yield start, i
                start = i + 1
            elif code == 2:  # a hyphen at the end of a line; no line break follows it
                yield start, i + 1
                start = i + 1
        if start < len(self._codes):
            yield start, len(self._codes)

    def line(self, start: int, end: int) -> Line | None:
        """Return the line of characters from ``start`` up to ``end``, ``None`` if it is blank."""
        inked = [i for i in range(start, end) if self._codes[i] not in (32, 9, 0xA0)]
        if not inked:
            return None
        first, last = inked[0], inked[-1]
        angle = -float(self._raw.FPDFText_GetCharAngle(self._page, first))  # it turns clockwise
        boxes = {i: self._box(i, angle) for i in {first, inked[len(inked) // 2], last}}
        height = max(box[2] for box in boxes.values()) or 1.0
        text, cells = self._text(inked, angle, height)
        word_end = next((a for a, b in pairwise(inked) if b > a + 1), last)
        return Line(
            text=text,
            left=boxes[first][0],
            right=boxes[last][1],
            base=self._base(first, angle),
            height=height,
            angle=angle,
            bold=all(self._raw.FPDFText_GetFontWeight(self._page, i) >= _HEAVY for i in boxes),
            word=self._box(word_end, angle)[1] - boxes[first][0],
            cells=cells or bool(_LEADER.search(text)),
        )

    def _text(self, inked: Sequence[int], angle: float, height: float) -> tuple[str, bool]:
        """Return the characters, a tab where they stand far apart, and whether there is one."""
        pieces = []
        cells = False
        start = inked[0]
        for previous, i in pairwise(inked):
            if i == previous + 1:
                continue
            gap = self._box(i, angle)[0] - self._box(previous, angle)[1]
            if gap > _GAP * height:
                cells = True
                pieces += [*map(_character, self._codes[start : previous + 1]), "\t"]
                start = i
        pieces += map(_character, self._codes[start : inked[-1] + 1])
        return _surrogates("".join(pieces)), cells

    def _box(self, i: int, angle: float) -> tuple[float, float, float]:
        """Return left, right and height of a character in the direction of its writing."""
        box = self._rectangle
        self._raw.FPDFText_GetLooseCharBox(self._page, i, box)
        if not angle:
            return box.left, box.right, abs(box.top - box.bottom)
        corners = [(x, y) for x in (box.left, box.right) for y in (box.top, box.bottom)]
        along = [x * math.cos(angle) + y * math.sin(angle) for x, y in corners]
        across = [y * math.cos(angle) - x * math.sin(angle) for x, y in corners]
        return min(along), max(along), max(across) - min(across)

    def _base(self, i: int, angle: float) -> float:
        """Return how far down the page the base line of a character is."""
        x, y = ctypes.c_double(), ctypes.c_double()
        self._raw.FPDFText_GetCharOrigin(self._page, i, x, y)
        return x.value * math.sin(angle) - y.value * math.cos(angle)


def _character(code: int) -> str:
    """Return a character; one that the font gives no meaning becomes U+FFFD."""
    if code == 2:
        return HYPHEN
    if code < 32 and code != 9:
        return "�"
    return chr(code) if code < 0x110000 else "�"


def _surrogates(text: str) -> str:
    """Put halves of characters together where the library gives them one by one."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
