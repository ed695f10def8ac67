"""Bags: the words of a label whatever their order, found by the rarest of them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from ontology.index.forms import STEM, form_rules
from ontology.index.label import token_of
from ontology.index.tables import Numbered
from ontology.index.types import JOINED, LETTERED

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

FEWEST, MOST = 2, 8
"""Words of a label that is put into a bag."""


def function_tokens(tokens: Numbered) -> set[int]:
    """Return the numbers of the words without a meaning of their own."""
    found = (tokens.numbers.get(token_of(word)) for word in form_rules().function)
    return {number for number in found if number is not None}


def bag_sections(
    steps: Numbers, lengths: Numbers, kept: Numbers, how: Numbers, tokens: Numbered
) -> tuple[dict[str, bytes], list[int]]:
    """Return the bags of the labels ``kept``, and the tokens they are found by."""
    import numpy as np

    begins = np.concatenate(([0], np.cumsum(lengths))).tolist()
    bare = [tokens.of(text[text.index(STEM) :]) for text in list(tokens.numbers)]
    skipped = function_tokens(tokens)
    flat = steps.tolist()
    bags: dict[tuple[int, tuple[int, ...]], None] = {}
    counts = [0] * len(tokens.numbers)
    for entry, label in enumerate(kept.tolist()):
        if how[label] & (JOINED | LETTERED):
            continue
        steps_here = [bare[step] for step in flat[begins[label] : begins[label + 1]]]
        words = tuple(dict.fromkeys(word for word in steps_here if word not in skipped))
        if FEWEST <= len(words) <= MOST and len(words) >= sum(w not in skipped for w in steps_here):
            bags[entry, words] = None
            for word in words:
                counts[word] += 1
    found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
    for entry, words in bags:
        anchor = min(words, key=lambda word: (counts[word], word))
        found.setdefault(anchor, []).append((entry, words))
    at, entries, word_at, rest = array("I", [0]), array("I"), array("I", [0]), array("I")
    for token in range(len(tokens.numbers)):
        for entry, words in found.get(token, ()):
            entries.append(entry)
            rest.extend(word for word in words if word != token)
            word_at.append(len(rest))
        at.append(len(entries))
    sections = {
        "bag_at": at.tobytes(),
        "bag_entry": entries.tobytes(),
        "bag_word_at": word_at.tobytes(),
        "bag_word": rest.tobytes(),
    }
    return sections, list(found)
