"""What is known of files from earlier runs: which have not changed, and which have moved."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from db.rows import SourceRow
from db.types import visible
from pipelines.persist import read_key
from pipelines.readers import INSIDE, ReadOptions, SourceFile, beside, file_sha256
from pipelines.recipes import Recipe
from pipelines.types import FileOutcome


class ReadKeys:
    """The read keys of files under one set of options; what lies beside them is hashed once."""

    def __init__(self, options: ReadOptions, recipe: Recipe) -> None:
        """Hold the options and the recipe."""
        self.bare = read_key(options, recipe)
        """The key of what was left out unread."""
        self._options, self._recipe = options, recipe
        self._beside: dict[Path, list[tuple[str, str]]] = {}
        self._same: dict[str, str] = {}

    def of(self, file: SourceFile) -> str:
        """Return the key of a file."""
        others = [] if file.depth else self._companions(file.path)
        if not others and self._options.mapping is None:  # the same for every such file
            if "" not in self._same:
                self._same[""] = read_key(self._options, self._recipe, file)
            return self._same[""]
        return read_key(self._options, self._recipe, file, others)

    def within(self, outer: SourceFile, row: SourceRow) -> str:
        """Return the key of a known file inside ``outer``, which is not unpacked."""
        inner = row.path[len(visible(outer.title)) :]
        return self.of(replace(outer, relative=outer.relative + inner, depth=outer.depth + 1))

    def _companions(self, path: Path) -> list[tuple[str, str]]:
        folder = path.parent
        if folder not in self._beside:
            self._beside[folder] = [
                (os.path.relpath(other, folder), sha256_of(other)) for other in beside(folder)
            ]
        return [pair for pair in self._beside[folder] if pair[0] != path.name]


class KnownFiles:
    """The rows of a collection's files, by path, by what they are inside of, and by size."""

    def __init__(self, rows: Iterable[SourceRow]) -> None:
        """Index ``rows``."""
        self._rows = {row.path: row for row in rows}
        self._inside: defaultdict[str, list[str]] = defaultdict(list)
        for path in self._rows:
            for outer in self._around(path):
                self._inside[outer].append(path)
        self._sizes: defaultdict[int, list[str]] | None = None

    def get(self, path: str) -> SourceRow | None:
        """Return the row of the file at ``path``."""
        return self._rows.get(visible(path))

    def inside(self, path: str) -> list[SourceRow]:
        """Return the rows of the files inside the one at ``path``, however deep."""
        return [self._rows[inner] for inner in self._inside.get(visible(path), ())]

    def outer(self) -> Iterator[SourceRow]:
        """Yield the rows of the files that are not inside others."""
        return (row for path, row in self._rows.items() if not any(self._around(path)))

    def unchanged(
        self, file: SourceFile, row: SourceRow, keys: ReadKeys, *, retry_failed: bool = False
    ) -> bool:
        """Tell whether ``file`` and all inside it are as they were, and would be read the same."""
        if not row.mtime_ns or row.options != keys.of(file):
            return False
        within = [inner for inner in self.inside(row.path) if not is_gone(inner)]
        if retry_failed and any(one.outcome == FileOutcome.FAILED for one in (row, *within)):
            return False
        if row.outcome == FileOutcome.FAILED and not row.sha256:
            return False  # it could not be opened: that may be otherwise by now
        if any(one.options not in (keys.bare, keys.within(file, one)) for one in within):
            return False
        return _same_bytes(file, row)

    def moved(self, file: SourceFile) -> SourceRow | None:
        """Return the row of the file with the bytes of ``file`` that is not where it was.

        Of several, the one with the same name, then the first by path.
        """
        if file.depth or not (gone := list(filter(_left, self._of_size(file.size)))):
            return None
        sha256 = sha256_of(file.path)
        name = file.path.name
        same = [row for row in gone if row.sha256 == sha256]
        return min(same, key=lambda r: (PurePosixPath(r.path).name != name, r.path), default=None)

    def move(self, row: SourceRow, path: str) -> SourceRow:
        """Bring the row, and those of the files inside it, to ``path``; return it."""
        old, new = row.path, visible(path)
        for one in [row, *self.inside(old)]:
            place = new + one.path[len(old) :]
            self._rows[place] = replace(self._rows.pop(one.path), path=place)
            if one.path in self._inside:
                self._inside[place] = [
                    new + inner[len(old) :] for inner in self._inside.pop(one.path)
                ]
        if self._sizes is not None:
            self._sizes[row.size].remove(old)
        return self._rows[new]

    def _of_size(self, size: int) -> Iterator[SourceRow]:
        if self._sizes is None:
            self._sizes = defaultdict(list)
            for row in self.outer():
                if row.sha256 and row.mtime_ns:
                    self._sizes[row.size].append(row.path)
        return (self._rows[path] for path in self._sizes.get(size, ()))

    def _around(self, path: str) -> Iterator[str]:
        """Yield the known files that ``path`` is inside of; a folder may end in "!" too."""
        end = path.find(INSIDE)
        while end >= 0:
            if path[:end] in self._rows:
                yield path[:end]
            end = path.find(INSIDE, end + 1)


def is_gone(row: SourceRow) -> bool:
    """Tell whether the file was inside another one, and is no longer."""
    return row.outcome == FileOutcome.SKIPPED and not row.mtime_ns


def sha256_of(path: Path) -> str:
    """Return the hash of a file's bytes, empty where it cannot be read."""
    try:
        return file_sha256(path)
    except OSError:
        return ""


def _same_bytes(file: SourceFile, row: SourceRow) -> bool:
    if file.size != row.size:
        return False
    if not file.depth and file.mtime_ns == row.mtime_ns:
        return True  # a file inside another one has the time of that one
    return bool(row.sha256) and sha256_of(file.path) == row.sha256


def _left(row: SourceRow) -> bool:
    """Tell whether there is no file any more at the row's path; one that is out of reach is there."""
    try:
        Path(row.path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False
