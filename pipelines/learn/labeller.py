"""Give texts the labels of a trained set, each with the sentence that earned it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipelines.learn.agreement import agreed
from pipelines.learn.calibrate import standing_curves
from pipelines.learn.crossvalidate import Decision
from pipelines.learn.features import TextTable, text_table
from pipelines.learn.trained import TrainedSet
from pipelines.learn.types import Floats
from pipelines.stages.vectors import SentenceEncoder
from pipelines.types import LabelScore, Segment

_LEAST = 1e-3
"""Probability beyond which one answer does not pull its neighbours harder."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text to label, the question it answers ("" for none), and its sentences."""

    text: str
    segments: Sequence[Segment]
    question: str = ""


class Labeller:
    """A trained set with the encoder it was learnt from, ready to score."""

    def __init__(self, trained: TrainedSet, encoder: SentenceEncoder) -> None:
        self.trained = trained
        self._encoder = encoder
        self._decision = Decision(trained.curves, trained.rule)

    def label(
        self, items: Sequence[Item], *, collective: bool = False
    ) -> list[tuple[LabelScore, ...]]:
        """Return every label of every item, best first, ties in set order; none without a sentence.

        A score is a calibrated probability. Evidence is the sentence that scores highest for the
        label when it stands alone. A result does not depend on the other items, unless they are
        judged as a ``collective``: answers to one question, those alike drawn together.
        """
        there = [place for place, item in enumerate(items) if item.segments]
        answers: list[tuple[LabelScore, ...]] = [()] * len(items)
        if not there:
            return answers
        texts = [items[place].text for place in there]
        questions = [items[place].question for place in there]
        values = self.probabilities(texts, questions, collective=collective)
        assigned = self.trained.rule.assign(values)
        best = self._evidence([items[place] for place in there])
        for row, place in enumerate(there):
            answers[place] = self._answer(items[place], values[row], assigned[row], best[row])
        return answers

    def probabilities(
        self,
        texts: Sequence[str],
        questions: Sequence[str],
        *,
        together: bool = True,
        collective: bool = False,
    ) -> Floats:
        """Return calibrated probabilities, [texts, labels]; distinct texts are scored once.

        Consultations are full of repeats. Without ``together`` the question counts, but is not read
        together with the text, which halves the work.
        """
        pairs = list(zip(texts, questions, strict=True))
        rows = {pair: row for row, pair in enumerate(dict.fromkeys(pairs))}
        table = self._table([text for text, _ in rows], [asked for _, asked in rows], together)
        values = self._decision.probabilities(self.trained.scorer.score(table))
        if nearest := list(self.trained.nearest):
            near = self.trained.prototypes.score(table.vectors)
            values[:, nearest] = standing_curves(near.shape[1]).probabilities(near)[:, nearest]
        if collective:
            values = self._agreed(values, table)
        return values[[rows[pair] for pair in pairs]]

    def _agreed(self, values: Floats, table: TextTable) -> Floats:
        """Return probabilities after agreement; what a scorer holds to be said outright stays."""
        odds = np.log(np.clip(values, _LEAST, None)) - np.log(np.clip(1.0 - values, _LEAST, None))
        outright = getattr(self.trained.scorer, "outright", None)
        fixed = None if outright is None else outright(table)
        drawn = agreed(odds, table.vectors, table.texts, table.questions, fixed)
        return np.asarray(1.0 / (1.0 + np.exp(-drawn)), dtype=np.float32)

    def unsure(self, score: float) -> bool:
        """Tell whether a person should look at a label with this probability."""
        low, high = self.trained.band
        return low <= score < high

    def _table(self, texts: Sequence[str], questions: Sequence[str], together: bool) -> TextTable:
        """Return the texts with the vectors that the scorer reads.

        A scorer that ``reads_question`` is given the questions' own vectors, zeros without one.
        """
        if getattr(self.trained.scorer, "reads_question", False):
            asked = [" ".join(question.split()) for question in questions]
            both = self._encoder.encode([*texts, *asked])
            vectors, of_questions = both[: len(texts)], both[len(texts) :]
            return TextTable(tuple(texts), tuple(asked), vectors, of_questions)
        if not self.trained.questions:
            return text_table(texts, [""] * len(texts), self._encoder)
        table = text_table(texts, questions if together else [""] * len(texts), self._encoder)
        if table.in_question.shape[1]:
            return table
        # Learnt with questions and asked without: the text alone stands in.
        squeezed = tuple(" ".join(question.split()) for question in questions)
        return replace(table, questions=squeezed, in_question=table.vectors)

    def _evidence(self, items: Sequence[Item]) -> list[list[int]]:
        """Return, for every item, the best sentence of every label."""
        labels = len(self.trained.labels)
        best = [[0] * labels for _ in items]
        several = [row for row, item in enumerate(items) if len(item.segments) > 1]
        if not several:
            return best
        sentences = [
            (items[row].text[s.start : s.end], items[row].question)
            for row in several
            for s in items[row].segments
        ]
        values = self.probabilities(
            [text for text, _ in sentences], [asked for _, asked in sentences], together=False
        )
        start = 0
        for row in several:
            end = start + len(items[row].segments)
            best[row] = [int(column) for column in values[start:end].argmax(axis=0)]
            start = end
        return best

    def _answer(
        self,
        item: Item,
        values: Floats,
        assigned: np.ndarray[tuple[int], np.dtype[np.bool_]],
        best: Sequence[int],
    ) -> tuple[LabelScore, ...]:
        scores = np.round(values.astype(np.float64), 4)
        order = np.argsort(-scores, kind="stable").tolist()
        said, given = scores.tolist(), assigned.tolist()
        spans = {
            place: (s.start, s.end, item.text[s.start : s.end])
            for place in set(best)
            for s in (item.segments[place],)
        }
        name, labels = self.trained.id, self.trained.labels
        return tuple(
            LabelScore(name, labels[label], said[label], given[label], *spans[best[label]])
            for label in order
        )
