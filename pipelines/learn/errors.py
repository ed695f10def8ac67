"""The exceptions of learning; each knows the exit code of the command it ends.

PipelineError              1
├── ExamplesError         78   a file of examples that cannot be used
└── TrainedSetError       78   a trained set that is missing a file, changed or of another version
    └── TrainedSetMissing  2   no trained set of that name
"""

from __future__ import annotations

from pipelines.errors import PipelineError


class ExamplesError(PipelineError):
    """A file of examples cannot be used; the message lists every problem."""

    exit_code = 78


class TrainedSetError(PipelineError):
    """A trained set on disk is incomplete, changed or of a version that is not read."""

    exit_code = 78


class TrainedSetMissing(TrainedSetError):
    """There is no trained set of that name."""

    exit_code = 2
