"""Make the word valence table: ``python -m pipelines.training.valence_table VADER PATTERN``.

VADER is ``vader_lexicon.txt`` (word, mean, deviation, ratings by tab; package ``vaderSentiment``, MIT);
PATTERN is ``en-sentiment.xml`` (package ``textblob``; PDDL, public domain). A word of both gets the
mean of the two, senses of a word are averaged, and what rounds to 0 is left out.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

from pipelines.learn.valence import TABLE

_STRONGEST = 4.0  # VADER's scale ends at ±4
_DOUBLED = 2.0  # VADER's words are mostly near the middle of its scale


def main(vader: Path, pattern: Path) -> None:
    """Write ``valence.csv``."""
    found: dict[str, list[float]] = defaultdict(list)
    for line in vader.read_text("utf-8").splitlines():
        word, mean = line.split("\t")[:2]
        if word.isascii() and word.isalpha() and word == word.lower():
            found[word].append(max(-1.0, min(1.0, _DOUBLED * float(mean) / _STRONGEST)))
    senses: dict[str, list[float]] = defaultdict(list)
    for node in ElementTree.parse(pattern).getroot().iter("word"):
        word = node.get("form", "")
        if word.isascii() and word.isalpha() and word == word.lower():
            senses[word].append(float(node.get("polarity", 0)))
    for word, values in senses.items():
        found[word].append(sum(values) / len(values))
    rows = [(word, round(10 * sum(v) / len(v))) for word, v in sorted(found.items())]
    kept = [f"{word},{tenths}" for word, tenths in rows if tenths]
    TABLE.write_text("word,tenths\n" + "\n".join(kept) + "\n", "utf-8")
    sys.stdout.write(f"{TABLE.name}: {len(kept)} words, {TABLE.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
