"""Readers of English prose from unpacked Debian packages.

Each reader takes the root of an unpacked package and yields candidate lines; what is kept is
decided in ``filters``.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from pipelines.training.errors import MissingSource
from pipelines.training.filters import sentences

_EXAMPLE = re.compile(r'"([^"]+)"')
_CROSS_REFERENCE = re.compile(r"\{([^{}]*)\}")
_FIELD_MARK = re.compile(r"^\s*(?:[a-z]{1,5}\.\s+)?(?:\[[^\]]*\]|<[^>]*>)\s*")


def _found(root: Path, pattern: str) -> list[Path]:
    paths = sorted(root.glob(pattern))
    if not paths:
        raise MissingSource(f"nothing matches {pattern} under {root}: is it the unpacked package?")
    return paths


def wordnet(root: Path) -> Iterator[str]:
    """Yield WordNet's definitions and example sentences.

    Every second definition comes with the words it defines ("word, word: definition"), so that
    half of the lines tie a word to its meaning and no definition is seen twice.
    Format: https://wordnet.princeton.edu/documentation/wndb5wn
    """
    for path in _found(root, "usr/share/wordnet/data.*"):
        for number, line in enumerate(path.read_text(encoding="latin-1").splitlines()):
            fields, bar, gloss = line.partition(" | ")
            if not bar or line.startswith("  "):
                continue
            columns = fields.split(" ")
            words = [columns[4 + 2 * i] for i in range(int(columns[3], 16))]
            words = [re.sub(r"\(\w+\)$", "", word).replace("_", " ") for word in words]
            definition = gloss.partition('; "')[0].strip(" ;")
            yield f"{', '.join(words[:3])}: {definition}" if number % 2 else definition
            yield from _EXAMPLE.findall(gloss)


def dictionary(root: Path) -> Iterator[str]:
    """Yield the sentences of a dictd database (RFC 2229 text, gzip-compatible ``.dict.dz``)."""
    for path in _found(root, "usr/share/dictd/*.dict.dz"):
        text = gzip.decompress(path.read_bytes()).decode("utf-8", errors="replace")
        for paragraph in re.split(r"\n\s*\n", text):
            body = [line for line in paragraph.splitlines() if line.startswith("  ")]
            plain = _CROSS_REFERENCE.sub(r"\1", " ".join(body))
            yield from sentences(_FIELD_MARK.sub("", plain))


class _Paragraphs(HTMLParser):
    """Collect the text of paragraphs, list items and headings of an HTML or Mallard page."""

    BLOCKS = frozenset({"p", "li", "dd", "dt", "td", "th", "h1", "h2", "h3", "title", "desc"})
    SKIPPED = frozenset({"pre", "script", "style", "code", "screen", "nav", "info", "table"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.paragraphs: list[str] = []
        self._pieces: list[str] = []
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.BLOCKS:
            self._flush()
        self._skipping += tag in self.SKIPPED

    def handle_endtag(self, tag: str) -> None:
        if tag in self.BLOCKS:
            self._flush()
        if tag in self.SKIPPED and self._skipping:
            self._skipping -= 1

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self._pieces.append(data)

    def close(self) -> None:
        super().close()
        self._flush()

    def _flush(self) -> None:
        if text := "".join(self._pieces).strip():
            self.paragraphs.append(text)
        self._pieces.clear()


def page_sentences(markup: str) -> Iterator[str]:
    """Yield the sentences of one HTML or Mallard page, without its code and menus."""
    parser = _Paragraphs()
    parser.feed(markup)
    parser.close()
    for paragraph in parser.paragraphs:
        yield from sentences(paragraph.replace("¶", ""))


def _pages(root: Path, pattern: str) -> Iterator[str]:
    for path in _found(root, pattern):
        yield from page_sentences(path.read_text(encoding="utf-8", errors="replace"))


def gnome_help(root: Path) -> Iterator[str]:
    """Yield the sentences of the GNOME user documentation (Mallard pages, English)."""
    yield from _pages(root, "usr/share/help/C/**/*.page")


def debian_handbook(root: Path) -> Iterator[str]:
    """Yield the sentences of the English edition of The Debian Administrator's Handbook."""
    yield from _pages(root, "usr/share/doc/debian-handbook/html/en-US/*.html")


def libreoffice_help(root: Path) -> Iterator[str]:
    """Yield the sentences of LibreOffice's help in English."""
    yield from _pages(root, "usr/share/libreoffice/help/en-US/text/**/*.html")
