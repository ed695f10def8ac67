"""Extractive summaries of one text: sentences of it, verbatim, chosen for what they stand for.

What a sentence is worth is in ``pipelines.summaries.worth``, how repeats are avoided in
``pipelines.summaries.choose``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.recipes import SummariseParameters
from pipelines.stages.vectors import Vectors
from pipelines.summaries.choose import choose
from pipelines.summaries.phrases import of_sentences
from pipelines.summaries.worth import Floats, total, worth
from pipelines.types import Segment, SummarySentence, Tag

# Distinct sentences that enter the pairwise comparison, the best by worth; keeps long texts linear.
_POOL = 400


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
    texts = [text[segment.start : segment.end] for segment in segments]
    value = worth(
        texts,
        vectors,
        of_sentences(texts),
        parameters,
        order=np.arange(len(segments), dtype=np.float64),
        salience=_salience(segments, tags),
    )
    pool = _pool(texts, value, max(_POOL, 2 * parameters.sentences))
    places = choose(
        value[pool],
        vectors[pool],
        redundancy=parameters.redundancy,
        sentences=parameters.sentences,
    )
    return tuple(
        SummarySentence(
            start=segments[pool[place]].start,
            end=segments[pool[place]].end,
            text=texts[pool[place]],
            rank=rank,
            score=round(float(np.clip(value[pool[place]] / total(parameters), 0.0, 1.0)), 4),
        )
        for rank, place in enumerate(places, start=1)
    )


def _pool(texts: Sequence[str], value: Floats, size: int) -> NDArray[np.intp]:
    """Return the places of the best sentences, in order of the text; of equal words the first."""
    first: dict[str, int] = {}
    for place, text in enumerate(texts):
        first.setdefault(text.casefold(), place)
    places = np.array(list(first.values()), dtype=np.intp)
    best: NDArray[np.intp] = np.sort(places[np.argsort(-value[places], kind="stable")[:size]])
    return best


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
