"""Cues: patterns of a TOML file as features, for what is seen in how a text is written."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from pipelines.learn.types import Floats

_MOST = 4
"""Finds of a cue that count."""

_LONG = 60.0
"""Words of a long answer."""


def cue_names(name: str) -> tuple[str, ...]:
    """Return the names of the cues of a file, in order; "" has none."""
    return tuple(_cues(name)) if name else ()


def cue_table(name: str, texts: Sequence[str]) -> Floats:
    """Return how often each cue is found and how long the text is, [texts, cues + 1].

    Values go from 0 to 1, the first find counting most. "" has no column.
    """
    if not name:
        return np.zeros((len(texts), 0), dtype=np.float32)
    cues = _cues(name)
    table = np.zeros((len(texts), len(cues) + 1), dtype=np.float32)
    for row, text in enumerate(texts):
        for column, pattern in enumerate(cues.values()):
            table[row, column] = min(sum(1 for _ in pattern.finditer(text)), _MOST)
        table[row, -1] = min(len(text.split()), _LONG) / _LONG * _MOST
    return np.asarray(np.log1p(table) / np.log1p(np.float32(_MOST)), dtype=np.float32)


@cache
def _cues(name: str) -> dict[str, re.Pattern[str]]:
    rules = tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text("utf-8"))
    return {cue: re.compile(pattern, re.I | re.M) for cue, pattern in rules["cues"].items()}
