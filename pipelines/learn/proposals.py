"""What is proposed: what a question names, and whether it would do it good or harm.

Word lists are data: ``proposals.toml`` and ``stance.toml``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pipelines.learn.words import content_words, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def proposal_sign(question: str) -> int:
    """Return -1 for a proposal against its subject ("We should ban …"), +1 for one in favour of it.

    The first known verb of ``proposals.toml`` decides, turned round after a negation ("should not
    be allowed"); 0 where there is none.
    """
    verbs, turned = _verbs(), 1
    for word in _WORD.findall(question.lower().replace("’", "'")):
        if word in word_classes()["negations"]:
            turned = -turned
        elif word in verbs:
            return turned * verbs[word]
    return 0


def subject_stems(question: str) -> frozenset[str]:
    """Return the stems of the words that name what a proposal is about."""
    other = word_classes()["asking"]
    return frozenset(
        stem(word)
        for word in content_words(question)
        if word not in other and word not in _verbs() and word not in word_classes()["negations"]
    )


def is_action(word: str) -> bool:
    """Whether a word in lower case is one by which proposals do their subject good or harm."""
    return word in _verbs()


@cache
def word_classes() -> Mapping[str, frozenset[str]]:
    """Return the word lists of ``stance.toml``."""
    rules = tomllib.loads(Path(__file__).with_name("stance.toml").read_text("utf-8"))
    return {name: frozenset(words.split()) for name, words in rules.items()}


@cache
def _verbs() -> Mapping[str, int]:
    rules = tomllib.loads(Path(__file__).with_name("proposals.toml").read_text("utf-8"))
    return {
        word: sign for sign, key in ((-1, "against"), (1, "for")) for word in rules[key].split()
    }
