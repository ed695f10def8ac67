"""Learning a set: what is chosen, what is saved, and what earns a label."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from pipelines.learn.errors import TrainedSetError, TrainedSetMissing
from pipelines.learn.evaluate import ScoredSet, evaluate
from pipelines.learn.folders import trained_names
from pipelines.learn.labeller import Labeller
from pipelines.learn.read_texts import label_texts
from pipelines.learn.train import train
from pipelines.learn.trained import load_trained, save_trained
from pipelines.learn.types import Example, Examples
from tests.pipelines.learn.coded import WordCounts, themes

ENCODER = WordCounts()


@pytest.fixture(scope="module")
def trained():
    return train("themes", themes(), ENCODER, encoder_sha256="abc", seeds=(0,))


@pytest.fixture
def folder(trained, tmp_path):
    save_trained(trained, tmp_path / "labels" / "themes")
    return tmp_path / "labels" / "themes"


def test_report_has_the_keys_of_the_command(trained):
    report = trained.report
    assert set(report["scores"]) == {"samples_f1", "micro_f1", "macro_f1", "exact"}
    low, high = report["interval"]
    assert low <= report["scores"]["samples_f1"] <= high
    assert [one["label"] for one in report["per_label"]] == list(trained.labels)
    assert {one["name"] for one in report["candidates"]} >= {report["chosen"], "tf-idf SVM"}
    json.dumps(report)


def test_obvious_themes_are_found_in_unseen_texts(trained):
    labeller = Labeller(trained, ENCODER)
    text = "I walked. The bus was late again. Plant more trees there."
    (labels,) = label_texts(labeller, [(text, "")])
    assert {label.label for label in labels if label.assigned} == {"Buses", "Trees"}
    evidence = {label.label: label.text for label in labels}
    assert evidence["Buses"] == "The bus was late again."
    assert evidence["Trees"] == "Plant more trees there."
    assert all(text[label.start : label.end] == label.text for label in labels)
    assert [label.score for label in labels] == sorted((x.score for x in labels), reverse=True)


def test_evidence_is_in_the_text_as_it_was_written(trained):
    text = "<p>Nothing else.</p><p>Parking &amp; permits cost too much.</p>"
    (labels,) = label_texts(Labeller(trained, ENCODER), [(text, "")])
    first = next(label for label in labels if label.label == "Parking")
    assert text[first.start : first.end] == first.text
    assert "&amp;" in first.text


def test_a_text_gets_the_same_labels_in_any_company(trained):
    labeller = Labeller(trained, ENCODER)
    texts = [
        ("The bus never comes. Plant trees!", ""),
        ("No parking here", ""),
        ("", ""),
        ("…", ""),
    ]
    alone = [label_texts(labeller, [text])[0] for text in texts]
    assert label_texts(labeller, texts * 2) == alone * 2
    assert alone[2] == ()


def test_the_same_examples_give_the_same_bytes(trained, folder, tmp_path):
    again = train("themes", themes(), ENCODER, encoder_sha256="abc", seeds=(0,))
    save_trained(again, tmp_path / "again")
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_a_loaded_set_scores_as_the_one_that_was_saved(trained, folder):
    texts = [row.text for row in themes().rows]
    loaded = load_trained(folder, encoder="abc")
    saved, read = (
        Labeller(one, ENCODER).probabilities(texts, [""] * len(texts)) for one in (trained, loaded)
    )
    np.testing.assert_allclose(saved, read, atol=5e-3)
    assert trained_names(folder.parent) == ("themes",)
    assert (loaded.rule, loaded.labels, loaded.report) == (
        trained.rule,
        trained.labels,
        json.loads(json.dumps(trained.report)),
    )


def test_the_card_says_how_well_it_does_and_when_to_look(trained, folder):
    card = (folder / "CARD.md").read_text("utf-8")
    assert f"{trained.report['scores']['samples_f1']:.3f}" in card
    assert "are unsure: a person should look" in card
    assert all(label in card for label in trained.labels)
    said = [float(line.split("|")[1]) for line in card.splitlines() if line.startswith("| 0.")]
    assert said == sorted(said)
    assert len(said) == len(trained.report["reliability"])


def test_the_report_has_a_reliability_curve_over_every_label_of_every_text(trained):
    bins = trained.report["reliability"]
    assert sum(step["count"] for step in bins) == len(themes().rows) * len(trained.labels)
    low, high = trained.report["unsure_band"]
    assert 0.0 <= low <= high <= 1.0


@pytest.mark.parametrize("name", ["set.json", "vocabulary.json", "weights.safetensors"])
def test_a_missing_file_is_refused(folder, name):
    (folder / name).unlink()
    with pytest.raises(TrainedSetError, match=f"{name} cannot be read.*Train it again") as caught:
        load_trained(folder)
    assert caught.value.exit_code == 78


@pytest.mark.parametrize("name", ["vocabulary.json", "weights.safetensors"])
def test_a_changed_file_is_refused(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(bytes(data))
    with pytest.raises(TrainedSetError, match=r"expected [0-9a-f]{64}"):
        load_trained(folder)


def test_a_set_of_another_encoder_or_format_is_refused(folder):
    with pytest.raises(TrainedSetError, match="learnt from the vectors of model"):
        load_trained(folder, encoder="xyz")
    head = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps(head | {"format": 99}))
    with pytest.raises(TrainedSetError, match="format 99, expected 1"):
        load_trained(folder)
    (folder / "set.json").write_text("[]")
    with pytest.raises(TrainedSetError, match="not the head"):
        load_trained(folder)


def test_an_unknown_set_names_those_there_are(folder):
    with pytest.raises(TrainedSetMissing, match="there are: themes") as caught:
        load_trained(folder.parent / "other")
    assert caught.value.exit_code == 2


def test_too_few_texts_give_prototypes_and_no_score():
    few = Examples(
        ("Buses", "Trees"),
        (Example("1", "The bus was late", ("Buses",)), Example("2", "Plant trees", ("Trees",))),
        single=True,
    )
    trained = train("few", few, ENCODER)
    assert trained.report["scores"]["samples_f1"] is None
    assert any("too few" in w or "only 2" in w for w in trained.report["warnings"])
    ((best, *_),) = label_texts(Labeller(trained, ENCODER), [("a late bus", "")])
    assert (best.label, best.assigned) == ("Buses", True)


def test_a_label_without_examples_is_found_by_its_description(tmp_path):
    examples = replace(
        themes(),
        labels=(*themes().labels, "Litter"),
        descriptions=("", "", "", "litter and rubbish bins overflowing on the pavement"),
    )
    trained = train("described", examples, ENCODER, seeds=(0,))
    save_trained(trained, tmp_path / "set")
    labeller = Labeller(load_trained(tmp_path / "set"), ENCODER)
    ((best, *_),) = label_texts(labeller, [("litter: rubbish bins overflowing", "")])
    assert best.label == "Litter"


def test_a_single_label_set_gives_just_one_label_and_probabilities():
    trained = train("one", themes(both=False), ENCODER, seeds=(0,))
    labeller = Labeller(trained, ENCODER)
    ((*labels,),) = label_texts(labeller, [("The bus and the trees", "")])
    assert sum(label.assigned for label in labels) == 1
    assert sum(label.score for label in labels) == pytest.approx(1.0, abs=0.001)
    assert trained.report["scores"]["exact"] > 0.9


def test_questions_are_learnt_from_and_may_be_missing_later():
    rows = tuple(
        Example(f"{n}{q}", f"answer {n} yes", (label,), question=q)
        for n in range(14)
        for q, label in (("What was good?", "Good"), ("What was bad?", "Bad"))
    )
    trained = train("asked", Examples(("Good", "Bad"), rows, single=True), ENCODER, seeds=(0,))
    labeller = Labeller(trained, ENCODER)
    found = label_texts(
        labeller, [("answer 3 yes", "What was good?"), ("answer 3 yes", "What was bad?")]
    )
    assert [labels[0].label for labels in found] == ["Good", "Bad"]
    assert label_texts(labeller, [("answer 3 yes", "")])[0]


def test_groups_never_stand_on_both_sides():
    # Labels are noise but for the group, so an honest score is near chance.
    random = np.random.default_rng(0)
    labels = random.integers(0, 2, 30)
    rows = tuple(
        Example(f"{g}{k}", f"word{g} thing{g} number{k}", (("A", "B")[labels[g]],), group=str(g))
        for g in range(30)
        for k in range(4)
    )
    trained = train("noise", Examples(("A", "B"), rows, single=True), ENCODER, seeds=(0, 1))
    assert trained.report["scores"]["exact"] < 0.75


def test_evaluate_says_what_is_unsure_and_which_texts_were_learnt_from(trained):
    labeller = Labeller(trained, ENCODER)

    def apply(texts, questions):
        values = labeller.probabilities(texts, questions)
        return values, trained.rule.assign(values)

    scored = ScoredSet(trained.labels, apply, band=(0.2, 0.7), seen=trained.seen)
    new = Example("new", "A bus stop by the oak tree", ("Buses",))
    gold = replace(themes(), rows=(*themes().rows[:10], new))
    answer = evaluate(scored, gold)
    assert any(w.startswith("10 of 11 texts were learnt from") for w in answer["warnings"])
    values, _ = apply(gold.texts, gold.questions)
    inside = (values >= 0.2) & (values < 0.7)
    assert answer["unsure"]["labels"] == inside.sum()
    assert answer["unsure"]["texts"] == inside.any(axis=1).sum()
    assert sum(step["count"] for step in answer["reliability"]) == values.size


def test_evaluate_counts_labels_the_set_lacks_as_missed_and_scores_by_column():
    rows = (
        Example("1", "bus", ("A",), by="North"),
        Example("2", "tree", ("A", "New"), by="South"),
        Example("3", "car", ("B",), by="South"),
    )
    scored = ScoredSet(
        ("A", "B"),
        lambda texts, _: (
            np.array([[0.9, 0.1]] * len(texts), dtype=np.float32),
            np.array([[True, False]] * len(texts)),
        ),
    )
    answer = evaluate(scored, Examples(("A", "B", "New"), rows, single=False), by=True)
    assert answer["scores"]["exact"] == pytest.approx(1 / 3, abs=1e-3)
    assert [(one["value"], one["rows"]) for one in answer["groups"]] == [("North", 1), ("South", 2)]
    assert any("'New'" in warning for warning in answer["warnings"])
