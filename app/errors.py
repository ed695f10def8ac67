"""Errors of the front doors.

    AppError (1)
    ├── UsageError (2)        a flag or name that does not fit
    ├── ConfigError (78)      settings file, recipe or workspace invalid
    └── LockedError (75)      another run holds the collection

Every package's base error carries ``exit_code``; the command line prints the message and leaves
with it.
"""

from __future__ import annotations


class AppError(Exception):
    """An error to show as a sentence; the base knows its exit code."""

    exit_code = 1


class UsageError(AppError):
    """A flag, name or value that does not fit."""

    exit_code = 2


class ConfigError(AppError):
    """A setting, recipe or workspace that is not valid."""

    exit_code = 78


class LockedError(AppError):
    """Another process holds what this one needs; try later."""

    exit_code = 75
