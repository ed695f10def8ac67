"""Search a table's first rows for its header.

Every early row is weighed against the cells below it (``header_signs``): a name differs in kind
from the values under it, is not among them, and asks for something. Rows above the header with few
cells are titles and instructions; a row next to it may be a second tier of it (groups, codes,
wordings, options). No full row is ever passed over: where none looks like a header, the table has
none and its first full row is data.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from pipelines.readers.tables.header_signs import (
    DATA,
    ColumnSigns,
    folded,
    is_label,
    kind,
    looks_like_data,
    rules,
)

_EARLY = 60  # filled rows among which the header is looked for
_CANDIDATES = 3  # from the first full row on
_CELLS = 8_000  # cells below a row that are looked at, and at least this many rows:
_ROWS = 40
_COLUMNS = 300
_FULL = 0.6  # of the columns: the share of filled cells of a full row
_NOTHING_BELOW = 0.3
_FEW = 0.34  # of the cells of the fullest row: no more has a title, and no fewer than 2
_AGAIN = 0.1  # of the rows below a header at most are the header again
_HALF = 0.5  # the least share of filled cells of a header
_IMPORT_ID = re.compile(r'\{"ImportId":')


class Line:
    """A filled row and what it looks like by itself."""

    def __init__(self, number: int, cells: list[str]) -> None:
        self.number = number
        self.cells = cells

    @cached_property
    def texts(self) -> list[str]:
        """The cells on one line each."""
        return [folded(cell) for cell in self.cells]

    @cached_property
    def filled(self) -> list[int]:
        """The positions of the filled cells."""
        return [i for i, text in enumerate(self.texts) if text]

    @cached_property
    def distinct(self) -> float:
        """The share of different texts among the filled cells."""
        return len({self.texts[i].casefold() for i in self.filled}) / len(self.filled)

    def matching(self, pattern: re.Pattern[str]) -> float:
        """Return the share of filled cells in which ``pattern`` is found."""
        return sum(bool(pattern.search(self.texts[i])) for i in self.filled) / len(self.filled)


class Search:
    """The search of a header among the filled rows of a sample."""

    def __init__(self, rows: list[Line]) -> None:
        self._rows = rows
        used = Counter(i for row in rows[:_EARLY] for i in row.filled)
        self._columns = sum(times > 1 for times in used.values()) or len(used)
        self._found: dict[tuple[int, bool], tuple[float, float, float]] = {}

    def header(self) -> tuple[list[int], int, str]:
        """Return the positions of the header's rows, of the first row of data, and the shape."""
        rows = self._rows
        if not rows:
            return [], 0, "none"
        qualtrics = self._qualtrics()
        if qualtrics is not None:
            return qualtrics
        best = self._best()
        if best is None:
            return [], self._first_data(), "none"
        chosen = [best]
        shape = "one row"
        if best and self._is_upper(best - 1, best):
            chosen.insert(0, best - 1)
            shape = "tiers"
        elif best + 1 < len(rows) and self._is_lower(best, best + 1):
            chosen.append(best + 1)
            shape = "tiers"
        start = chosen[-1] + 1
        if shape == "tiers" and self._words(chosen[-1], start):
            chosen.append(start)
            start += 1
        if start + 1 < len(rows) and self._instructs(start):
            start += 1
        return chosen, start, shape

    def _qualtrics(self) -> tuple[list[int], int, str] | None:
        for i, row in enumerate(self._rows[:8]):
            if row.matching(_IMPORT_ID) >= 0.5:
                above = [k for k in (i - 2, i - 1) if k >= 0 and self._fill(k) >= 0.3]
                return [*above, i], i + 1, "Qualtrics"
        return None

    def _fill(self, i: int) -> float:
        return len(self._rows[i].filled) / self._columns

    def _first_full(self, *, passing: bool) -> int:
        """Return the first row with many cells filled; ``passing`` passes lines "label, value"."""
        most = max(len(row.filled) for row in self._rows[:_EARLY])
        few = min(max(2, _FEW * most), _FULL * most)
        for i, row in enumerate(self._rows[:_EARLY]):
            passed = self._is_title(i) or (passing and self._is_property(i))
            if len(row.filled) > few and not passed:
                return i
        return 0

    def _first_data(self) -> int:
        """Return the first row of a table without a header: titles are single texts above it."""
        full = self._first_full(passing=False)
        for i, row in enumerate(self._rows[:full]):
            alone = len(row.filled) == 1 and kind(row.texts[row.filled[0]]) == "text"
            if not alone and not self._is_title(i):
                return i
        return full

    def _is_title(self, i: int) -> bool:
        """Return whether a row is one text, though a merged cell may have filled all its cells."""
        row = self._rows[i]
        return len(row.filled) >= 3 and len({row.texts[k] for k in row.filled}) == 1

    def _is_property(self, i: int) -> bool:
        """Return whether a row is a label and its value in a table of more columns."""
        row = self._rows[i]
        if row.filled != [0, 1] or self._columns < 3:
            return False
        label, value = row.texts[:2]
        return kind(label) == "text" and (label.endswith(":") or kind(value) != "text")

    def _best(self) -> int | None:
        """Return the row that looks most like a header; ``None`` when the first full row does not.

        Rows after the first full one are looked at only as far as a second tier may lie.
        """
        full = self._first_full(passing=True)
        last = min(full + _CANDIDATES, len(self._rows))
        scores = {
            i: self._score(i)
            for i in range(last)
            if (self._fill(i) >= _HALF or i == full or self._is_sparse(i, full))
            and not self._is_title(i)
            and not (i < full and self._is_property(i))
        }
        if not scores:
            return None
        best = max(scores, key=lambda i: (scores[i], -i))
        if best > full and not (self._is_upper(full, best) or self._is_lower(full, best)):
            best = full
        mean, _, adverse = self._evidence(best)
        looks_it = best in scores and mean >= DATA + adverse
        return best if looks_it or self._is_above_tiers(best) else None

    def _is_sparse(self, i: int, full: int) -> bool:
        """Return whether a row right above the first full one names some of its columns."""
        row = self._rows[i]
        if i != full - 1 or len(row.filled) < 2 or self._rows[full].number - row.number > 1:
            return False
        return all(is_label(row.texts[k]) for k in row.filled) and self._evidence(i)[0] >= 1

    def _is_above_tiers(self, i: int) -> bool:
        return i + 1 < len(self._rows) and self._is_lower(i, i + 1)

    def _score(self, i: int) -> float:
        mean, _, _ = self._evidence(i)
        return 2 * min(1.0, self._fill(i)) + mean + 0.5 * self._rows[i].distinct - 0.15 * i

    def _evidence(self, i: int, upper: Line | None = None) -> tuple[float, float, float]:
        """Return the mean evidence of a row's cells, and the shares of strong and of adverse ones.

        With ``upper``, cells below its blanks may name options.
        """
        known = self._found.get((i, upper is not None))
        if known is None:
            known = self._found[i, upper is not None] = self._weighed(i, upper)
        return known

    def _weighed(self, i: int, upper: Line | None) -> tuple[float, float, float]:
        row = self._rows[i]
        positions = row.filled[:_COLUMNS]
        below = self._rows[i + 1 : i + 1 + max(_ROWS, _CELLS // len(positions))]
        again = [r for r in below if _is_again(row, r)] if len(positions) > 1 else []
        if again and len(again) <= max(1, _AGAIN * len(below)):  # exports pasted together
            numbers = {r.number for r in again}
            below = [r for r in below if r.number not in numbers]
        found = []
        for k in positions:
            signs = ColumnSigns([r.texts[k] if k < len(r.cells) else "" for r in below])
            option = upper is not None and (_blank(upper, k) or _blank(upper, k + 1))
            value = signs.evidence(row.texts[k], option=option)
            if value is not None:
                found.append(value)
        if not found:
            alone = not below and any(looks_like_data(row.texts[k]) for k in positions)
            return (-1.0 if alone else _NOTHING_BELOW), 0.0, float(alone)
        strong, adverse = sum(v >= 1 for v in found), sum(v <= -1 for v in found)
        return sum(found) / len(found), strong / len(found), adverse / len(found)

    def _is_upper(self, upper: int, lower: int) -> bool:
        """Return whether the row above a header's row groups or codes its columns."""
        up, low = self._rows[upper], self._rows[lower]
        if low.number - up.number > 1 or len(up.filled) < 2 or self._is_title(upper):
            return False
        if rules().closings.search(up.texts[up.filled[0]]):  # totals above the header
            return False
        if any(kind(up.texts[i]) in ("number", "date", "address") for i in up.filled):
            return self._is_lower(upper, lower)
        if self._fill(upper) >= _FULL:
            return self._is_lower(upper, lower)
        pair = up.filled == [0, 1] and self._columns >= 4
        return not pair and up.filled[-1] < len(low.cells)

    def _is_lower(self, upper: int, lower: int) -> bool:
        """Return whether the row below a header's row belongs to it: options or wordings.

        A row of data must never pass: it would be lost.
        """
        up, low = self._rows[upper], self._rows[lower]
        if low.number - up.number > 1 or lower != upper + 1:
            return False
        mean, strong, adverse = self._evidence(lower, up)
        under_blanks = [k for k in low.filled if _blank(up, k)]
        blanks = [k for k in range(len(up.cells)) if _blank(up, k)]
        says_answer = [k for k in low.filled if rules().answer_labels.search(low.texts[k])]
        if len(says_answer) >= max(1, 0.5 * len(low.filled)) and adverse <= 0.2 and mean > 0:
            return True
        if says_answer and under_blanks and adverse <= 0.2:
            return True
        if under_blanks and len(under_blanks) >= 0.9 * len(blanks):
            return mean >= 0.5 and adverse <= 0.1 and low.distinct >= 0.7
        if up.distinct <= 0.6 and low.distinct >= 0.9:
            return mean >= 0.5 and adverse <= 0.1
        return self._is_wording(up, low) and mean >= 0.8 and strong >= 0.5 and adverse <= 0.1

    def _is_wording(self, up: Line, low: Line) -> bool:
        codes = sum(" " not in up.texts[i] or _is_position(up.texts[i]) for i in up.filled)
        asks = sum(is_label(low.texts[i]) for i in low.filled)
        longer = sum(len(low.texts[i]) for i in low.filled) / len(low.filled)
        shorter = sum(len(up.texts[i]) for i in up.filled) / len(up.filled)
        return (
            codes >= 0.8 * len(up.filled)
            and asks >= 0.3 * len(low.filled) > 0
            and (longer >= 1.2 * shorter)
        )

    def _words(self, upper: int, lower: int) -> bool:
        """Return whether a third tier holds the wordings of the codes above it."""
        if lower + 1 >= len(self._rows) or self._rows[lower].number > self._rows[upper].number + 1:
            return False
        mean, strong, adverse = self._evidence(lower)
        wording = self._is_wording(self._rows[upper], self._rows[lower])
        return wording and mean >= 0.8 and strong >= 0.5 and adverse <= 0.1

    def _instructs(self, i: int) -> bool:
        """Return whether the row says how its columns are filled in."""
        row = self._rows[i]
        if len(row.filled) < 2 or self._evidence(i)[2] > 0.2:
            return False
        return row.matching(rules().kind_labels) >= 0.8 or row.matching(rules().instructions) >= 0.8


def _is_again(header: Line, row: Line) -> bool:
    """Return whether a row is the header again, or that of another table below it."""
    if header.texts == row.texts:
        return True
    same = any(k < len(row.texts) and row.texts[k] == header.texts[k] for k in header.filled)
    return same and len(row.filled) > 1 and all(is_label(row.texts[k]) for k in row.filled)


def _blank(row: Line, i: int) -> bool:
    return i >= len(row.cells) or not row.texts[i]


def _is_position(text: str) -> bool:
    return bool(rules().positions.search(text))
