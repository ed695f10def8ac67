"""Lay out the text of a document with structure: lines, tables, and the space between.

Every paragraph, heading and list point is a line, because the segmenter ends a sentence at a line
break: a heading never runs into the sentence below it. White space is all that is added or left
out here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPACES = re.compile(r"[ \t\n\r\f]+")  # not the no-break space, which is a character of the text
_BLANK_LINES = re.compile(r"\n[ \t]*(?:\n[ \t]*)+\n")
_LONG = 80  # characters of a cell that is prose rather than an entry


class Blocks:
    """A text in the making.

    ``add`` takes characters as they are, ``flow`` puts one space for any run of white space as
    browsers do, ``line`` ends a line even when it is empty, ``block`` only when it holds something.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._current: list[str] = []
        self._last = ""

    def add(self, text: str) -> None:
        """Append ``text`` to the current line; it may hold line breaks."""
        if text:
            self._current.append(text)
            self._last = text[-1]

    def flow(self, text: str) -> None:
        """Append ``text`` with its white space collapsed."""
        text = _SPACES.sub(" ", text)
        if text[:1] == " " and self._last in ("", " ", "\n", "\t"):
            text = text[1:]
        self.add(text)

    def line(self) -> None:
        """End the current line."""
        self._lines.append("".join(self._current))
        self._current.clear()
        self._last = ""

    def block(self) -> None:
        """End the current line unless nothing stands on it."""
        if self._current:
            self.line()

    def row(self, cells: Sequence[str]) -> None:
        """Put a table row: its cells with tabs between them on one line.

        Where a cell has several lines, or more than a short entry, every cell of the row gets lines
        of its own: a label must not become the start of the sentence beside it.
        """
        self.block()
        cells = [cell.strip("\n") for cell in cells]
        if any("\n" in cell or len(cell) > _LONG for cell in cells):
            self._lines += [cell for cell in cells if cell.strip()]
        elif any(cell.strip() for cell in cells):
            self._lines.append("\t".join(cells).rstrip("\t"))

    def text(self) -> str:
        """Return everything so far, without empty lines at its ends or more than one in a row."""
        lines = [*self._lines, *(["".join(self._current)] if self._current else [])]
        text = "\n".join(line.rstrip(" \t") for line in lines)
        return _BLANK_LINES.sub("\n\n", text).strip("\n")
