"""Choose the one-byte encoding of a text by how its characters stand among their neighbours."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

_HIGH = re.compile(rb"[\x80-\xff]+")
_ENOUGH = 200_000  # contexts that are looked at
_WINDOW = 1 << 16
_CONTRACTED = set("strvlmdSTRVLMD")
_CLOSING = set(".,;:!?")
_EDGE = set("()[]{}<>\"'“”‘’«»|\t\0/-")


@dataclass(slots=True)
class Evidence:
    """The bytes above 127 of a file, each with its neighbours, and a piece of text around some."""

    contexts: Counter[bytes] = field(default_factory=Counter)
    high: int = 0
    side_by_side: int = 0
    window: bytes = b""

    def add(self, block: bytes) -> None:
        """Take what ``block`` has; past the first few hundred thousand nothing is learnt."""
        if self.high > _ENOUGH:
            return
        for match in _HIGH.finditer(block):
            start, end = match.span()
            if len(self.window) < _WINDOW // 16:
                first = max(block.rfind(b"\n", 0, start) + 1, start - _WINDOW // 2)
                self.window = max(self.window, block[first : first + _WINDOW], key=len)
            self.high += end - start
            if end - start > 1:
                self.side_by_side += end - start
            for place in range(start, min(end, start + 4)):
                before = block[place - 1 : place] or b"\n"
                self.contexts[before + block[place : place + 2].ljust(2, b"\n")] += 1
            if self.high > _ENOUGH:
                return


@dataclass(frozen=True, slots=True)
class Choice:
    """A codec, its name to show, and what is in doubt about it ("" when nothing is)."""

    codec: str
    name: str
    doubt: str = ""


def choose(evidence: Evidence) -> Choice:
    """Return the codec that makes the most sense of ``evidence``.

    Bytes that no Latin alphabet explains go to charset-normalizer; a doubt says so.
    """
    rules = _rules()
    total = sum(evidence.contexts.values())
    if not total:
        return Choice("cp1252", ALPHABETS["cp1252"])
    latin = evidence.side_by_side <= rules["runs"] * evidence.high or evidence.high < 4
    scores = {codec: _score(evidence.contexts, codec) for codec in ALPHABETS}
    best = max(scores, key=lambda codec: scores[codec])  # the first of equals
    if not latin and (other := _guess(evidence.window)):
        return other
    if scores[best] <= rules["enough"] * total:
        return Choice("cp1252", ALPHABETS["cp1252"], "encoding in doubt, read as windows-1252")
    rivals = [
        ALPHABETS[codec]
        for codec in ALPHABETS
        if codec != best
        and rules["close"] * scores[best] <= scores[codec]
        and codec in rules["rivals"]
        and _differ(evidence.contexts, best, codec)
    ]
    doubt = f"encoding guessed from its letters and marks: {ALPHABETS[best]}"
    if rivals:
        doubt += f", but it may be {' or '.join(rivals)}; look at accents and quotation marks"
    return Choice(best, ALPHABETS[best], doubt if rivals or best != "cp1252" else "")


def _score(contexts: Counter[bytes], codec: str) -> float:
    return sum(
        times * _fit(context.decode(codec, "replace")) for context, times in contexts.items()
    )


def _differ(contexts: Counter[bytes], one: str, other: str) -> bool:
    return any(
        context.decode(one, "replace")[1] != context.decode(other, "replace")[1]
        for context in contexts
    )


@cache
def _fit(three: str) -> float:
    """Return how well the middle character stands between the other two."""
    before, character, after = three[0], three[1], three[2]
    scores = _rules()["scores"]
    if character == "\ufffd" or "\x80" <= character <= "\x9f":
        return float(scores["undefined"])
    if character.isalpha() and character not in "ªº":
        column = 4 if character.isupper() else 2 if character in scores["common"] else 3
        fits = [(fit[0], fit[1], fit[column]) for fit in scores["letters"]]
    else:
        fits = _marks().get(character, [])
    for left, right, score in fits:
        if left in _kinds(before) and right in _kinds(after):
            return float(score)
    return float(scores["otherwise"])


@cache
def _kinds(character: str) -> frozenset[str]:
    """Return what ``character`` is to its neighbour, in the terms of ``alphabets.toml``."""
    kinds = {"any"}
    if character.isalpha():
        kinds |= {"letter", "word", "upper" if character.isupper() else "lower"}
        if character in _CONTRACTED:
            kinds.add("contracted")
    elif character.isdigit():
        kinds |= {"digit", "word"}
    elif character.isspace() or character in _EDGE:
        kinds |= {"edge", "closing"}
    elif character in _CLOSING:
        kinds |= {"closing", "edge"} if character in ",;" else {"closing"}
    return frozenset(kinds)


def _guess(window: bytes) -> Choice | None:
    """Return what charset-normalizer makes of a piece of the text, if anything."""
    from charset_normalizer import from_bytes

    best = from_bytes(window, cp_isolation=_rules()["others"]["codecs"]).best()
    if best is None or best.encoding in {"ascii", "utf_8"}:
        return None
    name = best.encoding.replace("_", "-")
    return Choice(best.encoding, name, f"encoding guessed from a sample of the text: {name}")


@cache
def _marks() -> dict[str, list[tuple[str, str, float]]]:
    return {
        character: [(str(fit[0]), str(fit[1]), float(fit[2])) for fit in group["fits"]]
        for group in _rules()["marks"]
        for character in group["characters"]
    }


@cache
def _rules() -> dict[str, Any]:
    return tomllib.loads(
        files("pipelines.readers.text").joinpath("alphabets.toml").read_text("utf-8")
    )


def _alphabets() -> Iterator[tuple[str, str]]:
    for entry in _rules()["codec"]:
        yield entry["codec"], entry["name"]


ALPHABETS: dict[str, str] = dict(_alphabets())
"""The one-byte codecs that are told apart here, with their names to show."""
