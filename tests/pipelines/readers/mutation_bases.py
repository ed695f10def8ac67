"""Twenty small files of every kind, with sentinel strings planted in cells and paragraphs."""

from __future__ import annotations

import csv
import email.message
import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pipelines.readers.pitfalls import workbook

ROWS = 15
_WORDS = ("kestre", "heron", "curlew", "plover", "wigeon", "dunnoc", "siskin")
_SENTENCES = (
    "the crossing on the bypass is too far from the school gate",
    "our hall needs the grant more than the museum does",
    "I would rather pay for a bus than for another car park",
    "nobody has asked the people who live above the shops",
    "please cut back the hedge so that prams can pass",
)
_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\dZ]*")
SENTINEL = re.compile(r"SENTINEL-\d{6}-[a-z]{6}E")


@dataclass(frozen=True)
class Base:
    """A sound file: its suffix, its kind (which survivors are counted how) and its encoding."""

    name: str
    suffix: str
    kind: str
    data: bytes
    encoding: str = "utf-8"


def sentinel(number: int) -> str:
    """Return the ``number``th sentinel; all have the same length, and an end that shows a cut."""
    word = _WORDS[number % len(_WORDS)].ljust(6, "x")
    return f"SENTINEL-{number:06d}-{word}E"


def planted(base: int, row: int, place: int) -> str:
    """Return the sentinel of a place in a base."""
    return sentinel(base * 1000 + row * 10 + place)


def _sentence(base: int, row: int, place: int) -> str:
    words = _SENTENCES[(row + place) % len(_SENTENCES)]
    return f"In row {row} {words} {planted(base, row, place)} and that is all, {words}."


def _table(base: int, extra: str = "") -> list[list[str]]:
    rows = [["Response ID", "Responding as", "Why do you say that?", "What else matters?"]]
    for row in range(ROWS):
        kind = ("Resident", "Business", "Visitor")[row % 3]
        texts = [_sentence(base, row, place) + extra for place in (2, 3)]
        rows.append([planted(base, row, 1), kind, *texts])
    return rows


def _paragraphs(base: int) -> list[str]:
    return [_sentence(base, row, 2) for row in range(ROWS)]


def _delimited(base: int, delimiter: str = ",", end: str = "\n", extra: str = "") -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(_table(base, extra))
    return stream.getvalue()


def _records(base: int) -> list[dict[str, str]]:
    header, *rows = _table(base)
    return [dict(zip(header, row, strict=True)) for row in rows]


def _html(base: int) -> str:
    body = "\n".join(f"<p>{text}</p>" for text in _paragraphs(base))
    return (
        f"<!DOCTYPE html>\n<html><head><title>Letter</title></head><body>\n{body}\n</body></html>\n"
    )


def _rtf(base: int) -> str:
    body = "\n".join(rf"\pard {text}\par" for text in _paragraphs(base))
    return "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\n" + body + "\n}"


def _pdf(base: int) -> bytes:
    lines = "\n".join(
        f"BT /F1 6 Tf 20 {700 - 20 * i} Td ({text}) Tj ET"
        for i, text in enumerate(_paragraphs(base))
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 800] /Contents 4 0 R "
        "/Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(lines)} >>\nstream\n{lines}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 6\n0000000000 65535 f \n{table}trailer\n<< /Size 6 /Root 1 0 R >>\n"
    return out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode()


def _message(base: int, rows: Sequence[int]) -> bytes:
    message = email.message.EmailMessage()
    message["From"] = "clerk@parish.example"
    message["To"] = "consultation@council.example"
    message["Subject"] = "Our response"
    message["Date"] = "Tue, 04 Mar 2025 09:00:00 +0000"
    message.set_content("\n".join(_sentence(base, row, 2) for row in rows) + "\n", cte="7bit")
    message.add_attachment(
        _delimited(base), subtype="csv", filename="answers.csv", cte="7bit", charset="utf-8"
    )
    message.set_boundary(f"boundary-{base}-{len(rows)}")
    return bytes(message)


