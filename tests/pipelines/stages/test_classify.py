"""Zero-shot labels: ranked sensibly, each with the sentence that earned it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.recipes import ClassifyParameters
from pipelines.stages.classify import ZeroShot
from pipelines.stages.encode import Encoder
from tests.pipelines.stages.texts import segments_of

LABELS = LabelSet(
    "services",
    (
        LabelDefinition("Buses", "The bus is late, infrequent or expensive."),
        LabelDefinition("Libraries", "Books, reading and the opening hours of the library."),
        LabelDefinition("Waste", "Bins, recycling and litter are not collected."),
    ),
    "0",
)
TEXT = "My bin has not been emptied for weeks. And the number 7 bus never turns up on time."


def score(encoder: Encoder, text: str = TEXT, labels: LabelSet = LABELS, **changes: float):  # type: ignore[no-untyped-def]
    spans = segments_of(text)
    vectors = encoder.encode([text[s.start : s.end] for s in spans])
    parameters = replace(ClassifyParameters(), **changes)  # type: ignore[arg-type]
    return ZeroShot(labels, encoder, parameters).score(text, spans, vectors)


def test_every_label_gets_a_score_best_first(encoder: Encoder) -> None:
    found = score(encoder)
    assert {label.label for label in found} == {"Buses", "Libraries", "Waste"}
    assert [label.score for label in found] == sorted((x.score for x in found), reverse=True)
    assert all(0.0 <= label.score <= 1.0 for label in found)
    assert found[-1].label == "Libraries"


def test_evidence_is_the_sentence_that_earned_the_label(encoder: Encoder) -> None:
    found = {label.label: label for label in score(encoder)}
    assert found["Waste"].text == "My bin has not been emptied for weeks."
    assert found["Buses"].text == "And the number 7 bus never turns up on time."
    assert all(TEXT[label.start : label.end] == label.text for label in found.values())


def test_several_labels_can_be_assigned(encoder: Encoder) -> None:
    assigned = {label.label for label in score(encoder) if label.assigned}
    assert assigned == {"Buses", "Waste"}


def test_no_more_than_the_most_are_assigned(encoder: Encoder) -> None:
    found = score(encoder, threshold=0.0, most=1)
    assert [label.assigned for label in found] == [True, False, False]


def test_threshold_decides(encoder: Encoder) -> None:
    best = score(encoder)[0].score
    assert score(encoder, threshold=best)[0].assigned
    assert not score(encoder, threshold=min(1.0, best + 0.0001))[0].assigned


def test_set_of_one_label_is_scored(encoder: Encoder) -> None:
    single = replace(LABELS, labels=LABELS.labels[:1])
    near, far = (score(encoder, text, single)[0] for text in ("The bus is late.", "Roses are red."))
    assert near.score > 0.9 > 0.3 > far.score


def test_ties_keep_the_order_of_the_set(encoder: Encoder) -> None:
    twins = replace(LABELS, labels=(LABELS.labels[0], LABELS.labels[2], LABELS.labels[2]))
    found = score(encoder, "The bin is full.", twins)
    assert [label.label for label in found] == ["Waste", "Waste", "Buses"]


def test_vectors_of_nothing_give_a_low_finite_score(encoder: Encoder) -> None:
    text = "\u200b."
    zeros = np.zeros((1, encoder.dimensions), np.float32)
    found = ZeroShot(LABELS, encoder, ClassifyParameters()).score(text, segments_of(text), zeros)
    assert all(label.score < 0.1 and not label.assigned for label in found)


def test_text_without_sentences_has_no_labels(encoder: Encoder) -> None:
    none = np.zeros((0, encoder.dimensions), np.float32)
    assert ZeroShot(LABELS, encoder, ClassifyParameters()).score("", (), none) == ()
