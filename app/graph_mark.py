"""The mark that says the graph is behind SQL: a small file beside it.

Kept apart from the projection, so that a run with nothing to do imports nothing of the graph.
"""

from __future__ import annotations

import uuid
from pathlib import Path

from app.errors import ConfigError
from app.settings import Settings


def mark_stale(settings: Settings) -> str:
    """Note that SQL is about to go ahead of the graph; return the mark.

    The mark is a file beside the graph. It stays until a build that began after it is done, so a
    run that was killed, or that found another one building, is made up for by the next.
    """
    mark = uuid.uuid4().hex
    try:
        settings.graph_dir.mkdir(parents=True, exist_ok=True)
        _marker(settings).write_text(mark, "ascii")
    except OSError as error:
        raise ConfigError(
            f"The workspace {settings.home} cannot be written to: {error.strerror}. "
            "Name a folder that you may write to with --home DIR."
        ) from error
    return mark


def is_stale(settings: Settings) -> bool:
    """Tell whether the graph is behind SQL."""
    return bool(current_mark(settings))


def unmark(settings: Settings, mark: str) -> None:
    """Take away ``mark``, unless another has been set since."""
    if current_mark(settings) == mark:
        _marker(settings).unlink(missing_ok=True)


def _marker(settings: Settings) -> Path:
    return settings.graph_dir / "STALE"


def current_mark(settings: Settings) -> str:
    """Return the mark that stands now, or the empty string."""
    try:
        return _marker(settings).read_text("ascii")
    except OSError:
        return ""
