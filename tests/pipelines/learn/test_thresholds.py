"""Where the line is drawn, and what a probability is worth."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pipelines.learn.calibrate import (
    calibration_error,
    fit_curves,
    reliability,
    unsure_band,
)
from pipelines.learn.metrics import samples_f1
from pipelines.learn.thresholds import Rule, best_threshold, fit_rule, likeliest_sets

_RANDOM = np.random.default_rng(11)


def test_best_threshold_stands_in_the_middle_of_its_gap():
    probabilities = np.array([0.9, 0.8, 0.3, 0.1], dtype=np.float32)
    assert best_threshold(probabilities, np.array([1, 1, 0, 0], bool)) == pytest.approx(0.55)


def test_likeliest_set_is_near_the_best_of_all_sets():
    probabilities = _RANDOM.random((20, 4)).astype(np.float32)
    found = likeliest_sets(probabilities, least_one=True)
    worlds = np.array(list(product([False, True], repeat=4)))
    for row, chosen in zip(probabilities, found, strict=True):
        weight = np.where(worlds, row, 1 - row).prod(axis=1)
        values = [
            (samples_f1(worlds, np.repeat(one[None], 16, 0)) * weight).sum() for one in worlds
        ]
        mine = (samples_f1(worlds, np.repeat(chosen[None], 16, 0)) * weight).sum()
        assert mine >= max(values) - 0.02


def test_a_row_may_stay_empty_only_where_examples_do():
    low = np.full((1, 3), 0.02, dtype=np.float32)
    assert not Rule((0.5, 0.5, 0.5)).assign(low).any()
    assert Rule((0.5, 0.5, 0.5), least_one=True).assign(low).sum() == 1
    assert not Rule((0.5, 0.5, 0.5), sets=True).assign(low).any()


def test_single_labels_get_the_best_one():
    values = np.array([[0.1, 0.2, 0.15]], dtype=np.float32)
    assert Rule((), single=True).assign(values).tolist() == [[False, True, False]]


def test_a_rare_label_keeps_near_the_common_threshold():
    codes = np.zeros((400, 2), dtype=bool)
    codes[:200, 0] = True
    codes[0, 1] = True
    values = _RANDOM.random((400, 2)).astype(np.float32) * 0.2
    values[:200, 0] += 0.6
    values[0, 1] = 0.99  # its own best threshold would be near 0.6
    rule = fit_rule(values, codes, single=False)
    assert rule.thresholds[1] < 0.5


def test_curves_recover_probabilities_and_draw_rare_labels_to_the_rest():
    scores = _RANDOM.normal(size=(5000, 3)).astype(np.float32)
    chance = 1 / (1 + np.exp(-(3 * scores - 1)))
    codes = _RANDOM.random(scores.shape) < chance
    curves = fit_curves(scores, codes)
    assert curves.slopes == pytest.approx([3, 3, 3], abs=0.3)
    assert curves.offsets == pytest.approx([-1, -1, -1], abs=0.2)
    bins = reliability(curves.probabilities(scores), codes)
    assert calibration_error(bins) < 0.02
    assert sum(step.count for step in bins) == codes.size


def test_a_label_with_one_example_never_turns_round():
    scores = _RANDOM.normal(size=(100, 2)).astype(np.float32)
    codes = scores > 0.5
    codes[:, 1] = False
    codes[scores[:, 1].argmin(), 1] = True
    assert (fit_curves(scores, codes).slopes > 0).all()


def test_above_the_band_what_is_assigned_is_right():
    values = _RANDOM.random((4000, 1)).astype(np.float32)
    codes = _RANDOM.random(values.shape) < values
    low, high = unsure_band(values, codes, wanted=(0.8,))
    assert 0.0 <= low < high <= 1.0
    assert codes[values >= high].mean() == pytest.approx(0.8, abs=0.03)


def test_a_set_that_is_nearly_always_right_leaves_a_narrow_band():
    sure = _RANDOM.choice([0.005, 0.995], size=(4000, 1), p=[0.8, 0.2])
    torn = _RANDOM.uniform(0.3, 0.7, size=(200, 1))
    values = np.concatenate([sure, torn]).astype(np.float32)
    codes = _RANDOM.random(values.shape) < values
    low, high = unsure_band(values, codes)
    assert 0.2 < low < high < 0.8


def test_a_set_without_a_doubt_has_no_band():
    values = np.array([[0.9], [0.8], [0.1]], dtype=np.float32)
    low, high = unsure_band(values, np.array([[True], [True], [False]]))
    assert low == high
