"""The Models page: what is installed, what was measured here, what was published."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import altair as alt
import streamlit as st

from app.dashboard import model_charts, model_rows, present
from app.dashboard.highlight import visible
from app.dashboard.model_rows import Point
from app.dashboard.present import Cell, counted
from app.dashboard.workspace import Workspace, problem, show
from pipelines.comparisons import Comparison, read_comparisons
from pipelines.engines import ENGINES, read_choice
from pipelines.errors import ModelError
from pipelines.models import embedded_spec
from pipelines.published import ELSEWHERE, FIVE

HOW = "florilegium models compare --gold FILE"
EFFICIENCY = "Score per million parameters"
BY_SIZE = "Score against size"
BY_SCORE = "Two scores against each other"

_WHOSE = {"own": "on your labels", "published": "published"}

_MODELS = (
    Cell("Model"),
    Cell("Kind"),
    Cell("For"),
    Cell("Parameters", right=True),
    Cell("Of the encoder", right=True),
    Cell("Bytes", right=True),
    Cell("Licence"),
)
_SOURCES = (
    "BERT and ALBERT by family and size: millions of parameters, and points of the average for a "
    "million. Lan et al. 2019: arxiv.org/abs/1909.11942, development sets; google-research/albert: "
    "its README, version 2."
)
_PUBLISHED = (
    Cell("Model"),
    Cell("Average of five", right=True),
    Cell("Millions", right=True),
    Cell("A million", right=True),
    Cell("SQuAD 2.0 F1", right=True),
    Cell("Average, as reported there", right=True),
    Cell("SQuAD v2, as reported there", right=True),
    Cell("Source"),
)


def show_models(space: Workspace) -> None:
    """Show the models of the workspace with cards, and the engine that runs the embedded one."""
    folder = space.settings.home / "models"
    specs, problems = model_rows.model_rows(folder)
    for sentence in problems:
        problem(sentence)
    caption = (
        f"{counted(len(specs), 'model')} on this machine. Pointed at, a name gives its sha256."
    )
    show(present.table(caption, _MODELS, model_rows.model_cells(specs)))
    _engine(space)
    for spec in specs:
        facts = model_rows.adapted(spec)
        card = model_rows.card_of(spec)
        if facts or card:
            with st.expander(f"Card of {spec.id}"):
                if facts:
                    _judgement(facts)
                st.markdown(_lowered(card))


def show_comparisons(space: Workspace) -> None:
    """Show what ``models compare`` found: the newest comparison first, and its three charts."""
    st.header("Compared on your labels")
    found: list[Comparison] = []
    for one in read_comparisons(space.settings.home / "models"):
        if isinstance(one, ModelError):
            problem(str(one))
        else:
            found.append(one)
    if not found:
        show(
            "<p>Nothing has been compared yet. With a file of coded texts, as for training: "
            f"<code>{HOW}</code></p>"
        )
        return
    chosen = found[0]
    if len(found) > 1:
        names = [one.name for one in found]
        chosen = found[names.index(st.selectbox("Comparison", names, key="comparison"))]
    measure = "Accuracy" if chosen.single else "Samples F1"
    headings = (
        Cell("Model"),
        Cell(measure, right=True),
        Cell("95 % interval", right=True),
        Cell("Macro F1", right=True),
        Cell("Parameters", right=True),
        Cell("Points a million", right=True),
        Cell("Bytes", right=True),
        Cell("Tokens a second", right=True),
        Cell("Peak MB", right=True),
    )
    caption = (
        f"{chosen.name}: {counted(chosen.rows, 'coded text')}, {counted(chosen.labels, 'label')}, "
        f"cross-validated, points of 100; {counted(chosen.threads, 'thread')}, {_day(chosen.made)}. "
        "The first row needs no model: one that does not beat it earns nothing on these labels."
    )
    show(present.table(caption, headings, model_rows.comparison_cells(chosen)))
    for row in chosen.models:
        if row.error:
            problem(row.error)
    points = model_rows.own_points(chosen)
    if not points:
        show("<p>No model of this comparison has figures to draw.</p>")
        return
    floor = model_rows.own_scores(chosen.floor)
    _charts(
        "own", points, model_rows.OWN_SCORES.values(), "Macro F1", floor=(chosen.floor.id, floor)
    )


def show_published() -> None:
    """Show the published scores of BERT and ALBERT, and beside them what the handbook reports."""
    st.header("Published scores")
    show(
        f"<p>Of other data than yours. The average of five is the {visible(FIVE)}, each SQuAD as the "
        "mean of F1 and exact match; it is no GLUE score. “As reported there” is what the "
        f"{visible(ELSEWHERE)}, prints for it.</p>"
    )
    show(
        present.table(
            _SOURCES,
            _PUBLISHED,
            model_rows.published_cells(),
        )
    )
    _charts(
        "published",
        model_rows.published_points(),
        model_rows.PUBLISHED_SCORES.values(),
        "SQuAD 2.0, F1",
    )


def _charts(
    key: str,
    points: Sequence[Point],
    scores: Iterable[str],
    second: str,
    *,
    floor: tuple[str, Mapping[str, float]] | None = None,
) -> None:
    names = list(scores)
    left, right = st.columns(2)
    with left:
        score = st.selectbox(f"Score, {_WHOSE[key]}", names, key=f"{key}-score")
    with right:
        others = [name for name in names if name != score]
        place = others.index(second) if second in others else 0
        other = st.selectbox(f"Against, {_WHOSE[key]}", others, index=place, key=f"{key}-other")
    show(
        '<p class="flo-quiet">Lines join a family from its smallest model to its largest. Where two '
        "scores stand against each other, the area of a mark grows with the logarithm of the "
        "parameters.</p>"
    )
    look = model_charts.Look(dark=st.context.theme.type == "dark")
    by_worth = sorted(points, key=lambda point: -point.per_million(score))
    _chart(
        f"{key}-efficiency",
        EFFICIENCY,
        model_charts.efficiency_bars(points, score, look),
        (score, "Points a million"),
        by_worth,
        lambda p: (p.scores[score], p.per_million(score)),
    )
    level = (floor[0], floor[1][score]) if floor else None
    _chart(
        f"{key}-size",
        BY_SIZE,
        model_charts.score_by_size(points, score, look, floor=level),
        (score,),
        points,
        lambda p: (p.scores[score],),
    )
    _chart(
        f"{key}-scores",
        BY_SCORE,
        model_charts.score_by_score(points, other, score, look),
        (other, score),
        points,
        lambda p: (p.scores[other], p.scores[score]),
    )


def _chart(
    key: str,
    title: str,
    chart: alt.LayerChart,
    columns: Sequence[str],
    points: Sequence[Point],
    values: Callable[[Point], Sequence[float]],
) -> None:
    """Show a chart, its numbers as a table, and what can be kept of it."""
    st.subheader(title)
    names = [column for column in columns if not column.startswith("Points")]
    st.altair_chart(
        chart, theme=None, key=f"{key}-chart", alt=model_charts.alternative(points, *names)
    )
    headings = ("Model", "Family", "Parameters (millions)", *columns, "Source")
    rows = [
        (p.name, p.family, round(p.million, 3), *(round(v, 3) for v in values(p)), p.source)
        for p in points
    ]
    with st.expander(f"{title}: the numbers"):
        right = (False, False, True, *(True for _ in columns), False)
        cells = [
            [
                Cell(
                    f"{value:,g}" if isinstance(value, float) else str(value),
                    right=on,
                    heading=not i,
                )
                for i, (value, on) in enumerate(zip(row, right, strict=True))
            ]
            for row in rows
        ]
        heads = [Cell(name, right=on) for name, on in zip(headings, right, strict=True)]
        show(present.table(title, heads, cells))
    with st.container(horizontal=True):
        for kind, mime in (("PNG", "image/png"), ("SVG", "image/svg+xml")):
            st.download_button(
                f"Download {kind}",
                partial(model_charts.picture, chart, kind.lower()),
                f"{key}.{kind.lower()}",
                mime,
                on_click="ignore",
                key=f"{key}-{kind}",
            )
        st.download_button(
            "Download CSV",
            model_rows.as_csv(headings, rows),
            f"{key}.csv",
            "text/csv",
            on_click="ignore",
            key=f"{key}-CSV",
        )


def _engine(space: Workspace) -> None:
    try:
        engine = read_choice(space.settings.home / "models", embedded_spec().sha256)
    except ModelError as error:
        problem(error)
        return
    about = ENGINES.get(engine, "")
    show(
        f"<p>Engine in force: <strong>{visible(engine)}</strong>"
        f"{f' ({visible(about)})' if about else ''}. Measured anew with: "
        "<code>florilegium models tune</code></p>"
    )


def _judgement(facts: Mapping[str, object]) -> None:
    judged = facts["judgement"]
    assert isinstance(judged, dict)
    said = "Adapting helped" if judged.get("helped") else "Adapting did not help by its own measure"
    show(
        present.notice(
            f"{said}: a passage finds its neighbour with a mean reciprocal rank of "
            f"{judged.get('before')} before and {judged.get('after')} after "
            f"({facts.get('collection')}, {judged.get('pairs')} pairs kept apart)."
        )
    )


def _lowered(card: str) -> str:
    """Return a card's Markdown with its headings two levels further down the page."""
    return "\n".join(f"##{line}" if line.startswith("#") else line for line in card.splitlines())


def _day(made: str) -> str:
    return made.replace("T", " ").removesuffix("+00:00") + " UTC"
