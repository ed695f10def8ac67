"""Tell what a file is from its content: signatures, the parts of a zip, the streams of an OLE file."""

from __future__ import annotations

import codecs
import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

from pipelines.readers.containers import packages
from pipelines.readers.containers.compound import MAGIC, root_names
from pipelines.readers.errors import UnreadableFile
from pipelines.readers.types import Limits

_START = 8_192
_PDF_WITHIN = 1_024  # bytes, as other readers of PDF allow


@dataclass(frozen=True, slots=True)
class Content:
    """What was recognised: ``kind`` ("" where nothing was), how to call it, and what to do instead.

    ``advice`` is set for what no reader takes. ``text`` is whether it looks like text.
    """

    kind: str = ""
    name: str = ""
    advice: str = ""
    text: bool = False


_OTHER = (  # place, signature, name, advice
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it, and give the folder instead"),
    (0, b"Rar!\x1a\x07", "a RAR archive", "unpack it, and give the folder instead"),
    (0, b"SQLite format 3\0", "an SQLite database", "export its tables as CSV"),
    (0, b"PAR1", "a Parquet table", "export it as CSV"),
    (0, b"GIF8", "a GIF picture", "save it as PNG to have it read with OCR"),
    (0, b"RIFF", "a sound, video or WebP file", "transcribe it, or save the picture as PNG"),
    (0, b"OggS", "a sound recording", "transcribe it to text"),
    (0, b"ID3", "a sound recording", "transcribe it to text"),
    (0, b"fLaC", "a sound recording", "transcribe it to text"),
    (4, b"ftyp", "a video, or a picture of a phone", "transcribe it, or save the picture as PNG"),
    (0, b"\x1a\x45\xdf\xa3", "a video", "transcribe it to text"),
    (0, b"%!PS", "a PostScript file", "convert it to PDF"),
    (0, b"\x7fELF", "a program", "it holds no text to read"),
    (0, b"bplist", "a property list or web archive of macOS", "save the page as HTML or PDF"),
)
_SIGNATURES = (  # signature, kind, name
    (b"{\\rtf", "rtf", "an RTF document"),
    (b"\x89PNG\r\n", "picture", "a PNG picture"),
    (b"\xff\xd8\xff", "picture", "a JPEG picture"),
    (b"II*\0", "picture", "a TIFF picture"),
    (b"MM\0*", "picture", "a TIFF picture"),
    (b"\x1f\x8b", "gzip", "a file packed by gzip"),
    (b"BZh", "bzip2", "a file packed by bzip2"),
    (b"\xfd7zXZ\0", "xz", "a file packed by xz"),
)
_PARTS = (  # a part of a zip, kind, name, advice
    ("xl/workbook.xml", "xlsx", "an XLSX workbook", ""),
    ("xl/workbook.bin", "xlsb", "an XLSB workbook", ""),
    ("word/document.xml", "docx", "a DOCX document", ""),
    ("ppt/presentation.xml", "", "a PowerPoint presentation", "save it as PDF"),
    ("meta-inf/container.xml", "", "an e-book", "save it as HTML or PDF"),
    ("index/document.iwa", "", "an Apple iWork document", "export it as PDF, DOCX or XLSX"),
)
_MEDIA = (  # beginning of the media type of an OpenDocument file, kind, name, advice
    ("application/vnd.oasis.opendocument.text", "odt", "an OpenDocument text", ""),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods", "an OpenDocument workbook", ""),
    ("application/vnd.oasis.opendocument.", "", "an OpenDocument file", "save it as PDF"),
    ("application/epub+zip", "", "an e-book", "save it as HTML or PDF"),
)
_STREAMS = (  # a stream of an OLE file, kind, name, advice
    ("Workbook", "xls", "an XLS workbook", ""),
    ("Book", "xls", "an XLS workbook", ""),
    ("__properties_version1.0", "msg", "an Outlook message", ""),
    ("WordDocument", "", "a Word 97–2003 document", "save it as .docx"),
    ("PowerPoint Document", "", "a PowerPoint 97–2003 presentation", "save it as PDF"),
)
_HTML = re.compile(r"(?:<\?xml[^>]*>|<!--.*?-->|\s)*<(?:!doctype\s+html|html|head|body|table|meta)\b",
                   re.IGNORECASE | re.DOTALL)  # fmt: skip
