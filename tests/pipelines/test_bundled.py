"""The trained sets that come with the program: whole, small, without a text, and of use."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pipelines.bundled import bundled_folder, bundled_names, load_bundled
from pipelines.learn.errors import TrainedSetError
from pipelines.learn.labeller import Labeller
from pipelines.learn.read_texts import label_texts
from pipelines.learn.shared import SharedVectors
from pipelines.models import embedded_spec
from pipelines.stages.encode import Encoder

GOLD = Path(__file__).parent / "learn" / "gold"
SAMPLES = Path(__file__).parents[2] / "app" / "samples"


@pytest.fixture(scope="module")
def encoder() -> SharedVectors:
    return SharedVectors(Encoder())


def labelled(name: str, texts: list[str], encoder: SharedVectors, question: str = ""):
    labeller = Labeller(load_bundled(name, encoder=encoder.spec.sha256), encoder)
    return label_texts(labeller, [(text, question) for text in texts])


@pytest.mark.parametrize("name", bundled_names())
def test_a_set_is_small_fits_the_embedded_model_and_has_a_card(name):
    folder = bundled_folder(name)
    trained = load_bundled(name, encoder=embedded_spec().sha256)
    assert trained.id == name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_500_000
    card = (folder / "CARD.md").read_text("utf-8")
    for said in ("learnt from", "licence of the data", "are unsure", "What it is not"):
        assert said in card
    assert json.loads((folder / "vocabulary.json").read_text("utf-8")) == {}


def test_the_sets_of_the_issue_are_there():
    assert {"stance", "sentiment", "richness", "section", "kind"} <= set(bundled_names())


def test_a_set_made_for_another_model_says_how_to_make_it_again():
    with pytest.raises(TrainedSetError, match=r"pipelines\.training\.train_sets") as caught:
        load_bundled("richness", encoder="0" * 64)
    assert caught.value.exit_code == 78


def test_answers_that_bring_evidence_are_told_from_those_that_do_not(encoder):
    with (GOLD / "richness.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = labelled("richness", [row["text"] for row in rows], encoder)
    right = [labels[0].label == row["labels"] for labels, row in zip(found, rows, strict=True)]
    assert sum(right) / len(right) > 0.9


def test_evidence_of_richness_is_the_sentence_that_brings_it(encoder):
    text = "I do not like the plan. Last year the number 9 bus was cancelled on 23 mornings."
    ((best, *_),) = labelled("richness", [text], encoder)
    assert best.label == "evidence or example"
    assert best.text.startswith("Last year")


def test_sentiment_goes_from_pleased_to_displeased(encoder):
    texts = [
        "Absolutely wonderful, kind and caring staff, could not have been better.",
        "Appalling, rude staff and a filthy ward. I was left in pain for hours.",
    ]
    pleased, displeased = (labels[0].label for labels in labelled("sentiment", texts, encoder))
    assert "positive" in pleased
    assert "negative" in displeased


def test_nothing_to_improve_is_praise_and_nothing_good_is_blame(encoder):
    ((praise, *_),) = labelled("sentiment", ["Nothing."], encoder, "What could we do better?")
    ((blame, *_),) = labelled("sentiment", ["Nothing."], encoder, "What was good?")
    assert "positive" in praise.label
    assert "positive" not in blame.label


def test_a_dialogue_finds_its_heading(encoder):
    texts = [
        "Doctor: Any known drug allergies?\nPatient: Penicillin gives me a rash.",
        "Doctor: Does anybody in your family have diabetes?\nPatient: My mother, and her sister.",
    ]
    found = [labels[0].label for labels in labelled("section", texts, encoder)]
    assert found == ["ALLERGY", "FAM/SOCHX"]


def test_kinds_of_the_samples_are_mostly_found(encoder):
    with (GOLD / "kind.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts = [(SAMPLES / row["sample"]).read_text("utf-8") for row in rows]
    found = labelled("kind", texts, encoder)
    right = [labels[0].label == row["labels"] for labels, row in zip(found, rows, strict=True)]
    assert sum(right) / len(right) > 0.6
