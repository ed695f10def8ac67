"""Write containers by hand: OLE files, XLS, XLSB and ODS workbooks, Outlook messages, hostile zips."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

Tree = Mapping[str, "bytes | Tree"]
_FREE, _END, _FAT, _NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
_SMALL = 4096


def compound(tree: Tree) -> bytes:
    """Return an OLE compound file with the streams and storages of ``tree``."""
    entries: list[bytearray] = []
    sectors: list[bytes] = []
    chains: list[int] = []
    mini = bytearray()
    mini_fat: list[int] = []

    def stored(data: bytes) -> int:
        first = len(sectors)
        pieces = [data[i : i + 512].ljust(512, b"\0") for i in range(0, len(data), 512)]
        sectors.extend(pieces)
        chains.extend([*range(first + 1, first + len(pieces)), _END])
        return first

    def small(data: bytes) -> int:
        first = len(mini_fat)
        count = -(-len(data) // 64)
        mini.extend(data.ljust(count * 64, b"\0"))
        mini_fat.extend([*range(first + 1, first + count), _END])
        return first

    def add(name: str, kind: int, start: int = 0, size: int = 0) -> int:
        raw = name.encode("utf-16-le") + b"\0\0"
        entry = bytearray(128)
        entry[: len(raw)] = raw
        struct.pack_into("<HBB3L", entry, 64, len(raw), kind, 1, _NONE, _NONE, _NONE)
        struct.pack_into("<LQ", entry, 116, start, size)
        entries.append(entry)
        return len(entries) - 1

    def fill(parent: int, content: Tree) -> None:
        before = None
        for name, value in sorted(
            content.items(), key=lambda pair: (len(pair[0]), pair[0].upper())
        ):
            if isinstance(value, bytes):
                keep = small if len(value) < _SMALL else stored
                number = add(name, 2, keep(value) if value else _END, len(value))
            else:
                number = add(name, 1)
                fill(number, value)
            if before is None:
                struct.pack_into("<L", entries[parent], 76, number)
            else:
                struct.pack_into("<L", entries[before], 72, number)
            before = number

    add("Root Entry", 5)
    fill(0, tree)
    struct.pack_into("<LQ", entries[0], 116, stored(bytes(mini)) if mini else _END, len(mini))
    mini_start = stored(struct.pack(f"<{len(mini_fat)}L", *mini_fat)) if mini_fat else _END
    while len(entries) % 4:
        entries.append(bytearray(128))
    directory = stored(b"".join(map(bytes, entries)))
    tables = 1
    while tables * 128 < len(chains) + tables:
        tables += 1
    first_table = len(sectors)
    fat = [*chains, *[_FAT] * tables]
    fat += [_FREE] * (tables * 128 - len(fat))
    header = struct.pack(
        "<8s16xHHHHH6x4L", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, tables,
        directory, 0,
    ) + struct.pack("<5L", _SMALL, mini_start, 1 if mini_fat else 0, _END, 0)  # fmt: skip
    places = [*range(first_table, first_table + tables)]
    header += struct.pack("<109L", *places, *[_FREE] * (109 - tables))
    return header + b"".join(sectors) + struct.pack(f"<{len(fat)}L", *fat)


def xls(sheets: Mapping[str, Sequence[Sequence[str | float]]], *, password: bool = False) -> bytes:
    """Return an XLS workbook (BIFF8)."""

    def record(number: int, data: bytes = b"") -> bytes:
        return struct.pack("<HH", number, len(data)) + data

    def cell(row: int, column: int, value: str | float) -> bytes:
        place = struct.pack("<HHH", row, column, 0)
        if isinstance(value, str):
            text = value.encode("utf-16-le")
            return record(0x204, place + struct.pack("<HB", len(value), 1) + text)
        return record(0x203, place + struct.pack("<d", value))

    def bof(kind: int) -> bytes:
        return record(0x809, struct.pack("<HHHHLL", 0x600, kind, 0, 0, 0, 6))

    bodies = [
        bof(0x10)
        + b"".join(cell(r, c, v) for r, row in enumerate(rows) for c, v in enumerate(row))
        + record(0x0A)
        for rows in sheets.values()
    ]
    head = bof(5) + (record(0x2F, bytes(6)) if password else b"")
    size = len(head) + sum(4 + 8 + 2 * len(name) for name in sheets) + 4
    bounds = b""
    for name, body in zip(sheets, bodies, strict=True):
        text = struct.pack("<BB", len(name), 1) + name.encode("utf-16-le")
        bounds += record(0x85, struct.pack("<LH", size, 0) + text)
        size += len(body)
    book = head + bounds + record(0x0A) + b"".join(bodies)
    return compound({"Workbook": book.ljust(_SMALL, b"\0")})


def xlsb(name: str, rows: Sequence[Sequence[str | float]]) -> bytes:
    """Return an XLSB workbook of one sheet."""

    def record(number: int, data: bytes = b"") -> bytes:
        kind = bytes([number]) if number < 128 else bytes([number & 0x7F | 0x80, number >> 7])
        size = (
            bytes([len(data)])
            if len(data) < 128
            else bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
        )
        return kind + size + data

    def wide(text: str) -> bytes:
        return struct.pack("<L", len(text)) + text.encode("utf-16-le")

    sheet = record(129) + record(148, struct.pack("<4L", 0, len(rows) - 1, 0, len(rows[0]) - 1))
    sheet += record(145)
    for r, row in enumerate(rows):
        sheet += record(0, struct.pack("<LLHHBL", r, 0, 300, 0, 0, 0))
        for c, value in enumerate(row):
            place = struct.pack("<LL", c, 0)
            if isinstance(value, str):
                sheet += record(6, place + wide(value))
            else:
                sheet += record(5, place + struct.pack("<d", value))
    sheet += record(146) + record(130)
    book = record(131) + record(143)
    book += record(156, struct.pack("<LL", 0, 1) + wide("r1") + wide(name))
    book += record(144) + record(132)
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    return zipped(
        {
            "xl/workbook.bin": book,
            "xl/_rels/workbook.bin.rels": (
                f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{relation}" '
                'Target="worksheets/s1.bin"/></Relationships>'
            ).encode(),
            "xl/worksheets/s1.bin": sheet,
        }
    )


_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def ods(
    sheets: Mapping[str, Sequence[Sequence[str | float]]],
    *,
    prolog: str = "",
    password: bool = False,
) -> bytes:
    """Return an ODS workbook."""

    def cell(value: str | float) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value if value.startswith("&") else escape(value)}</text:p></table:table-cell>'
        return f'<table:table-cell office:value-type="float" office:value="{value}"/>'

    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
        + '<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>'
        for name, rows in sheets.items()
    )
    spaces = " ".join(f'xmlns:{n}="{_ODF}:{n}:1.0"' for n in ("office", "table", "text"))
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<office:document-content {spaces}>'
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    encryption = "<manifest:encryption-data/>" if password else ""
    manifest = (
        f'<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0"><manifest:file-entry '
        f'manifest:full-path="content.xml" manifest:media-type="text/xml">{encryption}'
        "</manifest:file-entry></manifest:manifest>"
    )
    return zipped(
        {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": manifest.encode(),
            "content.xml": content.encode(),
        }
    )


def msg(
    *,
    subject: str = "",
    body: str = "",
    html: bytes = b"",
    attachments: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return an Outlook message."""
    text = {0x001A: "IPM.Note", 0x0037: subject, 0x1000: body}
    streams: dict[str, bytes | Tree] = {}
    rows = b""
    for number, value in text.items():
        if value:
            data = value.encode("utf-16-le")
            streams[f"__substg1.0_{number:04X}001F"] = data
            rows += struct.pack("<HHLLL", 0x1F, number, 6, len(data) + 2, 0)
    if html:
        streams["__substg1.0_10130102"] = html
        rows += struct.pack("<HHLLL", 0x102, 0x1013, 6, len(html), 0)
    rows += struct.pack("<HHLLL", 0x03, 0x340D, 6, 0x40000, 0)
    attached = attachments or {}
    streams["__properties_version1.0"] = (
        struct.pack("<8x4L8x", 0, len(attached), 0, len(attached)) + rows
    )
    streams["__nameid_version1.0"] = {"__substg1.0_00020102": b""}
    for i, (name, data) in enumerate(attached.items()):
        raw = name.encode("utf-16-le")
        properties = bytes(8) + struct.pack("<HHLLL", 0x1F, 0x3707, 6, len(raw) + 2, 0)
        properties += struct.pack("<HHLLL", 0x102, 0x3701, 6, len(data), 0)
        properties += struct.pack("<HHLLL", 0x03, 0x3705, 6, 1, 0)
        streams[f"__attach_version1.0_#{i:08X}"] = {
            "__substg1.0_3707001F": raw,
            "__substg1.0_37010102": data,
            "__properties_version1.0": properties,
        }
    return compound(streams)


