"""UTF-16 and UTF-32: tell them without a byte-order mark, and read them when they are broken."""

from __future__ import annotations

import codecs
import re
import unicodedata
from pathlib import Path

from pipelines.readers.text.blocks import blocks

KEPT = "florilegium_broken_units"
"""The error handler that keeps a lone surrogate and makes U+FFFD of what is no character."""

_PRINTABLE = bytes(range(32, 127)) + b"\t\n\r"
_UTF32_ZEROS = {"utf-32-le": (2, 3), "utf-32-be": (0, 1)}
_STEPS = {  # runs of plain letters, which show where the characters begin
    "utf-16-le": re.compile(rb"(?:[\t\n\r -~]\x00){8,}"),
    "utf-16-be": re.compile(rb"(?:\x00[\t\n\r -~]){8,}"),
}
_BLOCK = 1 << 22
_EDGE = 64
_START = 256
_MOSTLY = 0.75


def without_mark(sample: bytes) -> str | None:
    """Return UTF-32 or UTF-16 with its byte order, from where the zero bytes of ``sample`` are."""
    start = sample[:_START]
    if b"\0" not in start and _printable(start) > _MOSTLY * len(start):
        return None  # plain text that goes over into something else
    quads = len(sample) // 4
    for codec, places in _UTF32_ZEROS.items():
        if quads and all(sample[place::4].count(0) > 0.95 * quads for place in places):
            return codec
    pairs = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    codec = "utf-16-le" if odd > even else "utf-16-be"
    if pairs and most > 0.6 * pairs and least < 0.1 * pairs:
        return codec
    # other alphabets: only spaces, line ends, digits and marks have the zero byte
    if most < max(2, 0.01 * pairs) or least > 0.02 * most:
        return None
    if _printable(sample) > _MOSTLY * len(sample):
        return None
    text = sample[: 2 * pairs].decode(codec, "replace")
    return codec if sum(map(_is_text, text)) > 0.95 * len(text) else None


def _printable(data: bytes) -> int:
    return len(data) - len(data.translate(None, _PRINTABLE))


def _is_text(character: str) -> bool:
    return character in "\t\n\r" or unicodedata.category(character)[0] in "LMNPSZ"


def out_of_step(path: Path, codec: str, mark: int) -> tuple[int, ...]:
    """Return the places of bytes to leave out so that the characters of UTF-16 are in step again.

    A byte lost or added somewhere shifts all that follows; runs of plain letters show it.
    """
    steps = _STEPS.get(codec)
    if steps is None:
        return ()
    dropped: list[int] = []
    start, held = 0, b""
    for data in blocks(path, size=_BLOCK):
        held += data
        for match in steps.finditer(held):
            place = start + match.start()
            if place > mark and (place - mark - len(dropped)) % 2:
                dropped.append(place - 1)
        start += len(held) - _EDGE if len(held) > _EDGE else 0
        held = held[-_EDGE:]
    return tuple(dropped)


def _broken_units(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    piece = error.object[error.start : error.start + 2]
    if error.encoding.lower().startswith("utf-16") and len(piece) == 2:
        unit = int.from_bytes(piece, "big" if "be" in error.encoding.lower() else "little")
        if 0xD800 <= unit <= 0xDFFF:
            return chr(unit), error.start + 2
    return "\ufffd", max(error.end, error.start + 1)


codecs.register_error(KEPT, _broken_units)
