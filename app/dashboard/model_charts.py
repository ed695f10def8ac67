"""The three charts of parameter efficiency: bars, score by size, and two scores by each other.

Families are told apart by shape and dash as well as by colour (Okabe and Ito's palette,
https://jfly.uni-koeln.de/color/). Pictures are drawn on this machine by vl-convert.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

# As in ``charts``: altair must not find a pandas that another session is still importing.
import pandas  # noqa: F401

from app.dashboard.label_places import PLACES, place_names
from app.dashboard.model_rows import Point

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
ON_DARK = ("#56b4e9", "#e69f00", "#2fc39b", "#e39dc4", "#8fd0f5", "#f0e442")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])
HEIGHT = 440
_OFFSETS: Mapping[str, dict[str, Any]] = {
    "right": {"align": "left", "dx": 12, "baseline": "middle"},
    "left": {"align": "right", "dx": -12, "baseline": "middle"},
    "above": {"align": "center", "dy": -18},
    "below": {"align": "center", "dy": 22},
}
MILLION = "Parameters (millions, logarithmic scale)"


@dataclass(frozen=True, slots=True)
class Look:
    """Colours for a light or a dark page."""

    dark: bool = False

    @property
    def ink(self) -> str:
        """Words and axes."""
        return "#f2f2f2" if self.dark else "#0b0c0c"

    @property
    def grid(self) -> str:
        """Lines behind the marks."""
        return "#4a4d4f" if self.dark else "#d9dadb"

    @property
    def paper(self) -> str:
        """What pictures are drawn on."""
        return "#16181a" if self.dark else "#ffffff"

    @property
    def colours(self) -> Sequence[str]:
        """One a family."""
        return ON_DARK if self.dark else COLOURS


def efficiency_bars(points: Sequence[Point], score: str, look: Look) -> alt.LayerChart:
    """Return bars of ``score`` per million parameters, longest first, numbers at their ends."""
    rows = [_row(p) | {"value": round(p.per_million(score), 3)} for p in points]
    data = alt.InlineData(sorted(rows, key=lambda row: -float(str(row["value"]))))
    base = alt.Chart(data).encode(
        y=alt.Y("name:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, ticks=False)),
        x=alt.X(
            "value:Q", title=f"{score}: points a million parameters", axis=alt.Axis(tickCount=8)
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Model"),
            alt.Tooltip("value:Q", title="Points a million", format=".2f"),
            alt.Tooltip("million:Q", title="Parameters (millions)", format=",.4~g"),
        ],
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(color=_colour(points, look))
    ends = base.mark_text(align="left", dx=4, color=look.ink, fontSize=12).encode(
        text=alt.Text("value:Q", format=".2f")
    )
    return _finished((bars + ends).properties(height=alt.Step(26)), look)


def score_by_size(
    points: Sequence[Point], score: str, look: Look, *, floor: tuple[str, float] | None = None
) -> alt.LayerChart:
    """Return ``score`` against parameters, a line through each family by size.

    ``floor`` is (name, score) of what runs without a model.
    """
    places = place_names(
        [p.name for p in points], [p.log_million for p in points], [p.scores[score] for p in points]
    )
    data = alt.InlineData(
        [
            _row(p) | {"value": round(p.scores[score], 3), "place": place}
            for p, place in zip(points, places, strict=True)
        ]
    )
    x = alt.X("million:Q", title=MILLION, scale=alt.Scale(type="log", padding=60, nice=False))
    y = alt.Y("value:Q", title=f"{score} (points of 100)", scale=alt.Scale(zero=False, padding=20))
    base = alt.Chart(data).encode(x=x, y=y, tooltip=_tooltips(score))
    layers = [
        *_lines(base, points, look, "million:Q"),
        _marks(base, points, look),
        *_names(base, places, look),
    ]
    if floor is not None:
        rule = alt.Chart(alt.InlineData([{"name": floor[0], "value": round(floor[1], 3)}]))
        layers.append(rule.mark_rule(color=look.ink, strokeDash=[3, 3]).encode(y=y))
        text = rule.mark_text(align="left", dx=4, dy=-6, color=look.ink, fontSize=12)
        layers.append(text.encode(y=y, x=alt.value(0), text="name:N"))
    return _finished(alt.layer(*layers).properties(height=HEIGHT), look)


def score_by_score(points: Sequence[Point], across: str, up: str, look: Look) -> alt.LayerChart:
    """Return two scores against each other; lines go from small to large within a family.

    The area of a mark grows with the logarithm of the parameters.
    """
    places = place_names(
        [p.name for p in points], [p.scores[across] for p in points], [p.scores[up] for p in points]
    )
    data = alt.InlineData(
        [
            _row(p)
            | {"across": round(p.scores[across], 3), "value": round(p.scores[up], 3)}
            | {"log": round(p.log_million, 4), "place": place}
            for p, place in zip(points, places, strict=True)
        ]
    )
    base = alt.Chart(data).encode(
        x=alt.X(
            "across:Q",
            title=f"{across} (points of 100)",
            scale=alt.Scale(zero=False, padding=40),
        ),
        y=alt.Y("value:Q", title=f"{up} (points of 100)", scale=alt.Scale(zero=False, padding=30)),
        tooltip=[
            alt.Tooltip("name:N", title="Model"),
            alt.Tooltip("across:Q", title=across, format=".1f"),
            alt.Tooltip("value:Q", title=up, format=".1f"),
            alt.Tooltip("million:Q", title="Parameters (millions)", format=",.4~g"),
        ],
    )
    most = max((p.log_million for p in points), default=1.0)
    marks = _marks(base, points, look).encode(
        size=alt.Size(
            "log:Q",
            scale=alt.Scale(domain=[0, most], range=[0, 480]),
            legend=None,
        )
    )
    layers = [*_lines(base, points, look, "million:Q"), marks, *_names(base, places, look)]
    return _finished(alt.layer(*layers).properties(height=HEIGHT), look)


def picture(chart: alt.LayerChart, kind: str) -> bytes:
    """Draw a chart as "png" or "svg", on this machine and without the network."""
    import vl_convert

    version = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    drawn = chart.copy(deep=True)
    if getattr(drawn, "height", None) == HEIGHT:
        drawn = drawn.properties(width=760)
    else:
        drawn = drawn.properties(width=620)
    spec = drawn.to_json()
    if kind == "svg":
        svg: str = vl_convert.vegalite_to_svg(spec, vl_version=version, allowed_base_urls=[])
        return svg.encode()
    png: bytes = vl_convert.vegalite_to_png(spec, vl_version=version, scale=2, allowed_base_urls=[])
    return png


def alternative(points: Sequence[Point], *scores: str) -> str:
    """Return a chart in words for people who do not see it."""
    said = "; ".join(
        f"{p.name}: {p.million:.4g} million parameters, "
        + ", ".join(f"{name} {p.scores[name]:.1f}" for name in scores)
        for p in points
    )
    return f"{said}. The table below has the same numbers."


def _row(point: Point) -> dict[str, object]:
    return {"name": point.name, "family": point.family, "million": round(point.million, 4)}


def _families(points: Sequence[Point]) -> list[str]:
    return list(dict.fromkeys(point.family for point in points))


def _scale(points: Sequence[Point], values: Sequence[Any]) -> alt.Scale:
    names = _families(points)
    return alt.Scale(domain=names, range=[values[n % len(values)] for n in range(len(names))])


def _colour(points: Sequence[Point], look: Look) -> alt.Color:
    legend = alt.Legend(
        title="Family",
        orient="top",
        labelFontSize=13,
        symbolSize=120,
        symbolStrokeWidth=0,
        symbolOpacity=1,
    )
    shown = legend if len(_families(points)) > 1 else None
    return alt.Color("family:N", scale=_scale(points, look.colours), legend=shown)


def _marks(base: alt.Chart, points: Sequence[Point], look: Look) -> alt.Chart:
    shape = alt.Shape("family:N", scale=_scale(points, SHAPES))
    drawn: alt.Chart = base.mark_point(filled=True, size=110, opacity=1).encode(
        color=_colour(points, look), shape=shape
    )
    return drawn


def _lines(base: alt.Chart, points: Sequence[Point], look: Look, order: str) -> list[alt.Chart]:
    """Return the family lines; none where no family has two models."""
    if len(_families(points)) == len(points):
        return []
    dash = alt.StrokeDash("family:N", scale=_scale(points, DASHES), legend=None)
    return [
        base.mark_line(strokeWidth=1.6, opacity=0.8).encode(
            color=_colour(points, look), strokeDash=dash, order=alt.Order(order)
        )
    ]


def _names(base: alt.Chart, places: Sequence[str], look: Look) -> list[alt.Chart]:
    """Return the points' names, each where there is room for it."""
    return [
        base.transform_filter(alt.datum.place == place)
        .mark_text(color=look.ink, fontSize=12, **_OFFSETS[place])
        .encode(text="name:N")
        for place in PLACES
        if place in places
    ]


def _tooltips(score: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("name:N", title="Model"),
        alt.Tooltip("value:Q", title=score, format=".1f"),
        alt.Tooltip("million:Q", title="Parameters (millions)", format=",.4~g"),
    ]


def _finished(chart: Any, look: Look) -> alt.LayerChart:
    done: alt.LayerChart = (
        chart.configure(background=look.paper)
        .configure_axis(
            labelColor=look.ink,
            titleColor=look.ink,
            gridColor=look.grid,
            domainColor=look.ink,
            tickColor=look.ink,
            labelFontSize=13,
            titleFontSize=13,
        )
        .configure_legend(labelColor=look.ink, titleColor=look.ink)
        .configure_view(stroke=None)
    )
    return done
