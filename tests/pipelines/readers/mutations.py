"""Break a file in a dozen ways, and tell which sentinels are still whole in what is left."""

from __future__ import annotations

import codecs
import email
import io
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from html.parser import HTMLParser
from random import Random

from tests.pipelines.readers.mutation_bases import SENTINEL, Base, bases

SEED = 20250304
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "mac-roman", "utf-16-be")


@dataclass(frozen=True)
class Mutation:
    """One broken file; ``str`` names it so that it can be made again."""

    base: Base
    number: int
    kind: str
    suffix: str
    data: bytes
    changed: tuple[str, ...] = ()  # members that were broken inside a sound archive

    def __str__(self) -> str:
        """Name the mutation."""
        return (
            f"mutate({self.base.name!r}, {self.number})  # seed {SEED}, {self.kind}, {self.suffix}"
        )


def mutate(name: str, number: int) -> Mutation:
    """Return the ``number``th mutation of the base called ``name``, the same each time."""
    base = _bases()[name]
    rng = Random(f"{SEED}/{name}/{number}")
    kind = list(_KINDS)[number % len(_KINDS)]
    suffix, data, changed = base.suffix, base.data, ()
    if kind == "suffix":
        suffix = rng.choice(sorted({one.suffix for one in bases()} - {suffix} | {".xls", ".dat"}))
    elif kind == "inside":
        data, changed = _inside(rng, base)
    else:
        data = _KINDS[kind](rng, base)
    return Mutation(base, number, kind, suffix, data, changed)


def _bases() -> dict[str, Base]:
    return {base.name: base for base in bases()}


