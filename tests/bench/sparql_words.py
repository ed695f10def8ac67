"""A made-up hierarchy of 5,000 concepts on eight levels, as SKOS."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

UNUSED = 5
"""One concept in so many never occurs."""

LEVELS = (8, 40, 200, 600, 1200, 1400, 1000, 552)
BASE = "https://example.org/made-up/"
_SYLLABLES = [
    "tor",
    "vesk",
    "lin",
    "dar",
    "quil",
    "mon",
    "sae",
    "fur",
    "bel",
    "ost",
    "rin",
    "gam",
    "hul",
    "pey",
    "zan",
    "wid",
    "kor",
    "nel",
    "tas",
    "bri",
]


@dataclass(slots=True)
class Words:
    """The made-up concepts: IRIs and labels in order of number, parents by number, running weights."""

    iris: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    parents: list[list[int]] = field(default_factory=list)
    sums: list[float] = field(default_factory=list)


def make_words(chance: random.Random) -> Words:
    """Return 5,000 concepts on eight levels; one in ten has a second parent."""
    words, above = Words(), list[int]()
    names = [" ".join(pair) for pair in itertools.product(_names(), repeat=2) if pair[0] != pair[1]]
    chance.shuffle(names)
    for size in LEVELS:
        level = range(len(words.iris), len(words.iris) + size)
        for number in level:
            words.iris.append(f"{BASE}c{number:04d}")
            words.labels.append(names[number])
            several = 2 if above and chance.random() < 0.1 else 1
            words.parents.append(sorted(set(chance.choices(above, k=several))) if above else [])
        above = list(level)
    ranks = list(range(len(words.iris)))
    chance.shuffle(ranks)
    words.sums = list(
        itertools.accumulate(
            0 if number % UNUSED == 4 else 1 / (rank + 20) for number, rank in enumerate(ranks)
        )
    )
    return words


def _names() -> list[str]:
    return [a + b for a, b in itertools.product(_SYLLABLES, repeat=2) if a != b]


def turtle(words: Words) -> str:
    """Return the hierarchy as SKOS in Turtle."""
    lines = [
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "@prefix dct: <http://purl.org/dc/terms/> .",
        f'<{BASE}scheme> a skos:ConceptScheme ; dct:title "Made-up matters"@en .',
    ]
    for iri, label, parents in zip(words.iris, words.labels, words.parents, strict=True):
        above = "".join(f" ; skos:broader <{words.iris[parent]}>" for parent in parents)
        lines.append(
            f'<{iri}> a skos:Concept ; skos:prefLabel "{label}"@en ;'
            f" skos:inScheme <{BASE}scheme>{above} ."
        )
    return "\n".join(lines) + "\n"
