"""``classify --model``: labels by entailment, their evidence, and models that cannot judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.app.conftest import call
from tests.pipelines.stages.named import XXLARGE, save_bert, save_named

LABELS = "label,description\nBuses,The buses are late.\nLibrary,\n"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a workspace that has an NLI model, and a label file."""
    folder = tmp_path_factory.mktemp("nli")
    (folder / "labels.csv").write_text(LABELS, "utf-8")
    save_named(folder / "home" / "models" / "judge", head="SequenceClassification")
    return folder


def test_every_label_has_the_sentence_that_earned_it(space: Path, tmp_path: Path) -> None:
    text = "The library opens at noon. Buses are late &amp; icy in winter."
    (tmp_path / "a.txt").write_text(text, "utf-8")
    arguments = ("classify", tmp_path / "a.txt", "--labels", space / "labels.csv", "--json")
    answer = call("--home", space / "home", *arguments, "--model", "judge")
    assert answer.code == 0, answer.err
    found = answer.json
    assert {one["label"] for one in found["labels"]} == {"Buses", "Library"}
    scores = [one["score"] for one in found["labels"]]
    assert scores == sorted(scores, reverse=True)
    for one in found["labels"]:
        assert text[one["start"] : one["end"]] == one["text"]
        assert one["assigned"] == (one["label"] in found["assigned"]) == (one["score"] >= 0.5)


def test_a_model_is_also_named_by_its_folder_and_sets_by_name(space: Path, tmp_path: Path) -> None:
    folder = save_named(tmp_path / "x", head="SequenceClassification", shape=XXLARGE)
    (tmp_path / "a.txt").write_text("The buses are late.", "utf-8")
    arguments = ("classify", tmp_path / "a.txt", "--model", folder, "--json")
    answer = call("--home", space / "home", *arguments, "--set", "consultation")
    assert answer.code == 0, answer.err
    assert len(answer.json["labels"]) > 3


def test_a_text_gets_the_same_labels_alone_and_in_a_batch(space: Path, tmp_path: Path) -> None:
    texts = ["The buses are late. The library closes.", "", "School in winter is icy.", "Market"]
    lines = [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)]
    (tmp_path / "in.ndjson").write_text("\n".join([*lines, "{bad"]), "utf-8")
    shared = ("--home", space / "home", "classify", "--labels", space / "labels.csv")
    answer = call(*shared, "--model", "judge", "--batch", tmp_path / "in.ndjson")
    assert answer.code == 3
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [line.get("id") for line in found] == [0, 1, 2, 3, None]
    assert (found[1]["labels"], "error" in found[4]) == ([], True)
    (tmp_path / "a.txt").write_text(texts[2], "utf-8")
    alone = call(*shared, "--model", "judge", tmp_path / "a.txt", "--json").json
    assert alone["labels"] == found[2]["labels"]


def test_a_model_that_cannot_judge_ends_78_with_a_sentence(space: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The buses are late.", "utf-8")
    shared = ("--home", space / "home", "classify", tmp_path / "a.txt", "--labels")
    for folder, said in (
        (save_named(tmp_path / "plain"), "expected entailment and contradiction"),
        (save_named(tmp_path / "qa", head="QuestionAnswering"), "is for question-answering"),
        (save_bert(tmp_path / "bert"), "expected 'albert'"),
        (Path("florilegium-albert"), "models fetch albert-base-v2-mnli"),
    ):
        answer = call(*shared, space / "labels.csv", "--model", folder)
        assert (answer.code, said in answer.err) == (78, True), answer.err
        assert answer.err.startswith("Error: ")
    assert call(*shared, space / "labels.csv", "--model", "nobody").code == 69


def test_a_trained_set_is_not_judged_by_entailment(space: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The buses are late.", "utf-8")
    arguments = ("classify", tmp_path / "a.txt", "--set", "mine", "--model", "judge")
    answer = call("--home", space / "home", *arguments)
    assert answer.code == 2
    assert "--labels FILE" in answer.err
