"""Codebook first: statements put in a person's themes; what they miss is left for discovery.

A theme's log-odds come from the shipped matcher of responses and labels (label and description).
Examples and corrections then bend them where statements are like them: a Gaussian-process
regression (Rasmussen and Williams 2006, chapter 2) on what the matcher got wrong there, in closed
form, so that a few corrections change their surroundings and nothing else. The same words as a
correction always get what the person said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.labels import LabelDefinition, LabelSet
from pipelines.learn.matcher import Matcher
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.themes.types import (
    NO_REASON,
    OTHER,
    Assignment,
    CodebookEntry,
    Floats,
    Method,
    Statement,
)

THRESHOLD = 0.5
"""Probability from which a statement is in a theme: what is less likely is left for discovery."""
MOST = 2
"""Themes of one statement at most."""

_SURE = 3.0  # log-odds of a correction: 0.95
_LIKELY = 2.0  # log-odds of an example: 0.88
_NOISE = 0.2  # ridge: how much a single correction may be wrong
_POWER = 4  # of the cosine: how near a statement must be to be bent
_BLOCK = 4_000


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person said of a statement: it is (``accepted``) in the theme with ``key``, or not."""

    text: str
    key: str
    accepted: bool


class Mapper:
    """A codebook ready to map; its vectors are computed once.

    ``threshold`` is the probability from which a statement is in a theme.
    """

    def __init__(
        self,
        entries: Sequence[CodebookEntry],
        encoder: SentenceEncoder,
        corrections: Sequence[Correction] = (),
        *,
        threshold: float = THRESHOLD,
    ) -> None:
        if not entries:
            raise ValueError("a codebook without a theme: expected at least one entry")
        self.entries = tuple(entries)
        self.threshold = threshold
        self._encoder = encoder
        labels = tuple(LabelDefinition(one.label, one.description) for one in entries)
        self._matcher = Matcher(LabelSet("codebook", labels, ""), encoder)
        self._column = {one.key: column for column, one in enumerate(entries)}
        known = [one for one in corrections if one.key in self._column]
        self._said = {(_plain(one.text), self._column[one.key]): one.accepted for one in known}
        self._bends = self._learn(known)

    def probabilities(
        self, texts: Sequence[str], questions: Sequence[str], vectors: Vectors
    ) -> Floats:
        """Return how probable each theme is, [texts, themes]; not affected by other texts."""
        found = np.zeros((len(texts), len(self.entries)), dtype=np.float32)
        for start in range(0, len(texts), _BLOCK):
            rows = slice(start, start + _BLOCK)
            found[rows] = self._odds(texts[rows], questions[rows], vectors[rows])
            for column, (points, weights) in self._bends.items():
                found[rows, column] += _kernel(vectors[rows], points) @ weights
        values = 1.0 / (1.0 + np.exp(-np.clip(found, -30, 30)))
        if self._said:
            for row, text in enumerate(texts):
                plain = _plain(text)
                for column in range(len(self.entries)):
                    accepted = self._said.get((plain, column))
                    if accepted is not None:
                        values[row, column] = float(accepted)
        return np.round(values, 4).astype(np.float32)

    def map(self, statements: Sequence[Statement], vectors: Vectors) -> list[Assignment]:
        """Return one to ``MOST`` assignments a statement, in their order.

        What reaches no theme is ``OTHER`` (its score is the lack of the nearest theme), what gives
        no reason is ``NO_REASON``.
        """
        said = [row for row, one in enumerate(statements) if not one.silent]
        table = self.probabilities(
            [statements[row].text for row in said],
            [statements[row].question for row in said],
            vectors[said],
        )
        values = dict(zip(said, table, strict=True))
        found: list[Assignment] = []
        for row, one in enumerate(statements):
            if one.silent:
                found.append(_assigned(one, NO_REASON, 1.0, ""))
                continue
            ranked = np.argsort(-values[row], kind="stable")
            best = [int(c) for c in ranked[:MOST] if values[row][c] >= self.threshold]
            keys = [self.entries[int(column)].key for column in ranked]
            if not best:
                lack = 1.0 - float(values[row][ranked[0]])
                found.append(_assigned(one, OTHER, lack, keys[0]))
            for place, column in enumerate(best):
                after = keys[place + 1] if place + 1 < len(keys) else ""
                found.append(_assigned(one, keys[place], float(values[row][column]), after))
        return found

    def _odds(self, texts: Sequence[str], questions: Sequence[str], vectors: Vectors) -> Floats:
        parts = [vectors[row : row + 1] for row in range(len(texts))]
        return self._matcher.log_odds(texts, questions, vectors, parts)

    def _learn(self, corrections: Sequence[Correction]) -> dict[int, tuple[Floats, Floats]]:
        """Return points and weights by theme: what examples and corrections add to the log-odds."""
        wanted: dict[int, dict[str, float]] = {}
        for column, entry in enumerate(self.entries):
            for example in entry.examples:
                wanted.setdefault(column, {})[example] = _LIKELY
        for one in corrections:
            target = _SURE if one.accepted else -_SURE
            wanted.setdefault(self._column[one.key], {})[one.text] = target
        texts = sorted({text for of_theme in wanted.values() for text in of_theme})
        if not texts:
            return {}
        vectors = self._encoder.encode(texts)
        odds = self._odds(texts, [""] * len(texts), vectors)
        row = {text: place for place, text in enumerate(texts)}
        learnt = {}
        for column, targets in sorted(wanted.items()):
            rows = [row[text] for text in sorted(targets)]
            points = vectors[rows]
            goal = np.array([targets[text] for text in sorted(targets)], dtype=np.float64)
            lack = goal - odds[rows, column]
            # an example that fits better than it has to, is no reason to doubt its like
            lack = np.where((goal > 0) == (lack > 0), lack, 0.0)
            matrix = _kernel(points, points) + _NOISE * np.eye(len(rows))
            learnt[column] = points, np.linalg.solve(matrix, lack).astype(np.float32)
        return learnt


def missed(assignments: Sequence[Assignment], statements: Sequence[Statement]) -> list[int]:
    """Return the rows of ``statements`` that the codebook misses: what discovery is for."""
    other = {(one.document, one.start) for one in assignments if one.theme == OTHER}
    return [row for row, one in enumerate(statements) if (one.document, one.start) in other]


def _kernel(rows: Floats, points: Floats) -> Floats:
    return np.asarray(np.clip(rows @ points.T, 0.0, 1.0) ** _POWER, dtype=np.float32)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _assigned(one: Statement, theme: str, score: float, nearest: str) -> Assignment:
    return Assignment(
        one.document,
        one.start,
        one.end,
        one.text,
        theme,
        round(score, 4),
        Method.MAPPED,
        nearest=nearest,
    )
