"""What can go wrong while reading.

::

    PipelineError
    └── ReaderError       exit 1
        ├── PathMissing     exit 2   a path the user named is not there
        ├── MappingError    exit 78  a mapping file that cannot be used
        ├── UnreadableFile  exit 3   one file broke while its documents were being read
        └── SkippedFile     inside the readers only: nothing in the file to read
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.errors import PipelineError
from pipelines.types import TableReport


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


class MappingError(ReaderError):
    """Name every problem of a mapping file, all at once."""

    exit_code = 78

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        """Keep ``where`` (the file's name, or "the mapping") and the ``problems``, a sentence each."""
        self.problems = tuple(problems)
        listed = "\n".join(f"  - {problem}" for problem in problems)
        super().__init__(
            f"{where} cannot be used:\n{listed}\n"
            "Edit it and run again, or write a fresh one with --write-mapping."
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
    """Leave one file or table out: it is sound, but there is nothing in it to read."""

    def __init__(self, reason: str, tables: Sequence[TableReport] = ()) -> None:
        """Keep ``reason`` and the tables that were looked at for the report."""
        self.reason = reason
        self.tables = tuple(tables)
        super().__init__(reason)
