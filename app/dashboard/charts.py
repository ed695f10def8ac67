"""Bar charts; each has a table beside it that says the same."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

# Altair looks for pandas in sys.modules while it draws. Were another session's thread still
# importing it, altair would find half a module; this import waits until it is whole.
import pandas  # noqa: F401

from app.dashboard.present import counted

BARS = 20
INK = "#0b0c0c"
BAR = "#1b5e4b"


def bars(rows: Sequence[tuple[str, int]], measure: str) -> alt.LayerChart:
    """Return horizontal bars, longest first as given, with the number at the end of each.

    ``rows`` are (name, count); names must differ. At most BARS rows are drawn.
    """
    data = alt.InlineData([{"name": name, "count": count} for name, count in rows[:BARS]])
    base = alt.Chart(data).encode(
        y=alt.Y(
            "name:N",
            sort=None,
            title=None,
            axis=alt.Axis(labelLimit=260, labelColor=INK, labelFontSize=13, ticks=False),
        ),
        x=alt.X(
            "count:Q",
            title=measure,
            axis=alt.Axis(format=",d", tickMinStep=1, labelColor=INK, titleColor=INK, grid=False),
        ),
        tooltip=[
            alt.Tooltip("name:N", title="Name"),
            alt.Tooltip("count:Q", title=measure, format=",d"),
        ],
    )
    numbers = base.mark_text(align="left", dx=4, color=INK, fontSize=12).encode(
        text=alt.Text("count:Q", format=",d")
    )
    chart: alt.LayerChart = (base.mark_bar(color=BAR, height={"band": 0.7}) + numbers).properties(
        height=alt.Step(24)
    )
    return chart


def alternative(rows: Sequence[tuple[str, int]], noun: str) -> str:
    """Return the chart in words for people who do not see it."""
    shown = "; ".join(f"{name}: {counted(count, noun)}" for name, count in rows[:BARS])
    return f"Bar chart. {shown}. The table beside it has the same numbers."


def distinct(rows: Sequence[tuple[str, str, int]]) -> list[tuple[str, int]]:
    """Return (name, count) from (name, qualifier, count), qualifying only names that repeat."""
    names = [name for name, _, _ in rows]
    result: list[tuple[str, int]] = []
    seen: set[str] = set()
    for name, qualifier, count in rows:
        shown = f"{name} ({qualifier})" if names.count(name) > 1 else name
        while shown in seen:
            shown += " "
        seen.add(shown)
        result.append((shown, count))
    return result
