"""What can go wrong while reading.

::

    PipelineError
    └── ReaderError       exit 1
        ├── PathMissing     exit 2   a path the user named is not there
        ├── UnreadableFile  exit 3   one file broke while its documents were being read
        └── SkippedFile     inside the readers only: nothing in the file to read
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.errors import PipelineError
from pipelines.types import Column


class ReaderError(PipelineError):
    """Base of every error of the readers; ``exit_code`` is the command line's."""

    exit_code = 1


class PathMissing(ReaderError):
    """Name every path that does not exist, all at once."""

    exit_code = 2

    def __init__(self, paths: Sequence[str]) -> None:
        """Keep ``paths`` as the user wrote them."""
        self.paths = tuple(paths)
        names = ", ".join(repr(path) for path in paths)
        super().__init__(
            f"No such file or folder: {names}. Expected paths that exist; "
            "check the spelling, or quote a name that has spaces."
        )


class UnreadableFile(ReaderError):
    """Stop reading one file: its bytes are not what its kind promises.

    ``read`` turns it into a failed report when it happens at opening. While documents are being
    iterated it is raised, so that a transaction around them rolls back; the reading's report
    then says failed, with the same reason.
    """

    exit_code = 3

    def __init__(self, reason: str) -> None:
        """Keep ``reason`` for the report."""
        self.reason = reason
        super().__init__(reason)


class SkippedFile(ReaderError):
    """Leave one file or sheet out: it is sound, but there is nothing in it to read."""

    def __init__(self, reason: str, columns: Sequence[Column] = ()) -> None:
        """Keep ``reason`` and the columns that were looked at for the report."""
        self.reason = reason
        self.columns = tuple(columns)
        super().__init__(reason)