_MAIL = re.compile(r"(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n(?:[ \t][^\n]*\n)*){2}")
_MAIL_ONLY = re.compile(
    r"^(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To):", re.I | re.M
)
_MBOX = re.compile(r"From \S+ [^\n]*\d\d:\d\d[^\n]*\n[A-Za-z>][A-Za-z0-9-]*[: ]")


def recognise(path: Path, limits: Limits) -> Content:
    """Return what the file at ``path`` is.

    Raises:
        UnreadableFile: a zip file with a directory beyond the limits, or an office file with a
            password.
        OSError: it cannot be opened.
    """
    with path.open("rb") as stream:
        start = stream.read(_START)
    if start.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zipped(path, limits)
    if start.startswith(MAGIC):
        return _compound(path)
    for signature, kind, name in _SIGNATURES:
        if start.startswith(signature):
            return Content(kind, name)
    if start[257:262] == b"ustar":
        return Content("tar", "a TAR archive")
    if b"%PDF-" in start[:_PDF_WITHIN] and not _is_html(start[:_PDF_WITHIN].decode("latin-1")):
        return Content("pdf", "a PDF")
    for place, signature, name, advice in _OTHER:
        if start.startswith(signature, place) and (0 in start or not _looks_like_text(start)):
            return Content("", name, advice)
    return _text(start) if _looks_like_text(start) else Content()


def _zipped(path: Path, limits: Limits) -> Content:
    try:
        with packages.opened(path, limits) as archive:
            names = {name.lower().lstrip("/"): name for name in archive.namelist()}
            media = _media_type(archive) if "mimetype" in names else ""
    except packages.TooMany:
        raise
    except UnreadableFile:  # damaged: its ending says what it was
        return Content()
    for part, kind, name, advice in _PARTS:
        if part in names:
            return Content(kind, name, advice)
    for beginning, kind, name, advice in _MEDIA:
        if media.startswith(beginning):
            return Content(kind, name, advice)
    if "content.xml" in names and "meta-inf/manifest.xml" in names:
        return Content()  # an OpenDocument file that lost its media type
    return Content("zip", "a ZIP archive")


def _media_type(archive: zipfile.ZipFile) -> str:
    with packages.broken("zip file"), archive.open("mimetype") as stream:
        return stream.read(100).decode("ascii", "replace").strip()


def _compound(path: Path) -> Content:
    names = root_names(path)
    if "EncryptedPackage" in names:
        raise UnreadableFile(
            "password-protected: open it in the program it came from and save it without a password"
        )
    if not names:  # damaged: its ending says what it was
        return Content()
    for stream, kind, name, advice in _STREAMS:
        if stream in names:
            return Content(kind, name, advice)
    return Content("", "an OLE file of an unknown program", "export it as text, CSV or PDF")


def _text(start: bytes) -> Content:
    text = _decoded(start)
    head = text.lstrip("\ufeff \t\r\n")
    if "urn:schemas-microsoft-com:office:spreadsheet" in head[:2_000]:
        return Content("", "a workbook in the XML format of Excel 2003", "save it as .xlsx")
    if _is_html(head):
        return Content("html", "an HTML page", text=True)
    if _MBOX.match(text.replace("\r\n", "\n")):
        return Content("mbox", "a mailbox", text=True)
    lines = text.replace("\r\n", "\n")
    if _MAIL.match(lines) and _MAIL_ONLY.search(lines.partition("\n\n")[0]):
        return Content("eml", "a mail message", text=True)
    return Content(text=True)


def _is_html(head: str) -> bool:
    return _HTML.match(head) is not None


def _looks_like_text(start: bytes) -> bool:
    if not start:
        return False
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
        return True
    controls = sum(byte < 9 or 13 < byte < 26 for byte in start)
    if start.count(0) > 0.3 * len(start):  # UTF-16 without a mark has a zero for each letter
        return controls - start.count(0) == 0 and start.count(0) < 0.6 * len(start)
    return controls <= 0.01 * len(start)


def _decoded(start: bytes) -> str:
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return start.decode("utf-16", "replace")
    if start.count(0) > 0.3 * len(start):
        return start.replace(b"\0", b"").decode("latin-1")
    return start.decode("utf-8", "replace")
