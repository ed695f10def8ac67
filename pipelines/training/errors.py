"""Exceptions of the training scripts.

TrainingError
├── WrongTeacher      the teacher's weights are not the ones the recipe was measured with
├── MissingSource     a part of the corpus cannot be found or fetched
└── BadCheckpoint     a checkpoint does not belong to this run
"""

from __future__ import annotations


class TrainingError(Exception):
    """Base class; the message says what was wrong, what was expected and what to do next."""

    exit_code = 1


class WrongTeacher(TrainingError):
    """The teacher's ``model.safetensors`` is missing or has another sha256."""

    exit_code = 3


class MissingSource(TrainingError):
    """A corpus source is not where it was looked for."""

    exit_code = 4


class BadCheckpoint(TrainingError):
    """A checkpoint was written by a run with other settings or another corpus."""

    exit_code = 5
