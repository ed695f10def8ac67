"""WordNet as a lexicon: how often a word is used, what it is related to, and its inflected forms.

Files: https://wordnet.princeton.edu/documentation/wndb5wn (``data``, ``index``),
https://wordnet.princeton.edu/documentation/cntlist5wn (counts from tagged text) and
https://wordnet.princeton.edu/documentation/morphy7wn (``exc``: irregular forms).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from pipelines.training.errors import MissingSource

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_PART_OF_NUMBER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_VOWELS = frozenset("aeiou")
# Regular endings: form, ending, what it replaces in the lemma.
_ENDINGS = (
    ("n", "s", "ies", "y"),
    ("n", "s", "es", ""),
    ("n", "s", "s", ""),
    ("v", "s", "ies", "y"),
    ("v", "s", "es", ""),
    ("v", "s", "s", ""),
    ("v", "ing", "ing", "e"),
    ("v", "ing", "ing", ""),
    ("v", "ed", "ied", "y"),
    ("v", "ed", "ed", "e"),
    ("v", "ed", "ed", ""),
)


@dataclass(slots=True)
class Synset:
    """Words of one meaning: ``wider`` and ``narrower`` are the keys of other synsets.

    ``topic`` is the lexicographer's file (https://wordnet.princeton.edu/documentation/lexnames5wn).
    """

    words: list[str]
    topic: int = 0
    wider: list[str] = field(default_factory=list)
    narrower: list[str] = field(default_factory=list)
    opposites: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a word: its lemma, part of speech (n, v, a, r) and form ("", s, ing, ed)."""

    lemma: str
    part: str
    form: str


def inflect(lemma: str, form: str, irregular: dict[tuple[str, str], str] | None = None) -> str:
    """Return a form of a lemma: "s" (plural, third person), "ing", "ed"; "" is the lemma."""
    if not form:
        return lemma
    if irregular and (found := irregular.get((lemma, form))):
        return found
    head, _, rest = lemma.partition(" ")
    if rest:
        return (
            f"{inflect(head, form, irregular)} {rest}"
            if form != "s"
            else f"{head} {inflect(rest, form, irregular)}"
        )
    ends_in_y = lemma.endswith("y") and lemma[-2:-1] not in _VOWELS
    if form == "s":
        if ends_in_y:
            return lemma[:-1] + "ies"
        return lemma + ("es" if lemma.endswith(("s", "x", "z", "ch", "sh")) else "s")
    if form == "ed" and ends_in_y:
        return lemma[:-1] + "ied"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + form
    if (
        3 <= len(lemma) <= 5
        and lemma[-1] not in _VOWELS | set("wxy")
        and lemma[-2] in _VOWELS
        and lemma[-3] not in _VOWELS
    ):
        return lemma + lemma[-1] + form
    return lemma + form


