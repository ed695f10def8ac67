"""How well or badly a word speaks of what it is said of, from -1 to 1: ``valence.csv``.

The table is derived from the VADER lexicon (Hutto and Gilbert 2014; MIT licence) and the English
subjectivity lexicon of De Smedt and Daelemans (public domain, PDDL) by
``pipelines/training/valence_table.py``: means over both, in tenths, plain words only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

TABLE = Path(__file__).with_name("valence.csv")
_ENDINGS = ("fully", "ingly", "edly", "ful", "ies", "ing", "ed", "ly", "es", "s", "d")
_LEAST = 4  # letters that stay when an ending is taken off


@lru_cache(maxsize=100_000)
def valence(word: str) -> float:
    """Return the valence of a lower-case word; that of its base form; 0 where neither is known."""
    table = _table()
    if word in table:
        return table[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            base = word[: -len(ending)]
            for form in (base, base + "e", base + "y"):
                if form in table:
                    return table[form]
    return 0.0


@cache
def _table() -> Mapping[str, float]:
    rows = (line.split(",") for line in TABLE.read_text("utf-8").splitlines()[1:])
    return {word: int(tenths) / 10 for word, tenths in rows}
