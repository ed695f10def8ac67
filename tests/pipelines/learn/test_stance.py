"""Stance: what is proposed, how well words speak, and the set that reads both together."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.learn.features import TextTable
from pipelines.learn.polarity import (
    COLUMNS,
    Polarity,
    columns,
    gram_table,
    tone,
    turns,
    without_direction,
)
from pipelines.learn.proposals import proposal_sign, subject_stems
from pipelines.learn.stance import LABELS, NAMES, StanceScorer, stance_features
from pipelines.learn.valence import valence
from pipelines.training.train_polarity import fit_polarity

BAN, ALLOW = "We should ban fireworks", "We should allow fireworks"


@pytest.mark.parametrize(
    ("question", "sign"),
    [
        (BAN, -1),
        (ALLOW, 1),
        ("Fireworks should be banned", -1),
        ("Fireworks should not be allowed", -1),
        ("Should we stop banning fireworks?", -1),
        ("What do you think of the weather?", 0),
        ("", 0),
    ],
)
def test_the_first_known_verb_and_its_negation_say_what_a_proposal_does(question, sign):
    assert proposal_sign(question) == sign


def test_the_subject_is_what_is_neither_verb_nor_way_of_asking():
    assert subject_stems("Do you agree that we should ban private fireworks?") == {
        "privat",
        "firework",
    }


def test_a_question_without_a_known_verb_speaks_well_of_what_it_names():
    assert turns([BAN, ALLOW, "A tram to the station", "  "]).tolist() == [-1, 1, 1, 0]


def test_valence_of_words_and_of_their_forms():
    assert valence("harmful") < 0 < valence("helpful")
    assert valence("table") == 0
    assert valence("harming") < 0


def test_tone_tells_negated_and_lessened_words_from_plain_ones():
    plain, negated, lessened, none = tone(
        ["They are harmful.", "They are not harmful.", "They reduce harm.", "The."]
    )
    assert plain[1] < 0 == plain[2] == plain[3]
    assert negated[2] < 0 == negated[1]
    assert lessened[3] < 0 == lessened[1]
    assert not none.any()


def test_what_is_said_of_two_subjects_in_like_words_has_the_same_classes():
    one = columns("Fireworks are harmful", subject_stems(BAN))
    other = columns("Cloning is dangerous", subject_stems("We should ban cloning"))
    assert set(one[1]) & set(other[1])
    assert not set(one[0]) & set(other[0])
    assert len(columns("", frozenset())[0]) == 0


def test_a_row_of_columns_has_unit_length_in_each_kind():
    idf = np.ones(COLUMNS, dtype=np.float32)
    table = gram_table(["Fireworks are harmful", ""], [frozenset(), frozenset()], idf)
    assert np.allclose(np.asarray(table.multiply(table).sum(axis=1)).ravel(), [1.0, 0.0])


def test_vectors_lose_the_direction_of_the_question():
    vectors = np.array([[0.6, 0.8], [1.0, 0.0]], dtype=np.float32)
    free = without_direction(vectors, np.array([[1.0, 0.0], [0.0, 0.0]], dtype=np.float32))
    assert np.allclose(free, [[0.0, 0.8], [1.0, 0.0]])


@pytest.fixture(scope="module")
def learnt():
    """Three subjects, one of them proposed the other way round, learnt in closed form."""
    good = ["{} are useful and safe", "{} help people", "{} are great for children"]
    bad = ["{} are useless and dangerous", "{} hurt people", "{} are terrible for children"]
    asked = {"Fireworks": -1, "Trams": 1, "Robots": -1}
    rows = [
        (form.format(name), f"We should {'ban' if sign < 0 else 'allow'} {name}", said * sign, n)
        for n, (name, sign) in enumerate(asked.items())
        for said, forms in ((1, good), (-1, bad))
        for form in forms * 2
    ]
    texts, questions, stances, owners = zip(*rows, strict=True)
    free = np.zeros((len(rows), 4), dtype=np.float32)
    return rows, fit_polarity(
        texts, questions, free, np.array(stances, dtype=np.float32), np.array(owners)
    )


def test_polarity_carries_over_to_a_subject_it_has_not_seen(learnt):
    rows, fitted = learnt
    turned = turns([question for _, question, _, _ in rows])
    found = fitted.unseen[:, 0] + fitted.unseen[:, 1] * turned
    assert np.mean((found > 0) == [stance > 0 for _, _, stance, _ in rows]) > 0.8


def test_unseen_values_are_those_of_a_model_without_the_subject(learnt):
    rows, fitted = learnt
    kept = [row for row in rows if row[3] != 0]
    texts, questions, stances, owners = zip(*kept, strict=True)
    left_out = [row for row in rows if row[3] == 0]
    free = np.zeros((len(rows), 4), dtype=np.float32)
    other = fit_polarity(
        texts,
        questions,
        free[len(left_out) :],
        np.array(stances, dtype=np.float32),
        np.array(owners),
    ).polarity
    values = other.values(
        [text for text, *_ in left_out],
        [subject_stems(question) for _, question, *_ in left_out],
        free[: len(left_out)],
    )
    # Not the same to the last digit: how rare a word is was counted over all texts.
    assert np.corrcoef(values[:, 1], fitted.unseen[: len(left_out), 1])[0, 1] > 0.9


def test_a_scorer_comes_back_from_what_it_packs(learnt):
    rows, fitted = learnt
    scorer = StanceScorer(
        fitted.polarity,
        np.zeros(len(NAMES), dtype=np.float32),
        np.ones(len(NAMES), dtype=np.float32),
        np.random.default_rng(1).normal(size=(len(NAMES), len(LABELS))).astype(np.float32),
        np.zeros(len(LABELS), dtype=np.float32),
    )
    texts = tuple(text for text, *_ in rows)
    vectors = np.full((len(rows), 4), 0.5, dtype=np.float32)
    table = TextTable(texts, tuple(q for _, q, *_ in rows), vectors, vectors)
    again = StanceScorer.unpack(*scorer.pack())
    assert np.allclose(scorer.score(table), again.score(table), atol=1e-2)
    with pytest.raises(ValueError, match="other features"):
        StanceScorer.unpack({"features": ["other"]}, {}, {})


def test_clauses_on_both_sides_stand_against_each_other(learnt):
    _, fitted = learnt
    texts = ("Fireworks help people, but fireworks are dangerous", "Fireworks are dangerous", "")
    vectors = np.zeros((3, 4), dtype=np.float32)
    found = stance_features(TextTable(texts, (BAN,) * 3, vectors, vectors), fitted.polarity)
    against = found[:, NAMES.index("clauses against each other")]
    assert against[0] > 0 == against[1] == against[2]
    assert isinstance(fitted.polarity, Polarity)
