"""Read what the header of a column promises; the wordings are data in ``columns.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from pipelines.readers.tables.profiles import rules

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMBERED = re.compile(
    r"^(?:(?:question|prop(?:osal)?|part|section|item) ?\d+[a-z]?\b|q ?\d+(?:[. ]\d+)*(?: ?[a-z]|[ivx]+)?\b"
    r"|\d{1,3}(?:\.\d+)*[a-z]?(?=[.):\s-])|[a-z](?=[.)]\s))[\s.):–—-]*",
)
_CODE = re.compile(r"[a-z]{0,9}[ .]?\d{1,4}([ ._-]?[a-z\d]{1,4})?|column \d+", re.IGNORECASE)
_MARKS = re.compile(r"\s*(?:\*+|\(required\)|\(mandatory\)|\(optional\))\s*$")
_LONGEST = 2_000  # characters of a header that are read
_BRACKET = re.compile(r"\[([^\]]+)\]\s*$")
_BREAKS = re.compile(r"\s[-–—|:>»]+\s|: |\n")


@dataclass(frozen=True, slots=True)
class Heading:
    """The promises of a header: names of the lists of ``columns.toml`` that it matches.

    ``personal`` is what it names ("e-mail address"…), ``bare`` says that it is no more than a
    question number or a code, ``opens`` that its first word asks an open question, ``own`` that it
    asks for words whatever else it names.
    """

    roles: frozenset[str]
    personal: str = ""
    text: bool = False
    asks: bool = False
    bare: bool = False
    opens: bool = False
    own: bool = False

    def __contains__(self, role: object) -> bool:
        """Tell whether the header names a role ("date", "rating", "demographic"…)."""
        return role in self.roles


@lru_cache(maxsize=4096)
def read_heading(name: str, wording: str = "") -> Heading:
    """Read a column's name and, where the table has it, its full wording."""
    texts: dict[str, None] = {}
    for source in (name, wording):
        source = source[:_LONGEST]
        plain = normal(source)
        texts[plain] = None
        texts[_unnumbered(plain)] = None
        parts = [normal(part) for part in _BREAKS.split(source)]
        if len(parts) > 1:
            texts[_unnumbered(parts[-1])] = None
            texts[_unnumbered(parts[0])] = None
        if match := _BRACKET.search(source):
            texts[normal(match[1])] = None
    for plain in tuple(texts):
        texts[plain.rstrip(" ?:.")] = None
    texts.pop("", None)
    lists = _lists()
    hits = {
        key for key, patterns in lists.items() if any(p.search(t) for p in patterns for t in texts)
    }
    personal = next(
        (key.removeprefix("personal/") for key in lists if key in hits and "/" in key), ""
    )
    return Heading(
        frozenset(hits),
        personal,
        "text" in hits,
        "asks" in hits,
        not texts or all(_CODE.fullmatch(text) for text in texts),
        "opens" in hits,
        "own" in hits,
    )


def normal(header: str) -> str:
    """Return a header in lower case, its joined words taken apart and its marks left out."""
    text = _CAMEL.sub(" ", header.replace("_", " ")) if " " not in header.strip() else header
    text = " ".join(text.split()).lower().replace("’", "'").replace("‘", "'")
    if text.count("-") and " " not in text:
        text = text.replace("-", " ")
    return _MARKS.sub("", text)


def _unnumbered(text: str) -> str:
    before = None
    while text != before:
        before = text
        text = _NUMBERED.sub("", text)
    return text


@cache
def _lists() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    data = rules()["headings"]
    lists = {name: data[name] for name in ("text", "asks", "opens", "own")} | data["roles"]
    lists |= {f"personal/{name}": patterns for name, patterns in data["personal"].items()}
    return {name: tuple(map(re.compile, patterns)) for name, patterns in lists.items()}
