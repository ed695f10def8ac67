"""Take one MIME message apart: its body, and what is attached to it. Runs in the sandbox.

Mail on disk is often malformed; whatever it is, its text comes out or a warning says what did not.
"""

from __future__ import annotations

import email
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from email.utils import collapse_rfc2231_value
from pathlib import PurePosixPath

from pipelines.readers.containers.mail_text import (
    date_text,
    decoded_words,
    header_text,
    plain_headers,
    text_of,
)

_KNOWN_HEADERS = ("from", "to", "subject", "date", "received", "mime-version", "content-type",
                  "message-id", "return-path")  # fmt: skip
_STOCK = 400  # characters of the sentence that old mail programs are to show
_SIGNATURES = {"application/pkcs7-signature", "application/x-pkcs7-signature",
               "application/pgp-signature", "application/pgp-keys"}  # fmt: skip
_SEALED = {"application/pkcs7-mime", "application/x-pkcs7-mime"}
_TNEF = {"application/ms-tnef", "application/vnd.ms-tnef"}
_TNEF_REASON = "Outlook's own package (winmail.dat), which is not read: ask for it as plain files"
_SUFFIXES = {"message/rfc822": ".eml", "text/plain": ".txt", "text/html": ".html",
             "text/csv": ".csv"}  # fmt: skip
_LONG = 200  # characters of a file name
_MOST_DEPTH = 50  # of parts inside parts


@dataclass(slots=True)
class Attached:
    """A part to be read as a file: its name and bytes; or, with a ``reason``, not to be."""

    name: str
    data: bytes = b""
    reason: str = ""


@dataclass(slots=True)
class Parsed:
    """A message taken apart. ``text`` is the plain body, or that of the HTML body."""

    text: str = ""
    subject: str = ""
    date: str = ""
    attached: list[Attached] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def parse_message(data: bytes) -> Parsed:
    """Return the parts of the message ``data``."""
    message = email.message_from_bytes(data)
    parsed = Parsed()
    if not any(name in message for name in _KNOWN_HEADERS):
        parsed.text = text_of(data, "")
        parsed.warnings.append("no mail headers found: all of it is taken as the text")
        return parsed
    parsed.subject = header_text(message, "Subject")
    parsed.date = date_text(header_text(message, "Date"))
    texts = list(_bodies(message, parsed, 0))
    parsed.text = "\n".join(text.rstrip("\r\n") if i < len(texts) - 1 else text
                            for i, text in enumerate(texts))  # fmt: skip
    if "-----BEGIN PGP MESSAGE-----" in parsed.text:
        parsed.warnings.append("encrypted with PGP: the text is what can be read without the key")
    return parsed


def safe_name(part: Message, number: int) -> str:
    """Return the file name of a part, or one made of its number and kind."""
    headers = plain_headers(part, "content-disposition", "content-type")
    try:
        raw = headers.get_param("filename", None, "content-disposition") or headers.get_param(
            "name"
        )
        name = collapse_rfc2231_value(raw) if isinstance(raw, (str, tuple)) else ""
    except (LookupError, ValueError, UnicodeError):
        name = ""
    name = decoded_words(name).replace("\\", "/").rpartition("/")[2].strip()
    kind = part.get_content_type()
    suffix = _SUFFIXES.get(kind) or mimetypes.guess_extension(kind) or ""
    if not name.strip("."):
        return f"part {number}{suffix}"
    if len(name) > _LONG:
        name = f"{name[:_LONG]}{PurePosixPath(name).suffix[:10]}"
    return name if PurePosixPath(name).suffix else name + _SUFFIXES.get(kind, "")


