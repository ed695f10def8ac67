"""The shipped matcher: labels by description, sides kept apart, the same score in any company."""

from __future__ import annotations

import json

import pytest

from pipelines.errors import LabelSetError
from pipelines.labels import LabelDefinition, LabelSet
from pipelines.learn.labeller import Item
from pipelines.learn.matcher import POLARITY, SHIPPED, Matcher, read_coefficients, shipped
from pipelines.learn.read_texts import label_texts
from pipelines.learn.words import content_words, stem
from pipelines.segment import segment

LABELS = LabelSet(
    "points",
    (
        LabelDefinition("Buses", "The bus is late, rare or too expensive."),
        LabelDefinition("Trees", "Trees give shade and clean the air."),
        LabelDefinition("Parking", "There are too few parking spaces near home."),
    ),
    "",
)
TEXTS = [
    ("I cannot park anywhere near my house. Otherwise it is fine.", ""),
    ("More trees would give us shade.", ""),
    ("The bus never comes on time & costs a lot.", ""),
    ("", ""),
]


@pytest.fixture(scope="module")
def matcher(encoder):
    return Matcher(LABELS, encoder)


def test_every_label_is_ranked_with_its_nearest_sentence(matcher):
    found = label_texts(matcher, TEXTS)
    assert [labels[0].label for labels in found[:3]] == ["Parking", "Trees", "Buses"]
    assert found[0][0].text == "I cannot park anywhere near my house."
    assert found[3] == ()
    for (text, _), labels in zip(TEXTS, found, strict=True):
        for label in labels:
            assert text[label.start : label.end] == label.text
            assert 0.0 <= label.score <= 1.0


def test_a_score_does_not_depend_on_the_other_records(matcher, encoder):
    together = label_texts(matcher, TEXTS)
    assert [label_texts(Matcher(LABELS, encoder), [text])[0] for text in TEXTS] == together


def test_stance_moves_a_text_to_its_side(encoder):
    both = [
        ("for", "Cars are dangerous and they pollute our streets."),
        ("against", "Cars are useful and people need them every day."),
    ]
    text = "Banning cars is right, cars are a dangerous and terrible thing for children."
    items = [Item(text, tuple(segment(text)))]

    def gap(*, sides: bool) -> float:
        labels = tuple(LabelDefinition(said, stance=side if sides else "") for side, said in both)
        found = Matcher(LabelSet("s", labels, ""), encoder).label(items)[0]
        scores = {label.label: label.score for label in found}
        return scores[both[0][1]] - scores[both[1][1]]

    assert gap(sides=True) > gap(sides=False)


def test_one_label_and_labels_without_words_are_matched(encoder):
    for labels in ([LabelDefinition("Buses")], [LabelDefinition("A1"), LabelDefinition("…")]):
        found = label_texts(Matcher(LabelSet("s", tuple(labels), ""), encoder), TEXTS)
        assert len(found[0]) == len(labels)


def test_coefficients_of_other_features_are_refused():
    values = json.loads(SHIPPED.read_text("utf-8"))
    with pytest.raises(LabelSetError, match="train them again"):
        read_coefficients(values | {"features": ["other"]}, shipped().polarity)


def test_shipped_coefficients_are_small_and_say_where_they_come_from():
    assert SHIPPED.stat().st_size + POLARITY.stat().st_size < 700_000
    assert "Apache-2.0" in json.loads(SHIPPED.read_text("utf-8"))["data"]


def test_words_are_compared_without_endings():
    assert {stem(word) for word in content_words("Parking, parked; the parks!")} == {"park"}
