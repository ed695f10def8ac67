"""The Models page: what is installed, comparisons of the workspace, published scores, pictures."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.dashboard import model_charts, model_rows
from app.dashboard.label_places import place_names
from app.dashboard.model_rows import Point
from db.store import Store
from pipelines.comparisons import (
    FOLDER,
    Comparison,
    Row,
    read_comparisons,
    save_comparison,
)
from pipelines.errors import ModelError
from tests.app.dashboard.conftest import Open, page_html
from tests.pipelines.stages.named import save_named

LOOK = model_charts.Look()
PUBLISHED = model_rows.published_points()
AVERAGE = "Average of five tasks"


def scored(name: str, score: float, parameters: int, kind: str = "albert") -> Row:
    """Return a row with figures."""
    scores = {"samples_f1": score, "micro_f1": score, "macro_f1": score - 0.1, "exact": score}
    return Row(
        id=name,
        kind=kind,
        parameters=parameters,
        bytes=2 * parameters,
        licence="MIT",
        scores=scores,
        interval=(score - 0.02, score + 0.02),
        score=score,
        per_million=round(100 * score / (parameters / 1e6), 2) if parameters else None,
        tokens_per_second=1234.5,
        peak_memory=700_000_000,
    )


def comparison(name: str = "survey", made: str = "2026-11-30T10:00:00+00:00") -> Comparison:
    """Return two ALBERTs, a BERT and one that failed."""
    models = (
        scored("florilegium-albert", 0.71, 7_650_000),
        scored("larger", 0.74, 18_000_000),
        scored("a-bert", 0.75, 108_000_000, "bert"),
        Row("broken", "albert", 5, 10, "", error="model broken: its process ended"),
    )
    return Comparison(name, made, 900, 12, False, 2, scored("tf-idf SVM", 0.69, 0), models)


def test_a_comparison_is_read_as_it_was_written_newest_first(tmp_path: Path) -> None:
    old, new = comparison(), comparison("a/b *", "2026-12-01T10:00:00+00:00")
    save_comparison(tmp_path, old)
    path = save_comparison(tmp_path, new)
    assert path.name == "a-b-.json".replace("-.", ".")
    assert list(read_comparisons(tmp_path)) == [new, old]
    save_comparison(tmp_path, old)
    assert len(list((tmp_path / FOLDER).iterdir())) == 2


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "x"}'])
def test_a_comparison_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    path = save_comparison(tmp_path, comparison())
    path.write_text(text, "utf-8")
    (found,) = read_comparisons(tmp_path)
    assert isinstance(found, ModelError)
    assert "models compare --gold FILE" in str(found)


def test_published_models_have_families_sizes_and_right_names() -> None:
    by_name = {point.name: point for point in PUBLISHED}
    assert by_name["ALBERT-large v1"].scores[AVERAGE] == 82.4
    assert by_name["BERT-large"].scores[AVERAGE] == 85.2
    assert by_name["ALBERT-base v1"].per_million(AVERAGE) == pytest.approx(6.675)
    assert {point.family for point in PUBLISHED} == {"BERT", "ALBERT v1", "ALBERT v2"}
    cells = {row[0].text: [cell.text for cell in row] for row in model_rows.published_cells()}
    assert cells["BERT-large"][5] == "82.3"
    assert cells["ALBERT-base v2"][5] == "–"


def test_every_chart_has_units_and_a_line_for_each_family() -> None:
    bars = model_charts.efficiency_bars(PUBLISHED, AVERAGE, LOOK).to_dict()
    assert bars["layer"][0]["encoding"]["x"]["title"] == f"{AVERAGE}: points a million parameters"
    values = [row["value"] for rows in bars["datasets"].values() for row in rows]
    assert values == sorted(values, reverse=True)
    size = model_charts.score_by_size(PUBLISHED, AVERAGE, LOOK, floor=("none", 60.0)).to_dict()
    kinds = [layer["mark"]["type"] for layer in size["layer"]]
    assert kinds[:2] == ["line", "point"]
    assert kinds[-2:] == ["rule", "text"]
    assert "millions" in size["layer"][0]["encoding"]["x"]["title"]
    assert size["layer"][0]["encoding"]["x"]["scale"]["type"] == "log"
    both = model_charts.score_by_score(PUBLISHED, "MNLI, accuracy", AVERAGE, LOOK).to_dict()
    assert both["layer"][0]["encoding"]["order"]["field"] == "million"
    area = both["layer"][1]["encoding"]["size"]
    assert (area["field"], area["scale"]["range"][0]) == ("log", 0)


def test_the_area_of_a_mark_is_the_logarithm_of_the_parameters() -> None:
    small, large = (Point("a", "F", million, {}) for million in (10, 1000))
    assert small.log_million == pytest.approx(2)
    assert large.log_million == pytest.approx(4)
    assert Point("c", "F", 0.05, {}).log_million == 1.0


def test_families_differ_by_shape_and_dash_not_by_colour_alone() -> None:
    chart = model_charts.score_by_size(PUBLISHED, AVERAGE, LOOK).to_dict()
    line, point = chart["layer"][0]["encoding"], chart["layer"][1]["encoding"]
    assert len(set(point["shape"]["scale"]["range"])) == 3
    assert len({str(dash) for dash in line["strokeDash"]["scale"]["range"]}) == 3
    assert point["color"]["scale"]["range"] == line["color"]["scale"]["range"]


def test_names_stand_where_they_cover_neither_marks_nor_each_other() -> None:
    assert place_names(["one"], [1.0], [1.0]) == ["right"]
    assert place_names(["a long name", "b", "c"], [0.0, 0.05, 1.0], [1.0, 1.0, 1.0])[0] != "right"
    two = place_names(["same", "same", "c"], [0.0, 0.0, 1.0], [0.0, 0.01, 1.0])
    assert two[0] != two[1]
    assert place_names(["left", "a long name"], [0.0, 1.0], [0.0, 1.0])[1] != "right"


def test_a_dark_page_gets_light_words() -> None:
    dark = model_charts.score_by_size(PUBLISHED, AVERAGE, model_charts.Look(dark=True)).to_dict()
    assert dark["config"]["axis"]["labelColor"] == "#f2f2f2"
    assert dark["config"]["background"] == "#16181a"


def test_pictures_are_drawn_without_a_network() -> None:
    chart = model_charts.score_by_score(PUBLISHED, "MNLI, accuracy", AVERAGE, LOOK)
    root = ElementTree.fromstring(model_charts.picture(chart, "svg"))
    words = {text for element in root.iter() if (text := (element.text or "").strip())}
    assert {"ALBERT-xxlarge v2", "BERT-large"} <= words
    png = model_charts.picture(model_charts.efficiency_bars(PUBLISHED, AVERAGE, LOOK), "png")
    assert png.startswith(b"\x89PNG\r\n")


def test_the_csv_is_read_back_as_it_was() -> None:
    rows = [("a, b", 1.5), ('"c"', 2)]
    text = model_rows.as_csv(("Model", "Score"), rows).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text))) == [
        ["Model", "Score"],
        ["a, b", "1.5"],
        ['"c"', "2"],
    ]


def test_the_page_of_a_fresh_workspace_says_what_to_type(store: Store, open_page: Open) -> None:
    page = open_page("models")
    assert not page.exception
    html = page_html(page)
    assert "florilegium-albert" in html
    assert "florilegium models compare --gold FILE" in html
    assert "Engine in force: <strong>float32</strong>" in html
    assert "Average, as reported there" in html
    assert "there under the heading GLUE" in html
    assert len(page.get("vega_lite_chart")) == 3


def test_comparisons_cards_and_broken_models_are_shown(
    store: Store, home: Path, open_page: Open
) -> None:
    models = home / "models"
    save_comparison(models, comparison())
    save_comparison(models, comparison("other", "2026-12-01T10:00:00+00:00"))
    save_named(models / "broken")
    (models / "broken" / "tokenizer.json").unlink()
    ours = save_named(models / "ours")
    judged = {"before": 0.41, "after": 0.52, "helped": True, "pairs": 90}
    (ours / "adapted.json").write_text(
        json.dumps({"judgement": judged, "collection": "c"}), "utf-8"
    )
    (ours / "MODEL_CARD.md").write_text("# Ours\n\nWords <script>alert(1)</script>", "utf-8")
    page = open_page("models")
    assert not page.exception
    html = page_html(page)
    assert "broken cannot be used" in html
    assert "Adapting helped" in html
    assert "other: 900 coded texts, 12 labels" in html
    assert "its process ended" in html
    assert "<script>" not in html
    assert len(page.get("vega_lite_chart")) == 6
    box = next(box for box in page.selectbox if box.label == "Comparison")
    assert box.options == ["other", "survey"]
    page = box.select("survey").run()
    assert "survey: 900 coded texts" in page_html(page)


def test_another_score_is_drawn_when_it_is_chosen(
    store: Store, home: Path, open_page: Open
) -> None:
    save_comparison(home / "models", comparison())
    page = open_page("models")
    box = next(box for box in page.selectbox if box.key == "own-score")
    page = box.select("Macro F1").run()
    assert not page.exception
    drawn = page.get("vega_lite_chart")[0].proto.spec
    assert "Macro F1: points a million parameters" in drawn
