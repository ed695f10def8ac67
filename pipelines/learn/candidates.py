"""The candidates that are compared on the user's own labels, plainest first."""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.learn.features import Weights
from pipelines.learn.scorer import Candidate, WithKernel, WithPrototypes, WithSvm

FLOOR = "tf-idf SVM"
PROTOTYPES = "prototypes"

CANDIDATES: Mapping[str, Candidate] = {
    FLOOR: WithSvm(),
    PROTOTYPES: WithPrototypes(),
    "words": WithKernel(Weights(meaning=0.0), degree=2, ridge=0.25),
    "words and vectors": WithKernel(Weights(), degree=2, ridge=0.25),
    "words and vectors, straight": WithKernel(Weights(), degree=1, ridge=0.5),
}
"""The floor assigns at score 0, and the best label where none reaches it; the others by rule."""


def with_fine_tuned() -> Mapping[str, Candidate]:
    """Return the candidates with a fine-tuned ALBERT, alone and beside the kernel: minutes, not seconds."""
    from pipelines.learn.blend import WithBlend
    from pipelines.learn.tuned import WithTuned

    tuned = WithTuned()
    return {
        **CANDIDATES,
        "fine-tuned ALBERT": tuned,
        "words and vectors, with fine-tuned ALBERT": WithBlend(
            (CANDIDATES["words and vectors"], tuned)
        ),
    }
