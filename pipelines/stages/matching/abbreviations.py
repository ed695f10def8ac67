"""Abbreviations that a text defines: "von Hippel-Lindau (VHL) disease", "GERD (… disease)".

The algorithm is that of A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying
abbreviation definitions in biomedical text", PSB 2003: every character of the short form has to
occur, in order, in the long form right before the bracket, and its first one begins a word.
"""

from __future__ import annotations

import re

_BRACKET = re.compile(r"[(\[]([^()\[\]]{2,200})[)\]]")
_SHORT = re.compile(r"[^\W_](?:[\w/.&+-]| (?=\S)){0,9}")
_SENTENCE = re.compile(r"[.;:!?](?:\s|$)|\n\s*\n")
_WORD = re.compile(r"\S+")
MOST_CHARACTERS = 10
"""Characters of a short form."""


def definitions(text: str) -> dict[str, str]:
    """Return the long form of every short form that ``text`` defines; the first one counts."""
    found: dict[str, str] = {}
    for bracket in _BRACKET.finditer(text):
        inside = re.split(r"[,;]", bracket.group(1))[0].strip().strip("\"'“”‘’")
        before = _before(text, bracket.start())
        pair = None
        if _is_short(inside):
            pair = _pair(inside, before)
        elif before:
            outside = before.split()[-1]
            if _is_short(outside) and len(bracket.group(1)) > len(outside):
                pair = _pair(outside, bracket.group(1).strip())
        if pair is not None:
            found.setdefault(*pair)
    return found


def _before(text: str, end: int) -> str:
    """Return the sentence so far."""
    begin = max(0, end - 400)
    stretch = text[begin:end]
    ends = [match.end() for match in _SENTENCE.finditer(stretch)]
    return stretch[ends[-1] if ends else 0 :].rstrip()


def _is_short(text: str) -> bool:
    """Tell whether ``text`` looks like a short form: two to ten characters, a capital or digit."""
    return (
        2 <= len(text) <= MOST_CHARACTERS
        and _SHORT.fullmatch(text) is not None
        and len(text.split()) <= 2
        and sum(char.isupper() for char in text) >= 1
        and any(char.isalpha() for char in text)
    )


def _pair(short: str, before: str) -> tuple[str, str] | None:
    """Return (short, long form), where the words at the end of ``before`` spell ``short`` out."""
    letters = sum(char.isalnum() for char in short)
    words = list(_WORD.finditer(before))
    most = min(letters + 5, letters * 2)
    if not words:
        return None
    stretch = before[words[max(0, len(words) - most)].start() :]
    long = _best_long_form(short, stretch)
    if long is None or len(long) <= len(short) or short in long.split():
        return None
    return short, long


def _best_long_form(short: str, stretch: str) -> str | None:
    """Return the shortest end of ``stretch`` that has the characters of ``short`` in order."""
    place = len(stretch) - 1
    for number in range(len(short) - 1, -1, -1):
        char = short[number].lower()
        if not char.isalnum():
            continue
        while place >= 0 and (
            stretch[place].lower() != char
            or (number == 0 and place > 0 and stretch[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
        place -= 1
    begin = stretch.rfind(" ", 0, place + 1) + 1
    return stretch[begin:].lstrip("(\"'“‘[")
