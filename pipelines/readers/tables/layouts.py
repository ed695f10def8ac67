"""Recognise the tables of known programs, and what their columns and values mean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pipelines.readers.tables.header import Header, Row
from pipelines.readers.tables.header_signs import folded
from pipelines.readers.types import SourceFile
from pipelines.types import Column, Role

Pattern = re.Pattern[str]

GENERIC_NAME = "generic"
_LONGEST = 500  # characters of a text that patterns are tried on
_EARLY = 10  # rows in which the texts of a table that is left out are looked for
_CELLS = 20  # rows in which a telling cell is looked for
_KEYS = {
    "name", "title", "all", "any", "at_least", "sheet", "cell", "columns", "respondent", "fillers",
    "leave_out", "aside",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class StatusRule:
    """What the cells of the columns called ``column`` say about a submission."""

    column: Pattern
    values: tuple[tuple[Pattern, str], ...]

    def judge(self, cell: str) -> str:
        """Return what kind of submission ``cell`` makes, "" for a real one."""
        text = folded(cell[:_LONGEST])
        return next((kind for pattern, kind in self.values if pattern.fullmatch(text)), "")


@dataclass(frozen=True, slots=True)
class Layout:
    """A known table; the fields are those of ``layouts.toml``."""

    name: str
    title: str = ""
    all: tuple[Pattern, ...] = ()
    any: tuple[Pattern, ...] = ()
    at_least: int = 0
    sheet: Pattern | None = None
    cell: Pattern | None = None
    columns: tuple[tuple[Pattern, Role], ...] = ()
    respondent: tuple[Pattern, ...] = ()
    fillers: frozenset[str] = frozenset()
    leave_out: str = ""
    aside: tuple[StatusRule, ...] = ()

    def fits(self, texts: Sequence[str], cells: Iterable[str], sheet: str | None) -> bool:
        """Return whether this is the layout of a table with these header ``texts``."""
        if self.sheet is not None and not (sheet and self.sheet.fullmatch(folded(sheet))):
            return False
        if not all(_found(pattern, texts) for pattern in self.all):
            return False
        found = sum(any(pattern.fullmatch(text) for pattern in self.any) for text in texts)
        if found < self.at_least and self.cell is not None:
            found += any(self.cell.fullmatch(cell) for cell in cells)
        return found >= self.at_least

    def decided(self, header: Header) -> dict[int, Column]:
        """Return the columns whose role this layout knows, by position."""
        decided = {}
        for i, name in enumerate(header.names):
            for pattern, role in self.columns:
                if any(pattern.fullmatch(text) for text in _texts(header, i)):
                    reason = f"a column of {self.title}"
                    decided[i] = Column(name, role, reason, header.questions[i])
                    break
        return decided


@dataclass(frozen=True, slots=True)
class Known:
    """All of ``layouts.toml``."""

    layouts: tuple[Layout, ...]
    helpers: tuple[tuple[Pattern, str], ...]
    respondent: tuple[Pattern, ...]
    status: StatusRule
    yes_no: tuple[StatusRule, ...]


def recognise(header: Header, sample: Sequence[Row], file: SourceFile, sheet: str | None) -> Layout:
    """Return the layout of a table, one called "generic" when it is none of the known ones.

    Sheets that explain or check their workbook get a layout with ``leave_out``.
    """
    texts = [text for i in range(len(header.names)) for text in _texts(header, i)]
    cells = (folded(cell[:_LONGEST]) for _, row in sample[:_CELLS] for cell in row)
    for layout in known().layouts:
        if layout.fits(texts, cells if layout.cell else (), sheet):
            return layout
    for pattern, reason in known().helpers if sheet else ():
        if pattern.fullmatch(folded(sheet or "")):
            return Layout(GENERIC_NAME, leave_out=reason)
    early = [folded(cell[:_LONGEST]) for _, row in sample[:_EARLY] for cell in row[:50] if cell]
    for layout in known().layouts:
        if layout.leave_out and layout.fits(early, (), sheet):
            return layout
    return Layout(GENERIC_NAME)


def named(name: str) -> Layout | None:
    """Return the layout called ``name`` or so titled (any case), ``None`` when there is none."""
    wanted = name.casefold()
    if wanted == GENERIC_NAME:
        return Layout(GENERIC_NAME)
    layouts = known().layouts
    return next((one for one in layouts if wanted in (one.name, one.title.casefold())), None)


def names() -> tuple[str, ...]:
    """Return the names of the layouts, "generic" first."""
    return (GENERIC_NAME, *(layout.name for layout in known().layouts))


def status_rules(layout: Layout, columns: Sequence[Column]) -> list[tuple[int, StatusRule]]:
    """Return the columns of status by position, each with what its cells say."""
    found = []
    for i, column in enumerate(columns):
        if column.role != Role.STATUS:
            continue
        rules = (*layout.aside, *known().yes_no)
        rule = next((rule for rule in rules if rule.column.fullmatch(column.name)), None)
        values = known().status.values
        found.append(
            (i, StatusRule(known().status.column, (*(rule.values if rule else ()), *values)))
        )
    return found


def respondent_column(layout: Layout, columns: Sequence[Column]) -> int | None:
    """Return the identifier column that says who wrote a row, ``None`` when there is none."""
    for pattern in (*layout.respondent, *known().respondent):
        for i, column in enumerate(columns):
            if column.role == Role.IDENTIFIER and (
                pattern.fullmatch(column.name) or pattern.fullmatch(column.question)
            ):
                return i
    return None


def _texts(header: Header, i: int) -> set[str]:
    sources = (header.names, header.questions, header.codes)
    return {texts[i][:_LONGEST] for texts in sources if i < len(texts) and texts[i]}


def _found(pattern: Pattern, texts: Iterable[str]) -> bool:
    return any(pattern.fullmatch(text) for text in texts)


@cache
def known() -> Known:
    """Return the checked content of ``layouts.toml``.

    Raises:
        ValueError: an unknown key, role or name, or a pattern that is none.
    """
    data = tomllib.loads(
        files("pipelines.readers.tables").joinpath("layouts.toml").read_text("utf-8")
    )
    expected = {"respondent", "status", "yes_no", "helpers", "layout"}
    if set(data) != expected:
        raise ValueError(f"layouts.toml has {sorted(data)}, expected {sorted(expected)}")
    layouts = tuple(_layout(entry) for entry in data["layout"])
    if len({layout.name for layout in layouts}) != len(layouts):
        raise ValueError("layouts.toml names a layout twice")
    return Known(
        layouts=layouts,
        helpers=_values(data["helpers"]),
        respondent=tuple(map(_pattern, data["respondent"])),
        status=StatusRule(_pattern(".*"), _values(data["status"])),
        yes_no=tuple(
            StatusRule(
                _pattern(entry["column"]),
                tuple((_pattern(re.escape(word)), entry["is"]) for word in entry["no"]),
            )
            for entry in data["yes_no"]
        ),
    )


def _layout(entry: Mapping[str, Any]) -> Layout:
    unknown = set(entry) - _KEYS
    if unknown or not (entry.get("all") or entry.get("any")):
        raise ValueError(
            f"layout {entry.get('name')!r} in layouts.toml: unknown keys {sorted(unknown)}, "
            "or neither 'all' nor 'any'"
        )
    rules = []
    for aside in entry.get("aside", ()):
        values = {key: value for key, value in aside.items() if key != "column"}
        rules.append(StatusRule(_pattern(aside["column"]), _values(values)))
    return Layout(
        name=entry["name"],
        title=entry["title"],
        all=tuple(map(_pattern, entry.get("all", ()))),
        any=tuple(map(_pattern, entry.get("any", ()))),
        at_least=entry.get("at_least", 0),
        sheet=_pattern(entry["sheet"]) if "sheet" in entry else None,
        cell=_pattern(entry["cell"]) if "cell" in entry else None,
        columns=tuple((_pattern(k), Role(v)) for k, v in entry.get("columns", {}).items()),
        respondent=tuple(map(_pattern, entry.get("respondent", ()))),
        fillers=frozenset(entry.get("fillers", ())),
        leave_out=entry.get("leave_out", ""),
        aside=tuple(rules),
    )


def _values(table: Mapping[str, str]) -> tuple[tuple[Pattern, str], ...]:
    return tuple((_pattern(pattern), meaning) for pattern, meaning in table.items())


def _pattern(text: str) -> Pattern:
    return re.compile(text, re.IGNORECASE)
