"""Read corrected scans: lines that hold several versions side by side, one document an article.

::

    *$*COLLECTION*$* 12414000 year 1843 type Article title The Sydney Morn aid 12414000
    first line as scanned||@@||first line corrected by hand||@@||corrected by a program
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from pipelines.readers.errors import SkippedFile
from pipelines.readers.text.decode import Encoding
from pipelines.readers.text.lines import line_batches
from pipelines.readers.types import ReadOptions, SourceFile, Tally, whole_file_metadata
from pipelines.types import Document, Flag

_PREFERRED = "human"
_SCANNED = "ocr"
_NAMED = 5  # lines that a warning names one by one
_ESCAPED = re.compile(r"[\x00-\x20%/#!]")


def is_aligned(start: str) -> bool:
    """Return whether a text that begins with ``start`` holds versions side by side."""
    separator = _rules()["separator"]
    lines = [line for line in start.splitlines()[:-1] or [start] if line.strip()][:50]
    body = [line for line in lines if not _header().match(line)]
    return bool(body) and 2 * sum(separator in line for line in body) > len(body)


def read_aligned(
    file: SourceFile, options: ReadOptions, tally: Tally, encoding: Encoding, start: str
) -> Iterator[Document]:
    """Return an article a document, in the version that the mapping names, else the human one.

    The text is that version's lines, joined by line feeds. The other versions stay in the file;
    the report says which was read.

    Raises:
        SkippedFile: the mapping names a version that is not there.
    """
    separator = _rules()["separator"]
    counts = [line.count(separator) + 1 for line in start.splitlines() if separator in line]
    width = max(set(counts), key=counts.count)
    versions = _rules()["versions"].get(str(width))
    if versions is None:
        versions = [*_rules()["versions"]["2"], *(f"version {i}" for i in range(3, width + 1))]
    asked = options.mapping.table(file.relative, None) if options.mapping is not None else None
    version = (asked.text if asked is not None else "") or _PREFERRED
    if version not in versions:
        raise SkippedFile(
            f"the mapping asks for the version {version!r}; there are {', '.join(versions)}"
        )
    others = [name for name in versions if name != version]
    tally.kind = "aligned text"
    tally.warnings.append(
        f"lines of {width} versions: {_told(version)} was read; for another set "
        f'text = "{others[0]}"{"".join(f" or {name!r}" for name in others[1:])} in a mapping file'
    )
    return _documents(
        file, options, tally, encoding, _Version(version, versions.index(version), width)
    )


@dataclass(frozen=True, slots=True)
class _Version:
    name: str
    place: int
    width: int


@dataclass(slots=True)
class _Article:
    """An article as its lines come."""

    metadata: dict[str, str]
    first: int
    last: int = 0
    lines: list[str] = field(default_factory=list)


def _documents(
    file: SourceFile, options: ReadOptions, tally: Tally, encoding: Encoding, version: _Version
) -> Iterator[Document]:
    separator = _rules()["separator"]
    taken: dict[str, int] = {}
    odd: list[int] = []
    article: _Article | None = None
    number = 0
    for batch in line_batches(file.path, encoding, options.limits.field_mb << 20):
        for line in batch:
            number += 1
            text = line.rstrip("\r\n")
            if match := _header().match(text):
                if article is not None:
                    yield _document(file, article, version, taken)
                article = _Article(_described(match["source"], match["rest"]), number)
                continue
            if article is None:
                if not text.strip():
                    continue
                article = _Article({}, number)
            parts = text.split(separator)
            if len(parts) != version.width and text.strip():
                odd.append(number)
            if text.strip() or article.lines:
                tally.rows += 1
                article.lines.append(parts[version.place] if version.place < len(parts) else text)
                article.last = number
    if article is not None:
        yield _document(file, article, version, taken)
    if odd:
        shown = ", ".join(map(str, odd[:_NAMED]))
        more = f" and {len(odd) - _NAMED} more" if len(odd) > _NAMED else ""
        tally.warnings.append(
            f"not {version.width} versions in line{'s' if len(odd) > 1 else ''} {shown}{more}: "
            "where that version is missing the whole line is kept"
        )


def _document(
    file: SourceFile, article: _Article, version: _Version, taken: dict[str, int]
) -> Document:
    identifier = article.metadata.get("id") or f"line {article.first}"
    escaped = _ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", identifier)
    taken[escaped] = taken.get(escaped, 0) + 1
    key = f"{file.name}#{escaped}" + (f"~r{article.first}" if taken[escaped] > 1 else "")
    return Document(
        key=key,
        text="\n".join(article.lines),
        metadata={**whole_file_metadata(file), **article.metadata, "version": version.name},
        locator=f"lines {article.first} to {article.last or article.first}, {_told(version.name)}",
        flags=(Flag.OCR,) if version.name == _SCANNED else (),
    )


def _described(source: str, rest: str) -> dict[str, str]:
    """Return what the line above an article says of it."""
    names: dict[str, str] = _rules()["fields"]
    first, _, rest = rest.strip().partition(" ")
    metadata = {"collection": source.strip(), "id": first}
    places: list[tuple[int, int, str]] = []
    begin = 0
    for name in names:
        if match := re.compile(rf"(?:^|\s){re.escape(name)}(?=\s|$)").search(rest, begin):
            places.append((match.start(), match.end(), name))
            begin = match.end()
    for i, (_, end, name) in enumerate(places):
        until = places[i + 1][0] if i + 1 < len(places) else len(rest)
        if names[name]:
            metadata[names[name]] = rest[end:until].strip()
    if not places and rest:
        metadata["header"] = rest
    return {name: value for name, value in metadata.items() if value}


def _told(version: str) -> str:
    return str(_rules()["names"].get(version, version))


@cache
def _header() -> re.Pattern[str]:
    return re.compile(_rules()["header"])


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(
        files("pipelines.readers.text").joinpath("aligned.toml").read_text("utf-8")
    )
