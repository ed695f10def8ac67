"""Which side of a question a text is on, where labels say theirs (``stance`` for or against)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipelines.learn.likeness import Likeness
from pipelines.learn.polarity import Polarity, turns, without_direction
from pipelines.learn.proposals import subject_stems
from pipelines.learn.types import Floats
from pipelines.stages.vectors import SentenceEncoder

NAMES = (
    "best for less best against",
    "mean for less mean against",
    "all for less all against",
    "towards the labels for",
    "speaks for any proposal",
    "speaks well of the subject, turned by the question or the labels",
    "speaks well of the subject, weighed as the labels do",
    "speaks for the proposal, seen from the middle of the labels",
)
_SHARED = 0.4  # of the labels that name a word, for it to be the subject where no question is


class Sides:
    """The sides of a label set: ``+1`` for, ``-1`` against, ``0`` neither, [labels]."""

    def __init__(
        self,
        prompts: Sequence[str],
        stances: Sequence[str],
        likeness: Likeness,
        encoder: SentenceEncoder,
        polarity: Polarity,
    ) -> None:
        self.side = np.array(
            [{"for": 1.0, "against": -1.0}.get(stance, 0.0) for stance in stances], dtype=np.float32
        )
        self._encoder, self._polarity, self._topic = encoder, polarity, likeness.topic
        self._prompts, self._vectors = list(prompts), likeness.vectors
        self._pro, self._contra = self.side > 0, self.side < 0
        self.both = bool(self._pro.any() and self._contra.any())
        if self.both:
            self._subject = _shared_stems(prompts)
            spoken = self._spoken(prompts, [""] * len(prompts), likeness.vectors)[:, 1]
            self._turn = float(spoken[self._pro].mean() - spoken[self._contra].mean())
            for_, against = (likeness.vectors[of_side] for of_side in (self._pro, self._contra))
            self._towards = for_.mean(axis=0) - against.mean(axis=0)

    def features(
        self, texts: Sequence[str], questions: Sequence[str], vectors: Floats, odds: Floats
    ) -> NDArray[np.float32]:
        """Return [texts, len(NAMES)]; ``odds`` are the matcher's log-odds, [texts, labels]."""
        pro, contra = odds[:, self._pro], odds[:, self._contra]
        spoken = self._spoken(texts, questions, vectors)
        turn = self._turns(questions)
        middle = {question: self._middle(question) for question in dict.fromkeys(questions)}
        leans = spoken[:, 0] + spoken[:, 1] * turn
        return np.stack(
            [
                pro.max(axis=1) - contra.max(axis=1),
                pro.mean(axis=1) - contra.mean(axis=1),
                _together(pro) - _together(contra),
                vectors @ self._towards,
                spoken[:, 0],
                spoken[:, 1] * turn,
                spoken[:, 1] * np.float32(self._turn),
                leans - np.array([middle[question] for question in questions], dtype=np.float32),
            ],
            axis=1,
        ).astype(np.float32)

    def _turns(self, questions: Sequence[str]) -> Floats:
        """Return +1 or -1 a question, from what it proposes, else from what the labels speak well of."""
        asked = turns(questions)
        return np.where(asked != 0, asked, np.float32(np.sign(self._turn))).astype(np.float32)

    def _middle(self, question: str) -> float:
        """Return what lies between the labels for and those against, by how they speak themselves."""
        spoken = self._spoken(self._prompts, [question] * len(self._prompts), self._vectors)
        leans = spoken[:, 0] + spoken[:, 1] * self._turns([question])
        return float(leans[self._pro].mean() + leans[self._contra].mean()) / 2

    def _spoken(self, texts: Sequence[str], questions: Sequence[str], vectors: Floats) -> Floats:
        """Return the polarity of texts, seen from the question or, without one, from the labels."""
        known = list(dict.fromkeys(questions))
        found = self._encoder.encode(known)
        direction = {q: v if q.strip() else self._topic for q, v in zip(known, found, strict=True)}
        subject = {q: subject_stems(q) if q.strip() else self._subject for q in known}
        free = without_direction(vectors, np.stack([direction[q] for q in questions]))
        return self._polarity.values(texts, [subject[q] for q in questions], free)


def _shared_stems(prompts: Sequence[str]) -> frozenset[str]:
    """Return the stems that many labels name."""
    counts = Counter(one for prompt in prompts for one in subject_stems(prompt))
    return frozenset(one for one, n in counts.items() if n > 1 and n >= _SHARED * len(prompts))


def _together(odds: Floats) -> Floats:
    """Return log of the sum of odds, [texts]."""
    highest = odds.max(axis=1)
    return np.asarray(highest + np.log(np.exp(odds - highest[:, None]).sum(axis=1)))
