"""What a sentence is worth in a summary, before it pays for repeating another.

A weighted sum of its closeness to the mean vector (the centroid of Radev et al. 2004,
https://doi.org/10.1016/j.ipm.2003.10.006, in vector space), of the consensus of its phrases, of how
near its length is to a concise sentence's, of its position and of the concepts that it names.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.recipes import SummariseParameters
from pipelines.stages.vectors import Vectors
from pipelines.summaries.phrases import Phrases

Floats = NDArray[np.float64]

# Log-normal width of the length preference: half or double the ideal length earns half of it.
_LENGTH_WIDTH = 0.6


def worth(
    texts: Sequence[str],
    vectors: Vectors,
    phrases: Phrases,
    parameters: SummariseParameters,
    *,
    order: Floats | None = None,
    salience: Floats | None = None,
) -> Floats:
    """Return the worth of every sentence, 0 to ``total(parameters)``, rounded so that ties tie.

    ``vectors`` are the sentences' L2-normalised rows. ``order`` is their place in the text from 0;
    without one, position counts for none.
    """
    value = parameters.centrality * centrality(vectors) + wording(texts, phrases, parameters)
    if order is not None:
        value += parameters.position / np.sqrt(1.0 + order)
    if salience is not None:
        value += parameters.salience * salience
    return value.round(6)


def wording(texts: Sequence[str], phrases: Phrases, parameters: SummariseParameters) -> Floats:
    """Return the part of the worth that needs no vectors: phrases and length."""
    words = np.array([max(1, len(text.split())) for text in texts], dtype=np.float64)
    distance = np.log(words / parameters.ideal_words) / _LENGTH_WIDTH
    consensus = np.array([phrases.consensus(text) for text in texts], dtype=np.float64)
    value: Floats = parameters.phrases * consensus + parameters.length * np.exp(-0.5 * distance**2)
    return value.round(6)


def centrality(vectors: Vectors) -> Floats:
    """Return the cosine of every row with the mean of all, at least 0."""
    if not len(vectors):
        return np.zeros(0)
    centroid = vectors.mean(axis=0, dtype=np.float64)
    norm = float(np.linalg.norm(centroid))
    if norm == 0.0:
        return np.zeros(len(vectors))
    cosines: Floats = vectors @ (centroid / norm)
    return cosines.clip(min=0.0)


def total(parameters: SummariseParameters) -> float:
    """Return the most that a sentence can be worth."""
    return (
        parameters.centrality
        + parameters.phrases
        + parameters.length
        + parameters.position
        + parameters.salience
    ) or 1.0
