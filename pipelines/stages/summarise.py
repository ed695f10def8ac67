"""Extractive summaries: sentences of the text, verbatim, chosen for what they stand for.

A sentence's worth is a weighted sum of its closeness to the document's mean vector (the centroid of
Radev et al. 2004, https://doi.org/10.1016/j.ipm.2003.10.006, in vector space), of how near its length
is to a concise sentence's, of its position, and of the share of the document's concepts it names.
Sentences are then taken one by one, each paying for its likeness to those already taken (maximal
marginal relevance, Carbonell and Goldstein 1998, https://doi.org/10.1145/290941.291025).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.recipes import SummariseParameters
from pipelines.stages.vectors import Vectors
from pipelines.types import Segment, SummarySentence, Tag

# Log-normal width of the length preference: half or double the ideal length earns half of it.
_LENGTH_WIDTH = 0.6
# Above this cosine two sentences say the same and the second is never taken.
_SAME = 0.97
# Distinct sentences that enter the pairwise comparison, the best by worth; keeps long texts linear.
_POOL = 400

Floats = NDArray[np.float64]


def summarise(
    text: str,
    segments: Sequence[Segment],
    vectors: Vectors,
    parameters: SummariseParameters,
    tags: Sequence[Tag] = (),
) -> tuple[SummarySentence, ...]:
    """Return up to ``parameters.sentences`` sentences of ``text``, best first.

    ``vectors`` are the segments' L2-normalised rows, [len(segments), dimensions]. Scores are 0 to 1;
    ties go to the earlier sentence. Fewer sentences come back where the rest only repeats.
    """
    if not segments:
        return ()
    worth = _worth(text, segments, vectors, parameters, tags)
    pool = _pool(text, segments, worth)
    similar = np.full(len(pool), -1.0)
    left = np.ones(len(pool), dtype=bool)
    total = parameters.centrality + parameters.length + parameters.position + parameters.salience
    chosen: list[SummarySentence] = []
    while len(chosen) < parameters.sentences and left.any():
        value = worth[pool] - parameters.redundancy * np.maximum(similar, 0.0)
        best = int(np.argmax(np.where(left, value, -np.inf)))
        segment = segments[pool[best]]
        chosen.append(
            SummarySentence(
                start=segment.start,
                end=segment.end,
                text=text[segment.start : segment.end],
                rank=len(chosen) + 1,
                score=round(float(np.clip(worth[pool[best]] / (total or 1.0), 0.0, 1.0)), 4),
            )
        )
        similar = np.maximum(similar, vectors[pool] @ vectors[pool[best]])
        left &= similar < _SAME
        left[best] = False
    return tuple(chosen)


def _pool(text: str, segments: Sequence[Segment], worth: Floats) -> NDArray[np.intp]:
    """Return the places of the best sentences, in order of the text; of equal words the first."""
    first: dict[str, int] = {}
    for place, segment in enumerate(segments):
        first.setdefault(text[segment.start : segment.end].casefold(), place)
    places = np.array(list(first.values()), dtype=np.intp)
    best: NDArray[np.intp] = np.sort(places[np.argsort(-worth[places], kind="stable")[:_POOL]])
    return best


def _worth(
    text: str,
    segments: Sequence[Segment],
    vectors: Vectors,
    parameters: SummariseParameters,
    tags: Sequence[Tag],
) -> Floats:
    """Return the weighted sum of the four features of every sentence, rounded so that ties tie."""
    words = np.array(
        [max(1, len(text[segment.start : segment.end].split())) for segment in segments]
    )
    distance = np.log(words / parameters.ideal_words) / _LENGTH_WIDTH
    order = np.arange(len(segments))
    worth: Floats = (
        parameters.centrality * _centrality(vectors)
        + parameters.length * np.exp(-0.5 * distance**2)
        + parameters.position / np.sqrt(1.0 + order)
        + parameters.salience * _salience(segments, tags)
    )
    return worth.round(6)


def _centrality(vectors: Vectors) -> Floats:
    centroid = vectors.mean(axis=0, dtype=np.float64)
    norm = float(np.linalg.norm(centroid))
    if norm == 0.0:
        return np.zeros(len(vectors))
    cosines: Floats = vectors @ (centroid / norm)
    return cosines.clip(min=0.0)


def _salience(segments: Sequence[Segment], tags: Sequence[Tag]) -> Floats:
    """Return the share of the document's distinct displayed concepts found in each sentence."""
    shown = [tag for tag in tags if tag.displayed]
    concepts = {tag.iri for tag in shown}
    share = np.zeros(len(segments))
    if not concepts:
        return share
    starts = np.array([segment.start for segment in segments])
    found: dict[int, set[str]] = {}
    for tag in shown:
        place = int(np.searchsorted(starts, tag.start, side="right")) - 1
        if place >= 0 and tag.end <= segments[place].end:
            found.setdefault(place, set()).add(tag.iri)
    for place, iris in found.items():
        share[place] = len(iris) / len(concepts)
    return share
