"""Ambiguous labels and tags by meaning, with the embedded model."""

from __future__ import annotations

import pytest

from ontology.index import LabelIndex
from ontology.model import Concept, Label, Ontology
from pipelines.errors import PipelineError
from pipelines.segment import segment
from pipelines.stages.encode import Encoder
from pipelines.stages.matching import meaning
from pipelines.stages.matching.ambiguity import Ambiguity
from pipelines.stages.matching.meaning import Meaning
from pipelines.stages.tag import tag


def concept(name: str, label: str, definition: str) -> Concept:
    return Concept(f"urn:{name}", f"x:{name}", label, (Label(label, "en", "pref"),), definition)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(threads=1)


@pytest.fixture(scope="module")
def index() -> LabelIndex:
    concepts = [
        concept("river", "bank", "The land beside a river, lake or canal."),
        concept("money", "bank", "A business that keeps people's money and lends it."),
        concept("bus", "bus", "A large road vehicle that carries passengers."),
    ]
    return LabelIndex.build(
        [Ontology("o", "", "", "", "turtle", "0", {each.iri: each for each in concepts})]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We walked along the bank of the river and watched the boats.", "urn:river"),
        ("The bank refused to lend us the money for the house.", "urn:money"),
    ],
)
def test_the_sentence_decides_between_concepts(
    encoder: Encoder, index: LabelIndex, text: str, expected: str
) -> None:
    found = Ambiguity(index, encoder).settle(text, segment(text), tag(text, index))
    assert [each.iri for each in found if each.displayed] == [expected]


def test_the_loser_is_kept_with_its_score(encoder: Encoder, index: LabelIndex) -> None:
    text = "The bank refused to lend us the money."
    found = Ambiguity(index, encoder).settle(text, segment(text), tag(text, index))
    scores = {each.iri: each.score for each in found}
    assert 0 < scores["urn:river"] < scores["urn:money"] < 1


def test_vectors_of_the_sentences_are_used_where_they_are_known(
    encoder: Encoder, index: LabelIndex
) -> None:
    text = "It rained. The bank refused to lend us the money."
    sentences = segment(text)
    vectors = encoder.encode([text[each.start : each.end] for each in sentences])
    settle = Ambiguity(index, encoder).settle
    assert settle(text, sentences, tag(text, index), vectors) == settle(
        text, sentences, tag(text, index)
    )


def test_a_label_of_one_concept_is_left_alone(encoder: Encoder, index: LabelIndex) -> None:
    text = "The bus was late."
    tags = tag(text, index)
    assert Ambiguity(index, encoder).settle(text, segment(text), tags) == tags


def test_a_sentence_without_label_is_tagged_by_meaning(encoder: Encoder, index: LabelIndex) -> None:
    text = "A road vehicle with many passengers. The bus was late."
    found = Meaning(index, encoder, 0.4).add(text, segment(text), tag(text, index))
    assert [(each.method, each.label, each.text) for each in found] == [
        ("meaning", "bus", "A road vehicle with many passengers."),
        ("label", "bus", "bus"),
    ]


def test_nothing_is_like_a_concept_above_the_threshold(encoder: Encoder, index: LabelIndex) -> None:
    text = "Tomatoes ripen in August."
    assert Meaning(index, encoder, 0.9).add(text, segment(text), ()) == ()


def test_too_many_concepts_for_meaning_are_refused(
    encoder: Encoder, index: LabelIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "MOST_CONCEPTS", 2)
    with pytest.raises(PipelineError, match="there are 3; expected at most 2"):
        Meaning(index, encoder, 0.5).add("Tomatoes.", segment("Tomatoes."), ())
