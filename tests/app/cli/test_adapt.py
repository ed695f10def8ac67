"""``models adapt``: a collection's own model, judged, stopped and resumed, named elsewhere."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.app.conftest import call

STREETS = ("Mill Lane", "Station Road", "the High Street", "Castle Hill", "the ring road")
TROUBLE = ("the pavement is broken", "nobody clears the snow", "cars drive too fast", "it is dark")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a workspace with a collection ``streets`` of eighty letters, and ``few`` of three."""
    folder = tmp_path_factory.mktemp("adapt")
    for name, count in (("streets", 80), ("few", 3)):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("id", "What could be better?"))
            for n in range(count):
                street, trouble = STREETS[n % 5], TROUBLE[n // 5 % 4]
                first = f"I live at number {n} in {street} and {trouble}."
                writer.writerow((n, f"{first} Please look at {street} soon, case {n}."))
        answer = call(
            *("--home", folder / "home", "-q", "ingest", folder / f"{name}.csv"),
            *("--collection", name),
        )
        assert answer.code == 0, answer.err
    return folder / "home"


@pytest.fixture(scope="module")
def made(home: Path) -> dict[str, object]:
    """Return what adapting to ``streets`` printed."""
    answer = call(
        *("--home", home, "models", "adapt", "streets", "--tokens", "1500"),
        *("--name", "ours", "--json"),
    )
    assert answer.code == 0, answer.err
    assert "kept apart to judge by" in answer.err
    found: dict[str, object] = answer.json
    return found


def test_the_model_is_judged_before_and_after(made: dict[str, object], home: Path) -> None:
    judgement = made["judgement"]
    assert isinstance(judgement, dict)
    assert 0 < judgement["before"] <= 1
    assert 0 < judgement["after"] <= 1
    assert judgement["pairs"] == 16
    assert judgement["nearness"] > 0.9
    assert made["recommended"] == judgement["helped"]
    assert made["finished"] is True
    assert not list((home / "models").glob(".ours*"))


def test_it_is_a_model_like_any_other(made: dict[str, object], home: Path, tmp_path: Path) -> None:
    listed = call("--home", home, "models", "list", "--json").json["models"]
    rows = {row["id"]: row for row in listed}
    embedded, ours = rows["florilegium-albert"], rows["ours"]
    assert ours["parameters"] == embedded["parameters"]
    assert ours["sha256"] != embedded["sha256"]
    assert ours["licence"] == embedded["licence"]
    shown = call("--home", home, "models", "show", "ours").out
    assert "treat\nthe folder as confidential" in shown
    assert "mean reciprocal rank" in shown
    source = tmp_path / "in.ndjson"
    source.write_text(json.dumps({"id": 1, "text": "The bus is late."}), "utf-8")
    arguments = ("embed", "--batch", source, "--out", tmp_path / "v.npy", "--json")
    assert call("--home", home, *arguments, "--model", "ours").json["model"] == "ours"


def test_a_recipe_that_names_it_gives_other_results_by_its_fingerprint(
    made: dict[str, object], home: Path, tmp_path: Path
) -> None:
    from transformers import AlbertModel

    folder = home / "models" / "ours"
    assert AlbertModel.from_pretrained(folder, add_pooling_layer=False).config.hidden_size == 384
    recipe = 'title = "Ours"\nstages = ["summarise"]\n'
    marks = []
    for name, line in (("plain", ""), ("ours", 'model = "ours"\n')):
        (tmp_path / f"{name}.toml").write_text(line + recipe, "utf-8")
        run = ("run", "--collection", "few", "--recipe", tmp_path / f"{name}.toml", "--json", "-q")
        ran = call("--home", home, *run)
        assert ran.code == 0, ran.err
        assert ran.json["documents"]["processed"] == 3
        marks.append(ran.json["fingerprint"])
        assert call("--home", home, *run).json["documents"]["total"] == 0
    assert marks[0] != marks[1]
    (tmp_path / "gone.toml").write_text(f'model = "gone"\n{recipe}', "utf-8")
    gone = call("--home", home, "run", "--collection", "few", "--recipe", tmp_path / "gone.toml")
    assert gone.code == 69
    assert "no model 'gone'" in gone.err


def test_a_stopped_training_keeps_its_checkpoint_and_goes_on_to_the_same_model(
    made: dict[str, object], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os
    import signal

    from pipelines.adapt.run import Adaptation

    step = Adaptation._step

    def interrupted(self: Adaptation, batch: object) -> list[float]:
        losses = step(self, batch)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGINT)
        return losses

    arguments = ("models", "adapt", "streets", "--tokens", "1500", "--name", "again", "--json")
    with monkeypatch.context() as patched:
        patched.setattr(Adaptation, "_step", interrupted)
        stopped = call("--home", home, *arguments)
    assert stopped.code == 130
    assert stopped.json["finished"] is False
    assert stopped.json["steps"] == 1
    assert "--resume" in stopped.err
    assert (home / "models" / ".again.adapt" / "checkpoint.pt").is_file()
    assert "again" not in {
        row["id"] for row in call("--home", home, "models", "list", "--json").json["models"]
    }
    resumed = call("--home", home, *arguments, "--resume")
    assert resumed.code == 0, resumed.err
    weights = [home / "models" / name / "model.safetensors" for name in ("ours", "again")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("few",), 78, "expected 60 or more"),
        (("nowhere",), None, "nowhere"),
        (("streets", "--name", "../x"), 78, "cannot name a model"),
        (("streets", "--name", "florilegium-albert"), 78, "cannot name a model"),
        (("streets", "--tokens", "2000", "--minutes", "1"), 2, "one of the two"),
        (("streets", "--tokens", "3"), 2, "tokens"),
    ],
)
def test_what_cannot_be_adapted_is_a_sentence(
    home: Path, arguments: tuple[str, ...], code: int | None, said: str
) -> None:
    answer = call("--home", home, "models", "adapt", *arguments)
    assert answer.code == code or (code is None and answer.code in (2, 78)), answer.err
    assert said in answer.err
    assert "Unexpected" not in answer.err


def test_another_model_of_the_name_is_not_replaced(home: Path) -> None:
    from tests.pipelines.stages.named import save_named

    folder = save_named(home / "models" / "named")
    before = (folder / "model.safetensors").read_bytes()
    answer = call("--home", home, "models", "adapt", "streets", "--name", "named")
    assert answer.code == 78
    assert "was not adapted here" in answer.err
    assert (folder / "model.safetensors").read_bytes() == before
