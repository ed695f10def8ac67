"""Read archives: what is in a ZIP, a TAR, or a file packed by gzip, bzip2 or xz, as members.

Members are unpacked under names of our own into a folder of our own, so no name in an archive
decides where anything is written; names that lead out of it are left out all the same. Links,
hidden files and the by-products of operating systems are left out too.
"""

from __future__ import annotations

import re
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import IO

from pipelines.readers.containers import packages
from pipelines.readers.errors import SkippedFile, UnreadableFile
from pipelines.readers.types import INSIDE, Allowance, Limits, ReadOptions, SourceFile, Tally
from pipelines.types import Document, FileOutcome, FileReport

_PACKERS = (  # signature, module of the standard library, ending
    (b"\x1f\x8b", "gzip", ".gz"),
    (b"BZh", "bz2", ".bz2"),
    (b"\xfd7zXZ\x00", "lzma", ".xz"),
)
_BY_PRODUCTS = frozenset({"thumbs.db", "desktop.ini"})
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}$")
_HARMLESS_MB = 64


def read_archive(file: SourceFile, options: ReadOptions, tally: Tally) -> Iterator[Document]:
    """Return no documents; iterating unpacks the members into the tally.

    Raises:
        SkippedFile: nothing in it, or inside as many files as ``limits.depth`` allows.
        UnreadableFile: damaged, beyond the limits, or all of it password-protected.
    """
    check_depth(file, options.limits)
    with file.path.open("rb") as stream:
        start = stream.read(512)
    for signature, module, ending in _PACKERS:
        if start.startswith(signature):
            return _packed(file, options.limits, tally, module, ending)
    members = Members(file, options.limits, tally)
    if start[257:262] == b"ustar":
        return _tar(members)
    return _zip(members)


def check_depth(file: SourceFile, limits: Limits) -> None:
    """Refuse to look into a file that lies inside too many others.

    Raises:
        SkippedFile: it does.
    """
    if file.depth >= limits.depth:
        raise SkippedFile(
            f"it lies inside {file.depth} other files, so what is in it is not read; the limit is "
            f"{limits.depth} (the setting archive_depth)"
        )


@dataclass(slots=True)
class Members:
    """The files inside ``file``, noted in ``tally`` as they are unpacked."""

    file: SourceFile
    limits: Limits
    tally: Tally
    allowance: Allowance = field(init=False)
    """Shared with the files around this one, so that archives in archives cannot multiply."""
    _taken: set[str] = field(default_factory=set)
    _count: int = 0

    def __post_init__(self) -> None:
        """Take the allowance of the files around this one, or a whole one."""
        most = Allowance(self.limits.unpacked_mb << 20, self.limits.members)
        self.allowance = self.file.allowance or most

    @property
    def left(self) -> int:
        """Bytes that may still be unpacked."""
        return self.allowance.size

    def wanted(self, name: str, orig_name: str = "") -> str | None:
        """Return the path a member gets, ``None`` where its name already keeps it out."""
        path, reason = packages.inner_path(name, orig_name)
        if reason:
            self.leave(path, reason, FileOutcome.FAILED)
        elif reason := _hidden(path):
            self.leave(path, reason)
        else:
            return packages.distinct(path, self._taken)
        return None

    def place(self, path: str) -> Path:
        """Return where to unpack the member ``path``: a fresh name with its ending."""
        self._count += 1
        suffix = _SUFFIX.search(PurePosixPath(path).name)
        name = f"{self._count:06d}{suffix[0].lower() if suffix else ''}"
        return self.tally.unpacked() / name

    def take(self, path: str, write: Callable[[Path, int], int]) -> None:
        """Unpack one member: ``write`` gets where, and how many bytes at most; it returns how many."""
        if self.allowance.files <= 0:
            raise UnreadableFile(packages.too_many("more", self.limits, inside=self.file.depth > 0))
        self.allowance.files -= 1
        target = self.place(path)
        try:
            self.allowance.size -= write(target, self.left)
        except UnreadableFile as broken:
            self.allowance.size -= target.stat().st_size if target.exists() else 0
            target.unlink(missing_ok=True)
            self.leave(path, broken.reason, FileOutcome.FAILED)
            if self.left <= 0:
                raise
        else:
            self.tally.members.append(self.file.inside(path, target, self.allowance))

    def leave(
        self, path: str, reason: str, outcome: FileOutcome = FileOutcome.SKIPPED, kind: str = "file"
    ) -> None:
        """Note a member that is not read."""
        shown = f"{self.file.title}{INSIDE}{path}"
        self.tally.left_out.append(FileReport(shown, kind, outcome, reason))


