"""Sentences are chosen within bounds, without repeats, with turns for each side."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.summaries.choose import choose, sides_of
from pipelines.summaries.phrases import Phrases, of_sentences
from pipelines.summaries.types import Length

APART = np.eye(4, dtype=np.float32)


def test_the_best_come_first_and_ties_go_to_the_earlier() -> None:
    worth = np.array([0.2, 0.9, 0.5, 0.9])
    assert choose(worth, APART, redundancy=0.5, sentences=3) == [1, 3, 2]


def test_what_says_the_same_is_never_taken_twice() -> None:
    same = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
    assert choose(np.array([0.9, 0.8, 0.1]), same, redundancy=0.0, sentences=3) == [0, 2]


def test_a_sentence_too_long_for_the_words_left_is_passed_over() -> None:
    worth = np.array([0.9, 0.8, 0.7, 0.6])
    taken = choose(worth, APART, redundancy=0.0, sentences=9, words=[5, 9, 4, 1], most_words=10)
    assert taken == [0, 2, 3]


def test_sides_take_turns_by_their_shares() -> None:
    worth = np.array([0.9, 0.8, 0.7, 0.1])
    taken = choose(
        worth,
        APART,
        redundancy=0.0,
        sentences=3,
        sides=["for", "for", "for", "against"],
        shares={"for": 0.6, "against": 0.4},
    )
    assert taken == [0, 3, 1]


def test_only_a_divided_group_has_sides() -> None:
    assert sides_of({"for": 95, "against": 5}, least=0.1) == {}
    assert sides_of({"neither": 10}, least=0.1) == {}
    shares = sides_of({"for": 80, "against": 20, "neither": 40}, least=0.1)
    assert shares.keys() == {"for", "against"}
    assert 0.25 < shares["against"] < 0.5 < shares["for"]


@pytest.mark.parametrize(
    ("length", "bounds"),
    [
        (Length(), (2, 100)),
        (Length(sentences=5), (5, 100)),
        (Length(words=30), (101, 30)),
        (Length(share=0.1), (101, 10)),
        (Length(sentences=3, words=30, share=0.1), (3, 10)),
    ],
)
def test_bounds_of_a_length(length: Length, bounds: tuple[int, int]) -> None:
    assert length.bounds(100) == bounds


def test_phrases_of_many_voices_count_and_those_of_one_do_not() -> None:
    phrases = of_sentences(["the bus is late", "the bus is late again", "trams are fine"])
    assert phrases.consensus("the bus is late") > phrases.consensus("the bus stops") > 0.0
    assert phrases.consensus("trams are fine") == 0.0


def test_a_voice_counts_a_phrase_once_and_a_bounded_table_says_the_same() -> None:
    for bounded in (False, True):
        phrases = Phrases(bounded=bounded)
        phrases.add(["late bus", "late bus", "late bus"])
        phrases.add(["a tram"])
        assert phrases.consensus("late bus") == 0.0
        phrases.add(["late bus"])
        assert phrases.consensus("late bus") == pytest.approx(0.25)
