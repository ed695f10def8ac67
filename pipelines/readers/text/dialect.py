"""Find how a delimited text is written: delimiter, quotation marks, escapes, from a sample."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

ONE_COLUMN = "\x1f"
"""The delimiter of a table of one column: a character that no text holds."""

_USUAL = ",;\t|^~"
_UNUSUAL = "¦¬§¤\x1f\x1e\x01\x02\x14#*!@$%&+=:"  # only where every row agrees
_ANNOUNCED = re.compile(r'"?sep=([^"\r\n])"?[,;\t]*(?:\r\n|\n|\r|\Z)', re.IGNORECASE)
_BACKSLASH = re.compile(r'\\([\\"])')
_MOST_TITLES = 25  # rows that may stand above the header
_SAMPLE_LINES = 3_000


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the cells of a line are told apart.

    ``quote`` is "" where quotation marks are text. ``backslash`` says that a quotation mark inside
    a cell is written ``\\"``. ``spaces`` after a delimiter are no part of the cell. ``announced``
    is the length of a first line ``sep=;``, which is no row. ``width`` is the number of cells of
    most rows.
    """

    delimiter: str = ONE_COLUMN
    quote: str = '"'
    backslash: bool = False
    spaces: bool = False
    announced: int = 0
    width: int = 1

    @property
    def shown(self) -> str:
        """The delimiter for people, "" for a table of one column."""
        return "" if self.width == 1 and self.delimiter == ONE_COLUMN else self.delimiter

    def reader(self, lines: Iterable[str]) -> _Reader:
        """Return a strict reader of the rows of ``lines``."""
        options: dict[str, Any] = {"delimiter": self.delimiter, "strict": True}
        if self.quote:
            options |= {"quotechar": self.quote, "skipinitialspace": self.spaces}
        else:
            options |= {"quoting": csv.QUOTE_NONE, "quotechar": None}
        return csv.reader(lines, **options)  # type: ignore[return-value]

    def unescaped(self, lines: list[str]) -> list[str]:
        """Return ``lines`` with the quotation marks inside cells doubled, not escaped."""
        if not self.backslash:
            return lines
        return [_BACKSLASH.sub(_doubled, line) if "\\" in line else line for line in lines]


class _Reader(Iterator[list[str]]):
    """What ``csv.reader`` returns."""

    line_num: int


@dataclass(frozen=True, slots=True)
class _Trial:
    """What a sample looks like in one dialect; the best one has the highest ``score``."""

    dialect: Dialect
    score: float


def find_dialect(sample: str, *, whole: bool = True, tabs: bool = False) -> Dialect:
    """Return the dialect in which most rows of ``sample`` have the same number of cells.

    Rows of other widths above the header (titles, instructions) do not count. ``whole`` says that
    the sample is the whole text, ``tabs`` that the file's name promises tabs. A text without a
    delimiter is a table of one column, whose commas stay text.
    """
    announced = _ANNOUNCED.match(sample)
    skipped = announced.end() if announced else 0
    lines = StringIO(sample[skipped:], newline="").readlines()
    if not whole and len(lines) > 1:
        lines.pop()
    del lines[_SAMPLE_LINES:]
    text = "".join(lines)
    if announced:
        delimiters = announced[1]
    elif tabs and "\t" in text:
        delimiters = "\t"
    else:
        delimiters = "".join(d for d in _USUAL + _UNUSUAL if d in text)
    trials = [
        trial
        for delimiter in delimiters
        for style in _styles(delimiter, text)
        if (trial := _tried(style, lines, skipped, whole=whole))
    ]
    if trials:
        return max(trials, key=lambda trial: trial.score).dialect  # the first of equals
    alone = [style for style in _styles(ONE_COLUMN, text) if not _widths(style, lines, whole)[1]]
    best = alone[0] if alone else Dialect()
    delimiter = announced[1] if announced else ONE_COLUMN
    return Dialect(delimiter, best.quote, best.backslash, announced=skipped)


def _styles(delimiter: str, text: str) -> Iterator[Dialect]:
    """Yield the ways to quote that ``text`` gives a reason to try, the usual one first."""
    d = re.escape(delimiter)
    yield Dialect(delimiter)
    if '\\"' in text:
        yield Dialect(delimiter, backslash=True)
    if f'{delimiter} "' in text:
        yield Dialect(delimiter, spaces=True)
    if '"' in text:
        opened = len(re.findall(f'(?m)(?:^|{d})"', text))
        around = len(re.findall(f'(?m)(?:^|{d})"[^"\\n]*"(?=$|\\r|{d})', text))
        if around <= 0.5 * opened:
            yield Dialect(delimiter, quote="")
    if "'" in text:
        opened = len(re.findall(f"(?m)(?:^|{d})'", text))
        closed = len(re.findall(f"(?m)'(?:$|\\r|{d})", text))
        if opened and opened == closed and 2 * opened >= text.count("\n"):
            yield Dialect(delimiter, quote="'")


def _tried(style: Dialect, lines: list[str], skipped: int, *, whole: bool) -> _Trial | None:
    widths, errors, prose = _widths(style, lines, whole)
    if style.spaces:  # the spaces are gone from the cells
        text = "".join(lines)
        spaced = text.count(f"{style.delimiter} ") - text.count(f'{style.delimiter} "')
        prose = 2 * spaced > text.count(style.delimiter)
    if not widths:
        return None
    several = Counter(width for width in widths if width > 1)
    if not several:
        return None
    width = max(several, key=lambda w: (several[w], w))
    first = widths.index(width)
    below = widths[first:]
    agreeing = below.count(width) / len(below) - errors / (len(widths) + errors)
    delimiter = style.delimiter
    dialect = Dialect(delimiter, style.quote, style.backslash, style.spaces, skipped, width)
    if skipped:
        return _Trial(dialect, agreeing)
    if prose and (first or agreeing < 1 or len(widths) < 3):
        return None
    if delimiter in _UNUSUAL and (first or agreeing < 1 or len(widths) < 2):
        return None
    if first == 0 and agreeing >= 0.3:
        score = 1 + agreeing
    elif 0 < first <= _MOST_TITLES and agreeing > 0.5 and len(below) > 1:
        score = 0.5 + agreeing - 0.01 * first
    else:
        return None
    if delimiter in _UNUSUAL:
        score -= 0.5
    if style.quote == "'":
        score += 0.01  # tried only where nearly every cell has them
    return _Trial(dialect, score)


def _widths(style: Dialect, lines: list[str], whole: bool) -> tuple[list[int], int, bool]:
    """Return the widths of the rows that are not blank, how many lines break the rules, and
    whether most cells begin with a space, as the parts of a sentence do.
    """
    reader = style.reader(style.unescaped(lines))
    widths: list[int] = []
    errors = cells = spaced = 0
    while True:
        try:
            for row in reader:
                if any(map(str.strip, row)):
                    widths.append(len(row))
                    cells += len(row) - 1
                    spaced += sum(cell.startswith(" ") for cell in row[1:])
        except csv.Error as error:
            errors += whole or "end of data" not in str(error)
            continue
        return widths, errors, 2 * spaced > cells


def _doubled(match: re.Match[str]) -> str:
    return '""' if match[1] == '"' else "\\"
