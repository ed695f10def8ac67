"""Find the encoding of a text file in one streamed pass, and read it to the character.

Order: byte-order mark, UTF-16 and UTF-32 by their zero bytes, UTF-8, UTF-8 with stray bytes, then
the one-byte encodings of ``alphabets``. Line ends are kept as they are; a NUL inside a text is
kept too (a file full of them is binary).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from pipelines.readers.errors import UnreadableFile
from pipelines.readers.text.alphabets import ALPHABETS, Evidence, choose
from pipelines.readers.text.blocks import blocks
from pipelines.readers.text.wide import KEPT, out_of_step, without_mark

SAMPLE = 1 << 16
_STRAY = "florilegium_stray_bytes"
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\v\x1a\x1b\x1c\x1d\x1e\x1f"))
_UNDEFINED_1252 = b"\x81\x8d\x8f\x90\x9d"
_MARKS = (  # UTF-32 first: its little-endian mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32"),
    (codecs.BOM_UTF8, "utf-8", "utf-8 with a byte-order mark"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16"),
)
_PAIR = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_BINARY = 0.05  # control bytes at the start of a file that is no text
_START = 256  # bytes that are looked at alone: further on a lost byte may have shifted the rest
_NULS = 0.01  # NUL bytes of a whole file that is no text


@dataclass(frozen=True, slots=True)
class Encoding:
    """How to decode a file: the Python codec, its error handler, and a name to show.

    ``mark`` is the length of the byte-order mark, which is no part of the text. ``warning`` says
    what was guessed or out of order, "" where nothing was. ``dropped`` are the places of bytes that
    put UTF-16 out of step.
    """

    codec: str
    name: str
    errors: str = "strict"
    warning: str = ""
    mark: int = 0
    dropped: tuple[int, ...] = ()


def detect(path: Path) -> Encoding:
    """Return the encoding of the text file at ``path``, reading every byte once.

    Only a text in none of the alphabets of ``alphabets.toml`` is read once more.

    Raises:
        UnreadableFile: the file is binary.
    """
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE)
    for mark, codec, name in _MARKS:
        if sample.startswith(mark):
            encoding = Encoding(codec, name, mark=len(mark))
            return _eight_bits(path, encoding) if codec == "utf-8" else _checked(path, encoding)
    if wide := without_mark(sample) or without_mark(sample[:_START]):
        return _checked(path, Encoding(wide, f"{wide} without a byte-order mark"))
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if controls > _BINARY * len(sample):
        raise UnreadableFile(f"binary data, not text: {controls} control bytes at its start")
    return _eight_bits(path, Encoding("utf-8", "utf-8"))


def decoded(path: Path, encoding: Encoding) -> Iterator[str]:
    """Yield the text of ``path`` in blocks of about a million characters.

    Raises:
        UnicodeError: the file is no longer what ``detect`` saw.
    """
    decoder = codecs.getincrementaldecoder(encoding.codec)(encoding.errors)
    place = encoding.mark
    for data in blocks(path, encoding.mark):
        place += len(data)
        kept = data
        for cut in reversed(encoding.dropped):
            if place - len(data) <= cut < place:
                begin = cut - (place - len(data))
                kept = kept[:begin] + kept[begin + 1 :]
        if text := decoder.decode(kept):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def beginning(path: Path, encoding: Encoding, length: int) -> str:
    """Return the first ``length`` characters of the text."""
    pieces: list[str] = []
    for block in decoded(path, encoding):
        pieces.append(block)
        length -= len(block)
        if length <= 0:
            break
    text = "".join(pieces)
    return text[:length] if length < 0 else text


def _eight_bits(path: Path, encoding: Encoding) -> Encoding:
    """Tell UTF-8, UTF-8 with stray bytes and the one-byte alphabets apart in one pass."""
    evidence = Evidence()
    stray = valid = nuls = size = pairs = 0
    undefined = dict.fromkeys(_UNDEFINED_1252, 0)
    pending = b""
    for data in chain(blocks(path, encoding.mark), (b"",)):
        size += len(data)
        nuls += data.count(0)
        if data.isascii() and not pending:
            if not data:
                break
            continue
        block = pending + data
        try:
            text, used = codecs.utf_8_decode(block, "strict", not data)
            pending = block[used:]
            valid += used - len(text)
        except UnicodeDecodeError:
            text, used = codecs.utf_8_decode(block, "surrogateescape", not data)
            pending = block[used:]
            sound = text.encode("utf-8", "ignore")
            kept = len(sound.decode())
            double = len(_PAIR.findall(block))
            pairs += double
            stray += len(text) - kept - 6 * double
            valid += len(sound) - kept + 6 * double
            evidence.add(block)
            for byte in undefined:
                undefined[byte] += block.count(byte)
        if not data:
            break
    if nuls > _NULS * size:
        raise UnreadableFile(f"binary data, not text: {nuls} of {size} bytes are zero")
    notes = [f"{_some(nuls, 'NUL character')} kept in the text"] if nuls else []
    if pairs:
        notes.append(f"{_some(pairs, 'character')} written as two surrogates (CESU-8) read as one")
        encoding = replace(encoding, errors=_STRAY)
    if stray:
        found = _with_strays(path, encoding, stray, valid, evidence, sum(undefined.values()))
        encoding, more = found
        notes += more
    return replace(encoding, warning="; ".join(notes))


def _with_strays(
    path: Path, encoding: Encoding, stray: int, valid: int, evidence: Evidence, undefined: int
) -> tuple[Encoding, list[str]]:
    """Choose for bytes that are not UTF-8; ``valid`` counts the bytes that only UTF-8 explains."""
    choice = choose(evidence)
    if encoding.mark or valid > stray or (choice.codec == "cp1252" and 50 * valid > stray):
        verb = "are" if stray > 1 else "is"
        note = f"{_some(stray, 'byte')} {verb} not UTF-8 and read as Windows-1252"
        return Encoding("utf-8", encoding.name, _STRAY, mark=encoding.mark), [note]
    notes = [choice.doubt] if choice.doubt else []
    if choice.codec == "cp1252":
        if undefined:
            notes.append(f"{_some(undefined, 'byte')} without a character in Windows-1252 kept")
        return Encoding("cp1252", choice.name, _STRAY), notes
    if choice.codec not in ALPHABETS:  # several bytes a character: they can be out of step
        checked = _checked(path, Encoding(choice.codec, choice.name))
        return checked, [*notes, *filter(None, [checked.warning])]
    return Encoding(choice.codec, choice.name), notes


def _checked(path: Path, encoding: Encoding) -> Encoding:
    """Return ``encoding``, made tolerant with a warning where the file breaks it.

    Raises:
        UnreadableFile: what it gives is no text.
    """
    dropped = out_of_step(path, encoding.codec, encoding.mark)
    encoding = replace(encoding, dropped=dropped)
    notes = []
    if dropped:
        notes.append(
            f"{_some(len(dropped), 'byte')} that put {encoding.name} out of step left out: "
            f"broken at byte {', '.join(map(str, dropped[:5]))}"
        )
    controls = characters = 0
    try:
        for block in decoded(path, encoding):
            characters += len(block)
            controls += block.count("\0")
        errors = "strict"
    except UnicodeError as error:
        reason = getattr(error, "reason", error)
        notes.append(f"broken {encoding.name}: {reason}; what is left is kept")
        errors = KEPT
    if controls > _NULS * characters and characters:
        raise UnreadableFile(
            f"binary data, not text: {controls} of {characters} characters are NUL"
        )
    return replace(encoding, errors=errors, warning="; ".join(notes))


def _some(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _stray_bytes(error: UnicodeError) -> tuple[str, int]:
    """Decode bytes that are not UTF-8 as Windows-1252, or as control characters where it has none.

    A character outside the basic plane written as two surrogates of three bytes each (CESU-8, as
    some databases export it) is that character.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    six = error.object[error.start : error.start + 6]
    if _PAIR.fullmatch(six) and error.encoding.lower() in {"utf-8", "utf8"}:
        pair = six.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
        return pair.decode("utf-16-le"), error.start + 6
    piece = error.object[error.start : error.end]
    text = "".join(
        chr(byte) if byte in _UNDEFINED_1252 else bytes([byte]).decode("cp1252") for byte in piece
    )
    return text, error.end


codecs.register_error(_STRAY, _stray_bytes)
