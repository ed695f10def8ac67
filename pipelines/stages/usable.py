"""Whether a model folder can be used, which its files alone do not tell."""

from __future__ import annotations

from pipelines.models import ModelSpec
from pipelines.stages.bert import BertEncoder
from pipelines.stages.encode import Encoder


def require_usable(spec: ModelSpec) -> None:
    """Load a model once and let it go.

    Raises ``ModelError`` where weights, config and tokenizer do not fit together.
    """
    if spec.kind == "bert":
        BertEncoder(spec)
    else:
        Encoder(spec)