def _mbox(base: int) -> bytes:
    messages = []
    for row in range(ROWS):
        message = email.message.EmailMessage()
        message["From"] = "reader@post.example"
        message["Subject"] = "Library hours"
        message.set_content(_sentence(base, row, 2) + "\n", cte="7bit")
        messages.append(b"From reader@post.example Tue Mar  4 09:00:00 2025\n" + bytes(message))
    return b"\n".join(messages)


def _zip(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def settled(data: bytes) -> bytes:
    """Return a zipped file without the time at which it was written."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for info in old.infolist():
            content = old.read(info)
            if info.filename in {"meta.xml", "docProps/core.xml"}:
                content = _STAMP.sub(b"2025-01-01T00:00:00Z", content)
            new.writestr(zipfile.ZipInfo(info.filename), content, info.compress_type)
    return stream.getvalue()


def _written(suffix: str, write: Callable[[Path], object]) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"base{suffix}"
        write(path)
        return settled(path.read_bytes())


def _docx(base: int) -> bytes:
    import docx

    document = docx.Document()
    for text in _paragraphs(base):
        document.add_paragraph(text)
    return _written(".docx", lambda path: document.save(str(path)))


def _odt(base: int) -> bytes:
    import odfdo

    document = odfdo.Document("text")
    document.body.clear()
    for text in _paragraphs(base):
        document.body.append(odfdo.Paragraph(text))
    return _written(".odt", lambda path: document.save(str(path)))


def _xlsx(base: int, sheets: int) -> bytes:
    header, *rows = _table(base)
    size = -(-len(rows) // sheets)
    made = {f"Part {i + 1}": [header, *rows[i * size : (i + 1) * size]] for i in range(sheets)}
    return _written(".xlsx", lambda path: workbook.write(path, dict(made)))


@cache
def bases() -> tuple[Base, ...]:
    """Return the sound files."""
    utf16 = _delimited(4, "\t", "\r\n").encode("utf-16")
    lines = "".join(json.dumps(record) + "\n" for record in _records(11))
    zipped = {"answers.csv": _delimited(18).encode()}
    zipped["letters/one.txt"] = "\n\n".join(_sentence(18, row, 4) for row in range(ROWS)).encode()
    accents = " Café, £5 – that’s “fair”"
    return (
        Base("csv-utf8", ".csv", "text", _delimited(1).encode()),
        Base("csv-mark", ".csv", "text", _delimited(2, end="\r\n").encode("utf-8-sig")),
        Base("csv-1252", ".csv", "text", _delimited(3, extra=accents).encode("cp1252"), "cp1252"),
        Base("csv-utf16", ".csv", "text", utf16, "utf-16"),
        Base(
            "csv-semicolon",
            ".csv",
            "text",
            _delimited(5, ";", extra=" é").encode("latin-1"),
            "latin-1",
        ),
        Base(
            "csv-mac", ".csv", "text", _delimited(6, extra=accents).encode("mac-roman"), "mac-roman"
        ),
        Base("tsv", ".tsv", "text", _delimited(7, "\t").encode()),
        Base("xlsx", ".xlsx", "zip", _xlsx(8, 1)),
        Base("xlsx-sheets", ".xlsx", "zip", _xlsx(9, 2)),
        Base("json", ".json", "text", json.dumps(_records(10), indent=1).encode()),
        Base("jsonl", ".jsonl", "text", lines.encode()),
        Base("html", ".html", "html", _html(12).encode()),
        Base("docx", ".docx", "zip", _docx(13)),
        Base("odt", ".odt", "zip", _odt(14)),
        Base("rtf", ".rtf", "rtf", _rtf(15).encode("ascii"), "ascii"),
        Base("eml", ".eml", "mail", _message(16, range(ROWS))),
        Base("mbox", ".mbox", "mbox", _mbox(17)),
        Base("zip", ".zip", "zip", _zip(zipped)),
        Base("pdf", ".pdf", "pdf", _pdf(19), "latin-1"),
        Base("txt", ".txt", "text", "\n\n".join(_paragraphs(20)).encode()),
    )
