"""Small cells hidden in a table with totals, so that no sum gives them back.

Primary: a count from 1 to below the threshold is hidden, be it a cell or a total. Secondary: more
cells are hidden until every line (row or column) has none or several hidden ones that add up to the
threshold at least, and until an auditor who knows all numbers shown, and that counts are not
negative, must think at least three values possible for each small count. The auditor is a linear
programme, the least and the greatest value of the cell under the sums of the table (Fischetti and
Salazar 2000, https://doi.org/10.1080/01621459.2000.10474282). Zeros are shown: they name nobody,
except where one has to hide another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

THRESHOLD = 10

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Protected:
    """A table as it may be shown: ``cells[row][column]`` and totals, None where hidden.

    ``primary`` and ``secondary`` count the hidden cells by reason. A total is hidden, too, where it
    is itself below the threshold.
    """

    cells: tuple[tuple[int | None, ...], ...]
    row_totals: tuple[int | None, ...]
    column_totals: tuple[int | None, ...]
    total: int | None
    primary: int
    secondary: int


def protect(
    counts: Sequence[Sequence[int]], *, threshold: int = THRESHOLD, rounding: int = 0
) -> Protected:
    """Return ``counts`` with small cells hidden and, with ``rounding``, all numbers rounded to it.

    Rows must be of one length. Totals are of the true counts. ``threshold`` 0 or 1 hides nothing.
    Raises ValueError for a negative count.
    """
    if any(value < 0 for row in counts for value in row):
        raise ValueError("a count below zero cannot be tabulated")
    rows, columns = len(counts), len(counts[0]) if counts else 0
    # The totals are lines like the others: hiding works on the table with its margins.
    table = [[*row, sum(row)] for row in counts]
    table.append([sum(column) for column in zip(*table, strict=True)] or [0])
    hidden = {
        (r, c)
        for r, row in enumerate(table)
        for c, value in enumerate(row)
        if 0 < value < threshold
    }
    primary = frozenset(hidden)
    while added := _needed(table, hidden, primary, threshold):
        hidden |= added

    def shown(r: int, c: int) -> int | None:
        value = table[r][c]
        if (r, c) in hidden:
            return None
        return value if rounding < 2 else (value + rounding // 2) // rounding * rounding

    return Protected(
        cells=tuple(tuple(shown(r, c) for c in range(columns)) for r in range(rows)),
        row_totals=tuple(shown(r, columns) for r in range(rows)),
        column_totals=tuple(shown(rows, c) for c in range(columns)),
        total=shown(rows, columns),
        primary=sum(r < rows and c < columns for r, c in primary),
        secondary=sum(r < rows and c < columns for r, c in hidden - primary),
    )


def _needed(
    table: Sequence[Sequence[int]], hidden: set[Cell], primary: frozenset[Cell], threshold: int
) -> set[Cell]:
    """Return further cells to hide; none when the table is safe."""
    rows, columns = range(len(table)), range(len(table[0]))
    lines = [[(r, c) for c in columns] for r in rows] + [[(r, c) for r in rows] for c in columns]
    for line in lines:
        gone = [cell for cell in line if cell in hidden]
        if 0 < len(gone) < len(line) and (len(gone) < 2 or _sum(table, gone) < threshold):
            return _cheapest(table, line, hidden)
    auditor = _Auditor(table, hidden)
    for cell in sorted(primary):
        if auditor.tells(cell):
            r, c = cell
            line = [(r, other) for other in columns] + [(other, c) for other in rows]
            return _cheapest(table, line, hidden) or _cheapest(
                table, [(r, c) for r in rows for c in columns], hidden
            )
    return set()


def _sum(table: Sequence[Sequence[int]], cells: Sequence[Cell]) -> int:
    """Return the sum of cells."""
    return sum(table[r][c] for r, c in cells)


def _cheapest(table: Sequence[Sequence[int]], line: Sequence[Cell], hidden: set[Cell]) -> set[Cell]:
    """Return the cell of ``line`` whose hiding costs least.

    Cells of the body before margins, then those in a line where something is hidden already (they
    are likely to protect both), then the smallest count that is not zero.
    """
    last_row, last_column = len(table) - 1, len(table[0]) - 1
    hidden_rows = {r for r, _ in hidden}
    hidden_columns = {c for _, c in hidden}
    open_cells = [cell for cell in line if cell not in hidden]
    if not open_cells:
        return set()

    def cost(cell: Cell) -> tuple[bool, bool, bool, int, int, int]:
        r, c = cell
        crossing = r in hidden_rows and c in hidden_columns
        margin = r == last_row or c == last_column
        return margin, table[r][c] == 0, not crossing, table[r][c], r, c

    return {min(open_cells, key=cost)}


class _Auditor:
    """A reader who works out what a hidden cell can be from all that is shown."""

    def __init__(self, table: Sequence[Sequence[int]], hidden: set[Cell]) -> None:
        import numpy as np

        rows, columns = len(table), len(table[0])
        self._places = {cell: number for number, cell in enumerate(sorted(hidden))}
        # The parts of a line minus its total are nothing: one equation a row and one a column.
        self._sums = np.zeros((rows + columns, len(hidden)))
        self._known = np.zeros(rows + columns)
        for r in range(rows):
            for c in range(columns):
                for line, sign in (
                    (r, -1 if c == columns - 1 else 1),
                    (rows + c, -1 if r == rows - 1 else 1),
                ):
                    if (r, c) in hidden:
                        self._sums[line, self._places[r, c]] += sign
                    else:
                        self._known[line] -= sign * table[r][c]

    def tells(self, cell: Cell) -> bool:
        """Tell whether fewer than three values are possible for a hidden cell."""
        import numpy as np
        from scipy.optimize import linprog

        aim = np.zeros(len(self._places))
        aim[self._places[cell]] = 1
        ends = [
            linprog(sign * aim, A_eq=self._sums, b_eq=self._known, bounds=(0, None), method="highs")
            for sign in (1, -1)
        ]
        least, most = (e.fun if e.status == 0 else None for e in ends)
        return least is not None and most is not None and -most - least < _WIDTH


_WIDTH = 2 - 1e-6
