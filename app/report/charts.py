"""Bars of a report, drawn without a browser and without the network."""

from __future__ import annotations

from typing import Any

from app.report.blocks import Bars

_PALETTE = ("#1f4e79", "#b85c00", "#6f6f6f", "#c9c9c9", "#2e7d32", "#7b1fa2")
"""Distinct in lightness as well, for readers who do not tell the hues apart."""


def bars_svg(bars: Bars) -> str:
    """Return the chart as SVG."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(_chart(bars)))


def bars_png(bars: Bars) -> bytes:
    """Return the chart as PNG at twice screen resolution."""
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_chart(bars), scale=2))


def _chart(bars: Bars) -> dict[str, Any]:
    names = [column.name for column in bars.table.columns]
    label = names.index(bars.label)
    values: list[dict[str, Any]] = []
    for place, row in enumerate(bars.table.rows):
        for column in bars.values:
            number = row[names.index(column)]
            if isinstance(number, int | float):
                shown = str(row[label])
                values.append({"place": place, "label": shown, "kind": column, "number": number})
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": values},
        "title": bars.title,
        "width": 520,
        "height": {"step": 22},
        "mark": "bar",
        "encoding": {
            "y": {
                "field": "label",
                "type": "nominal",
                "sort": {"field": "place", "op": "min"},
                "title": None,
                "axis": {"labelLimit": 320},
            },
            "x": {
                "field": "number",
                "type": "quantitative",
                "stack": "zero",
                "title": "responses",
                "axis": {"tickMinStep": 1},
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "sort": list(bars.values),
                "scale": {"domain": list(bars.values), "range": list(_PALETTE[: len(bars.values)])},
                "title": None,
                "legend": {} if len(bars.values) > 1 else None,
            },
        },
    }
