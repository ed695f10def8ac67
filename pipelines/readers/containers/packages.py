"""Look into a zip file before anything of it is unpacked: archives and zipped office files.

The directory of a zip says how large its entries are and where they lie. ``directory`` holds that
against the limits; ``unpack`` counts again, because a directory can lie.
"""

from __future__ import annotations

import os
import re
import struct
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.types import Limits

_BLOCK = 1 << 18
_HARMLESS_MB = 64  # below this any ratio is accepted: blank pages and sheets shrink a lot
_ENTRY = 512  # bytes in the directory that an entry of a common archive needs at most
_END = b"PK\x05\x06"
_END64 = b"PK\x06\x06"
_ENCRYPTED = 0x1
_UTF8 = 0x800
_PROLOG = 1 << 16
_ROOT = re.compile(rb"<[A-Za-z_]")
_ODD = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class TooLarge(UnreadableFile):
    """A stream that goes on beyond what it may have."""


class TooMany(UnreadableFile):
    """A directory that is too large to be taken into memory."""


def check(path: Path, limits: Limits, what: str = "office file") -> tuple[str, ...]:
    """Return the names of the parts of an office file that may be opened; ``what`` it should be.

    Raises:
        UnreadableFile: no zip, damaged, password-protected, beyond the limits, with two parts of
            one name, or with XML that declares entities.
    """
    with opened(path, limits, what) as archive:
        entries = directory(archive, limits)
        names = tuple(entry.filename for entry in entries)
        folded = [name.lower().lstrip("/") for name in names]
        if len(set(folded)) < len(folded):
            raise UnreadableFile(
                "it holds two parts of the same name: damaged, or built to do harm"
            )
        if any(entry.flag_bits & _ENCRYPTED for entry in entries):
            raise UnreadableFile("password-protected: save it without a password")
        for entry in entries:
            if entry.filename.lower().endswith((".xml", ".rels")):
                _check_prolog(archive, entry)
        return names


@contextmanager
def opened(path: Path, limits: Limits, what: str = "zip file") -> Iterator[zipfile.ZipFile]:
    """Open a zip file; what goes wrong inside the block with the zip itself is an UnreadableFile."""
    _check_end(path, limits)
    with broken(what), zipfile.ZipFile(path) as archive:
        yield archive


@contextmanager
def broken(what: str) -> Iterator[None]:
    """Turn the errors of the standard library's unpackers into UnreadableFile."""
    import lzma
    import zlib

    try:
        yield
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, struct.error) as error:
        raise UnreadableFile(f"a damaged {what}: {error}") from error
    except (NotImplementedError, RuntimeError, ValueError, OverflowError) as error:
        raise UnreadableFile(f"a {what} that cannot be unpacked: {error}") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise UnreadableFile(f"a damaged {what}: {error}") from error


def directory(archive: zipfile.ZipFile, limits: Limits) -> list[zipfile.ZipInfo]:
    """Return the files (not folders) of ``archive``, in the order of its directory.

    Raises:
        UnreadableFile: they are more, or unpack to more, than ``limits`` allow, or share bytes.
    """
    entries = archive.infolist()
    if len(entries) > limits.members:
        raise UnreadableFile(too_many(f"{len(entries):,}", limits))
    size = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if size > limits.unpacked_mb << 20:
        raise UnreadableFile(
            f"it unpacks to {size / 2**20:,.0f} MB; the limit is {limits.unpacked_mb:,} "
            "(the setting unpacked_mb)"
        )
    if size > max(packed, 1) * limits.ratio and size > _HARMLESS_MB << 20:
        raise UnreadableFile(
            f"it unpacks to {size / max(packed, 1):,.0f} times its size; the limit is "
            f"{limits.ratio:,} (the setting unpacked_ratio)"
        )
    _check_overlap(archive, entries)
    return [entry for entry in entries if not entry.is_dir()]


def unpack(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, most: int, block: int = _BLOCK
) -> int:
    """Write one entry to ``target`` and return its size.

    Raises:
        UnreadableFile: damaged, or larger than ``most`` bytes whatever the directory says.
    """
    with broken("entry"), archive.open(entry) as source, target.open("wb") as sink:
        return copy(source, sink, most, block)


