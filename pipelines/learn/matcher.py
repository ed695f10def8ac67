"""Match responses to the labels of a codebook that has no examples: the shipped matcher.

A logistic model over ``likeness`` says how probable it is that a label fits; it was trained on
arguments and key points of other subjects (``pipelines/training/train_matcher.py``), and its
coefficients are ``matcher.json``. Where labels have sides, a second one over ``sides`` says which
side a text is on, and labels of the other side lose what they would gain by likeness alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from pipelines.errors import LabelSetError
from pipelines.labels import LabelSet
from pipelines.learn.agreement import agreed
from pipelines.learn.labeller import Item
from pipelines.learn.likeness import NAMES, Likeness
from pipelines.learn.polarity import Polarity
from pipelines.learn.sides import NAMES as SIDE_NAMES
from pipelines.learn.sides import Sides
from pipelines.learn.types import Floats
from pipelines.stages.vectors import SentenceEncoder
from pipelines.types import LabelScore

SHIPPED = Path(__file__).with_name("matcher.json")
POLARITY = Path(__file__).with_name("polarity.safetensors")
MOST = 5
"""Labels that one text is assigned at most."""


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Weights over standardised features, ``threshold`` for assigning, tables of words, polarity."""

    weights: NDArray[np.float32]
    means: NDArray[np.float32]
    scales: NDArray[np.float32]
    intercept: float
    threshold: float
    side_weights: NDArray[np.float32]
    side_scales: NDArray[np.float32]
    side_pull: float
    idf: Mapping[str, float]
    unknown: float
    polarity: Polarity


class Matcher:
    """A label set ready to be matched; its vectors are computed once."""

    def __init__(
        self,
        label_set: LabelSet,
        encoder: SentenceEncoder,
        coefficients: Coefficients | None = None,
    ) -> None:
        self.label_set = label_set
        self._encoder = encoder
        self._by = coefficients if coefficients is not None else shipped()
        prompts = [label.prompt for label in label_set.labels]
        self._likeness = Likeness(prompts, encoder, self._by.idf, self._by.unknown)
        self._sides = Sides(
            prompts,
            [label.stance for label in label_set.labels],
            self._likeness,
            encoder,
            self._by.polarity,
        )

    def label(
        self, items: Sequence[Item], *, collective: bool = False
    ) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first, ties in set order; none without a sentence.

        Evidence is the sentence nearest to the label. A result does not depend on other items, unless
        they are judged as a ``collective``: answers to one question, those alike drawn together.
        """
        there = [place for place, item in enumerate(items) if item.segments]
        answers: list[tuple[LabelScore, ...]] = [()] * len(items)
        if not there:
            return answers
        texts = [items[place].text for place in there]
        sentences = [
            [items[place].text[s.start : s.end] for s in items[place].segments] for place in there
        ]
        flat = self._encoder.encode([*texts, *(one for of_text in sentences for one in of_text)])
        vectors = flat[: len(texts)]
        ends = len(texts) + np.cumsum([0, *(len(of_text) for of_text in sentences)])
        parts = [flat[a:b] for a, b in pairwise(ends)]
        questions = [items[place].question for place in there]
        odds = self.log_odds(texts, questions, vectors, parts)
        if collective:
            odds = agreed(odds, vectors, texts, questions)
        values = np.round(1.0 / (1.0 + np.exp(-np.clip(odds, -30, 30))), 4)
        for row, place in enumerate(there):
            best = (parts[row] @ self._likeness.vectors.T).argmax(axis=0)
            answers[place] = self._answer(items[place], values[row], best)
        return answers

    def log_odds(
        self,
        texts: Sequence[str],
        questions: Sequence[str],
        vectors: Floats,
        parts: Sequence[Floats],
    ) -> NDArray[np.float32]:
        """Return how probable each label is, as log-odds, [texts, labels].

        A question that names a proposal helps to tell sides; "" where there is none.
        """
        by = self._by
        features = self._likeness.features(texts, vectors, parts)
        odds = ((features - by.means) / by.scales) @ by.weights + np.float32(by.intercept)
        if self._sides.both:
            known = np.asarray(odds, dtype=np.float32)
            features = self._sides.features(texts, questions, vectors, known)
            side = features / by.side_scales @ by.side_weights
            odds = odds + np.float32(by.side_pull) * side[:, None] * self._sides.side
        return np.asarray(odds, dtype=np.float32)

    def _answer(self, item: Item, values: Any, best: Any) -> tuple[LabelScore, ...]:
        order = sorted(range(len(values)), key=lambda label: (-float(values[label]), label))
        found = []
        for rank, label in enumerate(order):
            segment = item.segments[int(best[label])]
            score = round(float(values[label]), 4)
            found.append(
                LabelScore(
                    set=self.label_set.id,
                    label=self.label_set.labels[label].label,
                    score=score,
                    assigned=score >= self._by.threshold and rank < MOST,
                    start=segment.start,
                    end=segment.end,
                    text=item.text[segment.start : segment.end],
                )
            )
        return tuple(found)


@cache
def shipped() -> Coefficients:
    """Return the coefficients that come with the program."""
    polarity = Polarity.of(load_file(POLARITY))
    return read_coefficients(json.loads(SHIPPED.read_text("utf-8")), polarity)


def read_coefficients(values: Mapping[str, Any], polarity: Polarity) -> Coefficients:
    """Return coefficients from their JSON form. Raises LabelSetError where features do not fit."""
    if tuple(values["features"]) != NAMES or tuple(values["side_features"]) != SIDE_NAMES:
        raise LabelSetError(
            "the matcher's coefficients are for other features than this version computes; "
            "train them again: python -m pipelines.training.train_matcher"
        )
    return Coefficients(
        weights=_array(values["weights"]),
        means=_array(values["means"]),
        scales=_array(values["scales"]),
        intercept=values["intercept"],
        threshold=values["threshold"],
        side_weights=_array(values["side_weights"]),
        side_scales=_array(values["side_scales"]),
        side_pull=values["side_pull"],
        idf=values["idf"],
        unknown=values["unknown"],
        polarity=polarity,
    )


def _array(values: Sequence[float]) -> NDArray[np.float32]:
    return np.asarray(values, dtype=np.float32)