def _block(rng: Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(max(1, len(data)))
    return start, min(len(data), start + rng.choice((1, 7, 64, 300, 2000)))


def _truncate(rng: Random, base: Base) -> bytes:
    return base.data[: rng.randrange(len(base.data))]


def _flip(rng: Random, base: Base) -> bytes:
    data = bytearray(base.data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _delete(rng: Random, base: Base) -> bytes:
    start, end = _block(rng, base.data)
    return base.data[:start] + base.data[end:]


def _duplicate(rng: Random, base: Base) -> bytes:
    start, end = _block(rng, base.data)
    return base.data[:end] + base.data[start:end] * rng.choice((1, 3)) + base.data[end:]


def _zero(rng: Random, base: Base) -> bytes:
    start, end = _block(rng, base.data)
    return base.data[:start] + bytes(end - start) + base.data[end:]


def _line_ends(rng: Random, base: Base) -> bytes:
    wide = base.encoding == "utf-16"
    data = base.data.replace(b"\r\0\n\0" if wide else b"\r\n", b"\n\0" if wide else b"\n")
    new = rng.choice(("\r", "\r\n", "\n\n", "\n\r"))
    return (
        data.replace(b"\n\0", new.encode("utf-16-le"))
        if wide
        else data.replace(b"\n", new.encode())
    )


def _quotes(rng: Random, base: Base) -> bytes:
    data = base.data
    for _ in range(rng.choice((1, 2, 5))):
        place = rng.randrange(len(data))
        data = data[:place] + rng.choice((b'"', b"'", b'""', b'",', b"\\")) + data[place:]
    return data


def _splice(rng: Random, base: Base) -> bytes:
    other = rng.choice(bases())
    tail = other.data[rng.randrange(len(other.data)) :]
    return base.data[: rng.randrange(len(base.data))] + tail


def _encode(rng: Random, base: Base) -> bytes:
    encoding = "latin-1" if base.kind in {"zip", "pdf"} else base.encoding
    text = base.data.decode(encoding).removeprefix("\ufeff")
    return text.encode(rng.choice(_ENCODINGS), "replace")


def _inside(rng: Random, base: Base) -> tuple[bytes, tuple[str, ...]]:
    """Break one member and pack the archive soundly again."""
    if base.kind != "zip":
        return _flip(rng, base), ()
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(base.data)) as old, zipfile.ZipFile(stream, "w") as new:
        infos = old.infolist()
        chosen = rng.choice([info.filename for info in infos if info.file_size])
        for info in infos:
            content = old.read(info)
            if info.filename == chosen:
                inner = Base(base.name, base.suffix, "text", content)
                content = rng.choice((_truncate, _flip, _delete, _duplicate, _zero))(rng, inner)
            new.writestr(zipfile.ZipInfo(info.filename), content, info.compress_type)
    return stream.getvalue(), (chosen,)


def _same(rng: Random, base: Base) -> bytes:
    return base.data


_KINDS: dict[str, Callable[[Random, Base], bytes]] = {
    "truncate": _truncate,
    "flip": _flip,
    "delete": _delete,
    "duplicate": _duplicate,
    "zero": _zero,
    "line ends": _line_ends,
    "quotes": _quotes,
    "splice": _splice,
    "encode": _encode,
    "suffix": _same,
    "inside": _same,
}


def survivors(mutation: Mutation) -> set[str]:
    """Return the sentinels that the file still holds, as far as its own format can be trusted.

    In an archive those of the members that ``zipfile`` still unpacks; in HTML what is text and not
    inside a tag; in RTF what is in the body and no control word; in mail the text parts; in PDF
    all, when nothing but text inside strings was changed, and none otherwise.
    """
    data = mutation.data
    if data.startswith(b"PK"):
        return _in_archive(data, mutation.changed)
    kind = mutation.base.kind
    if kind == "zip":
        return set()
    if kind == "pdf":
        return _in_text(data) if _bones(data) == _bones(mutation.base.data) else set()
    text = _in_text(data)
    if kind == "html":
        return text & _in_html(data)
    if kind == "rtf":
        return text & _in_rtf(data)
    if kind == "mail":
        return text & _in_mail(data)
    if kind == "mbox":
        if not data.startswith(b"From "):
            return set()
        messages = re.split(rb"(?m)^From [^\n]*\n", data)
        return text & set().union(*map(_in_mail, messages))
    return text


def _in_text(data: bytes) -> set[str]:
    if data[:2] in _MARKS:
        return set(SENTINEL.findall(data.decode("utf-16", "replace")))
    found = set(SENTINEL.findall(data.decode("latin-1")))
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            found |= set(SENTINEL.findall(data.decode(encoding)))
        except UnicodeDecodeError:
            continue
    return found


def _in_archive(data: bytes, changed: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                try:
                    content = archive.read(info)
                except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError):
                    continue
                except (NotImplementedError, RuntimeError):  # another method, or "encrypted"
                    continue
                if info.filename not in changed or info.filename.endswith((".csv", ".txt")):
                    found |= _in_text(content)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError):
        return set()
    return found


def _bones(data: bytes) -> bytes:
    return re.sub(rb"\([^()\\\r\n]*\) Tj", b"() Tj", data)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden |= tag not in {"p", "html", "head", "body", "title"}

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.text.append(data)


def _in_html(data: bytes) -> set[str]:
    encoding = "utf-16" if data[:2] in _MARKS else "utf-8"
    parser = _Text()
    parser.feed(data.decode(encoding, "replace"))
    parser.close()
    return set(SENTINEL.findall("".join(parser.text)))


def _in_rtf(data: bytes) -> set[str]:
    start = data.find(b"\\pard")
    if start < 0 or not _bases()["rtf"].data.startswith(data[:start]):
        return set()
    text, found = data.decode("latin-1"), set()
    for match in SENTINEL.finditer(text):
        before = text[: match.start()]
        if before.count("{") - before.count("}") == 1 and not re.search(
            r"\\(?:[a-zA-Z]*-?\d*|'.?)$|\\(?:bin|ud|upr|v|\*)", before[start:]
        ):
            found.add(match[0])
    return found


def _in_mail(data: bytes) -> set[str]:
    found: set[str] = set()
    for part in email.message_from_bytes(data).walk():
        content = part.get_payload(decode=True)
        if part.get_content_maintype() == "text" and isinstance(content, bytes):
            found |= set(SENTINEL.findall(content.decode("latin-1")))
    return found
