"""The exceptions of the pipelines; each base knows the exit code of the command it ends.

PipelineError          1
├── ModelError        78   a model folder that is broken, changed or of the wrong kind
│   └── ModelUnavailable  69   a model that is not there
├── RecipeError       78   a recipe file that cannot be used
└── LabelSetError     78   a label set that cannot be used
"""

from __future__ import annotations


class PipelineError(Exception):
    """Base of the package; the message says what, the value, what was expected, what next."""

    exit_code = 1


class ModelError(PipelineError):
    """A model folder is incomplete, changed, unsafe or not an ALBERT."""

    exit_code = 78


class ModelUnavailable(ModelError):
    """A model is not on this machine."""

    exit_code = 69


class RecipeError(PipelineError):
    """A recipe does not exist or breaks its schema."""

    exit_code = 78


class LabelSetError(PipelineError):
    """A label set does not exist or cannot be read."""

    exit_code = 78
