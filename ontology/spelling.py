"""British and American forms of a label, from pairs kept as data (``data/spelling.toml``)."""

from __future__ import annotations

import hashlib
import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_PLACES = ("word", "start", "end", "anywhere")


class _Rule(NamedTuple):
    place: str
    british: str
    american: str


class _Rules(NamedTuple):
    rules: tuple[_Rule, ...]
    to_british: tuple[str, ...]
    to_american: tuple[str, ...]


def variants(text: str) -> tuple[str, ...]:
    """Return the all-British and the all-American form of ``text``, where they differ from it."""
    found = dict.fromkeys((british(text), american(text)))
    found.pop(text, None)
    return tuple(found)


def british(text: str) -> str:
    """Return ``text`` with every word in British spelling."""
    return _WORD.sub(lambda word: _cased(word.group(), _respell(word.group().lower(), True)), text)


def american(text: str) -> str:
    """Return ``text`` with every word in American spelling."""
    return _WORD.sub(lambda word: _cased(word.group(), _respell(word.group().lower(), False)), text)


@cache
def rules_hash() -> str:
    """Return the sha256 of the rules, for what is made with them."""
    return hashlib.sha256(_bytes()).hexdigest()


def _bytes() -> bytes:
    return (resources.files("ontology") / "data" / "spelling.toml").read_bytes()


@cache
def _rules() -> _Rules:
    found = tomllib.loads(_bytes().decode())
    return _Rules(
        tuple(_Rule(place, *pair) for place in _PLACES for pair in found[place]),
        tuple(found["exceptions"]["to_british"]),
        tuple(found["exceptions"]["to_american"]),
    )


@cache
def _parts(to_british: bool) -> re.Pattern[str]:
    """Return what finds a part of a word that some rule is about; most words have none."""
    parts = {
        in_american if to_british else in_british for _, in_british, in_american in _rules().rules
    }
    return re.compile("|".join(map(re.escape, sorted(parts))))


@lru_cache(maxsize=1 << 16)
def _respell(word: str, to_british: bool) -> str:
    """Return a lower-case word respelt; a word that already has the wanted form keeps it."""
    rules = _rules()
    if not _parts(to_british).search(word):
        return word
    if any(part in word for part in (rules.to_british if to_british else rules.to_american)):
        return word
    for place, in_british, in_american in rules.rules:
        have, want = (in_american, in_british) if to_british else (in_british, in_american)
        if have not in word or (want in word and to_british):
            continue
        if place == "anywhere":
            word = word.replace(have, want)
        elif place == "start":
            word = want + word[len(have) :] if word.startswith(have) else word
        elif place == "word" and word in (have, have + "s"):
            return want + word[len(have) :]
        elif place == "end" and word.endswith((have, have + "s")):
            at = word.rindex(have)
            word = word[:at] + want + word[at + len(have) :]
    return word


def _cased(original: str, respelt: str) -> str:
    if original.isupper() and len(original) > 1:
        return respelt.upper()
    return respelt.capitalize() if original[:1].isupper() else respelt
