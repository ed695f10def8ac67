"""``train``, ``evaluate`` and ``classify --set``: a set from examples, its scores, its use."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.app.conftest import call
from tests.pipelines.learn.coded import themes


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    return tmp_path_factory.mktemp("workspace")


@pytest.fixture(scope="module")
def examples(workspace):
    path = workspace / "examples.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "Area", "labels"])
        for number, row in enumerate(themes().rows):
            area = "North" if number % 3 else "South"
            writer.writerow([row.id, row.text, area, ";".join(row.labels)])
        writer.writerow(["empty", "", "North", "Buses"])
    return path


@pytest.fixture(scope="module")
def trained(workspace, examples):
    answer = call("--home", workspace, "-q", "train", "themes", "--labels", examples, "--json")
    assert answer.code == 0, answer.err
    return answer


def test_train_prints_the_keys_of_the_contract(trained, workspace):
    found = trained.json
    assert set(found["scores"]) == {"samples_f1", "micro_f1", "macro_f1", "exact"}
    assert len(found["interval"]) == 2
    assert [one["label"] for one in found["per_label"]] == ["Buses", "Parking", "Trees"]
    assert any("empty" in warning for warning in found["warnings"])
    assert any("unknown column 'Area'" in warning for warning in found["warnings"])
    assert (workspace / "labels" / "themes" / "set.json").is_file()


def test_evaluate_scores_a_trained_set_by_column(trained, workspace, examples):
    answer = call(
        "--home", workspace, "evaluate", "themes", "--gold", examples, "--by", "Area", "--json"
    )
    assert answer.code == 0, answer.err
    found = answer.json
    assert found["scores"]["samples_f1"] > 0.8
    assert {one["value"] for one in found["groups"]} == {"North", "South"}
    assert {"per_label", "interval", "warnings"} <= set(found)


def test_classify_uses_the_trained_set_and_shows_the_words(trained, workspace, tmp_path):
    source = tmp_path / "in.ndjson"
    texts = ["Hello. The bus was late again.", "", "Plant more trees today."]
    lines = [json.dumps({"id": n, "text": text}) for n, text in enumerate(texts)]
    source.write_text("\n".join([*lines, "{bad"]) + "\n")
    answer = call("--home", workspace, "classify", "--set", "themes", "--batch", source)
    assert answer.code == 3
    found = [json.loads(line) for line in answer.out.splitlines()]
    assert [line.get("assigned") for line in found] == [["Buses"], [], ["Trees"], None]
    assert found[0]["labels"][0]["text"] == "The bus was late again."
    assert len(found[0]["labels"]) == 3
    assert set(found[0]["unsure"]) <= {"Buses", "Parking", "Trees"}


def test_a_batch_is_judged_together_when_asked(trained, workspace, tmp_path):
    source, labels = tmp_path / "in.ndjson", tmp_path / "labels.csv"
    texts = [
        f"The {what} in street {n}." for n in range(6) for what in ("bus was late", "tree fell")
    ]
    source.write_text("".join(json.dumps({"id": n, "text": t}) + "\n" for n, t in enumerate(texts)))
    labels.write_text("label,description\nBuses,The bus is late.\nTrees,There are trees.\n")
    for of in (("--set", "themes"), ("--labels", labels)):
        asked = ("--home", workspace, "classify", *of, "--batch", source)
        alone, together = call(*asked), call(*asked, "--together")
        assert together.code == 0, together.err
        assert together.out != alone.out
        lines = [[json.loads(one) for one in run.out.splitlines()] for run in (alone, together)]
        best = [[line["labels"][0]["label"] for line in run] for run in lines]
        assert best[1] == best[0] == ["Buses", "Trees"] * 6


@pytest.mark.parametrize(
    "options",
    [
        ["--set", "themes", "SOURCE"],
        ["--set", "themes", "--batch", "SOURCE", "--model", "x"],
        ["--set", "consultation", "--batch", "SOURCE"],
    ],
)
def test_what_cannot_be_judged_together_is_refused(trained, workspace, tmp_path, options):
    source = tmp_path / "in.ndjson"
    source.write_text('{"text": "a"}\n')
    given = [source if one == "SOURCE" else one for one in options]
    answer = call("--home", workspace, "classify", "--together", *given)
    assert answer.code == 2
    assert "--together" in answer.err


def test_a_recipe_that_names_a_trained_set_gives_its_labels(trained, workspace, tmp_path):
    recipe = tmp_path / "ours.toml"
    recipe.write_text('title = "Ours"\nstages = ["classify"]\n[classify]\nlabel_set = "themes"\n')
    answers = tmp_path / "answers.csv"
    answers.write_text("ID,Why?\n1,Hello &amp; thanks. The bus was late again.\n2,n/a\n")
    run = ("--home", workspace, "-q", "run", answers, "--collection", "ours", "--json")
    first = call(*run, "--recipe", recipe)
    assert first.code == 0, first.err
    assert first.json["documents"]["processed"] == 1
    assert call(*run).json["documents"]["total"] == 0
    listed = call("--home", workspace, "documents", "ours", "--json").json["documents"]
    shown = call("--home", workspace, "document", listed[0]["id"], "--json").json
    best = shown["labels"][0]
    assert (best["set"], best["label"], best["assigned"]) == ("themes", "Buses", True)
    assert best["text"] == shown["text"][best["start"] : best["end"]] == "The bus was late again."


def test_a_bundled_trained_set_needs_no_workspace(tmp_path):
    text = tmp_path / "a.txt"
    text.write_text("I do not like it. Last year we waited 45 minutes for the number 9 bus.")
    answer = call("--home", tmp_path, "classify", "--set", "richness", text, "--json")
    assert answer.code == 0, answer.err
    best = answer.json["labels"][0]
    assert (best["set"], best["label"]) == ("richness", "evidence or example")
    assert best["text"].startswith("Last year")


def test_sets_that_a_recipe_names_beside_its_own_judge_every_text(trained, workspace, tmp_path):
    recipe = tmp_path / "both.toml"
    recipe.write_text(
        'title = "Both"\nstages = ["classify"]\n'
        '[classify]\nlabel_set = "themes"\nalso = ["richness"]\n'
    )
    answers = tmp_path / "answers.csv"
    answers.write_text("ID,Why?\n1,The bus was late again.\n2,Plant more trees please.\n")
    run = call(
        *("--home", workspace, "-q", "run", answers, "--collection", "both", "--json"),
        *("--recipe", recipe),
    )
    assert run.code == 0, run.err
    listed = call("--home", workspace, "documents", "both", "--json").json["documents"]
    shown = call("--home", workspace, "document", listed[0]["id"], "--json").json
    given = {(label["set"], label["label"]) for label in shown["labels"] if label["assigned"]}
    assert {name for name, _ in given} == {"themes", "richness"}
    assert all(
        shown["text"][label["start"] : label["end"]] == label["text"] for label in shown["labels"]
    )


def test_a_recipe_that_names_a_set_there_is_not_says_which_there_are(tmp_path):
    recipe = tmp_path / "none.toml"
    recipe.write_text('title = "None"\nstages = ["classify"]\n[classify]\nalso = ["nowhere"]\n')
    answers = tmp_path / "answers.csv"
    answers.write_text("ID,Why?\n1,The bus was late again.\n")
    answer = call("--home", tmp_path, "-q", "run", answers, "--recipe", recipe)
    assert answer.code == 2
    assert "'nowhere'" in answer.err
    assert "richness" in answer.err


@pytest.mark.slow
def test_fine_tuning_is_one_more_candidate_and_the_best_one_is_kept(workspace, examples):
    answer = call(
        *("--home", workspace, "-q", "train", "tuned", "--labels", examples),
        *("--fine-tune", "--json"),
    )
    assert answer.code == 0, answer.err
    scores = {one["name"]: one["scores"]["samples_f1"] for one in answer.json["candidates"]}
    assert "fine-tuned ALBERT" in scores
    assert scores[answer.json["chosen"]] == max(scores.values())


def test_training_the_same_name_again_replaces_the_set(trained, workspace, examples):
    again = call("--home", workspace, "-q", "train", "themes", "--labels", examples, "--json")
    assert again.code == 0
    assert again.json["sha256"] == trained.json["sha256"]


def test_a_changed_file_ends_with_78_and_a_sentence(trained, workspace, tmp_path):
    import shutil

    shutil.copytree(workspace / "labels", tmp_path / "labels")
    weights = tmp_path / "labels" / "themes" / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"x")
    text = tmp_path / "a.txt"
    text.write_text("The bus is late")
    answer = call("--home", tmp_path, "classify", "--set", "themes", text)
    assert answer.code == 78
    assert "Train it again: florilegium train themes" in answer.err


def test_a_codebook_alone_makes_a_set_without_scores(workspace, tmp_path):
    book = tmp_path / "book.csv"
    book.write_text(
        "label,description\nBuses,The bus is late or too expensive\nTrees,Trees and green space\n"
    )
    trained = call("--home", workspace, "-q", "train", "book", "--labels", book, "--json")
    assert trained.code == 0, trained.err
    assert trained.json["scores"]["samples_f1"] is None
    assert trained.json["warnings"]
    text = tmp_path / "a.txt"
    text.write_text("Please plant some trees in the park.")
    found = call("--home", workspace, "classify", "--set", "book", text, "--json").json
    assert [label["label"] for label in found["labels"]] == ["Trees", "Buses"]


def test_evaluate_takes_a_bundled_set(workspace, tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("text,labels\nNo parking spaces near home,Parking\nBuses are late,\n")
    answer = call("--home", workspace, "evaluate", "consultation", "--gold", gold, "--json")
    assert answer.code == 0, answer.err
    assert answer.json["rows"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["evaluate", "nothing", "--gold", "GOLD"], 2, "No label set 'nothing'"),
        (["train", "../evil", "--labels", "GOLD"], 2, "cannot name a label set"),
        (["train", "x", "--labels", "none.csv"], 78, "no such file"),
        (["train", "x", "--labels", "GOLD", "--label-columns", "Z"], 78, "no column 'Z'"),
        (["classify", "--set", "nothing", "GOLD"], 2, "No label set 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_said(workspace, tmp_path, arguments, code, said):
    gold = tmp_path / "gold.csv"
    gold.write_text("text,labels\nNo parking,Parking\n")
    answer = call("--home", workspace, *[str(gold) if a == "GOLD" else a for a in arguments])
    assert answer.code == code
    assert said in answer.err


def test_a_file_in_which_no_row_carries_a_label_leaves_the_set_as_it_was(
    trained, workspace, tmp_path
):
    file = tmp_path / "bare.csv"
    file.write_text("text,Buses,Trees\n" + "".join(f"answer {n},0,0\n" for n in range(12)))
    before = (workspace / "labels" / "themes" / "set.json").read_bytes()
    answer = call("--home", workspace, "train", "themes", "--labels", file)
    assert answer.code == 78
    assert "none of the 12 rows carries a label ('Buses', 'Trees')" in answer.err
    assert (workspace / "labels" / "themes" / "set.json").read_bytes() == before


def test_a_workspace_that_cannot_be_written_is_told_before_learning(examples, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    answer = call("--home", blocked / "home", "train", "themes", "--labels", examples)
    assert answer.code == 78
    assert "cannot be used: Not a directory" in answer.err
    assert "--home DIR" in answer.err
    assert "texts encoded" not in answer.err


def test_an_empty_text_is_told(trained, workspace, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"  \n")))
    answer = call("--home", workspace, "classify", "--set", "themes", "-")
    assert answer.code == 0
    assert "Nothing to label" in answer.err
