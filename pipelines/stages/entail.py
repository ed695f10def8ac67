"""Zero-shot labels by natural language inference: does the text entail "This is about LABEL"?

For an ALBERT fine-tuned on premise and hypothesis, with the head of
``transformers.AlbertForSequenceClassification`` (Yin et al. 2019, https://arxiv.org/abs/1909.00161).
A label's score is the probability of entailment against contradiction; neutral is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from pipelines.errors import ModelError
from pipelines.labels import LabelSet
from pipelines.models import ENTAILMENT, ModelSpec, read_config
from pipelines.stages.albert import load_with_head
from pipelines.stages.pairs import PairReader, Window
from pipelines.stages.vectors import Vectors
from pipelines.types import LabelScore, Segment

TEMPLATE = "This text is about {}."
THRESHOLD = 0.5


class Entailment:
    """An NLI-type ALBERT, ready to judge. Raises ``ModelError`` for another head."""

    def __init__(self, spec: ModelSpec, *, threads: int = 1) -> None:
        names = read_config(spec.folder).get("id2label")
        labels = (
            {str(name).lower(): int(number) for number, name in names.items()}
            if isinstance(names, dict)
            else {}
        )
        found = {
            key: number
            for key in ("entail", "contradict")
            for name, number in labels.items()
            if name.startswith(key)
        }
        if spec.task != ENTAILMENT or len(found) != 2:
            raise ModelError(
                f"model {spec.id} is for {spec.task}, its config.json names the labels "
                f"{', '.join(labels) or 'of no head'}; expected entailment and contradiction. Fetch "
                "one with: florilegium models fetch albert-base-v2-mnli"
            )
        self.spec = spec
        self._entails, self._contradicts = found["entail"], found["contradict"]
        albert, (self._pooler, self._head) = load_with_head(spec, "pooler", "classifier")
        if tuple(self._head.weight.shape) != (len(labels), albert.hidden_size):
            raise ModelError(
                f"the head of model {spec.id} has shape {list(self._head.weight.shape)}, expected "
                f"{[len(labels), albert.hidden_size]}; install or copy the model again"
            )
        self._pairs = PairReader(spec, albert, threads=threads)

    def logits(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Return the head's logits of (premise, hypothesis), [pairs, labels of the head].

        A pair that is longer than the model reads is judged by its first window.
        """
        values = np.zeros((len(pairs), len(self._head.bias)), dtype=np.float32)
        first: dict[int, Window] = {}
        for window in self._pairs.windows(pairs):
            first.setdefault(window.pair, window)
        for window, row in self._pairs.map(list(first.values()), self._judge):
            values[window.pair] = row
        return values

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Vectors:
        """Return how probable entailment is against contradiction, [pairs]."""
        logits = self.logits(pairs)
        difference = logits[:, self._contradicts] - logits[:, self._entails]
        return np.asarray(1.0 / (1.0 + np.exp(np.clip(difference, -80, 80))), dtype=np.float32)

    def _judge(self, _: Window, hidden: Tensor) -> Vectors:
        with torch.inference_mode():
            logits = self._head(torch.tanh(self._pooler(hidden[:1])))
        row: Vectors = logits[0].numpy()
        return row


class Read(Protocol):
    """A text and its sentences."""

    @property
    def text(self) -> str: ...

    @property
    def segments(self) -> Sequence[Segment]: ...


class EntailmentLabels:
    """A label set judged by an NLI model, in the shape of the other labellers."""

    def __init__(self, label_set: LabelSet, entailment: Entailment) -> None:
        self._set, self._entailment = label_set, entailment

    def label(self, items: Sequence[Read]) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first; none without a sentence."""
        return label_by_entailment(
            self._entailment,
            self._set,
            [item.text for item in items],
            [item.segments for item in items],
        )


def label_by_entailment(
    entailment: Entailment,
    label_set: LabelSet,
    texts: Sequence[str],
    segments: Sequence[Sequence[Segment]],
    *,
    template: str = TEMPLATE,
) -> list[tuple[LabelScore, ...]]:
    """Return every label of every text, best first, ties in set order; none without a sentence.

    ``segments`` are the sentences of each text. A sentence is the premise, a label's description,
    or ``template`` with its name, the hypothesis; a label has the score of its best sentence, which
    is its evidence. Every sentence is read once a label: the cost is their product.
    """
    hypotheses = [label.description or template.format(label.label) for label in label_set.labels]
    rows = [(place, segment) for place, of_text in enumerate(segments) for segment in of_text]
    pairs = [
        (texts[place][segment.start : segment.end], hypothesis)
        for place, segment in rows
        for hypothesis in hypotheses
    ]
    values = entailment.probabilities(pairs).reshape(len(rows), len(hypotheses))
    by_text: list[list[int]] = [[] for _ in texts]
    for row, (place, _) in enumerate(rows):
        by_text[place].append(row)
    answers: list[tuple[LabelScore, ...]] = []
    for text, its in zip(texts, by_text, strict=True):
        scores: list[LabelScore] = []
        for column, label in enumerate(label_set.labels if its else ()):
            best = max(its, key=lambda row: (float(values[row, column]), -row))
            segment, score = rows[best][1], round(float(values[best, column]), 4)
            scores.append(
                LabelScore(
                    set=label_set.id,
                    label=label.label,
                    score=score,
                    assigned=score >= THRESHOLD,
                    start=segment.start,
                    end=segment.end,
                    text=text[segment.start : segment.end],
                )
            )
        answers.append(tuple(sorted(scores, key=lambda found: -found.score)))
    return answers
