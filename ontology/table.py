"""SPARQL results as a plain table for a terminal."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from ontology.vocab import PREFIXES

MAX_CELL = 80
NARROWEST = 8
_LONGEST_FIRST = sorted(PREFIXES.items(), key=lambda pair: -len(pair[1]))


def render(results: bytes, *, width: int | None = None) -> str:
    """Return SPARQL results JSON as aligned columns, IRIs shortened, long cells ended with "…".

    With ``width`` the widest columns give way until a line has at most so many characters.
    """
    found = json.loads(results)
    if "boolean" in found:
        return "yes\n" if found["boolean"] else "no\n"
    names: list[str] = found["head"]["vars"]
    rows = [
        [_cell(binding.get(name)) for name in names] for binding in found["results"]["bindings"]
    ]
    widths = [
        max([_width(name), *(_width(row[place]) for row in rows)])
        for place, name in enumerate(names)
    ]
    if width is not None:
        widths = _fitted(widths, width)
        names = [_cut(name, most) for name, most in zip(names, widths, strict=True)]
        rows = [[_cut(cell, most) for cell, most in zip(row, widths, strict=True)] for row in rows]
    lines = [
        _line(names, widths),
        _line(["─" * width for width in widths], widths),
        *(_line(row, widths) for row in rows),
        f"{len(rows):,} row{'' if len(rows) == 1 else 's'}",
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def shorten(iri: str) -> str:
    """Return ``iri`` with a known prefix where one fits, else as it is."""
    for prefix, namespace in _LONGEST_FIRST:
        local = iri[len(namespace) :]
        if iri.startswith(namespace) and local and "/" not in local and "#" not in local:
            return f"{prefix}:{local}"
    return iri


def _cell(value: dict[str, Any] | None) -> str:
    if value is None:
        return ""
    if value["type"] == "uri":
        return shorten(value["value"])
    text = " ".join(str(value["value"]).split())
    return text if len(text) <= MAX_CELL else text[: MAX_CELL - 1] + "…"


def _fitted(widths: list[int], width: int) -> list[int]:
    """Return column widths that fill at most ``width``, eight characters a column kept."""
    found = list(widths)
    while found and sum(found) + 2 * (len(found) - 1) > width and max(found) > NARROWEST:
        found[found.index(max(found))] -= 1
    return found


def _cut(text: str, most: int) -> str:
    if _width(text) <= most:
        return text
    while text and _width(text) > most - 1:
        text = text[:-1]
    return text + "…"


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def _line(cells: list[str], widths: list[int]) -> str:
    return "  ".join(
        cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)
    )
