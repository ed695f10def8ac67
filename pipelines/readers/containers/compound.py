"""Look into the directory of an OLE compound file: old Office files, messages, encrypted packages.

Source: [MS-CFB], Compound File Binary File Format, sections 2.2 (header) and 2.6 (directory).
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

_NOTHING = 0xFFFFFFFF
_LAST = 0xFFFFFFFA  # sector numbers from here on have a meaning of their own
_ENTRY = 128
_SMALL = 4_096  # bytes; shorter streams lie elsewhere
_MOST_SECTORS = 4_096  # of the directory; common files have a handful


def root_names(path: Path) -> frozenset[str]:
    """Return the names of the streams and storages at the top of a compound file.

    What is embedded deeper does not count. A damaged directory gives what could be read of it.
    """
    with path.open("rb") as stream:
        return frozenset(_top(_entries(stream)))


def stream_start(path: Path, name: str) -> bytes:
    """Return the first bytes (512 at least) of a large stream at the top, b"" where there is none."""
    with path.open("rb") as stream:
        entry = _top(_entries(stream)).get(name)
        if entry is None:
            return b""
        stream.seek(30)
        (shift,) = struct.unpack("<H", stream.read(2))
        sector, size = struct.unpack_from("<LQ", entry, 116)
        return _sector(stream, sector, 1 << shift) if size >= _SMALL and sector < _LAST else b""


def _top(entries: list[bytes]) -> dict[str, bytes]:
    names: dict[str, bytes] = {}
    pending = [_child(entries[0])] if entries else []
    seen: set[int] = set()
    while pending:
        number = pending.pop()
        if number in seen or number >= len(entries):
            continue
        seen.add(number)
        entry = entries[number]
        (length,) = struct.unpack_from("<H", entry, 64)
        names[entry[: max(0, min(length, 64) - 2)].decode("utf-16-le", "replace")] = entry
        pending += struct.unpack_from("<LL", entry, 68)  # its neighbours
    return names


def _entries(stream: IO[bytes]) -> list[bytes]:
    header = stream.read(512)
    if len(header) < 512 or not header.startswith(MAGIC):
        return []
    (shift,) = struct.unpack_from("<H", header, 30)
    if shift not in (9, 12):
        return []
    size = 1 << shift
    (sector,) = struct.unpack_from("<L", header, 48)
    tables = [n for n in struct.unpack_from("<109L", header, 76) if n < _LAST]
    entries: list[bytes] = []
    seen: set[int] = set()
    while sector < _LAST and sector not in seen and len(seen) < _MOST_SECTORS:
        seen.add(sector)
        data = _sector(stream, sector, size)
        entries += [data[i : i + _ENTRY] for i in range(0, len(data) - _ENTRY + 1, _ENTRY)]
        sector = _next(stream, sector, size, tables)
    return entries


def _next(stream: IO[bytes], sector: int, size: int, tables: list[int]) -> int:
    table, place = divmod(sector, size // 4)
    if table >= len(tables):
        return _NOTHING
    data = _sector(stream, tables[table], size)
    if len(data) < 4 * place + 4:
        return _NOTHING
    (following,) = struct.unpack_from("<L", data, 4 * place)
    return int(following)


def _sector(stream: IO[bytes], number: int, size: int) -> bytes:
    stream.seek((number + 1) * size)
    return stream.read(size)


def _child(entry: bytes) -> int:
    (number,) = struct.unpack_from("<L", entry, 76)
    return int(number)
