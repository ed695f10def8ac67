"""Put the lines of a page together into paragraphs.

Lines of one paragraph are joined by a space. Where a line ends with a hyphen and the next begins
with a letter they are joined without one, and the hyphen stays unless it is known to be the
typesetter's: a soft hyphen, a word that the document also writes in one ("information"), or a tail
that is no word of its own ("tion"; ``paragraphs.toml``). Nothing else but white space is ever added or lost.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

HYPHEN = "\x02"
"""Where the library of PDF saw a hyphen at the end of a line, it gives this instead."""

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_HEAD = re.compile(r"([^\W\d_]+)[-‐\x02]\Z")
_TAIL = re.compile(r"[^\W\d_]+")
_HYPHENS = ("-", "‐", HYPHEN)


class Words:
    """The words of a document as they stand within its lines."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def learn(self, line: str) -> None:
        """Take up the words of ``line`` but for one cut at its end."""
        found = _WORD.findall(line.replace("\xad", ""))
        if found and line.rstrip().endswith((*_HYPHENS, "\xad")):
            found.pop()
        self._seen.update(word.casefold().replace("‐", "-") for word in found)

    def join(self, lines: Iterable[str]) -> str:
        """Return the lines of one paragraph as one line."""
        text = ""
        for line in lines:
            line = line.strip()
            if not text:
                text = line
            elif text.endswith("\xad"):
                text = text[:-1] + line
            elif text.endswith(_HYPHENS) and _TAIL.match(line) and _HEAD.search(text):
                text = (text[:-1] if self._is_typesetters(text, line) else text) + line
            else:
                text = f"{text} {line}"
        return text.replace(HYPHEN, "-")

    def _is_typesetters(self, text: str, line: str) -> bool:
        head, tail = _HEAD.search(text), _TAIL.match(line)
        if not head or not tail:
            return False
        first, second = head[1].casefold(), tail[0].casefold()
        if f"{first}-{second}" in self._seen:
            return False
        if f"{first}{second}" in self._seen:
            return True
        return len(first) > 1 and tail[0].islower() and second in _tails()


def join_blocks(text: str) -> str:
    """Return hard-wrapped ``text``, its paragraphs between empty lines, with a line for each."""
    words = Words()
    for line in text.splitlines():
        words.learn(line)
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return "\n".join(words.join(block) for block in blocks if block)


@cache
def _tails() -> frozenset[str]:
    source = files("pipelines.readers.pages").joinpath("paragraphs.toml").read_text("utf-8")
    tails: Sequence[str] = tomllib.loads(source)["tails"]
    return frozenset(tails)
