"""Call one format reader on one file, without the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pipelines.readers.types import ReadOptions, SourceFile, Tally
from pipelines.types import Document

Reader = Callable[[SourceFile, ReadOptions, Tally], Iterator[Document]]


def source(path: Path, root: Path | None = None) -> SourceFile:
    """Return ``path`` as the walk of a folder finds it."""
    below = path.relative_to(root or path.parent).as_posix()
    return SourceFile(path, root or path.parent, below, below, path.stat().st_size, 0)


def read_with(
    reader: Reader, path: Path, options: ReadOptions | None = None, *, root: Path | None = None
) -> tuple[list[Document], Tally]:
    """Return the documents of ``path`` and what the reader noted."""
    tally = Tally("test")
    return list(reader(source(path, root), options or ReadOptions(), tally)), tally
