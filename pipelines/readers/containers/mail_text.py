"""Decode what stands in mail: bytes in a claimed charset, headers, dates."""

from __future__ import annotations

import codecs
import re
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime

_LONGEST_HEADER = 20_000  # characters; decoding takes the square of their number
_WESTERN = frozenset({"iso8859-1", "iso8859-15", "cp1252"})
_STRAY_1252 = re.compile("[\x80-\x9f]")


def header_text(message: Message, name: str) -> str:
    """Return a header in plain characters on one line, "" where there is none."""
    for key, raw in message.raw_items():  # raw: bytes that are no ASCII are still to be had
        if key.lower() == name.lower():
            return decoded_words(str(raw))
    return ""


def decoded_words(raw: str) -> str:
    """Decode the encoded words of a header (RFC 2047); what is not decodable stays."""
    unfolded = re.sub(r"\r?\n[ \t]*", " ", raw[:_LONGEST_HEADER])
    pieces = []
    try:
        for piece, charset in decode_header(unfolded):
            pieces.append(text_of(piece, charset or "") if isinstance(piece, bytes) else piece)
    except (HeaderParseError, ValueError):
        return without_surrogates(unfolded).strip()
    return without_surrogates("".join(pieces)).strip()


def date_text(raw: str) -> str:
    """Return a mail date as ISO, or as it is where it cannot be read."""
    try:
        return parsedate_to_datetime(raw).isoformat(sep=" ") if raw else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return raw


def text_of(data: bytes, charset: str) -> str:
    """Decode ``data`` by its mark or the charset it claims, else as UTF-8, else as Windows-1252.

    Programs claim a Western charset whatever they write: UTF-8 and Windows-1252 show themselves.
    """
    marked = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else ""
    claimed = charset.strip("'\" ").lower()
    western = _codec_name(claimed) in _WESTERN
    order = (
        (marked, "utf-8", claimed, "cp1252") if western else (marked, claimed, "utf-8", "cp1252")
    )
    for name in order:
        if not name or name in ("us-ascii", "ascii", "unknown-8bit"):
            continue
        try:
            text = data.decode(name)
        except (LookupError, ValueError):
            continue
        if western and name == claimed and _STRAY_1252.search(text):
            continue  # a program that meant Windows-1252
        return text
    return data.decode("latin-1")


def _codec_name(charset: str) -> str:
    try:
        return codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""


def plain_headers(part: Message, *names: str) -> Message:
    """Return some headers of a part with their 8-bit characters decoded, which ``email`` leaves out."""
    headers = Message()
    for key, raw in part.raw_items():
        if key.lower() in names and key not in headers:
            headers[key] = without_surrogates(str(raw))
    return headers


def without_surrogates(text: str) -> str:
    """Return ``text`` with the bytes that ``email`` could not decode decoded."""
    return text_of(text.encode("utf-8", "surrogateescape"), "")
