"""Linear support vectors over n-grams, one a label: the plain method that others must beat.

On short answers and few labels a tf-idf SVM (squared hinge loss; Fan et al. 2008, LIBLINEAR) is
hard to beat; where it wins, it is what runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.svm import LinearSVC

from pipelines.learn.types import Codes, Floats

SVM_C = 0.5
_SEED = 0


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights [columns, labels] and offsets [labels]; a score is ``features @ weights + offsets``."""

    weights: Floats
    offsets: Floats

    def score(self, features: csr_matrix) -> Floats:
        """Return one signed score a row and label, [rows, labels]."""
        return np.asarray(features @ self.weights + self.offsets, dtype=np.float32)


def fit_svm(features: csr_matrix, codes: Codes, *, c: float = SVM_C) -> Linear:
    """Fit one linear SVM a label, [rows, columns] and [rows, labels].

    A label that every row has scores +1, one that no row has scores -1.
    """
    labels = codes.shape[1]
    weights = np.zeros((features.shape[1], labels), dtype=np.float32)
    offsets = np.zeros(labels, dtype=np.float32)
    for label in range(labels):
        column = codes[:, label]
        if column.all() or not column.any():
            offsets[label] = 1.0 if column.all() else -1.0
            continue
        model = LinearSVC(C=c, random_state=_SEED, max_iter=3000, tol=1e-3)
        model.fit(features, column)
        weights[:, label] = model.coef_[0]
        offsets[label] = model.intercept_[0]
    return Linear(weights, offsets)
