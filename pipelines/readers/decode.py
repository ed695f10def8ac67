"""Find the encoding of a text file in one streamed pass, and open it to the character.

Order: byte-order mark, UTF-16 by its zero bytes, UTF-8, UTF-8 with stray Windows-1252 bytes,
Windows-1252, and for other alphabets what charset-normalizer finds. Line ends are kept as they are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import ascii_letters
from typing import IO

from pipelines.readers.errors import UnreadableFile

_BLOCK = 1 << 20
_SAMPLE = 1 << 16
_STRAY = "florilegium_windows_1252"
_SURROGATE = re.compile("[\udc80-\udcff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b\x1c\x1d\x1e\x1f"))
_LETTERS = ascii_letters.encode()
_UNDEFINED_1252 = b"\x81\x8d\x8f\x90\x9d"
_MARKS = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to decode a file: the Python codec, its error handler, and a name to show."""

    codec: str
    name: str
    errors: str = "strict"
    warning: str = ""


def detect(path: Path) -> Encoding:
    """Return the encoding of the text file at ``path``; reads every byte once or twice.

    Raises:
        UnreadableFile: the file is binary, or breaks its own encoding.
    """
    with path.open("rb") as stream:
        sample = stream.read(_SAMPLE)
    for mark, codec in _MARKS:
        if sample.startswith(mark):
            name = {"utf-8-sig": "utf-8 with a byte-order mark"}.get(codec, codec)
            return _checked(path, Encoding(codec, name))
    if guess := _utf16_without_mark(sample):
        return _checked(path, Encoding(guess, f"{guess} without a byte-order mark"))
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if b"\0" not in sample and controls > 0.05 * len(sample):
        raise UnreadableFile(f"binary data, not text: {controls} control bytes at its start")
    try:
        for _ in decoded(path, Encoding("utf-8", "utf-8")):
            pass
    except UnicodeDecodeError:
        return _single_byte(path)
    return Encoding("utf-8", "utf-8")


def open_text(path: Path, encoding: Encoding) -> IO[str]:
    """Open ``path`` for reading text, every line end kept."""
    _register()
    return path.open("r", encoding=encoding.codec, errors=encoding.errors, newline="")


def decoded(path: Path, encoding: Encoding) -> Iterator[str]:
    """Yield the text of ``path`` in blocks.

    Raises:
        UnreadableFile: a NUL character, which no text has and no database takes.
        UnicodeDecodeError: the bytes break the encoding.
    """
    seen = 0
    with open_text(path, encoding) as stream:
        while block := stream.read(_BLOCK):
            if (place := block.find("\0")) >= 0:
                raise UnreadableFile(
                    f"binary data, not text: a NUL character after {seen + place} characters"
                )
            seen += len(block)
            yield block


def _checked(path: Path, encoding: Encoding) -> Encoding:
    try:
        for _ in decoded(path, encoding):
            pass
    except UnicodeError as error:
        raise UnreadableFile(f"broken {encoding.name}: {error}") from error
    return encoding


def _utf16_without_mark(sample: bytes) -> str | None:
    """Return the byte order of Latin text in UTF-16: every other byte is zero."""
    pairs = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if pairs and odd > 0.6 * pairs and even < 0.1 * pairs:
        return "utf-16-le"
    if pairs and even > 0.6 * pairs and odd < 0.1 * pairs:
        return "utf-16-be"
    return None


def _single_byte(path: Path) -> Encoding:
    """Choose among UTF-8 with stray bytes, Windows-1252 and the rest, for bytes not UTF-8."""
    stray = valid = 0
    for block in decoded(path, Encoding("utf-8", "utf-8", "surrogateescape")):
        bad = len(_SURROGATE.findall(block))
        stray, valid = stray + bad, valid + len(_NOT_ASCII.findall(block)) - bad
    if valid > stray:
        warning = (
            f"{stray} {'bytes are' if stray > 1 else 'byte is'} not UTF-8 and read as Windows-1252"
        )
        return Encoding("utf-8", "utf-8", _STRAY, warning)
    high = letters = undefined = 0
    sample = b""
    with path.open("rb") as stream:
        while block_bytes := stream.read(_BLOCK):
            sample = sample or block_bytes
            high += len(block_bytes) - len(block_bytes.translate(None, bytes(range(128, 256))))
            letters += len(block_bytes) - len(block_bytes.translate(None, _LETTERS))
            undefined += sum(block_bytes.count(byte) for byte in _UNDEFINED_1252)
    if not undefined and high < max(20, letters // 2):
        return Encoding("cp1252", "windows-1252")
    from charset_normalizer import from_bytes

    best = from_bytes(sample[:_SAMPLE]).best()
    if best is not None and best.encoding not in {"ascii", "utf_8"}:
        guess = Encoding(best.encoding, best.encoding.replace("_", "-"), warning="encoding guessed")
        try:
            return _checked(path, guess)
        except UnreadableFile:
            pass
    return Encoding("latin-1", "iso-8859-1", warning="encoding unknown, read as ISO-8859-1")


def _stray_bytes(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as Windows-1252, or as Latin-1 where that has none."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    piece = error.object[error.start : error.end]
    text = "".join(
        chr(byte) if byte in _UNDEFINED_1252 else bytes([byte]).decode("cp1252") for byte in piece
    )
    return text, error.end


def _register() -> None:
    codecs.register_error(_STRAY, _stray_bytes)