def zipped(parts: Mapping[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of ``parts``, names kept as they are."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return stream.getvalue()


def with_part(data: bytes, name: str, content: bytes) -> bytes:
    """Return the zip ``data`` with one part replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {entry: archive.read(entry) for entry in archive.namelist()}
    return zipped({**parts, name: content})


def encrypted(data: bytes) -> bytes:
    """Return the zip ``data`` with every entry marked as encrypted."""
    out = bytearray(data)
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = out.find(signature)
        while at >= 0:
            out[at + place] |= 1
            at = out.find(signature, at + 4)
    return bytes(out)


def overlapping(entries: int, size: int) -> bytes:
    """Return a zip whose directory names the same packed bytes again and again."""
    one = zipped({"0.txt": b"0" * size})
    end = one.rfind(b"PK\x05\x06")
    start = one.find(b"PK\x01\x02")
    again = one[start:end] * entries
    tail = struct.pack("<4sHHHHLLH", b"PK\x05\x06", 0, 0, entries, entries, len(again), start, 0)
    return one[:start] + again + tail


def lying(size: int, claimed: int) -> bytes:
    """Return a zip whose one entry, ``size`` bytes long, claims to be ``claimed`` bytes."""
    data = bytearray(zipped({"lie.txt": b"a" * size}))
    for signature, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", data, data.find(signature) + place, claimed)
    return bytes(data)


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
