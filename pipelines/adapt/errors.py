"""The exception of adapting."""

from __future__ import annotations

from pipelines.errors import ModelError


class AdaptError(ModelError):
    """A collection is too small to adapt to, or a checkpoint is of another training."""