def _zip(members: Members) -> Iterator[Document]:
    with packages.opened(members.file.path, members.limits) as archive:
        entries = packages.directory(archive, members.limits)
    if not entries:
        raise SkippedFile("the archive is empty")
    if all(map(packages.encrypted, entries)):
        raise UnreadableFile("a password-protected archive: unpack it, and give the folder instead")
    return _unzipped(members)


def _unzipped(members: Members) -> Iterator[Document]:
    with packages.opened(members.file.path, members.limits) as archive:
        for entry in packages.directory(archive, members.limits):
            path = members.wanted(packages.entry_name(entry), entry.orig_filename)
            if path is None:
                continue
            if stat.S_ISLNK(entry.external_attr >> 16):
                members.leave(path, "a link; links in archives are not followed", kind="link")
            elif packages.encrypted(entry):
                reason = "password-protected: unpack the archive, and give the folder instead"
                members.leave(path, reason, FileOutcome.FAILED)
            else:
                members.take(path, _unzipping(archive, entry))
    yield from ()


def _unzipping(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[Path, int], int]:
    return lambda target, most: packages.unpack(archive, entry, target, most)


def _tar(members: Members) -> Iterator[Document]:
    try:
        with tarfile.open(members.file.path, "r:") as archive:
            first = archive.next()
    except tarfile.TarError as error:
        raise UnreadableFile(f"a damaged TAR archive: {error}") from error
    if first is None:
        raise SkippedFile("the archive is empty")
    return _untarred(members)


def _untarred(members: Members) -> Iterator[Document]:
    seen = 0
    try:
        with tarfile.open(members.file.path, "r:") as archive:
            for entry in archive:
                seen += 1
                if seen > members.limits.members:
                    raise UnreadableFile(packages.too_many("more", members.limits))
                if entry.isdir():
                    continue
                path = members.wanted(entry.name)
                if path is None:
                    continue
                source = archive.extractfile(entry) if entry.isfile() else None
                if source is None:
                    reason = "a link or a special file; these are not followed"
                    members.leave(path, reason, kind="link")
                else:
                    members.take(path, _copying(source, "TAR entry"))
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise UnreadableFile(f"a damaged TAR archive: {error}") from error
    yield from ()


def _packed(
    file: SourceFile, limits: Limits, tally: Tally, module: str, ending: str
) -> Iterator[Document]:
    """Unpack the one member of a packed file, named like it without the ending."""
    members = Members(file, limits, tally)
    name = PurePosixPath(file.relative.rpartition(INSIDE)[2] or file.relative).name
    if name.lower().endswith((".tgz", ".tbz", ".txz")):
        name = f"{name[:-4]}.tar"
    elif name.lower().endswith(ending):
        name = name[: -len(ending)]
    grown = max(file.path.stat().st_size * limits.ratio, _HARMLESS_MB << 20)

    def write(target: Path, most: int) -> int:
        with import_module(module).open(file.path, "rb") as source:
            if grown >= most:
                return _copying(source, "file")(target, most)
            try:
                return _copying(source, "file")(target, grown)
            except packages.TooLarge as error:
                raise UnreadableFile(
                    f"it unpacks to more than {limits.ratio:,} times its size "
                    "(the setting unpacked_ratio)"
                ) from error

    target = members.place(name)
    size = write(target, members.left)
    members.allowance.size -= size
    if not size:
        raise SkippedFile("the file in it is empty")
    tally.members.append(file.inside(packages.inner_path(name)[0], target, members.allowance))
    return iter(())


def _copying(source: IO[bytes], what: str) -> Callable[[Path, int], int]:
    def write(target: Path, most: int) -> int:
        with packages.broken(what), target.open("wb") as sink:
            return packages.copy(source, sink, most)

    return write


def _hidden(path: str) -> str:
    parts = PurePosixPath(path).parts
    if parts[0] == "__MACOSX" or parts[-1].lower() in _BY_PRODUCTS:
        return "a by-product of the operating system, not a document"
    if any(part.startswith(".") for part in parts):
        return "hidden (the name begins with a dot)"
    if parts[-1].startswith("~$"):
        return "a lock file of an office program"
    return ""
