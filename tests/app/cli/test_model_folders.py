"""Model folders that cannot be used: exit 78 and a sentence, at every command that takes a model."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.models import write_manifest
from tests.app.conftest import call
from tests.pipelines.stages.named import save_bert, save_named

HEADS = {
    "embed": "MaskedLM",
    "ask": "QuestionAnswering",
    "classify": "SequenceClassification",
    "compare": "MaskedLM",
    "run": "MaskedLM",
    "add": "MaskedLM",
}


def _changed(folder: Path) -> None:
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)


def _other_architecture(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "gpt2"}), "utf-8")
    (folder / "model.toml").unlink()


def _other_shape(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"intermediate_size": 96}), "utf-8")
    (folder / "model.toml").unlink()


def _other_tokenizer(folder: Path) -> None:
    from pipelines.models import EMBEDDED_FOLDER

    shutil.copy(EMBEDDED_FOLDER / "tokenizer.json", folder / "tokenizer.json")
    (folder / "model.toml").unlink()


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "no tokenizer": (lambda f: (f / "tokenizer.json").unlink(), "tokenizer"),
    "no weights": (lambda f: (f / "model.safetensors").unlink(), "model.safetensors"),
    "no config": (lambda f: (f / "config.json").unlink(), "no config.json"),
    "pickled": (
        lambda f: (f / "model.safetensors").rename(f / "pytorch_model.bin"),
        "which can run code",
    ),
    "changed hash": (_changed, "expected"),
    "other architecture": (_other_architecture, "expected 'albert'"),
    "other shape": (_other_shape, "does not fit"),
    "other tokenizer": (_other_tokenizer, "do not belong together"),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return whole models by head, a workspace with a collection, and what the commands read."""
    folder = tmp_path_factory.mktemp("whole")
    for head in set(HEADS.values()):
        save_named(folder / head, head=head)
        write_manifest(folder / head, id=head, revision="1", licence="MIT")
    with (folder / "gold.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("text", "labels"))
        rows.writerows((f"We like {n} {'buses' if n % 2 else 'roses'}.", n % 2) for n in range(20))
    (folder / "in.ndjson").write_text('{"id": 1, "text": "the bus is late"}\n', "utf-8")
    (folder / "a.txt").write_text("The bus is late. The library closes at noon.", "utf-8")
    (folder / "labels.csv").write_text("label,description\nBuses,\nLibrary,\n", "utf-8")
    read = ("-q", "ingest", folder / "a.txt", "--collection", "c")
    answer = call("--home", folder / "home", *read)
    assert answer.code == 0, answer.err
    return folder


def command(name: str, whole: Path, model: Path, scratch: Path) -> tuple[object, ...]:
    """Return the arguments of a command that takes ``model``."""
    recipe = scratch / "recipe.toml"
    recipe.write_text(f"model = {json.dumps(str(model))}\nstages = ['summarise']\n", "utf-8")
    lines: dict[str, tuple[object, ...]] = {
        "embed": ("embed", "--batch", whole / "in.ndjson", "--out", scratch / "v.npy"),
        "ask": ("ask", "c", "When does the library close?"),
        "classify": ("classify", whole / "a.txt", "--labels", whole / "labels.csv"),
        "compare": ("models", "compare", "--gold", whole / "gold.csv"),
        "run": ("run", "--collection", "c", "--recipe", recipe),
        "add": ("models", "add", model, "--id", "added"),
    }
    return lines[name] if name in ("run", "add") else (*lines[name], "--model", model)


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_folder_ends_78_with_a_sentence(
    whole: Path, tmp_path: Path, name: str, fault: str
) -> None:
    spoil, said = SPOILT[fault]
    model = tmp_path / "m"
    shutil.copytree(whole / HEADS[name], model)
    spoil(model)
    answer = call("--home", whole / "home", "-q", *command(name, whole, model, tmp_path))
    assert answer.code == 78, answer.err
    assert said in answer.err
    assert "Error: " in answer.err
    assert "Unexpected" not in answer.err
    assert "Traceback" not in answer.err
    assert not (whole / "home" / "models" / "added").exists()


@pytest.mark.parametrize("name", HEADS)
def test_a_whole_folder_is_taken(whole: Path, tmp_path: Path, name: str) -> None:
    model = whole / HEADS[name]
    home = tmp_path / "home"
    shutil.copytree(whole / "home", home)
    answer = call("--home", home, "-q", *command(name, whole, model, tmp_path))
    assert answer.code == 0, answer.err


def test_one_of_two_compared_that_fails_is_named_and_ends_3(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole / "MaskedLM", tmp_path / "m")
    _other_tokenizer(tmp_path / "m")
    arguments = ("models", "compare", "--gold", whole / "gold.csv", "--json")
    models = ("--model", tmp_path / "m", "--model", whole / "MaskedLM")
    answer = call("--home", tmp_path / "home", "-q", *arguments, *models)
    assert answer.code == 3, answer.err
    broken, good = answer.json["models"]
    assert "do not belong together" in broken["error"]
    assert good["score"] > 0


def test_a_bert_without_weights_for_its_layers_is_refused(tmp_path: Path) -> None:
    folder = save_bert(tmp_path / "bert")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 3}), "utf-8")
    answer = call("--home", tmp_path / "home", "models", "add", folder)
    assert answer.code == 78
    assert "has no weights for encoder.layer.2" in answer.err
