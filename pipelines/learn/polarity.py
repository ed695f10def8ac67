"""Whether a text speaks for a proposal, by weighted words and pairs of neighbouring words.

Two weights a word: one speaks for any proposal ("should", "yes"), one speaks well of what the
proposal is about. The second has to be turned round where the proposal is against its subject: who
speaks badly of a thing supports a ban of it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

Weights = Mapping[str, Sequence[float]]
"""A word or pair: how much it tells (idf), its weight for any proposal, and for the subject."""


def word_pairs(text: str) -> list[str]:
    """Return the distinct words and pairs of neighbours, in lower case."""
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())]
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    return list(dict.fromkeys([*words, *pairs]))


def polarity(texts: Sequence[str], weights: Weights) -> NDArray[np.float32]:
    """Return how much each text speaks for any proposal, and for its subject, [texts, 2]."""
    values = np.zeros((len(texts), 2), dtype=np.float32)
    for row, text in enumerate(texts):
        found = [weights[one] for one in word_pairs(text) if one in weights]
        if found:
            table = np.asarray(found, dtype=np.float64)
            size = np.sqrt((table[:, 0] ** 2).sum())
            values[row] = (table[:, :1] * table[:, 1:]).sum(axis=0) / size
    return values


def proposal_sign(question: str) -> int:
    """Return -1 for a proposal against its subject ("We should ban …"), +1 for one in favour of it.

    The first known verb of ``proposals.toml`` decides; 0 where there is none.
    """
    verbs = _verbs()
    for word in _WORD.findall(question.lower()):
        if word in verbs:
            return verbs[word]
    return 0


@cache
def _verbs() -> Mapping[str, int]:
    rules = tomllib.loads(Path(__file__).with_name("proposals.toml").read_text("utf-8"))
    return {
        word: sign for sign, key in ((-1, "against"), (1, "for")) for word in rules[key].split()
    }