def copy(source: IO[bytes], sink: IO[bytes], most: int, block: int = _BLOCK) -> int:
    """Copy a stream and return how many bytes it had.

    Raises:
        TooLarge: more than ``most`` bytes.
    """
    size = 0
    while data := source.read(block):
        size += len(data)
        if size > most:
            raise TooLarge(
                "the archive unpacks to more than is allowed altogether (the setting unpacked_mb)"
            )
        sink.write(data)
    return size


def encrypted(entry: zipfile.ZipInfo) -> bool:
    """Return whether the entry needs a password."""
    return bool(entry.flag_bits & _ENCRYPTED)


def entry_name(entry: zipfile.ZipInfo) -> str:
    """Return the name as it was meant: UTF-8 without its flag, which some programs forget."""
    if not entry.flag_bits & _UTF8:
        try:
            return entry.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return entry.filename


def shown(name: str) -> str:
    """Return ``name`` with its control characters written out, so that it stays on one line."""
    return _ODD.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), name)


def inner_path(name: str, orig_name: str = "") -> tuple[str, str]:
    r"""Return the POSIX path for a name in an archive, and why it may not be used ("" if it may).

    Names that lead out of the archive are refused: absolute ones, drive letters, ``..``. A
    backslash parts folders, as Windows programs write it.
    """
    raw = orig_name or name
    if "\0" in raw:
        return shown(raw), "its name holds a NUL character"
    path = name.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    plain = shown("/".join(parts)) or "(no name)"
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return shown(path), "its name is an absolute path, which leads out of the archive"
    if ".." in parts:
        return plain, "its name leads out of the archive (“..”)"
    if not parts:
        return plain, "it has no name"
    if len(plain) > 1_000:
        return f"{plain[:60]}…", f"its name has {len(plain):,} characters"
    return plain, ""


def distinct(name: str, taken: set[str]) -> str:
    """Return ``name``, with ``~2``, ``~3`` … before its suffix where it is taken; note it as taken."""
    stem, dot, suffix = name.rpartition(".")
    if not stem or "/" in suffix:
        stem, dot, suffix = name, "", ""
    candidate, number = name, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{stem}~{number}{dot}{suffix}"
    taken.add(candidate.casefold())
    return candidate


def _check_end(path: Path, limits: Limits) -> None:
    """Look at the size of the directory before all of it is taken into memory.

    Raises:
        TooMany: it is as large as that of far more files than ``limits`` allow.
    """
    with path.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - (1 << 16) - 128))
        tail = stream.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + 22:
        return  # no zip at all: opening it says so
    (length,) = struct.unpack_from("<L", tail, place + 12)
    place64 = tail.rfind(_END64, 0, place)
    if length == 0xFFFFFFFF and place64 >= 0 and len(tail) >= place64 + 56:
        (length,) = struct.unpack_from("<Q", tail, place64 + 40)
    if length > max(limits.members, 1_000) * _ENTRY:
        raise TooMany(too_many(f"at least {length // _ENTRY:,}", limits))


def too_many(number: str, limits: Limits, *, inside: bool = False) -> str:
    """Return the reason for refusing an archive of that many files, or one ``inside`` another."""
    holds = "with those around it, it holds" if inside else "it holds"
    return f"{holds} {number} files; the limit is {limits.members:,} (the setting archive_members)"


def _check_overlap(archive: zipfile.ZipFile, entries: Sequence[zipfile.ZipInfo]) -> None:
    end = 0
    for entry in sorted(entries, key=lambda entry: entry.header_offset):
        if entry.header_offset < end:
            raise UnreadableFile("its entries share the same bytes: built to do harm")
        end = entry.header_offset + 30 + entry.compress_size
    if end > archive.start_dir:
        raise UnreadableFile("a damaged zip file: an entry reaches into the directory")


def _check_prolog(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    """Refuse entity declarations: they come before the first element, and no office program writes any."""
    with broken("zip file"), archive.open(entry) as stream:
        start = stream.read(_PROLOG).replace(b"\0", b"")  # UTF-16 reads like ASCII then
    root = _ROOT.search(start)
    prolog = start[: root.start()] if root else start
    if b"<!ENTITY" in prolog or (root is None and b"<!DOCTYPE" in prolog):
        raise UnreadableFile(
            f"{shown(entry.filename)} in it declares XML entities, which no office program does: "
            "built to do harm"
        )
