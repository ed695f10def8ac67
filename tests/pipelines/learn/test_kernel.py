"""The kernel model: its closed forms are what refitting gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from pipelines.learn.features import Table
from pipelines.learn.kernel import fit_kernel

_RANDOM = np.random.default_rng(5)
_SPARSE = csr_matrix(
    (_RANDOM.random((40, 12)) * (_RANDOM.random((40, 12)) < 0.4)).astype(np.float32)
)
FEATURES = Table(_SPARSE, _RANDOM.normal(size=(40, 6)).astype(np.float32))
CODES = _RANDOM.random((40, 3)) < 0.4
GROUPS = np.arange(40) // 2


@pytest.mark.parametrize("exact", [100, 10])
def test_unseen_scores_are_those_of_a_model_without_the_group(exact):
    _, unseen = fit_kernel(FEATURES, CODES, GROUPS, exact=exact, landmarks=40)
    level = np.where(CODES, 1.0, -1.0).mean(axis=0)
    kernel = ((FEATURES.products(FEATURES) + 1.0) / 2.0) ** 2
    for group in (0, 7, 19):
        out = group == GROUPS
        targets = np.where(CODES[~out], 1.0, -1.0) - level
        weights = np.linalg.solve(kernel[np.ix_(~out, ~out)] + 0.25 * np.eye((~out).sum()), targets)
        expected = kernel[np.ix_(out, ~out)] @ weights + level
        np.testing.assert_allclose(unseen[out], expected, atol=5e-3)


def test_all_landmarks_give_the_exact_model():
    exact, _ = fit_kernel(FEATURES, CODES, GROUPS)
    near, _ = fit_kernel(FEATURES, CODES, GROUPS, exact=1, landmarks=40)
    np.testing.assert_allclose(exact.score(FEATURES), near.score(FEATURES), atol=5e-3)


def test_fewer_landmarks_than_rows_still_score_every_row():
    model, unseen = fit_kernel(FEATURES, CODES, GROUPS, exact=1, landmarks=15)
    assert len(model.landmarks) == 15
    assert model.score(FEATURES).shape == unseen.shape == (40, 3)


def test_the_same_rows_give_the_same_model():
    first, second = (fit_kernel(FEATURES, CODES, GROUPS)[0] for _ in range(2))
    assert np.array_equal(first.coefficients, second.coefficients)
