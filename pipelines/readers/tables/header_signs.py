"""Say how much a cell above a column looks like its name rather than one of its values."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from statistics import median

DATA = -0.2
"""A row whose cells give less than this on average is taken for data."""

_LONG = 200  # characters at either end of a cell that are looked at
_LOOKED_AT = 60  # cells of a column whose kind is found
_KINDS = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("number", r"[£$€]?[-+(]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?[%)]?"),
        ("date", r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T,]+\d.*)?"),
        (
            "date",
            r"(?:(?:mon|tue|wed|thu|fri|sat|sun)\w*,? )?(?:\d{1,2}(?:st|nd|rd|th)? )?"
            r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*,? \d[\w :,+.-]*",
        ),
        ("time", r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]m)?"),
        ("address", r"[^\s@]+@[^\s@]+\.\w+|https?://\S+|\d{1,3}(?:\.\d{1,3}){3}"),
        ("code", r"(?=[^\s]*\d)[\w.:#/{}-]{2,64}|(?-i:[A-Z]{1,2})"),
    )
)
_SHAPE = ((re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\d+"), "9"))
_SENTENCE = re.compile(
    r"[.!]\W*$|^(?:i|i'm|i’m|my|we|our|it|they|there|this|the|no|yes)\b[ ,]", re.I
)


@dataclass(frozen=True, slots=True)
class HeaderRules:
    """The patterns of ``header.toml``; their meaning is in that file."""

    asks: re.Pattern[str]
    fields: re.Pattern[str]
    answer_labels: re.Pattern[str]
    kind_labels: re.Pattern[str]
    instructions: re.Pattern[str]
    positions: re.Pattern[str]
    closings: re.Pattern[str]
    unfilled: re.Pattern[str]
    respondents: re.Pattern[str]
    footers: re.Pattern[str]
    numbered: re.Pattern[str]


@cache
def rules() -> HeaderRules:
    """Return the checked rules of ``header.toml``.

    Raises:
        ValueError: the file lacks a rule, has an unknown one or a pattern that is none.
    """
    data = tomllib.loads(
        files("pipelines.readers.tables").joinpath("header.toml").read_text("utf-8")
    )
    names = {field.name for field in fields(HeaderRules)}
    if set(data) != names:
        raise ValueError(f"header.toml has {sorted(data)}, expected {sorted(names)}")
    return HeaderRules(
        asks=_pattern(data["asks"]),
        fields=_pattern(data["fields"]),
        answer_labels=_pattern(data["answer_labels"]),
        kind_labels=_pattern(data["kind_labels"]),
        instructions=_pattern(data["instructions"]),
        positions=_pattern(data["positions"]),
        closings=_pattern(data["closings"]),
        unfilled=_pattern(data["unfilled"]),
        respondents=_pattern(data["respondents"]),
        footers=_pattern(data["footers"]),
        numbered=_pattern(data["numbered"]),
    )


def _pattern(value: str | list[str]) -> re.Pattern[str]:
    parts = [value] if isinstance(value, str) else value
    return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE)


def folded(cell: str) -> str:
    """Return ``cell`` on one line with single spaces and without a byte-order mark."""
    return " ".join(cell.replace("\ufeff", "").split())


def kind(cell: str) -> str:
    """Return "number", "date", "time", "address", "code", "text", or "" for a blank cell."""
    if not cell:
        return ""
    if len(cell) > _LONG:
        return "text"
    for name, pattern in _KINDS:
        if pattern.fullmatch(cell):
            return name
    return "text"


def is_label(cell: str) -> bool:
    """Return whether ``cell`` asks for something or names a field."""
    return bool(_asks(cell) or _names_field(cell))


def looks_like_data(cell: str) -> bool:
    """Return whether ``cell``, with nothing below it, is a value rather than a name."""
    if kind(cell) in ("number", "date", "time", "address"):
        return True
    return cell.count(" ") >= 3 and not is_label(cell) and _is_sentence(cell)


def _is_sentence(cell: str) -> bool:
    return bool(_SENTENCE.search(cell[:_LONG] + cell[_LONG:][-_LONG:]))


def _asks(cell: str) -> bool:
    ends = cell if len(cell) <= 2 * _LONG else f"{cell[:_LONG]} {cell[-_LONG:]}"
    return bool(rules().asks.search(ends))


def _names_field(cell: str) -> bool:
    return len(cell) <= _LONG and bool(rules().fields.search(cell))


class ColumnSigns:
    """What the cells below tell about a column; ``evidence`` then weighs a cell above them."""

    def __init__(self, below: Sequence[str]) -> None:
        """Look at the folded cells ``below``; blank ones do not count."""
        filled = [cell for cell in below if cell]
        self.count = len(filled)
        self.values = Counter(cell.casefold() for cell in filled)
        self.kind = "text"
        if not filled:
            return
        some = filled[:_LOOKED_AT]
        name, times = Counter(map(kind, some)).most_common(1)[0]
        self.kind = name if times >= 0.8 * len(some) else "mixed"
        self.words = median(cell.count(" ") + 1 for cell in some)
        self.repeats = len(self.values) <= 0.5 * self.count
        self.asks = sum(map(_asks, some)) / len(some)
        self.fields = sum(map(_names_field, some)) / len(some)
        self.shapes = {_shape(cell) for cell in some} if self.kind == "code" else set()

    def evidence(self, cell: str, *, option: bool = False) -> float | None:
        """Return from -2 (surely a value) to 2 (surely a name) for the folded ``cell``.

        ``None`` says that nothing is below. ``option`` says that the cell may name the one option
        whose column this is: then its own words below speak for it.
        """
        if not self.count:
            return None
        lowered = cell.casefold()
        if lowered in self.values:
            if option and len(self.values) == 1:
                return 1.0
            return -2.0 if self.repeats or self.count < 6 else -1.0
        if self.kind not in ("text", "mixed"):
            return self._other_kind(cell)
        if self.repeats and self.count >= 6:
            return 1.5 if self._is_label(cell) else 1.0
        if self._is_label(cell):
            return 1.5
        words = cell.count(" ") + 1
        if kind(cell) != "text":
            return -0.5
        if self.words >= 4 and words <= 0.5 * self.words:
            return 0.5
        return -1.0 if _is_sentence(cell) else -0.3

    def _is_label(self, cell: str) -> bool:
        """Return whether ``cell`` is a label and most of those below are not labels of its kind."""
        return (self.asks < 0.5 and _asks(cell)) or (self.fields < 0.5 and _names_field(cell))

    def _other_kind(self, cell: str) -> float:
        own = kind(cell)
        if own == "text" or (own == "code" and self._is_label(cell)):
            return 2.0 if is_label(cell) or self.count >= 3 else 1.0
        if own != self.kind:
            return 0.5
        if own == "number" and len(self.values) <= 5 and self.count >= 8:
            return 1.0  # a column of codes, headed by another number
        if own == "code" and _shape(cell) not in self.shapes:
            return 0.5
        return -1.5


def _shape(cell: str) -> str:
    for pattern, sign in _SHAPE:
        cell = pattern.sub(sign, cell)
    return cell
