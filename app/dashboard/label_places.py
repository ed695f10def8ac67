"""Where the names of points stand in a chart so that they cover neither marks nor each other."""

from __future__ import annotations

from collections.abc import Sequence

PLACES = ("right", "above", "below", "left")
_LETTER, _LINE, _AWAY, _MARK = 6.6, 14.0, 12.0, 9.0
"""Pixels: a letter's width, a line's height, from a mark to its name, half a mark."""

Box = tuple[float, float, float, float]


def place_names(
    names: Sequence[str],
    across: Sequence[float],
    up: Sequence[float],
    *,
    width: float = 760.0,
    height: float = 380.0,
) -> list[str]:
    """Return one of ``PLACES`` for every name, in order: the first that is free, else the freest.

    ``across`` and ``up`` are the points' coordinates in any linear unit.
    """
    xs, ys = _pixels(across, width), [height - y for y in _pixels(up, height, 0.16)]
    marks = [(x - _MARK, y - _MARK, x + _MARK, y + _MARK) for x, y in zip(xs, ys, strict=True)]
    taken: list[Box] = list(marks)
    chosen = []
    for name, x, y in zip(names, xs, ys, strict=True):
        boxes = {place: _box(name, x, y, place) for place in PLACES}
        costs = {place: _cost(box, taken, width, height) for place, box in boxes.items()}
        best = min(PLACES, key=lambda place: (costs[place], PLACES.index(place)))
        taken.append(boxes[best])
        chosen.append(best)
    return chosen


def _pixels(values: Sequence[float], size: float, margin: float = 0.06) -> list[float]:
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = (high - low) or 1.0
    return [size * (margin + (1 - 2 * margin) * (value - low) / span) for value in values]


def _box(name: str, x: float, y: float, place: str) -> Box:
    wide = _LETTER * len(name)
    left = {"right": x + _AWAY, "left": x - _AWAY - wide}.get(place, x - wide / 2)
    middle = {"above": y - _AWAY - _LINE / 2, "below": y + _AWAY + _LINE / 2}.get(place, y)
    return (left, middle - _LINE / 2, left + wide, middle + _LINE / 2)


def _cost(box: Box, taken: Sequence[Box], width: float, height: float) -> float:
    """Return how many square pixels are covered, with what would stand outside of the chart."""
    outside = max(0.0, -box[0]) + max(0.0, box[2] - width)
    outside += max(0.0, -box[1]) + max(0.0, box[3] - height)
    return outside * _LINE + sum(_shared(box, other) for other in taken)


def _shared(a: Box, b: Box) -> float:
    wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return wide * high if wide > 0 and high > 0 else 0.0
