"""``models``: list, show, fetch, add and compare on the command line, and their exit codes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.comparisons import Comparison, read_comparisons
from tests.app.conftest import Answer
from tests.pipelines.hub import COMMIT, serve
from tests.pipelines.stages.named import save_named

Command = Callable[..., Answer]


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a question-answering checkpoint."""
    return save_named(tmp_path_factory.mktemp("cli") / "squad", head="QuestionAnswering")


def test_list_names_what_is_there_and_what_can_be_fetched(florilegium: Command) -> None:
    answer = florilegium("models", "list", "--json").json
    assert [model["id"] for model in answer["models"]] == ["florilegium-albert"]
    assert set(answer["models"][0]) >= {"id", "parameters", "bytes", "licence", "sha256"}
    assert "albert-xxlarge-v2" in {preset["id"] for preset in answer["available"]}
    assert "albert-base-v2-squad2" in florilegium("models", "list").out


def test_fetched_model_is_listed_shown_and_checked(
    florilegium: Command, checkpoint: Path, home: Path
) -> None:
    with serve(checkpoint) as hub:
        answer = florilegium(
            *("models", "fetch", "mine", "--repository", "owner/name"),
            *("--licence", "MIT", "--endpoint", hub.address, "--json"),
        )
    assert answer.code == 0, answer.err
    (model,) = answer.json["models"]
    assert (model["id"], model["task"], model["licence"]) == ("mine", "question-answering", "MIT")
    assert model["revision"] == f"owner/name@{COMMIT}"
    assert "mine" in {one["id"] for one in florilegium("models", "list", "--json").json["models"]}
    assert florilegium("models", "show", "mine").code == 0
    (home / "models" / "mine" / "config.json").write_text("{}", "utf-8")
    shown = florilegium("models", "show", "mine")
    assert shown.code == 78
    listed = florilegium("models", "list")
    assert listed.code == 0
    assert "mine cannot be used" in listed.err


def test_fetch_without_network_ends_69(florilegium: Command) -> None:
    answer = florilegium("models", "fetch", "albert-base-v2", "--endpoint", "http://127.0.0.1:9")
    assert answer.code == 69
    assert "needs the network" in answer.err
    assert "models add" in answer.err


def test_unknown_names_are_usage_errors(florilegium: Command) -> None:
    assert florilegium("models", "fetch", "nobody").code == 2
    assert florilegium("models", "show", "nobody").code == 2
    assert florilegium("models", "add", "nowhere").code == 2
    assert florilegium("models", "show", "albert-base-v2").code == 69


def test_folder_is_added_by_hand(florilegium: Command, checkpoint: Path) -> None:
    answer = florilegium("models", "add", checkpoint, "--id", "by-hand")
    assert answer.code == 0, answer.err
    assert "by-hand" in answer.out


def test_a_model_that_replaces_another_one_says_so(florilegium: Command, tmp_path: Path) -> None:
    folder = save_named(tmp_path / "m")
    for _ in range(2):
        assert "replaced" not in florilegium("models", "add", folder, "--id", "twice").err
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    answer = florilegium("models", "add", folder, "--id", "twice")
    assert answer.code == 0, answer.err
    assert "another model was there under twice" in answer.err


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda f: (f / "tokenizer.json").unlink(), "no tokenizer"),
        (
            lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
            "only safetensors are loaded",
        ),
        (
            lambda f: (f / "config.json").write_text('{"model_type": "gpt2"}', "utf-8"),
            "expected 'albert'",
        ),
        (lambda f: (f / "model.safetensors").write_bytes(b"PK"), "not a safetensors file"),
        (lambda f: (f / "config.json").write_text("{", "utf-8"), "not readable JSON"),
        (lambda f: (f / "model.toml").write_text("id = ", "utf-8"), "not readable TOML"),
    ],
)
def test_folder_that_cannot_be_used_ends_78(
    florilegium: Command, tmp_path: Path, spoil: Callable[[Path], object], said: str
) -> None:
    folder = save_named(tmp_path / "m")
    spoil(folder)
    answer = florilegium("models", "add", folder)
    assert (answer.code, said in answer.err) == (78, True), answer.err


def test_compare_prints_the_models_beside_the_published_ones_and_keeps_the_figures(
    florilegium: Command, checkpoint: Path, tmp_path: Path, home: Path
) -> None:
    gold = tmp_path / "gold.csv"
    words = ["bus", "road", "tram", "birds", "roses", "trees"]
    with gold.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("text", "labels"))
        for row in range(36):
            about = words[row % 6]
            rows.writerow(
                (f"We like the {about} number {row}.", "nature" * (row % 6 > 2) or "transport")
            )
    answer = florilegium("models", "compare", "--gold", gold, "--model", checkpoint, "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    (model,) = found["models"]
    assert model["score"] > 0
    assert model["per_million"] > 0
    assert model["tokens_per_second"] > 0
    assert model["peak_memory"] > 0
    assert found["floor"]["id"] == "tf-idf SVM"
    names = {row["name"]: row for row in found["published"]}
    assert names["ALBERT-base v1"]["average_of_five"] == 80.1
    (kept,) = read_comparisons(home / "models")
    assert isinstance(kept, Comparison)
    assert (kept.name, kept.rows, kept.labels, kept.single) == ("gold", 36, 2, True)
    assert kept.models[0].score == model["score"]
    assert kept.floor.scores == found["floor"]["scores"]
    assert {row["id"] for row in florilegium("models", "list", "--json").json["models"]} == {
        "florilegium-albert"
    }


def test_compare_refuses_what_it_cannot_use(
    florilegium: Command, checkpoint: Path, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.csv"
    gold.write_text("text,labels\na,x\nb,y\n", "utf-8")
    few = florilegium("models", "compare", "--gold", gold, "--model", checkpoint)
    assert few.code == 78
    assert "expected 10 or more" in few.err
    unknown = florilegium("models", "compare", "--gold", gold, "--model", "nobody")
    assert unknown.code == 69
    missing = florilegium("models", "compare", "--gold", tmp_path / "no.csv")
    assert missing.code == 78


def test_named_model_gives_the_vectors_of_embed(
    florilegium: Command, checkpoint: Path, tmp_path: Path
) -> None:
    import numpy as np

    source, out = tmp_path / "in.ndjson", tmp_path / "v.npy"
    source.write_text('{"id": 1, "text": "the bus is late"}\n', "utf-8")
    answer = florilegium("embed", "--batch", source, "--out", out, "--model", checkpoint, "--json")
    assert answer.code == 0, answer.err
    assert answer.json["model"] == "squad"
    assert np.load(out).shape == (1, 48)
    missing = florilegium("embed", "--batch", source, "--out", out, "--model", "nobody")
    assert missing.code == 69


def test_tune_writes_down_the_engine(florilegium: Command, home: Path, tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("\n".join(f"The bus number {n} is late." for n in range(40)), "utf-8")
    answer = florilegium("models", "tune", "--texts", texts, "--json")
    assert answer.code == 0, answer.err
    assert answer.json["engine"] in ("float32", "bfloat16", "int8")
    assert (home / "models" / "engine.toml").is_file()
    assert len(florilegium("models", "list", "--json").json["models"]) == 1
    texts.write_text("one\n", "utf-8")
    assert florilegium("models", "tune", "--texts", texts).code == 2
