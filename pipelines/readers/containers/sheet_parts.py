"""Look at the XML of XLSX sheets for what the parser of the cells does not tell.

It gives error cells as blank, says nothing about formulas, and takes memory for every blank cell
between the first and the last. All here is searched in a stream, by pattern: the parts are large
and their writers few.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

_BLOCK = 1 << 20
_ERROR = re.compile(rb'<c\b([^>]*\bt="e"[^>]*)>.*?<v>([^<]*)</v>', re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_FORMULA = re.compile(
    rb"<c\b[^>]*>\s*<f\b(?:[^>]*/>|.*?</f>)\s*(?:<v\s*/>|<v[^>]*>([^<]*)</v>)?", re.DOTALL
)
_FILLED = re.compile(rb'<c\s[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>/]*>')
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass(slots=True)
class SheetFacts:
    """Error cells by row and column (from 0), and how many formulas have which kind of value."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    formulas: int = 0
    without_value: int = 0
    zero: int = 0

    def warnings(self) -> Iterator[str]:
        """Yield a sentence for each oddity of the formulas."""
        if self.without_value:
            yield (
                f"{self.without_value:,} of {self.formulas:,} formulas have no stored value and "
                "are read as blank; open the workbook in a spreadsheet program and save it"
            )
        elif self.formulas > 1 and self.zero == self.formulas:
            yield (
                f"all {self.formulas:,} formulas have the stored value 0; if that is wrong, open "
                "the workbook in a spreadsheet program and save it"
            )


def sheet_part(archive: zipfile.ZipFile, index: int) -> str | None:
    """Return the name of the part of the sheet at ``index``, ``None`` where it cannot be told."""
    names = {name.lower().lstrip("/"): name for name in archive.namelist()}
    try:
        book = ElementTree.fromstring(archive.read(names["xl/workbook.xml"]))
        links = ElementTree.fromstring(archive.read(names["xl/_rels/workbook.xml.rels"]))
        sheets = [e for e in book.iter() if e.tag.rpartition("}")[2] == "sheet"]
        wanted = sheets[index].get(_RELATION)
        target = next(e.get("Target", "") for e in links if e.get("Id") == wanted)
    except (KeyError, IndexError, StopIteration, ElementTree.ParseError):
        return None
    return names.get(posixpath.normpath(posixpath.join("/xl", target)).lstrip("/").lower())


def sheet_facts(archive: zipfile.ZipFile, part: str) -> SheetFacts:
    """Return the error cells and formulas of a sheet."""
    facts = SheetFacts()
    for block in _blocks(archive, part):
        if b't="e"' in block:
            for match in _ERROR.finditer(block):
                if place := _PLACE.search(match[1]):
                    where = int(place[2]) - 1, column_number(place[1].decode()) - 1
                    facts.errors[where] = match[2].decode("utf-8", "replace")
        if b"<f" in block:
            for match in _FORMULA.finditer(block):
                facts.formulas += 1
                facts.without_value += match[1] is None
                facts.zero += match[1] == b"0"
    return facts


def extent(archive: zipfile.ZipFile, part: str) -> tuple[int, int]:
    """Return the number of the last row and column with a filled cell, 0 where there is none."""
    last_row = last_column = 0
    seen: dict[bytes, int] = {}
    for block in _blocks(archive, part):
        for letters, row in _FILLED.findall(block):
            if letters not in seen:
                seen[letters] = column_number(letters.decode())
                last_column = max(last_column, seen[letters])
            last_row = max(last_row, int(row))
    return last_row, last_column


def column_number(letters: str) -> int:
    """Return 1 for "A", 27 for "AA"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def column_letters(number: int) -> str:
    """Return "A" for 1, "AA" for 27."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def _blocks(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """Yield the part in pieces that end with a cell or before a row."""
    rest = b""
    with archive.open(part) as stream:
        while data := stream.read(_BLOCK):
            data = rest + data
            cut = max(data.rfind(b"</c>") + 4, data.rfind(b"<row"))
            if cut > 3:
                yield data[:cut]
                data = data[cut:]
            rest = data if len(data) < 64 * _BLOCK else b""
    if rest:
        yield rest
