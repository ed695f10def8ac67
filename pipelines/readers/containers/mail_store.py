"""Find the messages in an EML, MSG or mbox file: the parser's side of ``mail``, run in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.readers.containers.mail_parts import Attached, Parsed, parse_message
from pipelines.readers.containers.mail_text import date_text, text_of
from pipelines.readers.errors import UnreadableFile

_BLOCK = 1 << 20
_BLANK = (b"\n", b"\r\n", b"\r")


def messages(path: str, kind: str, most: int) -> Iterator[Parsed]:
    """Yield the messages of a file of ``kind`` "eml", "msg" or "mbox".

    A message of more than ``most`` bytes is one without text, with a warning.

    Raises:
        UnreadableFile: damaged, or an item of Outlook that is no message.
    """
    if kind == "msg":
        yield _outlook(path)
        return
    for data in _split(path, most) if kind == "mbox" else _whole(path, most):
        if data is None:
            parsed = Parsed()
            parsed.warnings.append(f"a message of more than {most >> 20:,} MB is left out")
            yield parsed
        else:
            yield parse_message(data)


def _whole(path: str, most: int) -> Iterator[bytes | None]:
    if Path(path).stat().st_size > most:
        yield None
    else:
        yield Path(path).read_bytes()


def _split(path: str, most: int) -> Iterator[bytes | None]:
    """Yield the messages of an mbox; a message begins at "From " after a blank line.

    Inside a message that line is written ">From ", which is undone.
    """
    lines: list[bytes] = []
    size = 0
    blank = True
    begun = False
    for line in _lines(path):
        if blank and line.startswith(b"From "):
            if begun:
                yield _joined(lines) if size <= most else None
            lines, size, begun, blank = [], 0, True, False
            continue
        begun = True
        blank = line in _BLANK
        size += len(line)
        if size <= most:
            quoted = line.startswith(b">") and line.lstrip(b">").startswith(b"From ")
            lines.append(line[1:] if quoted else line)
    if begun:
        yield _joined(lines) if size <= most else None


def _lines(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as stream:
        start = stream.read(_BLOCK)
        stream.seek(0)
        if b"\n" in start or b"\r" not in start:
            while line := stream.readline(_BLOCK):
                yield line
            return
    with Path(path).open(encoding="latin-1", newline="\r") as text:  # lines as on an old Macintosh
        while piece := text.readline(_BLOCK):
            yield piece.encode("latin-1")


def _joined(lines: list[bytes]) -> bytes:
    if lines and lines[-1] in _BLANK:
        lines.pop()  # it belongs to the mailbox
    return b"".join(lines)


def _outlook(path: str) -> Parsed:
    """Return the message of an Outlook file."""
    from oxmsg import Message

    try:
        message = Message.load(path)
        parsed = Parsed(subject=message.subject, date=_sent(message))
        parsed.text = message.body or ""
        if not parsed.text.strip():
            parsed.text = _outlook_html(message)
        attachments = list(message.attachments)
    except MemoryError:
        raise
    except Exception as error:  # the library checks little, so a damaged file can raise anything
        raise UnreadableFile(
            f"a damaged Outlook message ({type(error).__name__}); open it in Outlook and save it "
            "again, or as text"
        ) from error
    if "SMIME" in message.message_class.upper():
        parsed.warnings.append("encrypted or sealed with S/MIME: its text is not read")
    if not parsed.text.strip() and message.properties.binary_prop_value(0x1009):
        parsed.warnings.append("its text is there only as RTF, which is not read: save it as text")
    for number, attachment in enumerate(attachments, start=1):
        parsed.attached.append(_outlook_attached(attachment, number))
    return parsed


def _outlook_html(message: Any) -> str:
    from pipelines.readers.pages.markup import markup_text

    data = message.properties.binary_prop_value(0x1013)
    return markup_text(text_of(data, message.properties.body_encoding) if data else "")


def _outlook_attached(attachment: Any, number: int) -> Attached:
    try:
        name = (attachment.file_name or "").replace("\\", "/").rpartition("/")[2].strip()
        data = attachment.file_bytes
    except MemoryError:
        raise
    except Exception as error:
        return Attached(f"part {number}", reason=f"damaged ({type(error).__name__})")
    if data is None:
        reason = "a link, or a message or object inside: save it from Outlook as a file of its own"
        return Attached(name or f"part {number}", reason=reason)
    return Attached(name or f"part {number}", bytes(data))


def _sent(message: Any) -> str:
    sent = message.sent_date
    return sent.isoformat(sep=" ") if sent else date_text(message.message_headers.get("Date", ""))
