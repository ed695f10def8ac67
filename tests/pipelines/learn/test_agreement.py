"""Answers to one question judged together: alike ones agree, what is said outright stays."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.learn.agreement import agreed, neighbours
from pipelines.learn.labeller import Item, Labeller
from pipelines.learn.matcher import Matcher
from pipelines.segment import segment

TWO_SIDES = 12  # texts a side


@pytest.fixture
def sides():
    """Vectors of two clusters and scores by which one text of the first is on the wrong side."""
    rng = np.random.default_rng(3)
    centres = np.repeat(np.eye(2, 16), TWO_SIDES, axis=0)
    vectors = centres + rng.normal(0, 0.05, centres.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    scores = np.repeat([1.0, -1.0], TWO_SIDES)[:, None].astype(np.float32)
    scores[0] = -0.2
    return vectors.astype(np.float32), scores


def judged(vectors, scores, *, texts=None, questions=None, fixed=None):
    texts = [f"text {row}" for row in range(len(scores))] if texts is None else texts
    questions = ["q"] * len(scores) if questions is None else questions
    return agreed(scores, vectors, texts, questions, fixed)


def test_a_text_goes_where_those_like_it_are(sides):
    vectors, scores = sides
    found = judged(vectors, scores)
    assert (found[:TWO_SIDES] > 0).all()
    assert (found[TWO_SIDES:] < 0).all()


def test_many_of_one_side_do_not_move_the_line():
    vectors = np.eye(30, dtype=np.float32)
    scores = np.ones((30, 2), dtype=np.float32)
    assert np.allclose(judged(vectors, scores), scores)


def test_what_is_fixed_stays_and_is_heard(sides):
    vectors, scores = sides
    fixed = np.zeros(len(scores), dtype=np.bool_)
    fixed[0] = True
    found = judged(vectors, scores, fixed=fixed)
    assert found[0] == scores[0]
    scores[0] = -30.0
    assert (judged(vectors, scores, fixed=fixed)[1:TWO_SIDES] < found[1:TWO_SIDES]).any()


def test_order_makes_no_difference(sides):
    vectors, scores = sides
    turned = np.random.default_rng(0).permutation(len(scores))
    found = judged(vectors[turned], scores[turned])
    assert np.allclose(found, judged(vectors, scores)[turned], atol=1e-5)


def test_a_repeated_text_counts_once(sides):
    vectors, scores = sides
    rows = [*range(len(scores)), 0, 0, 0]
    texts = [f"text {row}" for row in rows]
    found = judged(vectors[rows], scores[rows], texts=texts)
    assert np.array_equal(found[: len(scores)], judged(vectors, scores))
    assert (found[len(scores) :] == found[0]).all()


def test_answers_to_other_questions_are_not_heard(sides):
    vectors, scores = sides
    questions = ["q"] * TWO_SIDES + ["other"] * TWO_SIDES
    alone = judged(vectors[:TWO_SIDES], scores[:TWO_SIDES])
    assert np.allclose(judged(vectors, scores, questions=questions)[:TWO_SIDES], alone)


def test_a_handful_is_left_as_it_is(sides):
    vectors, scores = sides
    assert neighbours(vectors[:5]) is None
    assert np.array_equal(judged(vectors[:5], scores[:5]), scores[:5])
    assert judged(vectors[:0], scores[:0]).shape == (0, 1)


def test_neighbours_hear_each_other_and_never_themselves(sides):
    near = neighbours(sides[0])
    assert near is not None
    table = near.toarray()
    assert np.allclose(table.sum(axis=1), 1.0)
    assert (np.diag(table) == 0).all()
    assert ((table > 0) == (table.T > 0)).all()


def test_the_matcher_is_asked_for_it(encoder):
    labels = LabelSet(
        "s", (LabelDefinition("Trees give shade"), LabelDefinition("Buses run late")), ""
    )
    plain = [
        f"The trees in {street} give shade in summer."
        for street in ["Park", "Hill", "Mill", "Lake", "Old"]
    ]
    plain += [
        f"The bus to {town} is late every day." for town in ["Ely", "Bath", "York", "Hull", "Leeds"]
    ]
    items = [Item(text, tuple(segment(text))) for text in plain]
    matcher = Matcher(labels, encoder)
    alone, together = matcher.label(items), matcher.label(items, collective=True)
    assert [of[0].label for of in together] == [of[0].label for of in alone]
    assert together != alone
    assert matcher.label(items[:1]) == alone[:1]


def test_a_stance_said_outright_is_not_outvoted(encoder):
    from pipelines.bundled import load_bundled

    labeller = Labeller(load_bundled("stance", encoder=encoder.spec.sha256), encoder)
    question = "We should build the tram"
    said = [
        f"I support the tram to {town}."
        for town in ["Ely", "Bath", "York", "Hull", "Leeds", "Stoke", "Bury"]
    ]
    said += [f"I support the plans, {why}." for why in ["it is time", "we need it", "it is clean"]]
    said += ["I do not support the tram to Crewe."]
    items = [Item(text, tuple(segment(text)), question) for text in said]
    found = labeller.label(items, collective=True)
    assert [of[0].label for of in found] == ["support"] * 10 + ["oppose"]
    assert [of[0].score for of in found] == [of[0].score for of in labeller.label(items)]
