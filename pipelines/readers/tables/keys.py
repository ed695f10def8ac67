"""Name the documents of a table, and who wrote them, so that the names stay when rows move."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

from pipelines.readers.types import SourceFile
from pipelines.types import Column, Role

_LONGEST = 200  # characters of an identifier that may be part of a key
_ESCAPED = re.compile(r"[%/#!~\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Keys:
    """The keys of a table's rows.

    Where a column of identifiers is known to be unique and complete in the sample, the documents
    of a row are ``<name>#[<sheet>!]<id>/c<column>``, else ``<name>#[<sheet>!]r<row>c<column>``. A
    row further down whose identifier was there before gets ``<id>~r<row>``, one without any its
    row number.
    """

    def __init__(
        self, file: SourceFile, sheet: str | None, identifier: int | None, respondent: int | None
    ) -> None:
        """Use the columns at ``identifier`` for keys and at ``respondent`` for who wrote a row."""
        self._prefix = f"{file.name}#" + (f"{sheet}!" if sheet is not None else "")
        self._identifier = identifier
        self._respondent = respondent
        self._seen = _Seen()
        self.repeated: list[int] = []

    def of(self, number: int, cells: Sequence[str]) -> tuple[str, str]:
        """Return the beginning of the keys of a row, and its respondent."""
        by_row = f"{self._prefix}r{number}"
        respondent = "" if self._respondent is None else cells[self._respondent].strip()
        if self._identifier is None:
            return by_row, respondent or by_row
        identifier = cells[self._identifier].strip()
        if not identifier or len(identifier) > _LONGEST:
            return by_row, respondent or by_row
        again = ""
        if not self._seen.add(identifier):
            self.repeated.append(number)
            again = f"~r{number}"
        return f"{self._prefix}{escaped(identifier)}{again}/", respondent or identifier


def escaped(identifier: str) -> str:
    """Return ``identifier`` with the characters that a key uses itself percent-encoded."""
    return _ESCAPED.sub(_percent, identifier)


def _percent(found: re.Match[str]) -> str:
    encoded = found.group().encode("utf-8", "surrogatepass")
    return "".join(f"%{byte:02X}" for byte in encoded)


def key_column(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the first identifier column that is filled and different in each of ``rows``."""
    for i, column in enumerate(columns):
        if column.role != Role.IDENTIFIER:
            continue
        values = {row[i].strip() for row in rows}
        if len(values) == len(rows) and "" not in values and max(map(len, values)) <= _LONGEST:
            return i
    return None


class _Seen:
    """A set of texts that keeps a 64-bit hash of each, some 16 bytes an entry.

    Open addressing in one array; two texts with the same hash count as one, which costs the later
    one nothing but a longer key.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * 1024))
        self._count = 0

    def add(self, text: str) -> bool:
        """Add ``text``; return whether it is new."""
        if 3 * self._count >= 2 * len(self._slots):
            old = self._slots
            self._slots = array("Q", bytes(16 * len(old)))
            for value in old:
                if value:
                    self._slots[self._place(value)] = value
        value = (hash(text) & 0xFFFF_FFFF_FFFF_FFFF) or 1
        place = self._place(value)
        if self._slots[place]:
            return False
        self._slots[place] = value
        self._count += 1
        return True

    def _place(self, value: int) -> int:
        mask = len(self._slots) - 1
        place = (value ^ value >> 32) & mask
        while self._slots[place] and self._slots[place] != value:
            place = place + 1 & mask
        return place