def _bodies(
    part: Message, parsed: Parsed, depth: int, *, html_wanted: bool = True
) -> Iterator[str]:
    """Yield the texts of the body in order; what is no body goes to ``parsed.attached``."""
    kind = part.get_content_type()
    if depth > _MOST_DEPTH:
        parsed.warnings.append(f"parts more than {_MOST_DEPTH} deep are left out")
    elif part.get_content_maintype() == "multipart":
        yield from _inner_bodies(part, parsed, depth, html_wanted)
    elif part.get_content_disposition() == "attachment" or _file_name(part):
        _attach(part, parsed)
    elif kind == "text/plain":
        yield _plain(part, parsed)
    elif kind == "text/html":
        if html_wanted:
            yield _html(part)
    else:
        _attach(part, parsed)


def _inner_bodies(part: Message, parsed: Parsed, depth: int, html_wanted: bool) -> Iterator[str]:
    children = part.get_payload()
    if not isinstance(children, list):  # a boundary that is never found
        parsed.warnings.append("its parts cannot be told apart: all of it is taken as the text")
        yield _plain(part, parsed)
        return
    kind = part.get_content_type()
    if kind == "multipart/encrypted":
        parsed.warnings.append("encrypted with PGP and not read: decrypt it and save it again")
        return
    parts = [child for child in children if isinstance(child, Message)]
    if kind == "multipart/alternative" and any(map(_has_plain, parts)):
        html_wanted = False
    yield from _outside(part.preamble, parsed)
    for child in parts:
        yield from _bodies(child, parsed, depth + 1, html_wanted=html_wanted)
    yield from _outside(part.epilogue, parsed)


def _outside(text: str | None, parsed: Parsed) -> Iterator[str]:
    """Yield what stands before or after all parts: nothing, a stock sentence, or a lost part."""
    if text and text.strip() and not _is_stock(text):
        parsed.warnings.append("text outside the parts of the message is taken into the text")
        yield text_of(text.encode("utf-8", "surrogateescape"), "")


def _plain(part: Message, parsed: Parsed) -> str:
    if str(part.get_param("format", "")).lower() == "flowed":
        note = "lines end where the mail program broke them (format=flowed)"
        if note not in parsed.warnings:
            parsed.warnings.append(note)
    return text_of(_payload(part), part.get_content_charset() or "")


def _html(part: Message) -> str:
    from pipelines.readers.pages.markup import markup_text

    return markup_text(text_of(_payload(part), part.get_content_charset() or ""))


def _attach(part: Message, parsed: Parsed) -> None:
    kind = part.get_content_type()
    name = safe_name(part, len(parsed.attached) + 1)
    if kind in _SIGNATURES:
        return
    if kind in _SEALED or name.lower() == "smime.p7m":
        reason = "encrypted or sealed with S/MIME and not read: save the message without it"
        parsed.warnings.append(reason)
        parsed.attached.append(Attached(name, reason=reason))
    elif kind in _TNEF or name.lower() == "winmail.dat":
        parsed.attached.append(Attached(name, reason=_TNEF_REASON))
    elif part.get_content_maintype() == "image" and part.get("Content-ID"):
        parsed.attached.append(Attached(name, reason="a picture shown inside the message"))
    elif kind == "message/rfc822":
        inner = part.get_payload()
        first = inner[0] if isinstance(inner, list) and inner else None
        data = first.as_bytes() if isinstance(first, Message) else _payload(part)
        name = name if name.lower().endswith(".eml") else f"{name}.eml"
        parsed.attached.append(Attached(name, data))
    else:
        parsed.attached.append(Attached(name, _payload(part)))


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    if isinstance(payload, bytes):
        return payload
    raw = part.get_payload()
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _has_plain(part: Message) -> bool:
    return any(
        child.get_content_type() == "text/plain"
        and not _file_name(child)
        and _payload(child).strip()
        for child in part.walk()
    )


def _file_name(part: Message) -> bool:
    return bool(
        part.get_param("filename", None, "content-disposition")
        or part.get_param("filename*", None, "content-disposition")
        or (part.get_content_type() not in ("text/plain", "text/html") and part.get_param("name"))
    )


def _is_stock(text: str) -> bool:
    words = text.lower()
    return len(text) < _STOCK and ("mime" in words or "multi-part" in words or "multipart" in words)