class Lexicon:
    """WordNet's words with counts, relations and forms."""

    def __init__(self, root: Path) -> None:
        """Read the files below an unpacked ``wordnet-base``. Raises MissingSource."""
        folder = root / "usr/share/wordnet"
        if not (folder / "data.noun").is_file():
            raise MissingSource(f"{folder} has no data.noun: is it the unpacked wordnet-base?")
        self.synsets: dict[str, Synset] = {}
        self.first: dict[tuple[str, str], str] = {}
        self.counts: dict[tuple[str, str], int] = defaultdict(int)
        self.irregular: dict[tuple[str, str], str] = {}
        self._readings: dict[str, tuple[str, str, str]] = {}
        for name, part in _PARTS.items():
            self._read_synsets(folder / f"data.{name}", part)
            self._read_senses(folder / f"index.{name}", part)
        self._read_counts(folder / "cntlist.rev")
        for name, part in (("noun", "n"), ("verb", "v")):
            self._read_exceptions(folder / f"{name}.exc", part)
        for key, synset in self.synsets.items():
            for wider in synset.wider:
                self.synsets[wider].narrower.append(key)

    def _read_synsets(self, path: Path, part: str) -> None:
        for line in path.read_text(encoding="latin-1").splitlines():
            if line.startswith("  "):
                continue
            columns = line.partition(" | ")[0].split(" ")
            size = int(columns[3], 16)
            words = [columns[4 + 2 * i].partition("(")[0].replace("_", " ") for i in range(size)]
            synset = Synset(words, int(columns[1]))
            start = 4 + 2 * size
            for i in range(int(columns[start])):
                symbol, offset, other, ends = columns[start + 1 + 4 * i : start + 5 + 4 * i]
                key = ("a" if other == "s" else other) + offset
                if symbol in {"@", "@i"} or (symbol == "&" and columns[2] == "s"):
                    synset.wider.append(key)
                elif symbol == "!":
                    synset.opposites.append((words[int(ends[:2], 16) - 1], key))
            self.synsets[part + columns[0]] = synset

    def _read_senses(self, path: Path, part: str) -> None:
        for line in path.read_text(encoding="latin-1").splitlines():
            if not line.startswith("  "):
                columns = line.split()
                offsets = columns[-int(columns[2]) :]
                self.first[columns[0].replace("_", " "), part] = part + offsets[0]

    def _read_counts(self, path: Path) -> None:
        for line in path.read_text(encoding="latin-1").splitlines():
            sense, _, count = line.split()
            lemma, _, rest = sense.partition("%")
            self.counts[lemma.replace("_", " "), _PART_OF_NUMBER[rest[0]]] += int(count)

    def _read_exceptions(self, path: Path, part: str) -> None:
        for line in path.read_text(encoding="latin-1").splitlines():
            form, lemma = line.split()[:2]
            kind = "s" if part == "n" else "ing" if form.endswith("ing") else "ed"
            if "_" not in form and (lemma, part) in self.first:
                known = self.irregular.get((lemma, kind))
                # Of "fallen" and "fell" the latter is the past tense.
                if known is None or (known.endswith("n") and not form.endswith("n")):
                    self.irregular[lemma, kind] = form
                self._readings.setdefault(form, (lemma, part, kind))

    def reading(self, word: str) -> Reading | None:
        """Return the most used reading of a lower-case word, or None for one not in WordNet."""
        found: list[tuple[int, Reading]] = [
            (self.counts[word, part], Reading(word, part, ""))
            for part in "nvar"
            if (word, part) in self.first
        ]
        if irregular := self._readings.get(word):
            lemma, part, form = irregular
            found.append((self.counts[lemma, part] + 1, Reading(lemma, part, form)))
        for part, form, ending, instead in _ENDINGS:
            lemma = word.removesuffix(ending) + instead
            if word.endswith(ending) and (lemma, part) in self.first:
                found.append((self.counts[lemma, part], Reading(lemma, part, form)))
        return max(found, key=lambda pair: pair[0])[1] if found else None

    def of_topic(self, topic: int, *, used: int = 1) -> dict[str, int]:
        """Return how often each lemma is used whose first sense is of a lexicographer's file."""
        return {
            lemma: self.counts[lemma, part]
            for (lemma, part), key in sorted(self.first.items())
            if self.synsets[key].topic == topic and self.counts[lemma, part] >= used
        }

    def inflected(self, lemma: str, form: str) -> str:
        """Return a form of a lemma, irregular ones included."""
        return inflect(lemma, form, self.irregular)

    def related(self, reading: Reading) -> dict[str, list[str]]:
        """Return lemmas related to the first sense: same, wider, narrower, sister, opposite."""
        key = self.first.get((reading.lemma, reading.part))
        if key is None:
            return {}
        synset = self.synsets[key]
        sisters = [other for wider in synset.wider for other in self.synsets[wider].narrower]
        found = {
            "same": synset.words,
            "wider": [word for wider in synset.wider for word in self.synsets[wider].words],
            "narrower": [word for other in synset.narrower for word in self.synsets[other].words],
            "sister": [word for other in sisters for word in self.synsets[other].words[:1]],
            "opposite": [self.synsets[other].words[0] for _, other in synset.opposites],
        }
        return {
            name: usable
            for name, words in found.items()
            if (usable := [w for w in dict.fromkeys(words) if w.lower() != reading.lemma])
        }
