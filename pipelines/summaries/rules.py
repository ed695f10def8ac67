"""The rules of the package's TOML files, read once and compiled."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Patterns = tuple[re.Pattern[str], ...]
_HERE = Path(__file__).parent
_CAPITAL = "[A-ZÀ-ÖØ-Þ]"


@dataclass(frozen=True, slots=True)
class GroupRules:
    """Numbers of ``[group]``."""

    candidates: int
    part: int
    part_sends: int
    least_words: int
    most_words: int
    divided: float
    query_weight: float
    query_cosine: float


@dataclass(frozen=True, slots=True)
class QuoteRules:
    """Numbers and patterns of ``[quotes]``."""

    least_words: int
    ideal_words: int
    most_words: int
    different_words: int
    different_content: int
    fault: float
    leaning: Patterns
    referring: Patterns
    unfinished: Patterns


@cache
def group_rules() -> GroupRules:
    """Return the bounds of summaries of groups."""
    return GroupRules(**_read("rules.toml")["group"])


@cache
def quote_rules() -> QuoteRules:
    """Return what makes a sentence a good quote. The first word of a quote begins with a capital."""
    data = dict(_read("rules.toml")["quotes"])
    for name in ("leaning", "referring", "unfinished"):
        flags = re.IGNORECASE if name != "leaning" else 0
        data[name] = tuple(
            re.compile(p if name != "leaning" or p.endswith("[a-z]") else f"(?i:{p})", flags)
            for p in data[name]
        )
    return QuoteRules(**data)


@cache
def personal_patterns() -> dict[str, re.Pattern[str]]:
    r"""Return what tells a person, by its name; ``\p`` in a pattern is a capital letter."""
    given = _read("personal.toml")["patterns"]
    return {name: re.compile(p.replace(r"\p", _CAPITAL)) for name, p in given.items()}


@cache
def consent_patterns() -> dict[str, tuple[Patterns, re.Pattern[str]]]:
    """Return the columns of ``allows`` and ``withholds``, and what in their cells refuses."""
    data = _read("consent.toml")
    return {
        name: (
            tuple(re.compile(p, re.IGNORECASE) for p in data[name]["columns"]),
            re.compile(data[name][answer], re.IGNORECASE),
        )
        for name, answer in (("allows", "refused"), ("withholds", "withheld"))
    }


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / name).read_text("utf-8"))
