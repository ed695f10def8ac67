"""Tell the encoding of an HTML file as browsers do: its mark, what it declares, or a guess."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import Path

from pipelines.readers.text.decode import Encoding, decoded, detect

_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*([A-Za-z0-9_:.+-]+)", re.I)
_DECLARATION = re.compile(rb"^\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9_:.+-]+)")
_LOOK_AT = 4096  # bytes in which an encoding is declared
_WIDER = {  # what browsers take these names for
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949",
    "utf-16": "utf-8", "utf-16-le": "utf-8", "utf-16-be": "utf-8", "utf-8-sig": "utf-8",
}  # fmt: skip
_NOT_OF_FILES = ("idna", "punycode", "utf-7", "unicode-escape", "raw-unicode-escape")


def declared_encoding(path: Path) -> Encoding:
    """Return the encoding of an HTML file: its mark, what it declares where that holds, or a guess.

    Raises:
        UnreadableFile: binary data.
    """
    with path.open("rb") as stream:
        start = stream.read(_LOOK_AT)
    found = _DECLARATION.search(start) or _META.search(start)
    if found is None or start.startswith(
        (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    ):
        return detect(path)
    name = found[1].decode("ascii")
    codec = _text_codec(name)
    if codec is None:
        return replace(detected := detect(path), warning=_read_as(name, "unknown", detected))
    declared = Encoding(codec, {"cp1252": "windows-1252"}.get(codec, codec))
    try:
        for _ in decoded(path, declared):
            pass
    except UnicodeError:
        return replace(detected := detect(path), warning=_read_as(name, "wrong", detected))
    return declared


def _read_as(name: str, how: str, detected: Encoding) -> str:
    return f"declares the encoding {name!r}, which is {how}; read as {detected.name}"


def _text_codec(name: str) -> str | None:
    """Return the codec that browsers use for the label ``name``, ``None`` for no encoding of text."""
    try:
        "".encode(name)  # refuses codecs from bytes to bytes and from text to text
        codec = codecs.lookup(name).name
    except (LookupError, UnicodeError):
        return None
    return None if codec in _NOT_OF_FILES else _WIDER.get(codec, codec)
