"""Zero-shot labels: a document against the descriptions of a label set, with the earning sentence.

How a score is made, for a label of a set of k labels:

1. The label's vector is that of "label: description", minus (1 - 1/k) times the mean vector of the
   set, L2-normalised. What all labels share (the subject of the consultation) then earns nothing.
2. Strength = (1 - whole) * the cosine of the best sentence + whole * the cosine of the document's
   mean vector.
3. Score = 1 / (1 + exp(-(strength - midpoint) / scale)): 0.5 at ``midpoint``. Midpoint and scale
   were set on public data (key points of arguments: at 0.28 six of ten matches are right).

A score is a ranking with a sensible middle, not a calibrated probability.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.labels import LabelSet
from pipelines.recipes import ClassifyParameters
from pipelines.stages.vectors import SentenceEncoder, Vectors
from pipelines.types import LabelScore, Segment


class ZeroShot:
    """A label set ready to score; its vectors are computed once."""

    def __init__(
        self, label_set: LabelSet, encoder: SentenceEncoder, parameters: ClassifyParameters
    ) -> None:
        self.label_set = label_set
        self.parameters = parameters
        vectors = encoder.encode([label.prompt for label in label_set.labels])
        share = 1.0 - 1.0 / len(vectors)
        self._vectors = _normalised(vectors - share * vectors.mean(axis=0, keepdims=True))

    def score(
        self, text: str, segments: Sequence[Segment], vectors: Vectors
    ) -> tuple[LabelScore, ...]:
        """Return every label with its score and best sentence, best first, ties in set order.

        ``vectors`` are the segments' rows, [len(segments), dimensions]. ``assigned`` are the best
        ``most`` labels that reach the threshold.
        """
        if not segments:
            return ()
        cosines = vectors @ self._vectors.T
        best = cosines.argmax(axis=0)
        document = _normalised(vectors.mean(axis=0, keepdims=True))
        whole = self.parameters.whole
        strengths = (1.0 - whole) * cosines.max(axis=0) + whole * (document @ self._vectors.T)[0]
        scores = [self._logistic(float(strength)) for strength in strengths]
        order = sorted(range(len(scores)), key=lambda label: -scores[label])
        return tuple(
            self._label(text, label, scores[label], rank, segments[int(best[label])])
            for rank, label in enumerate(order)
        )

    def _logistic(self, strength: float) -> float:
        exponent = (self.parameters.midpoint - strength) / self.parameters.scale
        return round(1.0 / (1.0 + float(np.exp(min(exponent, 700.0)))), 4)

    def _label(
        self, text: str, label: int, score: float, rank: int, segment: Segment
    ) -> LabelScore:
        return LabelScore(
            set=self.label_set.id,
            label=self.label_set.labels[label].label,
            score=score,
            assigned=score >= self.parameters.threshold and rank < self.parameters.most,
            start=segment.start,
            end=segment.end,
            text=text[segment.start : segment.end],
        )


def _normalised(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 1e-9)
    return scaled
