"""Scores: against scikit-learn's, and the interval over groups."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score

from pipelines.learn.groups import assign_folds, group_rows
from pipelines.learn.metrics import interval, label_figures, score
from pipelines.learn.types import Example

_RANDOM = np.random.default_rng(3)
GOLD = _RANDOM.random((60, 5)) < [0.5, 0.3, 0.1, 0.05, 0.0]
FOUND = GOLD ^ (_RANDOM.random(GOLD.shape) < 0.15)


@pytest.mark.parametrize(("name", "average"), [("samples_f1", "samples"), ("micro_f1", "micro")])
def test_f1_is_scikit_learns(name, average):
    expected = f1_score(GOLD, FOUND, average=average, zero_division=0)
    assert getattr(score(GOLD, FOUND), name) == pytest.approx(expected)


def test_macro_f1_counts_labels_with_enough_rows():
    counted = GOLD.sum(axis=0) >= 5
    expected = f1_score(GOLD[:, counted], FOUND[:, counted], average="macro", zero_division=0)
    assert score(GOLD, FOUND, least=5).macro_f1 == pytest.approx(expected)


def test_exact_is_the_accuracy_of_a_single_label_set():
    gold, found = np.eye(3, dtype=bool)[[0, 1, 2, 2]], np.eye(3, dtype=bool)[[0, 1, 1, 2]]
    scores = score(gold, found)
    assert scores.exact == scores.samples_f1 == scores.micro_f1 == 0.75


def test_a_label_that_nobody_has_has_no_figures():
    figures = label_figures("abcde", GOLD, np.zeros_like(GOLD))[4]
    assert (figures.examples, figures.precision, figures.recall, figures.f1) == (0, 0.0, 0.0, 0.0)


def test_interval_holds_the_score_and_widens_with_fewer_groups():
    many, few = np.arange(60), np.arange(60) // 12
    low, high = interval(GOLD, FOUND, many)
    assert low < score(GOLD, FOUND).samples_f1 < high
    assert interval(GOLD, FOUND, many) == (low, high)
    assert interval(GOLD, FOUND, few) != (low, high)


def test_rows_of_one_group_or_with_the_same_words_are_one_group():
    rows = [
        Example("1", "The bus!", (), group="p"),
        Example("2", "the BUS", (), group="q"),
        Example("3", "trees", (), group="q"),
        Example("4", "parks", ()),
        Example("5", "…", ()),
        Example("6", "!", ()),
    ]
    assert group_rows(rows).tolist() == [0, 0, 0, 1, 2, 3]


def test_folds_keep_groups_whole_and_labels_spread():
    groups = np.arange(100) // 2
    codes = np.zeros((100, 2), dtype=bool)
    codes[:10, 0] = True
    codes[:, 1] = True
    fold = assign_folds(groups, codes, 5, seed=1)
    assert all(len(set(fold[groups == g])) == 1 for g in range(50))
    assert np.bincount(fold).tolist() == [20] * 5
    assert np.bincount(fold[:10], minlength=5).tolist() == [2] * 5
    assert fold.tolist() == assign_folds(groups, codes, 5, seed=1).tolist()
    assert fold.tolist() != assign_folds(groups, codes, 5, seed=2).tolist()
