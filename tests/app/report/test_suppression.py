"""What is hidden cannot be worked out: an auditor with linear programming tries."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.optimize import linprog

from app.report.suppression import Protected, protect


def _range(shown: Protected, wanted: tuple[int, int]) -> tuple[float, float]:
    """Return the least and greatest value a reader of the table must think possible."""
    rows, columns = len(shown.cells), len(shown.cells[0])
    full = [[*row, total] for row, total in zip(shown.cells, shown.row_totals, strict=True)]
    full.append([*shown.column_totals, shown.total])
    names = {(r, c): r * (columns + 1) + c for r in range(rows + 1) for c in range(columns + 1)}
    equations, values = [], []
    for r in range(rows + 1):
        line = np.zeros(len(names))
        line[[names[r, c] for c in range(columns)]] = 1
        line[names[r, columns]] = -1
        equations.append(line)
        values.append(0.0)
    for c in range(columns + 1):
        line = np.zeros(len(names))
        line[[names[r, c] for r in range(rows)]] = 1
        line[names[rows, c]] = -1
        equations.append(line)
        values.append(0.0)
    bounds = [(0, None) if value is None else (value, value) for row in full for value in row]
    aim = np.zeros(len(names))
    aim[names[wanted]] = 1
    ends = []
    for sign in (1, -1):
        answer = linprog(sign * aim, A_eq=np.array(equations), b_eq=values, bounds=bounds)
        assert answer.status in (0, 3)
        ends.append(sign * answer.fun if answer.status == 0 else float("inf"))
    return ends[0], ends[1]


def test_a_table_without_small_cells_is_shown_as_it_is() -> None:
    shown = protect([[10, 20], [30, 0]])
    assert shown.cells == ((10, 20), (30, 0))
    assert shown.row_totals == (30, 30)
    assert shown.column_totals == (40, 20)
    assert (shown.total, shown.primary, shown.secondary) == (60, 0, 0)


def test_one_small_cell_hides_three_more() -> None:
    shown = protect([[3, 50, 60], [40, 70, 80], [90, 95, 99]])
    assert shown.cells == ((None, None, 60), (None, None, 80), (90, 95, 99))
    assert (shown.primary, shown.secondary) == (1, 3)
    assert shown.total == 587


def test_totals_below_the_threshold_are_hidden_too() -> None:
    shown = protect([[2, 3], [40, 50]])
    assert shown.row_totals[0] is None
    assert 5 not in shown.column_totals


def test_rounding_and_no_threshold() -> None:
    assert protect([[12, 13], [14, 17]], rounding=5).cells == ((10, 15), (15, 15))
    assert protect([[1, 2]], threshold=0).cells == ((1, 2),)
    with pytest.raises(ValueError, match="below zero"):
        protect([[-1]])


def test_an_empty_table_is_no_error() -> None:
    assert protect([]).cells == ()
    assert protect([[], []]).row_totals == (0, 0)


@pytest.mark.parametrize("seed", range(60))
def test_no_small_count_can_be_worked_out(seed: int) -> None:
    chance = random.Random(seed)
    rows, columns = chance.randint(1, 5), chance.randint(1, 5)
    counts = [
        [chance.choice((0, 1, 2, 5, 9, 10, 11, 40, 200)) for _ in range(columns)]
        for _ in range(rows)
    ]
    shown = protect(counts)
    for r, row in enumerate(counts):
        for c, value in enumerate(row):
            assert shown.cells[r][c] in (None, value)
            if 0 < value < 10:
                assert shown.cells[r][c] is None
                least, most = _range(shown, (r, c))
                assert most - least >= 2, f"{counts}: cell {r},{c} lies in {least} to {most}"
