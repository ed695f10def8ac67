"""Find the files behind the paths a user named, without opening any of them."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from pipelines.readers.errors import PathMissing
from pipelines.readers.types import SourceFile
from pipelines.types import FileOutcome, FileReport

_NOT_UTF8 = "the name is not valid UTF-8 and cannot be stored; rename it"


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files to read, in a stable order, and what was left out with the reason."""

    files: tuple[SourceFile, ...]
    left_out: tuple[FileReport, ...]


def discover(
    paths: Sequence[str | Path],
    *,
    known: Mapping[str, str] | None = None,
    exclude: Sequence[str | Path] = (),
) -> Discovery:
    """List every file below ``paths``: files as named, folders walked in sorted order.

    ``known`` maps the absolute path of each source the collection already has to its ``name``:
    such a file keeps that name whichever root it is reached through, and a new file whose
    relative path is taken by another one gets ``~`` and eight hex digits of the SHA-256 of its
    absolute path before the suffix. So keys never collide, within a call or between calls.
    Folders in ``exclude`` (the workspace) are not entered.

    Hidden entries, Office lock files, links that lead back to a folder already walked, links to
    nothing and special files are left out as skipped; a folder that may not be entered is
    failed. What the user names directly is taken even when hidden.

    Raises:
        PathMissing: one or more of ``paths`` do not exist.
    """
    require(paths)
    walk = _Walk(excluded={_identity(Path(p).stat()) for p in exclude if Path(p).exists()})
    for path in paths:
        walk.take(Path(os.path.normpath(Path(path).absolute())))
    return Discovery(tuple(_named(walk.found, dict(known or {}))), tuple(walk.left_out))


def require(paths: Sequence[str | Path]) -> None:
    """Raise PathMissing where one of ``paths`` is not there; an empty name never is."""
    missing = [str(path) for path in paths if not str(path) or not _exists(Path(path))]
    if missing:
        raise PathMissing(missing)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long, or in a folder that may not be entered
        return False


def file_sha256(path: Path) -> str:
    """Return the hex SHA-256 of the bytes of the file at ``path``, read in blocks."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class _Found:
    path: str
    root: str
    relative: str
    size: int
    mtime_ns: int


@dataclass(slots=True)
class _Walk:
    excluded: set[tuple[int, int]]
    found: list[_Found] = field(default_factory=list)
    left_out: list[FileReport] = field(default_factory=list)
    folders: dict[tuple[int, int], str] = field(default_factory=dict)
    paths: set[str] = field(default_factory=set)

    def take(self, path: Path) -> None:
        """Add an absolute path the user named."""
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            self._enter(str(path), status)
        elif _is_text(str(path)):
            self._file(str(path), str(path.parent), path.name, status)
        else:
            self._leave(str(path), "file", _NOT_UTF8, FileOutcome.FAILED)

    def _enter(self, root: str, status: os.stat_result) -> None:
        """Walk the folder ``root``, depth first, without recursion."""
        pending = [(root, "", status, False)]
        while pending:
            folder, prefix, folder_status, through_link = pending.pop()
            identity = _identity(folder_status)
            if identity in self.excluded:
                self._leave(folder, "folder", "the workspace itself")
                continue
            if identity in self.folders:
                if through_link:
                    seen = self.folders[identity]
                    self._leave(folder, "link", f"leads back to {seen!r}, which is already read")
                continue
            self.folders[identity] = folder
            deeper = [
                (entry.path, f"{prefix}{entry.name}/", entry_status, entry.is_symlink())
                for entry, entry_status in self._entries(folder, root, prefix)
            ]
            pending.extend(reversed(deeper))

    def _entries(
        self, folder: str, root: str, prefix: str
    ) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
        """Take the files of ``folder`` and yield its folders, both in name order."""
        try:
            with os.scandir(folder) as scan:
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError as error:
            reason = f"cannot open the folder: {error.strerror}"
            self._leave(folder, "folder", reason, FileOutcome.FAILED)
            return
        for entry in entries:
            if not self._wanted(entry):
                continue
            try:
                status = entry.stat()
            except OSError as error:
                reason = (
                    "a link to nothing, or a loop of links"
                    if entry.is_symlink()
                    else f"cannot be looked at: {error.strerror}"
                )
                self._leave(entry.path, "link" if entry.is_symlink() else "file", reason)
                continue
            if stat.S_ISDIR(status.st_mode):
                yield entry, status
            else:
                self._file(entry.path, root, prefix + entry.name, status)

    def _wanted(self, entry: os.DirEntry[str]) -> bool:
        name = entry.name
        if not _is_text(name):
            self._leave(entry.path, "file", _NOT_UTF8, FileOutcome.FAILED)
        elif name.startswith("."):
            self._leave(entry.path, "hidden", "hidden (the name begins with a dot)")
        elif name.startswith("~$"):
            self._leave(entry.path, "hidden", "a lock file of an office program")
        else:
            return True
        return False

    def _file(self, path: str, root: str, relative: str, status: os.stat_result) -> None:
        if path in self.paths:
            return
        self.paths.add(path)
        if stat.S_ISREG(status.st_mode):
            self.found.append(_Found(path, root, relative, status.st_size, status.st_mtime_ns))
        else:
            self._leave(path, "special", "not a regular file (a pipe, socket or device)")

    def _leave(
        self, path: str, kind: str, reason: str, outcome: FileOutcome = FileOutcome.SKIPPED
    ) -> None:
        shown = path if _is_text(path) else os.fsencode(path).decode("utf-8", "backslashreplace")
        self.left_out.append(FileReport(shown, kind, outcome, reason))


def _named(found: Sequence[_Found], known: dict[str, str]) -> Iterator[SourceFile]:
    taken = set(known.values())
    for one in found:
        name = known.get(one.path)
        if name is None:
            name = one.relative if one.relative not in taken else _distinct(one)
            taken.add(name)
        yield SourceFile(Path(one.path), Path(one.root), one.relative, name, one.size, one.mtime_ns)


def _distinct(one: _Found) -> str:
    digest = hashlib.sha256(one.path.encode()).hexdigest()[:8]
    suffix = PurePosixPath(one.relative).suffix
    return f"{one.relative.removesuffix(suffix)}~{digest}{suffix}"


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
